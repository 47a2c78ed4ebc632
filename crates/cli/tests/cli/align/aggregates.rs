//! `align.json`'s aggregates of all folds and units, computed from the units' files.

use crate::support::alignments::{Arrays, units};
use crate::support::*;

#[test]
fn aggregates_are_means_over_folds_then_units() {
    let mut arrays = Arrays::new();
    arrays.align("run", "");
    let dir = &arrays.dir;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    // For each unit: accuracy and ProfileMean(10) of the donor and of the model, and the same for the next fold.
    let mut expected = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
    for unit in units(dir, "run").values() {
        for source in unit["sources"].list() {
            let place = usize::from(source["donor"] == false);
            let fits = source["fits"].list();
            let over_folds = |value: &dyn Fn(&Value) -> f64| mean(&fits.iter().map(value).collect::<Vec<_>>());
            let first_ten = |curve: &Value| {
                let curve = curve.list().iter().take(10);
                mean(&curve.map(|value| value.number()).collect::<Vec<_>>())
            };
            let accuracy = over_folds(&|fit| fit["accuracy"].number());
            let profile = over_folds(&|fit| first_ten(&fit["profile"]["value"]["top_k"]));
            let next = over_folds(&|fit| first_ten(&fit["next_fold"]["value"]));
            for (quantity, value) in expected.iter_mut().zip([accuracy, profile, next]) {
                quantity[place].push(value);
            }
        }
    }
    let record = dir.json("run/align.json");
    let found = |place: usize, quantity: &str| record["sources"][place][quantity]["mean"].number();
    let [accuracy, profile, next] = &expected;
    for place in 0..2 {
        let means = record["sources"][place]["profile_means"].list();
        let of_profile = means.iter().find(|mean| mean[0] == 10).unwrap()[1]["mean"].number();
        close(
            &[found(place, "accuracy"), of_profile, found(place, "next_fold")],
            &[mean(&accuracy[place]), mean(&profile[place]), mean(&next[place])],
        );
    }
    // The only donor of a unit is its own median, with which a model is compared.
    let shares: Vec<f64> = profile[1].iter().zip(&profile[0]).map(|(m, d)| m / d).collect();
    close(
        &[found(0, "brain_ref_score"), found(1, "brain_ref_score"), found(0, "shape_distance")],
        &[1.0, mean(&shares), 0.0],
    );
    // Short prefixes also have a mean.
    arrays.settings += "prefixes = 3\n";
    arrays.align("run", "");
    let means = &arrays.dir.json("run/align.json")["sources"][0]["profile_means"];
    assert_eq!(means[0][0], 3, "{means}");
}
