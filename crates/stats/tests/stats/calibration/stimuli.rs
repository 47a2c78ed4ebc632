//! Metrics against people if several systems decode the same stimuli: five whole ratings and six metrics, with a share
//! of the variance from the stimulus, and the rest from the item.

use super::experiments;
use super::meta::{Counted, counted, truth};
use super::populations::Draws;
use super::rates::{Rate, Rates, write_part};
use crate::support::*;

const N_SYSTEMS: usize = 5;
const N_RATERS: usize = 5;

/// Correlation of each metric's scores with quality.
const METRICS: [f64; 6] = [0.0, 0.0, 0.5, 0.5, 0.85, 0.85];

/// Pairs of metrics that agree equally with people.
const PAIRS: [(usize, usize); 3] = [(0, 1), (2, 3), (4, 5)];

struct Simulation {
    /// The share of the variance that comes from stimuli.
    share_of_stimuli: f64,
}

impl Simulation {
    /// Values with variance 1, for each item; a stimulus's values are adjacent.
    fn field(&self, n_stimuli: usize, draws: &mut Draws) -> Vec<f64> {
        let (shared, own) = (self.share_of_stimuli.sqrt(), (1.0 - self.share_of_stimuli).sqrt());
        let of_stimulus = |_| {
            let stimulus = shared * draws.normal();
            [(); N_SYSTEMS].map(|()| stimulus + own * draws.normal())
        };
        (0..n_stimuli).flat_map(of_stimulus).collect()
    }

    fn survey(&self, n_stimuli: usize, number: usize) -> (Ratings, Vec<MetricColumn>) {
        let mut draws = Draws::of(71, number);
        let quality = self.field(n_stimuli, &mut draws);
        let mut ratings = Vec::with_capacity(quality.len() * N_RATERS);
        for quality in &quality {
            for _ in 0..N_RATERS {
                let opinion = 3.0 + quality + 0.8 * draws.normal();
                ratings.push(Some(opinion.round().clamp(1.0, 5.0)));
            }
        }
        // Metrics have similar errors.
        let alike = self.field(n_stimuli, &mut draws);
        let metrics = METRICS.iter().enumerate().map(|(m, rho)| {
            let own = self.field(n_stimuli, &mut draws);
            let noise = alike.iter().zip(own).map(|(a, b)| 0.6 * a + 0.8 * b);
            let scores = quality.iter().zip(noise);
            metric(&format!("m{m}"), scores.map(|(q, noise)| rho * q + (1.0_f64 - rho * rho).sqrt() * noise))
        });
        let metrics = metrics.collect();
        (Ratings::new(N_RATERS, ratings).unwrap(), metrics)
    }

    /// Each statistic of each metric over surveys of 200 stimuli.
    fn truth(&self, n_surveys: usize) -> Vec<Vec<f64>> {
        truth(n_surveys, |number| self.survey(200, (1 << 40) + number))
    }

    fn evaluated(&self, n_stimuli: usize, number: usize, is_clustered: bool) -> MetaResult {
        let (ratings, metrics) = self.survey(n_stimuli, number);
        let labels = (0..n_stimuli * N_SYSTEMS).map(|item| (item / N_SYSTEMS).to_string());
        let stimuli = Grouping::new("stimulus", &labels.collect::<Vec<String>>()).unwrap();
        let stimuli = is_clustered.then_some(&stimuli);
        evaluate_metrics_within(&ratings, (&[], stimuli), &metrics, &without_chance()).unwrap()
    }

    fn count(&self, truth: &[Vec<f64>], n_stimuli: usize, n_surveys: usize, is_clustered: bool) -> Vec<Counted> {
        let results = (0..n_surveys).into_par_iter().map(|number| self.evaluated(n_stimuli, number, is_clustered));
        counted(&results.collect::<Vec<_>>(), truth, &PAIRS, |_, _| 0.0)
    }
}

/// Bounds follow from the number of surveys: results of equally good metrics are dependent, so they are four standard
/// errors for that number.
#[test]
fn intervals_over_stimuli_cover_and_tests_keep_their_size() {
    const N_STIMULI: usize = 20;
    let n_surveys = experiments(150);
    let slack = |share: f64| 4.0 * (share * (1.0 - share) / n_surveys as f64).sqrt();
    for share in [0.0, 0.5] {
        let simulation = Simulation {
            share_of_stimuli: share,
        };
        let truth = simulation.truth(8);
        let found = simulation.count(&truth, N_STIMULI, n_surveys, true);
        for (statistic, found) in Statistic::ALL.into_iter().zip(found) {
            for covered in [&found.metrics, &found.pairs] {
                let covered = Rate::of_all(covered).share();
                let is_sound = (0.95 - slack(0.95)..=0.97 + slack(0.97)).contains(&covered);
                assert!(is_sound, "{statistic:?}, {share} shared: {covered}");
            }
            let size = Rate::of_all(&found.rejected).share();
            assert!(size <= 0.06 + slack(0.05), "{statistic:?}, {share} shared: {size}");
        }
        if share > 0.0 {
            let independent = simulation.count(&truth, N_STIMULI, n_surveys, false);
            let tau = &independent[Statistic::KendallTauB as usize];
            assert!(Rate::of_all(&tau.metrics).share() < 0.92);
            assert!(Rate::of_all(&tau.rejected).share() > 0.08);
        }
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_stimuli() {
    const N_STIMULI: [usize; 2] = [12, 50];
    const N_SURVEYS: usize = 1000;
    let cells = [(0.0, "none", true), (0.5, "half", true), (0.5, "half, items taken as independent", false)];
    let cells = cells.map(|(share, name, is_clustered)| {
        let simulation = Simulation {
            share_of_stimuli: share,
        };
        let truth = simulation.truth(40);
        (name, [0, 1].map(|place: usize| simulation.count(&truth, N_STIMULI[place], N_SURVEYS, is_clustered)))
    });
    let mut text = String::new();
    type Part = (&'static str, fn(&Counted) -> &[Rate]);
    let parts: [Part; 3] = [
        ("Coverage of the intervals of six metrics (%).", |found| &found.metrics),
        ("Coverage of the intervals of three differences (%).", |found| &found.pairs),
        ("Size of the tests of three differences at 5% (%).", |found| &found.rejected),
    ];
    for (title, of) in parts {
        let mut table = Rates::new(title, &N_STIMULI);
        for (name, found) in &cells {
            for (s, statistic) in Statistic::ALL.into_iter().enumerate() {
                let rates: Vec<Rate> = found.iter().map(|found| Rate::of_all(of(&found[s]))).collect();
                let row = format!("{name}, {}", statistic.label());
                table.row(&row, &rates);
            }
        }
        text += &table.text();
    }
    write_part("stimuli", &text);
}
