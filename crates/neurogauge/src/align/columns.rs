//! The tables for other programs: `profiles.parquet`, `references.parquet`, `fits.parquet`.

use super::run::AlignRun;
use super::study::Study;
use super::unit_result::{FitResult, SourceResult, UnitResult};
use neurogauge_alignment::Unit;
use neurogauge_formats::FormatError;
use neurogauge_formats::columns_parquet::{Column, write};
use neurogauge_stats::{mean, standard_deviation};
use std::path::Path;

/// One row for each source, target, fold and k.
pub(super) fn profiles(path: &Path, run: &AlignRun) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let (mut ks, mut coverage, mut directional) = (Vec::new(), Vec::new(), Vec::new());
    let (mut next, mut null_mean, mut null_sd) = (Vec::new(), Vec::new(), Vec::new());
    for (unit, source, fold, fit) in fits(run) {
        let Ok(profile) = &fit.profile else { continue };
        for (k, &covered) in profile.top_k.iter().enumerate() {
            rows.add(unit, &source.source, kind_of(source.donor), fold);
            ks.push(k as i64 + 1);
            coverage.push(Some(covered));
            directional.push(profile.directional.get(k).copied());
            next.push(
                fit.next_fold
                    .as_ref()
                    .ok()
                    .and_then(|curve| curve.get(k).copied()),
            );
            let draws: Vec<f64> = fit
                .null
                .iter()
                .filter_map(|curve| curve.get(k).copied())
                .collect();
            null_mean.push(mean(draws.iter().copied()));
            null_sd.push(standard_deviation(&draws));
        }
    }
    let mut columns = rows.columns();
    columns.extend([
        ("k", Column::Whole(ks)),
        ("top_k_cov", Column::Number(coverage)),
        ("dir_cov", Column::Number(directional)),
        ("next_fold_top_k_cov", Column::Number(next)),
        ("null_mean", Column::Number(null_mean)),
        ("null_sd", Column::Number(null_sd)),
    ]);
    write(path, "profiles", &columns)
}

/// One row for each target, fold and direction.
pub(super) fn references(path: &Path, run: &AlignRun) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let (mut directions, mut weights) = (Vec::new(), Vec::new());
    let (mut effective, mut consensus) = (Vec::new(), Vec::new());
    for unit in &run.units {
        for (fold, reference) in unit.references.iter().enumerate() {
            for (direction, &weight) in reference.weights.iter().enumerate() {
                rows.add(&unit.unit, "", "", fold);
                directions.push(direction as i64 + 1);
                weights.push(Some(weight));
                effective.push(Some(reference.effective_rank));
                consensus.push(reference.consensus_rank as i64);
            }
        }
    }
    let mut columns = rows.columns();
    columns.retain(|(name, _)| !["source", "kind"].contains(name));
    columns.extend([
        ("direction", Column::Whole(directions)),
        ("weight", Column::Number(weights)),
        ("effective_rank", Column::Number(effective)),
        ("consensus_rank", Column::Whole(consensus)),
    ]);
    write(path, "references", &columns)
}

/// One row for each source, target and fold.
pub(super) fn selections(path: &Path, run: &AlignRun) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let (mut ranks, mut dimensions) = (Vec::new(), Vec::new());
    let mut numbers: [(&str, Vec<Option<f64>>); 8] = [
        ("alpha", Vec::new()),
        ("validation", Vec::new()),
        ("best_validation", Vec::new()),
        ("standard_error", Vec::new()),
        ("readout_alpha", Vec::new()),
        ("accuracy", Vec::new()),
        ("effective_rank", Vec::new()),
        ("full_ref_cov", Vec::new()),
    ];
    let mut undefined = Vec::new();
    for (unit, source, fold, fit) in fits(run) {
        rows.add(unit, &source.source, kind_of(source.donor), fold);
        ranks.push(fit.selection.rank as i64);
        dimensions.push(fit.rank as i64);
        let values = [
            Some(fit.selection.alpha),
            Some(fit.selection.score),
            Some(fit.selection.best_score),
            Some(fit.selection.standard_error),
            Some(fit.readout_alpha),
            Some(fit.accuracy),
            fit.effective_rank,
            fit.profile.as_ref().ok().map(|profile| profile.full),
        ];
        for ((_, column), value) in numbers.iter_mut().zip(values) {
            column.push(value.filter(|value| value.is_finite()));
        }
        undefined.push(fit.profile.as_ref().err().map(ToString::to_string));
    }
    let mut columns = rows.columns();
    columns.extend([
        ("rank", Column::Whole(ranks)),
        ("dimensions", Column::Whole(dimensions)),
    ]);
    columns.extend(numbers.map(|(name, values)| (name, Column::Number(values))));
    columns.push(("undefined", Column::SomeText(undefined)));
    write(path, "fits", &columns)
}

/// BlockUse: one row for each model, target, fold and layer.
pub(super) fn block_use(path: &Path, run: &AlignRun, study: &Study) -> Result<(), FormatError> {
    let mut rows = Rows::default();
    let (mut blocks, mut shares) = (Vec::new(), Vec::new());
    for (unit, source, fold, fit) in fits(run).filter(|(_, source, _, _)| !source.donor) {
        let Some(of_blocks) = &fit.block_use else {
            continue;
        };
        let named = study
            .sources
            .iter()
            .find(|features| features.name == source.source);
        let names = named.iter().flat_map(|features| &features.blocks);
        for ((block, _), &share) in names.zip(of_blocks) {
            rows.add(unit, &source.source, kind_of(source.donor), fold);
            blocks.push(block.clone());
            shares.push(Some(share));
        }
    }
    let mut columns = rows.columns();
    columns.extend([
        ("block", Column::Text(blocks)),
        ("block_use", Column::Number(shares)),
    ]);
    write(path, "block_use", &columns)
}

/// Every fit, with its unit, source and fold.
pub(super) fn fits(
    run: &AlignRun,
) -> impl Iterator<Item = (&Unit, &SourceResult, usize, &FitResult)> {
    run.units.iter().flat_map(|unit: &UnitResult| {
        unit.sources.iter().flat_map(move |source| {
            let folds = source.fits.iter().enumerate();
            folds.map(move |(fold, fit)| (&unit.unit, source, fold, fit))
        })
    })
}

/// What tables call another subject, and everything else that is a source.
pub(super) fn kind_of(donor: bool) -> &'static str {
    if donor { "subject" } else { "model" }
}

/// What every table begins with.
#[derive(Default)]
pub(super) struct Rows {
    texts: [Vec<String>; 5],
    folds: Vec<i64>,
}

impl Rows {
    pub(super) fn add(&mut self, unit: &Unit, source: &str, kind: &str, fold: usize) {
        let values = [source, kind, &unit.subject, &unit.hemisphere, &unit.roi];
        for (column, value) in self.texts.iter_mut().zip(values) {
            column.push(value.to_owned());
        }
        self.folds.push(fold as i64);
    }

    pub(super) fn columns(self) -> Vec<(&'static str, Column)> {
        let names = ["source", "kind", "subject", "hemisphere", "roi"];
        let texts = names.into_iter().zip(self.texts.map(Column::Text));
        texts.chain([("fold", Column::Whole(self.folds))]).collect()
    }
}
