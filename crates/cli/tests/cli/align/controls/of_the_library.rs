//! Every control equals the library's with the plan's draws.

use super::plan;
use crate::support::alignments::{Arrays, N_STIMULI, N_VOXELS, signal, units};
use crate::support::*;
use neurogauge::alignment::{
    AuxiliaryReadouts, FoldProfile, Matrix, Partitions, PreparedSource, PreparedTarget, READOUT_ALPHAS,
    ReferenceOptions, SubspaceOptions, TargetReference, Trials, Unit, cross_validate, directional_prediction, fit,
    permute_training, read_out, standardise_within, target_pca,
};

/// The control's fits for one source (`None`: for the target) in a unit's file.
fn fits<'a>(unit: &'a Value, control: &str, source: Option<&str>) -> &'a [Value] {
    let controls = unit["controls"].list();
    let own = controls.iter().find(|own| own["baseline"] == control && own["source"].as_str() == source);
    own.unwrap_or_else(|| panic!("no {control} of {source:?}"))["fits"].list()
}

#[track_caller]
fn same_profile(found: &Value, expected: &FoldProfile) {
    let curve: Vec<f64> = found["top_k"].list().iter().map(|value| value.number()).collect();
    close(&curve, &expected.top_k);
    close(&[found["full"].number()], &[expected.full]);
}

/// The columns of the numbers, made orthonormal one after another.
fn orthonormal(columns: &[&[f64]]) -> Matrix {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for column in columns {
        let mut own = column[..N_VOXELS].to_vec();
        for _ in 0..2 {
            for other in &basis {
                let dot: f64 = own.iter().zip(other).map(|(x, y)| x * y).sum();
                own.iter_mut().zip(other).for_each(|(x, y)| *x -= dot * y);
            }
        }
        let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
        own.iter_mut().for_each(|x| *x /= length);
        basis.push(own);
    }
    Matrix::from_fn(N_VOXELS, basis.len(), |voxel, place| basis[place][voxel])
}

#[test]
fn controls_are_those_of_the_library_for_what_the_plan_draws() {
    let arrays = Arrays::new();
    arrays.align("run", "--controls all");
    let plan = plan(&arrays);
    let found = &units(&arrays.dir, "run")["a.lh.V1.json"];

    let trials = &arrays.trials["a"];
    let shown: Vec<usize> = trials.iter().map(|trial| trial.0 as usize - 10).collect();
    let sessions: Vec<u32> = trials.iter().map(|trial| trial.1 as u32).collect();
    let values: Vec<f64> = trials.iter().flat_map(|trial| trial.2.clone()).collect();
    let responses = Matrix::from_rows(trials.len(), N_VOXELS, &values).unwrap();
    let responses = standardise_within(&responses, &sessions);
    let unit = Unit::new("a", "lh", "V1");
    let trials = Trials::new(&unit, responses, &shown, N_STIMULI).unwrap();
    let labels = |texts: &[String]| {
        Partitions::new(texts.iter().map(|text| text.bytes().map(|b| b - b'0').collect()).collect(), &trials).unwrap()
    };
    let name = unit.to_string();
    let partitions = labels(&plan.partitions[&name]);
    let balanced = labels(&plan.controls.balanced_partitions[&name]);
    let features = Matrix::from_fn(N_STIMULI, 8, |stimulus, feature| {
        let value = match feature {
            0..3 => signal("early", feature, stimulus),
            _ => signal("late", feature - 3, stimulus),
        };
        f64::from(value as f32)
    });
    let means = trials.means();
    let options = SubspaceOptions::default();
    for (fold, outer) in plan.folds.folds.iter().enumerate() {
        let reference = |partitions: &Partitions| {
            TargetReference::new(&trials, &outer.test, partitions, &ReferenceOptions::default()).unwrap()
        };
        let own = reference(&partitions);
        let n = 12;
        let profile = |basis: &Matrix| FoldProfile::new(&own, basis, n).unwrap().unwrap();
        let target = PreparedTarget::new(&unit, &means, &plan.folds, fold).unwrap();
        let at = |control: &str, source: Option<&str>| &fits(found, control, source)[fold];
        let consensus = own.consensus().unwrap().rank;
        for (control, rank) in [("target-pca-1", 1), ("target-pca-2", 2), ("target-pca-matched", consensus)] {
            same_profile(&at(control, None)["profile"]["value"], &profile(&target_pca(&target, rank).unwrap()));
        }
        let numbers = &plan.controls.random_directions[fold][0][..consensus];
        let numbers: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
        let expected = profile(&orthonormal(&numbers));
        same_profile(&at("random-directions", None)["profile"]["value"], &expected);

        let source = PreparedSource::new("model", &features, &plan.folds, fold).unwrap();
        let scores = cross_validate(&source, &target, &options).unwrap();
        for rank in [2, 3] {
            let fixed = fit(&source, &target, &scores.select_alpha(rank).unwrap()).unwrap();
            let readout = read_out(&source, &target, &fixed, &READOUT_ALPHAS).unwrap();
            let found = at(&format!("fixed-rank-{rank}"), Some("model"));
            same_profile(&found["profile"]["value"], &profile(&fixed.basis));
            close(&[found["accuracy"].number()], &[readout.accuracy]);
            assert_eq!(found["rank"], rank);
        }
        let permuted = permute_training(&means, &outer.training, &plan.controls.response_orders[fold][0]).unwrap();
        let permuted = PreparedTarget::new(&unit, &permuted, &plan.folds, fold).unwrap();
        let selection = cross_validate(&source, &permuted, &options).unwrap().select().unwrap();
        let subspace = fit(&source, &permuted, &selection).unwrap();
        let readout = read_out(&source, &permuted, &subspace, &READOUT_ALPHAS).unwrap();
        let control = at("response-permutation", Some("model"));
        same_profile(&control["profile"]["value"], &profile(&subspace.basis));
        close(&[control["accuracy"].number()], &[readout.accuracy]);

        let subspace = fit(&source, &target, &scores.select().unwrap()).unwrap();
        let readout = read_out(&source, &target, &subspace, &READOUT_ALPHAS).unwrap();
        let other = reference(&balanced);
        let expected = FoldProfile::new(&other, &subspace.basis, n).unwrap().unwrap();
        same_profile(&at("balanced-partitions", Some("model"))["profile"]["value"], &expected);
        let similarity = own.similarity(&other).unwrap();
        let of_fold = &found["references"][fold]["balanced"];
        close(&[of_fold["soft"].number(), of_fold["hard"].number()], &[similarity.soft, similarity.hard]);

        let model = found["sources"].list().iter().find(|own| own["source"] == "model").unwrap();
        let along = directional_prediction(&source, &target, &subspace, &readout, &own, 20).unwrap();
        let predicted = model["fits"][fold]["prediction"].list();
        close(&predicted.iter().map(|value| value.number()).collect::<Vec<_>>(), &along);
        let auxiliary = AuxiliaryReadouts::options();
        let expected = AuxiliaryReadouts::new(&source, &target, &auxiliary, &READOUT_ALPHAS);
        let (expected, own) = (expected.unwrap(), &model["fits"][fold]["auxiliary"]);
        close(
            &["full", "subspace", "source_pca"].map(|from| own[from]["test"].number()),
            &[&expected.full, &expected.subspace, &expected.source_pca].map(|own| own.test),
        );
    }
}
