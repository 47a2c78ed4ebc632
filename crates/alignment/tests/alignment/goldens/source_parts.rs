//! source_parts.json and noiseless.json: contributions of features and blocks, and references of targets without noise.

use super::inputs::{labels, matrix, single_fold, trials, unit};
use super::references::{check, reference};
use super::*;
use crate::prelude::*;

#[test]
fn references_without_noise() {
    let goldens = golden("noiseless.json");
    assert!(goldens.as_object().unwrap().len() >= 4);
    for (name, golden) in goldens.as_object().unwrap() {
        let trials = Trials::noiseless(&unit(), matrix(&golden["features_recipe"])).unwrap();
        let pool = integers(&golden["pool"]);
        let pool = Pool::new(pool, integer_lists(&golden["inner_folds"])).unwrap();
        check(name, &reference(&trials, &pool, labels(&golden["labels"])), golden);
    }
}

/// The inputs of the golden's fold.
struct Inputs {
    golden: Value,
    features: Matrix,
    plan: FoldPlan,
    target: PreparedTarget,
    reference: TargetReference,
}

fn inputs() -> Inputs {
    let golden = golden("source_parts.json");
    let (features, trials) = (matrix(&golden["source_recipe"]), trials(&golden["trials_recipe"]));
    let mut plan = single_fold(&golden);
    let test = integers(&golden["test"]);
    plan.folds[0].test = Pool::new(test, integer_lists(&golden["test_inner_folds"])).unwrap();
    Inputs {
        target: PreparedTarget::new(&unit(), &trials.means(), &plan, 0).unwrap(),
        reference: reference(&trials, &plan.folds[0].test, labels(&golden["labels"])),
        golden,
        features,
        plan,
    }
}

#[test]
fn attributions() {
    let own = inputs();
    let source = PreparedSource::new("source", &own.features, &own.plan, 0).unwrap();
    let scores = cross_validate(&source, &own.target, &SubspaceOptions::default()).unwrap();
    let subspace = fit(&source, &own.target, &scores.select().unwrap()).unwrap();
    let directions: Vec<Vec<f64>> = serde_json::from_value(own.golden["directions"].clone()).unwrap();
    let directions = Matrix::from_fn(directions[0].len(), directions.len(), |voxel, place| directions[place][voxel]);
    let prepared = (&source, &own.features);
    let found = Attribution::of(prepared, &own.target, &subspace, &directions).unwrap();
    for (place, found) in found.into_iter().enumerate() {
        let (found, expected) = (found.unwrap(), &own.golden["attribution"][place]);
        assert_all_near("weights", &found.weights, &expected["weights"]);
        assert_all_near("shares", &found.shares, &expected["shares"]);
        assert_all_near("correlations", &found.correlations, &expected["correlations"]);
        assert!((found.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn contributions_of_blocks() {
    let own = inputs();
    let blocks: Vec<_> = integer_lists(&own.golden["blocks"]).iter().map(|block| block[0]..block[1]).collect();
    let source = BlockedSource {
        name: "source",
        features: &own.features,
        blocks: &blocks,
        plan: &own.plan,
        fold: 0,
    };
    let order = integers(&own.golden["order"]);
    let options = SubspaceOptions::default();
    let found = source.fits(&own.target, &own.reference, &options, 10, &[order]).unwrap().unwrap();
    for (set, expected) in list(&own.golden["sets"]).iter().zip(list(&own.golden["fits"])) {
        same(&own, found.of(&integers(set)).unwrap(), expected);
    }
    assert_eq!(found.fits.len(), 7);
    for (null, expected) in found.null.iter().zip(list(&own.golden["permuted"])) {
        same(&own, &null[0], expected);
    }
    let shapley = shapley_values(3, |set| variance(&own, found.of(set).unwrap()));
    assert_all_near("Shapley values", &shapley, &own.golden["shapley"]);
}

fn variance(own: &Inputs, fit: &BlockFit) -> f64 {
    let both = || fit.recovered().zip(&own.reference.weights).take(10);
    both().map(|(r, w)| r * w).sum::<f64>() / both().map(|(_, w)| w).sum::<f64>()
}

#[track_caller]
fn same(own: &Inputs, found: &BlockFit, expected: &Value) {
    let what = format!("{:?}", found.blocks);
    assert_near(&what, found.accuracy, &expected["accuracy"]);
    assert_all_near(&what, &found.profile.directional, &expected["dir_cov"]);
    assert_all_near(&what, &found.prediction, &expected["prediction"]);
    assert_near(&what, variance(own, found), &expected["variance"]);
    let profile = Profile::of_folds(std::slice::from_ref(&found.profile)).unwrap();
    assert_near(&what, profile.mean(10).unwrap(), &expected["profile_mean"]);
}
