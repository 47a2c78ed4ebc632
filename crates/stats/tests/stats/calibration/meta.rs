//! Metrics against people: the default intervals of [`evaluate_metrics`], and its tests of differences.
//!
//! Items have a hidden quality. Raters rate it in whole points from 1 to 5, each with their own level, spread and
//! noise; metrics measure it with noise. A survey draws items for the same raters; the truth is the statistics over
//! very many items.

use super::populations::Draws;
use super::rates::{Rate, Rates, holds, is_significant, write_part};
use crate::support::*;

/// The raters of a survey.
#[derive(Clone, Copy)]
struct Panel {
    name: &'static str,
    n_raters: usize,
    /// Ratings are published as one mean for each item, not in whole points.
    is_mean_opinion: bool,
}

const fn raters(name: &'static str, n_raters: usize) -> Panel {
    let is_mean_opinion = false;
    Panel {
        name,
        n_raters,
        is_mean_opinion,
    }
}

const PANELS: [Panel; 4] = [
    raters("5 raters", 5),
    raters("20 raters", 20),
    raters("1 rater", 1),
    Panel {
        is_mean_opinion: true,
        ..raters("mean opinion scores", 1)
    },
];

/// Names of metrics, and the correlation of their scores with quality.
const METRICS: [(&str, f64); 8] = [
    ("noise", 0.0),
    ("other noise", 0.0),
    ("weak", 0.5),
    ("other weak", 0.5),
    ("good", 0.85),
    ("other good", 0.85),
    ("excellent", 0.97),
    ("coarse", 0.85),
];
const COARSE: usize = 7;

/// Pairs of metrics whose differences are tested; the first three do not differ.
const PAIRS: [(usize, usize); 7] = [(0, 1), (2, 3), (4, 5), (2, 4), (0, 6), (4, 7), (4, 6)];
const N_NULL: usize = 3;

/// Draws surveys with one panel.
struct Simulation {
    panel: Panel,
    /// Level, spread and noise of each rater.
    raters: Vec<[f64; 3]>,
    seed: u64,
}

impl Simulation {
    fn of(panel: Panel) -> Self {
        let seed = panel.n_raters as u64 * 2 + u64::from(panel.is_mean_opinion);
        let mut draws = Draws::of(seed, usize::MAX);
        let rater = |_| {
            let (level, spread) = (0.4 * draws.normal(), (0.25 * draws.normal()).exp());
            [level, spread, 0.6 + 0.5 * draws.uniform()]
        };
        Simulation {
            panel,
            raters: (0..panel.n_raters).map(rater).collect(),
            seed,
        }
    }

    fn survey(&self, n_items: usize, number: usize) -> (Ratings, Vec<MetricColumn>) {
        let mut draws = Draws::of(self.seed, number);
        let mut ratings = Vec::with_capacity(n_items * self.raters.len());
        let mut scores = vec![Vec::new(); METRICS.len()];
        for _ in 0..n_items {
            let quality = draws.normal();
            for [level, spread, noise] in &self.raters {
                let opinion = 3.0 + level + spread * quality + noise * draws.normal();
                let points = opinion.round().clamp(1.0, 5.0);
                ratings.push(Some(if self.panel.is_mean_opinion { opinion } else { points }));
            }
            // Metrics have similar errors, as if they measured the same properties.
            let shared = draws.normal();
            for (m, (column, (_, rho))) in scores.iter_mut().zip(METRICS).enumerate() {
                let noise = 0.6 * shared + 0.8 * draws.normal();
                let score = rho * quality + (1.0 - rho * rho).sqrt() * noise;
                column.push(if m == COARSE { (2.0 * score).round() } else { score });
            }
        }
        let columns = METRICS.iter().zip(scores).map(|((name, _), scores)| metric(name, scores));
        (Ratings::new(self.raters.len(), ratings).unwrap(), columns.collect())
    }

    /// Each statistic of each metric over surveys of 700 items, on streams that [`count`](Self::count) does not use.
    fn truth(&self, n_surveys: usize) -> Vec<Vec<f64>> {
        truth(n_surveys, |number| self.survey(700, (1 << 40) + number))
    }

    fn count(&self, truth: &[Vec<f64>], n_items: usize, n_surveys: usize) -> Vec<Counted> {
        let survey = |number: usize| {
            let (ratings, metrics) = self.survey(n_items, n_items << 20 | number);
            evaluate_metrics(&ratings, &metrics, &without_chance()).unwrap()
        };
        let found: Vec<MetaResult> = (0..n_surveys).into_par_iter().map(survey).collect();
        counted(&found, truth, &PAIRS, |(a, b), s| truth[a][s] - truth[b][s])
    }
}

/// The mean of each metric's statistics over surveys.
pub(super) fn truth(n_surveys: usize, survey: impl Fn(usize) -> (Ratings, Vec<MetricColumn>) + Sync) -> Vec<Vec<f64>> {
    let of_survey = |number: usize| -> Vec<Vec<f64>> {
        let (ratings, metrics) = survey(number);
        let human: Vec<f64> = human_scores(&ratings, HumanScore::Mean).into_iter().flatten().collect();
        let of_metric = |column: &MetricColumn| {
            let scores: Vec<f64> = column.scores.iter().flatten().copied().collect();
            of_each(&scores, &human)
        };
        metrics.iter().map(of_metric).collect()
    };
    let all: Vec<Vec<Vec<f64>>> = (0..n_surveys).into_par_iter().map(of_survey).collect();
    let mean = |m: usize, s: usize| all.iter().map(|survey| survey[m][s]).sum::<f64>() / n_surveys as f64;
    (0..all[0].len()).map(|m: usize| (0..Statistic::ALL.len()).map(|s| mean(m, s)).collect()).collect()
}

/// The value of each statistic, in the order of [`Statistic::ALL`].
pub(crate) fn of_each(scores: &[f64], human: &[f64]) -> Vec<f64> {
    use neurogauge_stats::*;
    let best = TieCalibration::new(scores).unwrap().unwrap().best(human).unwrap().unwrap();
    let counts = best.uncalibrated;
    vec![
        best.accuracy,
        counts.accuracy().unwrap(),
        counts.tau_b().unwrap(),
        pearson(scores, human).unwrap().unwrap(),
        spearman(scores, human).unwrap().unwrap(),
        counts.accuracy_over_untied().unwrap(),
        kendall_tau_c(scores, human).unwrap().unwrap(),
        counts.tau_23().unwrap(),
    ]
}

/// For one statistic: how often the intervals of each metric and of each pair contain the truth, and how often tests of
/// pairs reject.
pub(super) struct Counted {
    pub(super) metrics: Vec<Rate>,
    pub(super) pairs: Vec<Rate>,
    pub(super) rejected: Vec<Rate>,
}

/// For each statistic; `of_pair` is the true difference of a pair.
pub(super) fn counted(
    results: &[MetaResult],
    truth: &[Vec<f64>],
    pairs: &[(usize, usize)],
    of_pair: impl Fn((usize, usize), usize) -> f64,
) -> Vec<Counted> {
    let rate = |of: &dyn Fn(&MetaResult) -> Option<bool>| Rate::of(&results.iter().map(of).collect::<Vec<_>>());
    let of_statistic = |s: usize| {
        let differing = |(a, b): (usize, usize), of: &dyn Fn(&StatisticDifference) -> Option<bool>| {
            rate(&|found| {
                let [a, b] = [a, b].map(|m| &found.metrics[m].name);
                let is_pair = |d: &&MetricDifference| d.minuend == *a && d.subtrahend == *b;
                of(&found.differences.iter().find(is_pair).unwrap().statistics[s])
            })
        };
        let metric = |m: usize| rate(&|found| holds(found.metrics[m].statistics[s].interval, truth[m][s]));
        let pair = |&pair| differing(pair, &|figure| holds(figure.interval, of_pair(pair, s)));
        let rejected = |&pair| differing(pair, &|figure| is_significant(figure.p_value));
        Counted {
            metrics: (0..truth.len()).map(metric).collect(),
            pairs: pairs.iter().map(pair).collect(),
            rejected: pairs.iter().map(rejected).collect(),
        }
    };
    (0..Statistic::ALL.len()).map(of_statistic).collect()
}

#[test]
fn default_intervals_cover_and_tests_keep_their_size() {
    let simulation = Simulation::of(PANELS[0]);
    let truth = simulation.truth(8);
    for n_items in [10, 30] {
        let counts = simulation.count(&truth, n_items, 200);
        for (statistic, counts) in Statistic::ALL.into_iter().zip(&counts) {
            for (rate, (name, _)) in counts.metrics.iter().zip(METRICS) {
                rate.assert_at_least(0.93, &format!("{statistic:?} {name} {n_items}"));
            }
            for (rate, pair) in counts.pairs.iter().zip(PAIRS) {
                rate.assert_at_least(0.93, &format!("{statistic:?} {pair:?} {n_items}"));
            }
            for rate in &counts.rejected[..N_NULL] {
                rate.assert_at_most(0.06, &format!("{statistic:?} {n_items}"));
            }
            // All metrics together, for a smaller standard error.
            let all = |of: &[Rate]| of.iter().map(Rate::share).sum::<f64>() / of.len() as f64;
            for share in [all(&counts.metrics), all(&counts.pairs)] {
                assert!((0.93..0.99).contains(&share), "{statistic:?} {n_items}: {share}");
            }
        }
    }
}

/// Numbers of items, and the number of surveys of this size.
const WHOLE: [(usize, usize); 5] = [(6, 3000), (10, 3000), (30, 1500), (100, 600), (1000, 300)];

/// The tables of `make calibration`.
#[test]
#[ignore = "takes minutes; make calibration runs it"]
fn the_tables_of_metrics_against_people() {
    let titles = [
        "Coverage of the intervals of single metrics, lowest and highest of eight (%).",
        "Coverage of the intervals of differences, lowest and highest of seven pairs (%).",
        "Size of the tests of differences at 5%, highest of three pairs that agree alike (%).",
    ];
    let [mut of_metrics, mut of_pairs, mut sizes] = titles.map(|title| Rates::new(title, &WHOLE.map(|(n, _)| n)));
    for panel in PANELS {
        let simulation = Simulation::of(panel);
        let truth = simulation.truth(40);
        let counts = WHOLE.map(|(n_items, n_surveys)| simulation.count(&truth, n_items, n_surveys));
        for (s, statistic) in Statistic::ALL.into_iter().enumerate() {
            let row = format!("{}, {}", panel.name, statistic.label());
            of_metrics.cells(&row, &counts.each_ref().map(|counted| shown(&counted[s].metrics)));
            of_pairs.cells(&row, &counts.each_ref().map(|counted| shown(&counted[s].pairs)));
            let found = counts.iter().zip(WHOLE).map(|(counted, (_, n_surveys))| size(&counted[s], n_surveys));
            sizes.cells(&row, &found.collect::<Vec<_>>());
        }
    }
    write_part("meta", &(of_metrics.text() + &of_pairs.text() + &sizes.text()));
}

/// A cell such as `94.1 to 96.0 (3% without)`.
fn shown(covered: &[Rate]) -> String {
    let shares = || covered.iter().map(|rate| 100.0 * rate.share());
    let (low, high) = (shares().fold(f64::INFINITY, f64::min), shares().fold(0.0, f64::max));
    let mut text = format!("{low:.1} to {high:.1}");
    let all = Rate::of_all(covered);
    let without = 100.0 * all.without as f64 / (all.of + all.without) as f64;
    if without >= 0.5 {
        write!(text, " ({without:.0}% without)").unwrap();
    }
    text
}

/// The highest share of surveys in which the test finds a difference of an equal pair.
fn size(counts: &Counted, n_surveys: usize) -> String {
    let highest = counts.rejected[..N_NULL].iter().map(|rate| rate.hits).max().unwrap_or(0);
    format!("{:.1}", 100.0 * highest as f64 / n_surveys as f64)
}
