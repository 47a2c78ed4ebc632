//! The controls' tables for other programs: `controls.parquet`, `directions.parquet`, `auxiliary.parquet`.

use super::columns::{Rows, fits, kind_of};
use super::run::AlignRun;
use super::settings::AlignSettings;
use super::unit_scores::lengths;
use neurogauge_alignment::{AuxiliaryReadouts, Profile, ReservedReadout};
use neurogauge_formats::FormatError;
use neurogauge_formats::columns_parquet::{Column, write};
use std::path::Path;

/// One row for each control, source (empty where it is of the target alone), target, fold and draw.
pub(super) fn controls(
    path: &Path,
    run: &AlignRun,
    settings: &AlignSettings,
) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let (mut names, mut draws, mut dimensions) = (Vec::new(), Vec::new(), Vec::new());
    let (mut alphas, mut accuracies, mut full) = (Vec::new(), Vec::new(), Vec::new());
    let mut undefined = Vec::new();
    let lengths = lengths(settings);
    let mut means: Vec<Vec<Option<f64>>> = vec![Vec::new(); lengths.len()];
    for unit in &run.units {
        for control in &unit.controls {
            for fit in &control.fits {
                let (source, kind) = match &control.source {
                    Some(source) => (source.as_str(), kind_of(control.donor)),
                    None => ("", "target"),
                };
                rows.add(&unit.unit, source, kind, fit.fold);
                names.push(control.baseline.to_string());
                draws.push(fit.draw as i64);
                dimensions.push(fit.rank as i64);
                alphas.push(fit.alpha);
                accuracies.push(fit.accuracy);
                let profile = fit.profile.as_ref().ok();
                full.push(profile.map(|profile| profile.full));
                let of_fold =
                    profile.and_then(|own| Profile::of_folds(std::slice::from_ref(own)).ok());
                for (column, &k) in means.iter_mut().zip(&lengths) {
                    column.push(of_fold.as_ref().and_then(|profile| profile.mean(k).ok()));
                }
                undefined.push(fit.profile.as_ref().err().map(ToString::to_string));
            }
        }
    }
    let mut columns = rows.columns();
    columns.insert(0, ("control", Column::Text(names)));
    columns.extend([
        ("draw", Column::Whole(draws)),
        ("dimensions", Column::Whole(dimensions)),
        ("alpha", Column::Number(alphas)),
        ("accuracy", Column::Number(accuracies)),
        ("full_ref_cov", Column::Number(full)),
    ]);
    let headings: Vec<String> = lengths
        .iter()
        .map(|k| format!("profile_mean_{k}"))
        .collect();
    let named = headings.iter().map(String::as_str).zip(means);
    columns.extend(named.map(|(name, values)| (name, Column::Number(values))));
    columns.push(("undefined", Column::SomeText(undefined)));
    write(path, "controls", &columns)
}

/// One row for each source, target, fold and direction of the reference.
pub(super) fn directions(path: &Path, run: &AlignRun) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let mut places = Vec::new();
    let (mut weights, mut covered, mut along) = (Vec::new(), Vec::new(), Vec::new());
    for (unit, source, fold, fit) in fits(run) {
        let (Ok(profile), Some(predicted)) = (&fit.profile, &fit.prediction) else {
            continue;
        };
        let of_unit = run.units.iter().find(|own| own.unit == *unit);
        let reference = of_unit.and_then(|own| own.references.get(fold));
        let own: &[f64] = reference.map_or(&[], |reference| &reference.weights);
        for (place, (&coverage, &r)) in profile.directional.iter().zip(predicted).enumerate() {
            rows.add(unit, &source.source, kind_of(source.donor), fold);
            places.push(place as i64 + 1);
            weights.push(own.get(place).copied());
            covered.push(Some(coverage));
            along.push(Some(r));
        }
    }
    let mut columns = rows.columns();
    columns.extend([
        ("direction", Column::Whole(places)),
        ("weight", Column::Number(weights)),
        ("dir_cov", Column::Number(covered)),
        ("prediction", Column::Number(along)),
    ]);
    write(path, "directions", &columns)
}

/// One row for each source, target and fold.
pub(super) fn auxiliary(path: &Path, run: &AlignRun) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let (mut ranks, mut alphas) = (Vec::new(), Vec::new());
    type Of = fn(&AuxiliaryReadouts) -> &ReservedReadout;
    let readouts: [(&str, &str, Of); 3] = [
        ("full_alpha", "full_accuracy", |found| &found.full),
        ("subspace_alpha", "subspace_accuracy", |found| {
            &found.subspace
        }),
        ("source_pca_alpha", "source_pca_accuracy", |found| {
            &found.source_pca
        }),
    ];
    let mut found = readouts.map(|_| (Vec::new(), Vec::new()));
    for (unit, source, fold, fit) in fits(run) {
        let Some(auxiliary) = &fit.auxiliary else {
            continue;
        };
        rows.add(unit, &source.source, kind_of(source.donor), fold);
        ranks.push(auxiliary.selection.rank as i64);
        alphas.push(Some(auxiliary.selection.alpha));
        for ((_, _, of), (alphas, accuracies)) in readouts.iter().zip(&mut found) {
            let readout = of(auxiliary);
            alphas.push(Some(readout.alpha));
            accuracies.push(Some(readout.test));
        }
    }
    let mut columns = rows.columns();
    columns.extend([
        ("rank", Column::Whole(ranks)),
        ("alpha", Column::Number(alphas)),
    ]);
    for ((alpha, accuracy, _), (alphas, accuracies)) in readouts.into_iter().zip(found) {
        columns.push((alpha, Column::Number(alphas)));
        columns.push((accuracy, Column::Number(accuracies)));
    }
    write(path, "auxiliary", &columns)
}
