//! Predictions of a fitted source for new stimuli.

use crate::prelude::*;

/// Features and responses of 40 stimuli, and their folds; voxel 3 has the same response to every stimulus.
fn study() -> (Matrix, Matrix, FoldPlan) {
    let latents = noise("latents", 40, 4);
    let responses = mixed("target", &latents, 12, 0.3);
    let responses = Matrix::from_fn(40, 12, |row, column| match column {
        3 => 5.0,
        _ => 100.0 * responses.get(row, column) - 7.0,
    });
    (mixed("source", &latents, 60, 0.3), responses, FoldPlan::draw(40, 5, 5, Seed(1)).unwrap())
}

/// A fold with only the training stimuli.
fn alone(training: &Pool) -> FoldPlan {
    let none = Pool {
        stimuli: Vec::new(),
        inner: Vec::new(),
    };
    let fold = OuterFold {
        training: training.clone(),
        reserved: Vec::new(),
        test: none,
    };
    FoldPlan {
        n_stimuli: 40,
        folds: vec![fold],
    }
}

struct Fitted {
    subspace: Subspace,
    readout: Readout,
    predictor: Predictor,
}

fn fitted(x: &Matrix, y: &Matrix, plan: &FoldPlan) -> Fitted {
    let (source, target) = prepared(x, y, plan, 0);
    let scores = cross_validate(&source, &target, &SubspaceOptions::default()).unwrap();
    let subspace = fit(&source, &target, &scores.select().unwrap()).unwrap();
    let readout = read_out(&source, &target, &subspace, &READOUT_ALPHAS).unwrap();
    let predictor = Predictor::new((&source, x), (&target, y), &subspace, readout.alpha).unwrap();
    Fitted {
        subspace,
        readout,
        predictor,
    }
}

#[test]
fn predictions_have_the_readouts_correlations_and_the_units_of_the_responses() {
    let (x, y, plan) = study();
    let test = &plan.folds[0].test.stimuli;
    let found = fitted(&x, &y, &plan);
    let predicted = found.predictor.predict(&x.rows(test)).unwrap();
    let measured = y.rows(test);
    for voxel in 0..12 {
        if voxel == 3 {
            // The mean of a constant is exact.
            assert!(predicted.column(voxel).iter().all(|value| *value == 5.0));
            assert_eq!(found.readout.correlations[voxel], 0.0);
            continue;
        }
        let r = neurogauge_stats::pearson(predicted.column(voxel), measured.column(voxel)).unwrap().unwrap();
        let expected = found.readout.correlations[voxel];
        assert!((r - expected).abs() < 1e-9, "voxel {voxel}: {r} {expected}");
    }
    // Averaged over the training stimuli, a ridge fit of z-scores predicts the mean response.
    let training = &plan.folds[0].training.stimuli;
    let predicted = found.predictor.predict(&x.rows(training)).unwrap();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let measured = y.rows(training);
    for voxel in 0..12 {
        let difference = mean(predicted.column(voxel)) - mean(measured.column(voxel));
        assert!(difference.abs() < 1e-9, "voxel {voxel}: {difference}");
    }
}

#[test]
fn a_fit_without_test_stimuli_has_the_same_bits() {
    let (x, y, plan) = study();
    let whole = fitted(&x, &y, &plan);
    let part = fitted(&x, &y, &alone(&plan.folds[0].training));
    assert_eq!(part.subspace.basis, whole.subspace.basis);
    assert_eq!(part.subspace.selection, whole.subspace.selection);
    assert_eq!(part.readout.alpha, whole.readout.alpha);
    assert_eq!(part.predictor, whole.predictor);
}

#[test]
fn features_of_another_source_are_refused() {
    let (x, y, plan) = study();
    let found = fitted(&x, &y, &plan);
    assert!(found.predictor.predict(&y).is_err());
}
