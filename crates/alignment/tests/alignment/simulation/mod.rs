//! Recordings with known reproducible dimensions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calibration;
mod parts;
mod subjects;

use crate::prelude::*;

fn region(roi: &str, n_voxels: usize) -> SimulatedRegion {
    SimulatedRegion {
        hemisphere: "lh".to_owned(),
        roi: roi.to_owned(),
        n_voxels,
    }
}

fn simulation() -> Simulation {
    Simulation::new(SimulationOptions {
        n_stimuli: 200,
        n_subjects: 3,
        regions: vec![region("V1v", 60), region("hV4", 45)],
        shared: vec![1.0, 0.8, 0.6],
        private: vec![0.7],
        noise: 1.0,
        shared_noise: vec![0.4],
        repeats: vec![2, 3, 4],
        n_sessions: 3,
        seed: Seed(4),
    })
    .unwrap()
}

/// Mean squared length of the columns of `inner` within the span of `outer`.
fn overlap(outer: &Matrix, inner: &Matrix) -> f64 {
    let mut sum = 0.0;
    for i in 0..inner.n_columns() {
        for j in 0..outer.n_columns() {
            let dot: f64 = inner.column(i).iter().zip(outer.column(j)).map(|(x, y)| x * y).sum();
            sum += dot * dot;
        }
    }
    sum / inner.n_columns() as f64
}

struct Fold {
    plan: FoldPlan,
    unit: SimulatedUnit,
    target: PreparedTarget,
    reference: TargetReference,
}

fn fold(simulation: &Simulation) -> Fold {
    let plan = FoldPlan::draw(200, 4, 5, Seed(0)).unwrap();
    let unit = simulation.unit(0, 0).unwrap();
    let partitions = Partitions::draw(&unit.trials, 10, Seed(1), 0);
    let options = ReferenceOptions::default();
    let pool = &plan.folds[0].test;
    let reference = TargetReference::new(&unit.trials, pool, &partitions, &options).unwrap();
    let means = unit.trials.means();
    let target = PreparedTarget::new(unit.trials.unit(), &means, &plan, 0).unwrap();
    Fold {
        plan,
        unit,
        target,
        reference,
    }
}

/// A source with these features, and the fit selected by cross-validation.
fn fitted(fold: &Fold, features: &Matrix) -> (PreparedSource, Subspace) {
    let source = PreparedSource::new("source", features, &fold.plan, 0).unwrap();
    let scores = cross_validate(&source, &fold.target, &SubspaceOptions::default()).unwrap();
    let subspace = fit(&source, &fold.target, &scores.select().unwrap()).unwrap();
    (source, subspace)
}

fn subspace(fold: &Fold, features: &Matrix) -> (Subspace, f64) {
    let (source, subspace) = fitted(fold, features);
    let accuracy = read_out(&source, &fold.target, &subspace, &READOUT_ALPHAS).unwrap().accuracy;
    (subspace, accuracy)
}

#[test]
fn the_reference_holds_the_planted_dimensions_and_little_noise() {
    let fold = fold(&simulation());
    let planted = fold.unit.planted(4);
    let leading = span(&fold.reference.directions, 4);
    let found = overlap(&leading, &planted);
    assert!(found > 0.9, "{found}");
    // The weight outside the four simulated dimensions.
    let beyond: f64 = fold.reference.weights[4..].iter().sum();
    let total: f64 = fold.reference.weights.iter().sum();
    assert!(beyond / total < 0.1, "{:?}", fold.reference.weights);
    let rank = fold.reference.effective_rank().unwrap();
    assert!((3.0..6.0).contains(&rank), "{rank}");
}

#[test]
fn a_source_shows_the_dimensions_that_it_spans() {
    let simulation = simulation();
    let fold = fold(&simulation);
    let (all, accuracy) = subspace(&fold, &simulation.features(&[0, 1, 2], 50, 0.2, 0).unwrap());
    let (two, _) = subspace(&fold, &simulation.features(&[0, 1], 50, 0.2, 1).unwrap());
    let covered = |basis: &Matrix, rank| overlap(basis, &fold.unit.planted(rank));
    assert!(covered(&all.basis, 3) > 0.9, "{}", covered(&all.basis, 3));
    assert!(covered(&two.basis, 2) > 0.9, "{}", covered(&two.basis, 2));
    // Two of the three dimensions, and chance for the third.
    let found = covered(&two.basis, 3);
    assert!((0.6..0.75).contains(&found), "{found}");
    let full = |basis: &Matrix| FoldProfile::new(&fold.reference, basis, 10).unwrap().unwrap().full;
    // No model can recover the private dimension.
    assert!(full(&two.basis) < full(&all.basis) && full(&all.basis) < 0.9);
    let (_, none) = subspace(&fold, &simulation.features(&[], 50, 1.0, 2).unwrap());
    assert!(accuracy > 0.4 && none.abs() < 0.1, "{accuracy} {none}");
}

#[test]
fn another_subject_recovers_what_is_shared() {
    let simulation = simulation();
    let fold = fold(&simulation);
    let donor = simulation.unit(1, 1).unwrap();
    let (recovered, _) = subspace(&fold, &donor.trials.means());
    let found = overlap(&recovered.basis, &fold.unit.planted(3));
    assert!(found > 0.9, "{found}");
    assert_ne!(donor.trials.n_trials(), fold.unit.trials.n_trials());
}

#[test]
fn random_directions_cover_by_chance_only() {
    let fold = fold(&simulation());
    let mut sum = 0.0;
    for stream in 0..200 {
        let basis = random_directions(60, 3, Seed(8), stream);
        sum += FoldProfile::new(&fold.reference, &basis, 1).unwrap().unwrap().full;
    }
    // The expectation is the rank over the number of voxels.
    assert!((sum / 200.0 - 0.05).abs() < 0.01, "{}", sum / 200.0);
}
