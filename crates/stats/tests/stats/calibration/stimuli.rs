//! Metrics against people where several systems decode the same stimuli: five ratings of whole points and six metrics,
//! in which a share of the variance is the stimulus's, and the rest the item's.

use super::experiments;
use super::meta::{normal, of_each};
use super::page::{Rate, Rates, write_part};
use neurogauge_core::{Direction, Seed};
use neurogauge_stats::Ratings;
use neurogauge_stats::meta::*;
use rand::Rng;
use rayon::prelude::*;

const N_SYSTEMS: usize = 5;
const N_RATERS: usize = 5;

/// How each metric's scores correlate with quality.
const METRICS: [f64; 6] = [0.0, 0.0, 0.5, 0.5, 0.85, 0.85];

/// Pairs that agree equally.
const PAIRS: [(usize, usize); 3] = [(0, 1), (2, 3), (4, 5)];

struct Simulation {
    /// Of the variance.
    share_of_stimuli: f64,
    seed: Seed,
}

/// Of one statistic, in all surveys: whether intervals of each metric and difference hold the truth, and tests reject.
#[derive(Clone, Default)]
struct Found {
    covered: Vec<Option<bool>>,
    differences_covered: Vec<Option<bool>>,
    rejected: Vec<Option<bool>>,
}

impl Simulation {
    fn of(share_of_stimuli: f64) -> Self {
        Simulation {
            share_of_stimuli,
            seed: Seed(71),
        }
    }

    /// Values of variance 1, for each item; a stimulus's values are side by side.
    fn field(&self, n_stimuli: usize, rng: &mut impl Rng) -> Vec<f64> {
        let (shared, own) = (self.share_of_stimuli.sqrt(), (1.0 - self.share_of_stimuli).sqrt());
        let of_stimulus = |_| {
            let stimulus = shared * normal(rng);
            [(); N_SYSTEMS].map(|()| stimulus + own * normal(rng))
        };
        (0..n_stimuli).flat_map(of_stimulus).collect()
    }

    fn survey(&self, n_stimuli: usize, number: u64) -> (Ratings, Vec<MetricColumn>) {
        let mut rng = self.seed.stream(number);
        let quality = self.field(n_stimuli, &mut rng);
        let mut ratings = Vec::with_capacity(quality.len() * N_RATERS);
        for quality in &quality {
            for _ in 0..N_RATERS {
                let opinion = 3.0 + quality + 0.8 * normal(&mut rng);
                ratings.push(Some(opinion.round().clamp(1.0, 5.0)));
            }
        }
        // Metrics have similar errors.
        let alike = self.field(n_stimuli, &mut rng);
        let metrics = METRICS.iter().zip(0..).map(|(rho, m)| {
            let own = self.field(n_stimuli, &mut rng);
            let noise = alike.iter().zip(own).map(|(a, b)| 0.6 * a + 0.8 * b);
            let scores = quality.iter().zip(noise);
            let scores = scores.map(|(q, noise)| Some(rho * q + (1.0_f64 - rho * rho).sqrt() * noise));
            MetricColumn {
                name: format!("m{m}"),
                direction: Direction::Higher,
                scores: scores.collect(),
            }
        });
        let metrics = metrics.collect();
        (Ratings::new(N_RATERS, ratings).unwrap(), metrics)
    }

    /// Each statistic of each metric over surveys of 400 stimuli.
    fn truth(&self, n_surveys: u64) -> Vec<Vec<f64>> {
        let of_survey = |number: u64| -> Vec<Vec<f64>> {
            let (ratings, metrics) = self.survey(400, (1 << 40) + number);
            let human: Vec<f64> = human_scores(&ratings, HumanScore::Mean).into_iter().flatten().collect();
            let of_metric = |column: &MetricColumn| {
                let scores: Vec<f64> = column.scores.iter().flatten().copied().collect();
                of_each(&scores, &human)
            };
            metrics.iter().map(of_metric).collect()
        };
        let all: Vec<Vec<Vec<f64>>> = (0..n_surveys).into_par_iter().map(of_survey).collect();
        let mean = |m: usize, s: usize| all.iter().map(|survey| survey[m][s]).sum::<f64>() / n_surveys as f64;
        let of_metric = |m: usize| (0..Statistic::ALL.len()).map(|s| mean(m, s)).collect();
        (0..METRICS.len()).map(of_metric).collect()
    }

    fn evaluated(&self, n_stimuli: usize, number: u64, is_clustered: bool) -> MetaResult {
        let (ratings, metrics) = self.survey(n_stimuli, number);
        let labels = (0..n_stimuli * N_SYSTEMS).map(|item| (item / N_SYSTEMS).to_string());
        let stimuli = Grouping::new("stimulus", &labels.collect::<Vec<String>>()).unwrap();
        let stimuli = is_clustered.then_some(&stimuli);
        let options = MetaOptions {
            permutations: 1,
            ..MetaOptions::default()
        };
        evaluate_metrics_within(&ratings, (&[], stimuli), &metrics, &options).unwrap()
    }

    /// Of each statistic.
    fn count(&self, truth: &[Vec<f64>], n_stimuli: usize, n_surveys: u64, is_clustered: bool) -> Vec<Found> {
        let results = (0..n_surveys).into_par_iter().map(|number| self.evaluated(n_stimuli, number, is_clustered));
        let results: Vec<MetaResult> = results.collect();
        let mut found = vec![Found::default(); Statistic::ALL.len()];
        for result in &results {
            for (s, found) in found.iter_mut().enumerate() {
                let holds = |interval: Option<(f64, f64)>, truth: f64| {
                    interval.map(|(low, high)| low <= truth && truth <= high)
                };
                for (metric, truth) in result.metrics.iter().zip(truth) {
                    let interval = metric.statistics[s].interval;
                    found.covered.push(holds(interval, truth[s]));
                }
                for (a, b) in PAIRS {
                    let is_pair =
                        |d: &&MetricDifference| d.minuend == format!("m{a}") && d.subtrahend == format!("m{b}");
                    let pair = result.differences.iter().find(is_pair).unwrap();
                    let figure = &pair.statistics[s];
                    found.differences_covered.push(holds(figure.interval, 0.0));
                    found.rejected.push(figure.p_value.map(|p| p <= 0.05));
                }
            }
        }
        found
    }
}

/// Bounds that follow from the number of surveys: figures of metrics that agree with people equally are dependent, so
/// four standard errors for the number of surveys.
#[test]
fn intervals_over_stimuli_cover_and_tests_keep_their_size() {
    let n_surveys = experiments(150) as u64;
    let slack = |share: f64| 4.0 * (share * (1.0 - share) / n_surveys as f64).sqrt();
    for share in [0.0, 0.5] {
        let simulation = Simulation::of(share);
        let truth = simulation.truth(8);
        let found = simulation.count(&truth, 50, n_surveys, true);
        for (statistic, found) in Statistic::ALL.into_iter().zip(found) {
            for covered in [&found.covered, &found.differences_covered] {
                let covered = Rate::of(covered).share();
                let is_sound = (0.95 - slack(0.95)..=0.97 + slack(0.97)).contains(&covered);
                assert!(is_sound, "{statistic:?}, {share} shared: {covered}");
            }
            let size = Rate::of(&found.rejected).share();
            assert!(size <= 0.06 + slack(0.05), "{statistic:?}, {share} shared: {size}");
        }
        if share > 0.0 {
            let independent = simulation.count(&truth, 50, n_surveys, false);
            let tau = &independent[Statistic::KendallTauB as usize];
            assert!(Rate::of(&tau.covered).share() < 0.92);
            assert!(Rate::of(&tau.rejected).share() > 0.08);
        }
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_stimuli() {
    const N_STIMULI: [usize; 2] = [12, 50];
    const N_SURVEYS: u64 = 1000;
    let cells = [(0.0, "none", true), (0.5, "half", true), (0.5, "half, items taken as independent", false)];
    let cells = cells.map(|(share, name, is_clustered)| {
        let simulation = Simulation::of(share);
        let truth = simulation.truth(40);
        let of = |place: usize| simulation.count(&truth, N_STIMULI[place], N_SURVEYS, is_clustered);
        (name, [0, 1].map(of))
    });
    let mut text = String::new();
    for (title, of, sound) in [
        (
            "Coverage of the intervals of six metrics (%).",
            (|found: &Found| &found.covered) as fn(&Found) -> &Vec<Option<bool>>,
            (93.0, 97.0),
        ),
        (
            "Coverage of the intervals of three differences (%).",
            |found| &found.differences_covered,
            (93.0, 97.0),
        ),
        ("Size of the tests of three differences at 5% (%).", |found| &found.rejected, (0.0, 6.0)),
    ] {
        let mut table = Rates::new(title, "shared variance, statistic", &N_STIMULI);
        for (name, found) in &cells {
            for (s, statistic) in Statistic::ALL.into_iter().enumerate() {
                let rates: Vec<Rate> = found.iter().map(|found| Rate::of(of(&found[s]))).collect();
                let row = format!("{name}, {}", statistic.label());
                table.row(&row, &N_STIMULI, &rates, sound);
            }
        }
        text += &table.text();
    }
    write_part("stimuli", &text);
}
