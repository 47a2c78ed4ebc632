//! How often a source is beyond its null if the truth is known. A few sources run with the other tests, thousands with
//! `make calibration`.

#![allow(clippy::print_stdout)]

use super::region;
use crate::prelude::*;

const N_DRAWS: usize = 20;
/// Number of draws for which Student's t is used.
const FEW_DRAWS: usize = 5;
const LEVEL: f64 = 0.05;
/// The K of ProfileMean.
const LENGTH: usize = 10;

/// The part of the four latent dimensions in a simulated source.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Truth {
    Nothing,
    /// The three strongest dimensions.
    Part,
}

/// ProfileMean of one source and of the draws of its null; the recording and the source depend on the seed; outer and
/// inner folds.
fn run((n_stimuli, folds): (usize, [usize; 2]), truth: Truth, reselect: bool, seed: u64) -> (f64, Vec<f64>) {
    let simulation = Simulation::new(SimulationOptions {
        n_stimuli,
        n_subjects: 1,
        regions: vec![region("V1v", 16)],
        shared: vec![1.0, 0.8, 0.6, 0.4],
        private: vec![0.3],
        noise: 1.0,
        shared_noise: vec![0.3],
        repeats: vec![2, 3],
        n_sessions: 2,
        seed: Seed(seed),
    })
    .unwrap();
    let unit = simulation.unit(0, 0).unwrap();
    let spanned: &[usize] = match truth {
        Truth::Nothing => &[],
        Truth::Part => &[0, 1, 2],
    };
    let features = simulation.features(spanned, 12, 0.5, 0).unwrap();
    let plan = FoldPlan::draw(n_stimuli, folds[0], folds[1], Seed(seed)).unwrap();
    let partitions = Partitions::draw(&unit.trials, 4, Seed(!seed), 0);
    let orders = draw_null_orders(&plan, N_DRAWS, Seed(seed ^ 0x6e75));
    let (means, options) = (unit.trials.means(), SubspaceOptions::default());
    let name = unit.trials.unit();
    let (mut observed, mut draws) = (Vec::new(), vec![Vec::new(); N_DRAWS]);
    for (fold, orders) in orders.iter().enumerate() {
        let pool = &plan.folds[fold].test;
        let of_reference = ReferenceOptions::default();
        let reference = TargetReference::new(&unit.trials, pool, &partitions, &of_reference).unwrap();
        let target = PreparedTarget::new(name, &means, &plan, fold).unwrap();
        let source = PreparedSource::new("source", &features, &plan, fold).unwrap();
        let selection = cross_validate(&source, &target, &options).unwrap().select().unwrap();
        let basis = fit(&source, &target, &selection).unwrap().basis;
        observed.push(FoldProfile::new(&reference, &basis, LENGTH).unwrap().unwrap());
        if reselect {
            for (draw, order) in draws.iter_mut().zip(orders) {
                let paired = PreparedTarget::paired(name, &means, &plan, fold, order).unwrap();
                let found = null_profile_reselected(&source, &paired, &options, &reference, LENGTH);
                draw.push(found.unwrap().unwrap());
            }
        } else {
            let kept = null_profiles(&source, &target, &selection, &reference, orders, LENGTH);
            for (draw, found) in draws.iter_mut().zip(kept.unwrap()) {
                draw.push(found.unwrap());
            }
        }
    }
    let mean = |folds: &[FoldProfile]| Profile::of_folds(folds).unwrap().mean(LENGTH).unwrap();
    let draws: Vec<f64> = draws.iter().map(|folds| mean(folds)).collect();
    (mean(&observed), draws)
}

/// Many runs with the same truth.
struct Runs(Vec<(f64, Vec<f64>)>);

impl Runs {
    fn new(design: (usize, [usize; 2]), truth: Truth, reselect: bool, n_runs: u64) -> Self {
        let runs = (0..n_runs).into_par_iter();
        Runs(runs.map(|seed| run(design, truth, reselect, 1000 + seed)).collect())
    }

    /// The share of runs beyond the null with its first draws, and the mean corrected score.
    fn beyond(&self, n_draws: usize, p: NullP) -> (f64, f64) {
        let nulls = self.0.iter();
        let nulls: Vec<NullSummary> =
            nulls.map(|(observed, draws)| NullSummary::new(*observed, &draws[..n_draws], p).unwrap()).collect();
        let n = nulls.len() as f64;
        let beyond = nulls.iter().filter(|null| null.p <= LEVEL).count();
        let corrected: f64 = nulls.iter().filter_map(|null| null.corrected).sum();
        (beyond as f64 / n, corrected / n)
    }
}

#[test]
fn a_source_without_information_is_seldom_beyond_its_null() {
    let n_runs = 200;
    let runs = Runs::new((30, [3, 2]), Truth::Nothing, true, n_runs);
    let (share, corrected) = runs.beyond(N_DRAWS, NullP::Draws);
    // One draw in 21 is the highest by chance; the tolerance is three standard errors of a share.
    let chance: f64 = 1.0 / (N_DRAWS + 1) as f64;
    let margin = 3.0 * (chance * (1.0 - chance) / n_runs as f64).sqrt();
    assert!((share - chance).abs() < margin, "{share}");
    assert!(corrected.abs() < 0.02, "{corrected}");
    let (share, _) = runs.beyond(FEW_DRAWS, NullP::T);
    assert!((share - LEVEL).abs() < margin, "{share}");
}

#[test]
fn a_source_of_some_dimensions_is_beyond_its_null() {
    let runs = Runs::new((80, [5, 3]), Truth::Part, true, 40);
    let (share, corrected) = runs.beyond(N_DRAWS, NullP::Draws);
    assert!(share > 0.95, "{share}");
    assert!(runs.beyond(FEW_DRAWS, NullP::T).0 > 0.9);
    assert!(corrected > 0.2, "{corrected}");
}

/// A row for each number of stimuli has the stimuli and runs; for the null that corrects scores, the share of sources
/// beyond it at 5% and the mean corrected score, for sources without information and with part of it; the same for the
/// null that keeps rank and regularisation; and the shares beyond the null of five draws by Student's t.
#[test]
#[ignore = "minutes; make calibration runs it"]
fn calibration_of_the_null_in_full() {
    for (n_stimuli, n_runs) in [(30, 2000), (100, 2000), (300, 500)] {
        let (mut cells, mut few) = (Vec::new(), Vec::new());
        for reselect in [true, false] {
            for (truth, n_runs) in [(Truth::Nothing, n_runs), (Truth::Part, n_runs / 4)] {
                let runs = Runs::new((n_stimuli, [5, 3]), truth, reselect, n_runs);
                let (share, corrected) = runs.beyond(N_DRAWS, NullP::Draws);
                cells.push(format!("{:.1}%, {corrected:.2}", 100.0 * share));
                let (of_few, _) = runs.beyond(FEW_DRAWS, NullP::T);
                few.extend(reselect.then(|| format!("{:.1}%", 100.0 * of_few)));
                // Three standard errors beyond 4% and 6%; a partial model from 100 stimuli on.
                let margin = 3.0 * (0.05 * 0.95 / n_runs as f64).sqrt();
                let as_it_should_be = |share: f64| match truth {
                    Truth::Nothing => (0.04 - margin..=0.06 + margin).contains(&share),
                    Truth::Part => n_stimuli < 100 || share > 0.95,
                };
                assert!(
                    !reselect || as_it_should_be(share) && as_it_should_be(of_few),
                    "{n_stimuli} {truth:?}: {share}, of few draws {of_few}"
                );
            }
        }
        cells.extend(few);
        println!("| {n_stimuli} | {n_runs} | {} |", cells.join(" | "));
    }
}
