//! The intervals of identification, and the tests of its differences.

use super::decoders::{Decoder, Rows};
use super::populations::{Draws, options};
use super::rates::{Rates, write_part};
use crate::support::*;
use neurogauge_stats::{PairedTest, compare_identifications, estimate_within};

struct Case {
    name: &'static str,
    decoder: Decoder,
    n_way: usize,
}

const fn case(name: &'static str, decoder: Decoder, n_way: usize) -> Case {
    Case { name, decoder, n_way }
}

const fn clean(n_features: usize, noise: f64) -> Decoder {
    Decoder::Clean { n_features, noise }
}

const HUB: Decoder = Decoder::Hub { noise: 2.05 };

const CASES: [Case; 11] = [
    case("knows the category (40, as frequent as words), two-way", Decoder::Category, 2),
    case("clean features near the ceiling, two-way", clean(30, 1.28), 2),
    case("the same, noisier", clean(30, 1.53), 2),
    case("the same, noisier still", clean(30, 1.73), 2),
    case("few features (10) near the ceiling, two-way", clean(10, 0.67), 2),
    case("clean features, two-way", clean(30, 2.8), 2),
    case("shrinks to the mean (hubs), two-way", HUB, 2),
    case("noise alone, two-way", clean(30, 1e6), 2),
    case("hubs, 10-way", HUB, 10),
    case("hubs, 50-way", HUB, 50),
    case("knows the category, 50-way", Decoder::Category, 50),
];

/// Outcomes and pseudo-values of a decoder.
type Found = (Vec<Outcome>, Vec<Outcome>);

fn found(decoder: Decoder, gt: &Rows, recon: &Rows, n_way: usize) -> Found {
    let (gt, recon) = (decoder.compared(gt), decoder.compared(recon));
    let pairs: Vec<(&[f32], &[f32])> = (gt.iter().map(Vec::as_slice)).zip(recon.iter().map(Vec::as_slice)).collect();
    let options = IdentificationOptions {
        n_way,
        ..IdentificationOptions::default()
    };
    let found = identify(&pairs, None, &options).unwrap();
    (found.outcomes, found.pseudo_values)
}

fn experiment(case: &Case, n: usize, draws: &mut Draws) -> Found {
    let stimuli = case.decoder.stimuli(n, draws);
    found(case.decoder, &stimuli, &case.decoder.decoded(&stimuli, draws), case.n_way)
}

fn mean(values: &[Outcome]) -> f64 {
    values.iter().flatten().sum::<f64>() / values.len() as f64
}

/// The true expectation, which is the same for every number of pairs: the mean over separate experiments.
fn truth(case: &Case, n: usize, n_experiments: usize) -> f64 {
    let of = |place: usize| mean(&experiment(case, n, &mut Draws::of(53, place)).0);
    (0..n_experiments).into_par_iter().map(of).collect::<Vec<_>>().iter().sum::<f64>() / n_experiments as f64
}

/// How often an interval contains the truth, and on which side it misses.
#[derive(Debug, Default, Clone, Copy)]
struct Coverage {
    n: usize,
    below: usize,
    above: usize,
}

impl Coverage {
    fn of(intervals: &[Option<(f64, f64)>], truth: f64) -> Coverage {
        let known = || intervals.iter().flatten();
        Coverage {
            n: known().count(),
            below: known().filter(|(low, _)| truth < low - 1e-12).count(),
            above: known().filter(|(_, high)| truth > high + 1e-12).count(),
        }
    }

    fn share(self) -> f64 {
        1.0 - (self.below + self.above) as f64 / self.n as f64
    }

    fn standard_error(self, share: f64) -> f64 {
        (share * (1.0 - share) / self.n as f64).sqrt()
    }

    /// Coverage, its standard error, misses below and above; bold if it is more than two standard errors outside.
    fn cell(self) -> String {
        let (share, error) = (self.share(), self.standard_error(self.share().min(0.97)));
        let percent = |n: usize| 100.0 * n as f64 / self.n as f64;
        let (below, above) = (percent(self.below), percent(self.above));
        format!("{:.1} ± {:.1} ({below:.1} / {above:.1})", 100.0 * share, 100.0 * error)
    }
}

/// Coverage of the interval over stimuli, and of the interval over pairs, which treats distractors as fixed.
fn coverage(case: &Case, n: usize, n_experiments: usize, truth: f64) -> (Coverage, Coverage) {
    let stimuli: Vec<usize> = (0..n).collect();
    let of = |place: usize| {
        let (outcomes, pseudo) = experiment(case, n, &mut Draws::of(59, place));
        let (range, options) = ((0.0, 1.0), options(400, place));
        let found = estimate_of_stimuli(IdentificationScores::of(&outcomes, &pseudo), &stimuli, range, &options);
        let over_pairs = estimate_within(&[&outcomes], range, &options);
        (found.unwrap().interval, over_pairs.unwrap().interval)
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(of).collect();
    let (found, over_pairs): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    (Coverage::of(&found, truth), Coverage::of(&over_pairs, truth))
}

/// Two decoders of the same stimuli.
struct Two {
    name: &'static str,
    decoders: [Decoder; 2],
    n_way: usize,
    is_equal: bool,
}

const fn equal(name: &'static str, decoder: Decoder, n_way: usize) -> Two {
    let (decoders, is_equal) = ([decoder; 2], true);
    Two {
        name,
        decoders,
        n_way,
        is_equal,
    }
}

const fn unequal(name: &'static str, n_way: usize) -> Two {
    let (decoders, is_equal) = ([HUB, clean(30, 3.2)], false);
    Two {
        name,
        decoders,
        n_way,
        is_equal,
    }
}

const TWO: [Two; 7] = [
    equal("equal, clean features, two-way", clean(30, 2.8), 2),
    equal("equal, near the ceiling, two-way", clean(30, 1.53), 2),
    equal("equal, know the category, two-way", Decoder::Category, 2),
    equal("equal, hubs, 10-way", HUB, 10),
    equal("equal, clean features, 50-way", clean(30, 2.8), 50),
    unequal("hubs against clean features, two-way", 2),
    unequal("hubs against clean features, 50-way", 50),
];

/// Both decode the stimuli of the first decoder's population.
fn experiment_of_two(two: &Two, n: usize, draws: &mut Draws) -> [Found; 2] {
    let stimuli = two.decoders[0].stimuli(n, draws);
    two.decoders
        .map(|decoder| found(two.decoders[0], &stimuli, &decoder.decoded(&stimuli, draws), two.n_way))
}

/// Coverage of the difference's interval, and how often the test finds a difference.
fn of_differences(two: &Two, n: usize, n_experiments: usize) -> (Coverage, usize) {
    let stimuli: Vec<usize> = (0..n).collect();
    let difference = |place: usize, seed: u64| {
        let systems = experiment_of_two(two, n, &mut Draws::of(seed, place));
        let systems: Vec<IdentificationScores<'_>> =
            (systems.iter()).map(|(outcomes, pseudo)| IdentificationScores::of(outcomes, pseudo)).collect();
        let found = compare_identifications(
            &systems,
            &stimuli,
            Direction::Higher,
            (PairedTest::SignFlip, 1),
            &options(400, place),
        );
        found.unwrap().differences.remove(0)
    };
    let truth = match two.is_equal {
        true => 0.0,
        false => {
            let of = |place: usize| {
                let [one, other] = experiment_of_two(two, n, &mut Draws::of(67, place));
                mean(&one.0) - mean(&other.0)
            };
            let all: Vec<f64> = (0..4 * n_experiments).into_par_iter().map(of).collect();
            all.iter().sum::<f64>() / all.len() as f64
        }
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(|place| difference(place, 61)).collect();
    let intervals: Vec<_> = all.iter().map(|found| found.interval).collect();
    let rejected = all.iter().filter(|found| found.p_value.is_some_and(|p| p <= 0.05));
    (Coverage::of(&intervals, truth), rejected.count())
}

#[test]
fn intervals_hold_new_stimuli_and_new_distractors() {
    for place in [0, 2, 5, 6] {
        let case = &CASES[place];
        let (found, over_pairs) = coverage(case, 60, 400, truth(case, 60, 400));
        let slack = |bound: f64| 4.0 * found.standard_error(bound);
        let bounds = 0.93 - slack(0.93)..=0.97 + slack(0.97);
        assert!(bounds.contains(&found.share()), "{}: {found:?}", case.name);
        // If distractors count as given, the intervals of the first are far too narrow.
        assert!(place > 0 || over_pairs.share() < 0.86, "{over_pairs:?}");
    }
}

#[test]
fn tests_of_differences_keep_their_size() {
    for two in TWO.iter().filter(|two| two.is_equal && two.n_way == 2) {
        let (covered, rejected) = of_differences(two, 30, 300);
        let most = 0.05 + 4.0 * covered.standard_error(0.05);
        assert!(rejected as f64 / 300.0 <= most, "{}: {rejected}", two.name);
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_identification() {
    const NS: [usize; 4] = [10, 30, 100, 1000];
    const N_EXPERIMENTS: [usize; 4] = [2000, 2000, 2000, 400];
    let sizes = || NS.into_iter().zip(N_EXPERIMENTS);
    let none = || ("–".to_owned(), "–".to_owned());
    let columns = [vec!["truth".to_owned()], NS.map(|n| format!("n = {n}")).to_vec()].concat();
    let title = "95% intervals that hold the truth for new stimuli and new distractors, in % ± standard error (truth below / above the interval).";
    let mut new = Rates::named(title, &columns);
    let title = "The same over pairs, with the distractors taken as given.";
    let mut old = Rates::named(title, &columns);
    for case in &CASES {
        let truth = truth(case, 300, 3000);
        let cells = sizes().map(|(n, n_experiments)| match case.n_way >= n {
            true => none(),
            false => {
                let (found, over_pairs) = coverage(case, n, n_experiments, truth);
                (found.cell(), over_pairs.cell())
            }
        });
        let truth = format!("{truth:.4}");
        let (found, over_pairs): (Vec<String>, Vec<String>) = [(truth.clone(), truth)].into_iter().chain(cells).unzip();
        new.cells(case.name, &found);
        old.cells(case.name, &over_pairs);
    }
    let title = "95% intervals of the difference of two decoders of the same stimuli.";
    let mut differences = Rates::new(title, &NS);
    let title = "Tests of two equal decoders that give p ≤ 0.05, in % ± standard error.";
    let mut size = Rates::new(title, &NS);
    for two in &TWO {
        let cells = sizes().map(|(n, n_experiments)| {
            if two.n_way >= n {
                return none();
            }
            let (covered, rejected) = of_differences(two, n, n_experiments / 2);
            let share = 2.0 * rejected as f64 / n_experiments as f64;
            let error = covered.standard_error(share.max(0.01));
            (covered.cell(), format!("{:.1} ± {:.1}", 100.0 * share, 100.0 * error))
        });
        let (covered, rejected): (Vec<String>, Vec<String>) = cells.unzip();
        differences.cells(two.name, &covered);
        if two.is_equal {
            size.cells(two.name, &rejected);
        }
    }
    write_part("identification", &[new, old, differences, size].map(|table| table.text()).concat());
}
