//! Metrics against people: the default intervals of [`evaluate_metrics`], and its tests of differences.
//!
//! Items have a hidden quality. Raters give it in whole points from 1 to 5, each with their own level, spread and
//! noise; metrics give it with noise. A survey draws items for the same raters, and the statistics over very many items
//! are the truth.

use neurogauge_core::{Direction, Seed};
use neurogauge_stats::Ratings;
use neurogauge_stats::meta::*;
use rand::Rng;
use std::fmt::Write;

/// Who rates.
#[derive(Clone, Copy)]
struct Panel {
    name: &'static str,
    n_raters: usize,
    /// Published as one figure for each item, not in whole points.
    is_mean_opinion: bool,
}

const PANELS: [Panel; 4] = [
    Panel {
        name: "5 raters",
        n_raters: 5,
        is_mean_opinion: false,
    },
    Panel {
        name: "20 raters",
        n_raters: 20,
        is_mean_opinion: false,
    },
    Panel {
        name: "1 rater",
        n_raters: 1,
        is_mean_opinion: false,
    },
    Panel {
        name: "mean opinion scores",
        n_raters: 1,
        is_mean_opinion: true,
    },
];

/// Names, and how a metric's scores correlate with quality.
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

/// Differences that are looked at: of the first three there is nothing to find.
const PAIRS: [(usize, usize); 7] = [(0, 1), (2, 3), (4, 5), (2, 4), (0, 6), (4, 7), (4, 6)];
const N_NULL: usize = 3;

/// Draws surveys of one panel.
struct Simulation {
    panel: Panel,
    /// Level, spread and noise of each rater.
    raters: Vec<[f64; 3]>,
    seed: Seed,
}

impl Simulation {
    fn of(panel: Panel) -> Self {
        let seed = Seed(panel.n_raters as u64 * 2 + u64::from(panel.is_mean_opinion));
        let mut rng = seed.stream(u64::MAX);
        let rater = |_| {
            let (level, spread) = (0.4 * normal(&mut rng), (0.25 * normal(&mut rng)).exp());
            [level, spread, 0.6 + 0.5 * uniform(&mut rng)]
        };
        Simulation {
            panel,
            raters: (0..panel.n_raters).map(rater).collect(),
            seed,
        }
    }

    fn survey(&self, n_items: usize, number: u64) -> (Ratings, Vec<MetricColumn>) {
        let mut rng = self.seed.stream(number);
        let mut ratings = Vec::with_capacity(n_items * self.raters.len());
        let mut scores = vec![Vec::new(); METRICS.len()];
        for _ in 0..n_items {
            let quality = normal(&mut rng);
            for [level, spread, noise] in &self.raters {
                let opinion = 3.0 + level + spread * quality + noise * normal(&mut rng);
                ratings.push(Some(if self.panel.is_mean_opinion {
                    opinion
                } else {
                    opinion.round().clamp(1.0, 5.0)
                }));
            }
            // Metrics have similar errors, like metrics that see the same things.
            let shared = normal(&mut rng);
            for (m, (column, (_, rho))) in scores.iter_mut().zip(METRICS).enumerate() {
                let noise = 0.6 * shared + 0.8 * normal(&mut rng);
                let score = rho * quality + (1.0 - rho * rho).sqrt() * noise;
                column.push(Some(if m == COARSE { (2.0 * score).round() } else { score }));
            }
        }
        let columns = METRICS.iter().zip(scores).map(|((name, _), scores)| MetricColumn {
            name: (*name).into(),
            direction: Direction::Higher,
            scores,
        });
        let ratings = Ratings::new(self.raters.len(), ratings).unwrap();
        (ratings, columns.collect())
    }

    fn evaluated(&self, n_items: usize, number: u64) -> MetaResult {
        let (ratings, metrics) = self.survey(n_items, number);
        let options = MetaOptions {
            permutations: 1,
            ..MetaOptions::default()
        };
        evaluate_metrics(&ratings, &metrics, &options).unwrap()
    }

    /// Each statistic of each metric over `n_surveys` surveys of 1500 items, on streams that [`count`](Self::count)
    /// does not use.
    fn truth(&self, n_surveys: u64) -> Vec<Vec<f64>> {
        let mut means = vec![vec![0.0; Statistic::ALL.len()]; METRICS.len()];
        for number in 0..n_surveys {
            let (ratings, metrics) = self.survey(1500, (1 << 40) + number);
            let human: Vec<f64> = human_scores(&ratings, HumanScore::Mean).into_iter().flatten().collect();
            for (means, column) in means.iter_mut().zip(&metrics) {
                let scores: Vec<f64> = column.scores.iter().flatten().copied().collect();
                for (mean, value) in means.iter_mut().zip(of_each(&scores, &human)) {
                    *mean += value / n_surveys as f64;
                }
            }
        }
        means
    }

    fn count(&self, truth: &[Vec<f64>], n_items: usize, n_surveys: u64) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); Statistic::ALL.len()];
        for number in 0..n_surveys {
            let found = self.evaluated(n_items, (n_items as u64) << 20 | number);
            for (s, counts) in counts.iter_mut().enumerate() {
                for (m, metric) in found.metrics.iter().enumerate() {
                    let figure = &metric.statistics[s];
                    counts.metrics[m].add(figure.interval, truth[m][s]);
                }
                for (place, &(a, b)) in PAIRS.iter().enumerate() {
                    let is_pair = |d: &&MetricDifference| d.minuend == METRICS[a].0 && d.subtrahend == METRICS[b].0;
                    let figure = &found.differences.iter().find(is_pair).unwrap().statistics[s];
                    counts.pairs[place].add(figure.interval, truth[a][s] - truth[b][s]);
                    if place < N_NULL {
                        let is_found = figure.p_value.is_some_and(|p| p <= 0.05);
                        counts.false_positives[place] += u64::from(is_found);
                    }
                }
            }
        }
        counts
    }
}

/// The value of each statistic, in the order of [`Statistic::ALL`].
pub(crate) fn of_each(scores: &[f64], human: &[f64]) -> Vec<f64> {
    use neurogauge_stats::*;
    let calibration = TieCalibration::new(scores).unwrap().unwrap();
    let best = calibration.best(human).unwrap().unwrap();
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

/// How often intervals held the truth.
#[derive(Clone, Copy, Default)]
struct Coverage {
    n: u64,
    n_covered: u64,
    n_refused: u64,
}

impl Coverage {
    fn add(&mut self, interval: Option<(f64, f64)>, truth: f64) {
        match interval {
            Some((low, high)) => {
                self.n += 1;
                self.n_covered += u64::from(low <= truth && truth <= high);
            }
            None => self.n_refused += 1,
        }
    }

    fn share(self) -> f64 {
        self.n_covered as f64 / self.n as f64
    }
}

/// Of one statistic.
#[derive(Clone, Default)]
struct Counts {
    metrics: [Coverage; METRICS.len()],
    pairs: [Coverage; PAIRS.len()],
    false_positives: [u64; N_NULL],
}

pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * uniform(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(rng)).cos()
}

/// Strictly between 0 and 1.
fn uniform(rng: &mut impl Rng) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// Bounds that follow from the number of surveys: four standard errors of a share beyond the required one.
#[test]
fn default_intervals_cover_and_tests_keep_their_size() {
    const N_SURVEYS: u64 = 300;
    let simulation = Simulation::of(PANELS[0]);
    let truth = simulation.truth(8);
    let slack = |share: f64| 4.0 * (share * (1.0 - share) / N_SURVEYS as f64).sqrt();
    for n_items in [10, 30] {
        let counts = simulation.count(&truth, n_items, N_SURVEYS);
        for (statistic, counts) in Statistic::ALL.into_iter().zip(&counts) {
            for (coverage, (name, _)) in counts.metrics.iter().zip(METRICS) {
                let share = coverage.share();
                assert!(share > 0.93 - slack(0.93), "{statistic:?} {name} {n_items}: {share}");
            }
            for (coverage, pair) in counts.pairs.iter().zip(PAIRS) {
                let share = coverage.share();
                assert!(share > 0.93 - slack(0.93), "{statistic:?} {pair:?} {n_items}: {share}");
            }
            for &found in &counts.false_positives {
                let share = found as f64 / N_SURVEYS as f64;
                assert!(share < 0.06 + slack(0.06), "{statistic:?} {n_items}: {share}");
            }
            // All metrics together, where less is left to chance.
            let all = |of: &[Coverage]| of.iter().map(|c| c.share()).sum::<f64>() / of.len() as f64;
            for share in [all(&counts.metrics), all(&counts.pairs)] {
                assert!((0.93..0.99).contains(&share), "{statistic:?} {n_items}: {share}");
            }
        }
    }
}

/// Numbers of items, and of surveys of so many.
const WHOLE: [(usize, u64); 5] = [(6, 3000), (10, 3000), (30, 1500), (100, 600), (1000, 300)];

/// The tables of `make calibration`.
#[test]
#[ignore = "takes minutes; make calibration runs it"]
fn the_tables_of_metrics_against_people() {
    let (mut of_metrics, mut of_pairs, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for panel in PANELS {
        let simulation = Simulation::of(panel);
        let truth = simulation.truth(40);
        let counts = WHOLE.map(|(n_items, n_surveys)| simulation.count(&truth, n_items, n_surveys));
        for (s, statistic) in Statistic::ALL.into_iter().enumerate() {
            let row =
                |cells: Vec<String>| format!("| {} | {} | {} |", panel.name, statistic.label(), cells.join(" | "));
            let each = || counts.iter().zip(WHOLE);
            of_metrics.push(row(each().map(|(c, (n, _))| shown(n, &c[s].metrics)).collect()));
            of_pairs.push(row(each().map(|(c, (n, _))| shown(n, &c[s].pairs)).collect()));
            sizes.push(row(each().map(|(c, (_, n))| size(&c[s], n)).collect()));
        }
    }
    let text = [
        table("Coverage of the intervals of single metrics, lowest and highest of eight (%).", &of_metrics),
        table("Coverage of the intervals of differences, lowest and highest of seven pairs (%).", &of_pairs),
        table("Size of the tests of differences at 5%, highest of three pairs that agree alike (%).", &sizes),
    ];
    super::page::write_part("meta", &text.concat());
}

fn table(title: &str, rows: &[String]) -> String {
    let heads = WHOLE.map(|(n_items, _)| format!("n = {n_items}"));
    let rule = "---|".repeat(2 + heads.len());
    let head = format!("| ratings | statistic | {} |\n|{rule}", heads.join(" | "));
    format!("\n{title}\n\n{head}\n{}\n", rows.join("\n"))
}

/// `94.1 to 96.0 (3% without)`; bold outside 93 to 97% by more than two standard errors.
fn shown(n_items: usize, coverages: &[Coverage]) -> String {
    let shares = || coverages.iter().map(|c| 100.0 * c.share());
    let (low, high) = (shares().fold(f64::INFINITY, f64::min), shares().fold(0.0, f64::max));
    let chance = 2.0 * standard_error(0.95, coverages[0].n);
    let is_sound = n_items < 10 || (low >= 93.0 - chance && high <= 97.0 + chance);
    let range = format!("{low:.1} to {high:.1}");
    let mut text = if is_sound { range } else { format!("**{range}**") };
    let refused: u64 = coverages.iter().map(|c| c.n_refused).sum();
    let all: u64 = coverages.iter().map(|c| c.n + c.n_refused).sum();
    let without = 100.0 * refused as f64 / all as f64;
    if without >= 0.5 {
        write!(text, " ({without:.0}% without)").unwrap();
    }
    text
}

/// Bold beyond 6% by more than two standard errors.
fn size(counts: &Counts, n_surveys: u64) -> String {
    let highest = counts.false_positives.iter().max().copied().unwrap_or(0);
    let share = 100.0 * highest as f64 / n_surveys as f64;
    if share > 6.0 + 2.0 * standard_error(0.05, n_surveys) {
        format!("**{share:.1}**")
    } else {
        format!("{share:.1}")
    }
}

/// Of a percentage.
fn standard_error(share: f64, n_surveys: u64) -> f64 {
    100.0 * (share * (1.0 - share) / n_surveys as f64).sqrt()
}
