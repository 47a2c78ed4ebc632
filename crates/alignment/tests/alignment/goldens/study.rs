//! study.json: one target unit with five outer folds, from trials to scores against donors.

use super::inputs::unit;
use super::one_target::{Fits, study};
use super::*;
use crate::prelude::*;

#[test]
fn study_of_one_target() {
    let study = study();
    for (fold, reference) in study.references.iter().enumerate() {
        let golden = &study.golden["references"][fold.to_string()];
        references::check(&format!("reference {fold}"), reference, golden);
    }
    let sources: BTreeMap<&str, Fits> = ["donor_1", "donor_2", "donor_3", "donor_4", "model", "noise"]
        .into_iter()
        .map(|name| (name, study.check_source(name)))
        .collect();
    let donors: Vec<Profile> = sources
        .iter()
        .filter(|(name, _)| name.starts_with("donor"))
        .map(|(_, fits)| fits.profile.clone())
        .collect();
    for (name, fits) in &sources {
        let golden = &study.golden[format!("source_{name}")];
        let scores = [5, 10, 20].map(|k| brain_reference_score(&fits.profile, &donors, k).unwrap().unwrap());
        assert_all_near(name, &scores, &golden["brain_ref_score"]);
        let shapes = [5, 10, 20].map(|k| shape_distance(&fits.profile, &donors, k).unwrap().unwrap());
        assert_all_near(name, &shapes, &golden["shape_dist"]);
    }
    for name in ["donor_3", "model", "noise"] {
        study.check_null(name, &sources[name], false);
        study.check_null(name, &sources[name], true);
    }
    let band = Band::new(&donors).unwrap();
    let golden = &study.golden["human_band"];
    assert_all_near("band", &band.mean, &golden["mean"]);
    assert_all_near("band", &band.standard_error, &golden["sem"]);
    assert_all_near("band", &band.median, &golden["median"]);
    let lower: Vec<f64> = band.quartiles.iter().map(|ends| ends.0).collect();
    assert_all_near("band", &lower, &golden["quartiles"][0]);
    let highest: Vec<f64> = band.range.iter().map(|ends| ends.1).collect();
    assert_all_near("band", &highest, &golden["range"][1]);

    let (mut coverages, mut predictions) = (vec![], vec![]);
    for (name, fits) in &sources {
        if name.starts_with("donor") {
            for (profile, along) in fits.profiles.iter().zip(&fits.directional) {
                coverages.extend_from_slice(&profile.directional[..along.len()]);
                predictions.extend_from_slice(along);
            }
        }
    }
    let golden = &study.golden["directional_donors"];
    let r = neurogauge_stats::pearson(&coverages, &predictions).unwrap().unwrap();
    assert_near("directions", r, &golden["r"]);
    let contrast = quartile_contrast(&coverages, &predictions).unwrap();
    assert_near("directions", contrast, &golden["high_low"]);

    study.check_control("pca_1", |fold| target_pca(&study.targets[fold], 1).unwrap());
    study.check_control("pca_2", |fold| target_pca(&study.targets[fold], 2).unwrap());
    study.check_control("pca_matched", |fold| {
        let rank = study.references[fold].consensus().unwrap().rank;
        target_pca(&study.targets[fold], rank).unwrap()
    });
    for name in ["donor_3", "model"] {
        study.check_control(&format!("response_permutation_{name}"), |fold| {
            let order = integers(&study.golden["inputs"]["response_permutations"][fold]);
            let pool = &study.plan.folds[fold].training;
            let permuted = permute_training(&study.responses, pool, &order).unwrap();
            let target = PreparedTarget::new(&unit(), &permuted, &study.plan, fold).unwrap();
            let source = &sources[name].sources[fold];
            let scores = cross_validate(source, &target, &SubspaceOptions::default()).unwrap();
            fit(source, &target, &scores.select().unwrap()).unwrap().basis
        });
    }
}
