//! Tables for other programs: `profiles.parquet`, `references.parquet`, `fits.parquet`, `block_use.parquet`, and for
//! controls `controls.parquet`, `directions.parquet`, `auxiliary.parquet`, `attribution.parquet`,
//! `block_shares.parquet`, `contributions.parquet`.

use super::{AlignSettings, Alignment, Control, ControlFit, DirectionShares, FitResult};
use neurogauge_alignment::{AuxiliaryReadouts, BlockFit, Profile, ReservedReadout, Unit};
use neurogauge_formats::columns_parquet::{Column, ColumnTable};
use neurogauge_stats::{mean, standard_deviation};

type NamedColumns = Vec<(String, Column)>;

/// A file: its name, whether the settings request it, and its columns.
type TableFile = (&'static str, fn(&AlignSettings) -> bool, fn(&Alignment) -> NamedColumns);

pub(super) const TABLES: [TableFile; 10] = [
    ("profiles", |_| true, profiles),
    ("references", |_| true, references),
    ("fits", |_| true, selections),
    ("block_use", |_| true, block_use),
    ("controls", AlignSettings::makes_subspaces, controls),
    ("directions", |own| own.makes(Control::DirectionPrediction), directions),
    ("auxiliary", |own| own.makes(Control::AuxiliaryReadouts), auxiliary),
    ("attribution", |own| own.makes(Control::Attribution), attribution),
    ("block_shares", |own| own.makes(Control::Attribution), block_shares),
    ("contributions", |own| own.makes(Control::BlockAblation), contributions),
];

/// The source, target unit and outer fold of a row.
#[derive(Clone, Copy)]
struct Row<'a> {
    source: &'a str,
    /// The kind of source in tables: another subject, or anything else.
    kind: &'static str,
    unit: &'a Unit,
    fold: usize,
}

impl<'a> Row<'a> {
    fn of(source: &'a str, kind: &'static str, unit: &'a Unit, fold: usize) -> Self {
        Row {
            source,
            kind,
            unit,
            fold,
        }
    }
}

/// A table whose rows carry a `T` in addition to their source, unit and fold.
type TableOf<'a, T> = ColumnTable<(Row<'a>, T)>;

/// A table whose first columns are the source and the target.
fn of_sources<'a, T>(rows: impl Iterator<Item = (Row<'a>, T)>) -> TableOf<'a, T> {
    sources(ColumnTable::of(rows))
}

/// The columns of the source, then those of the target.
fn sources<T>(table: TableOf<'_, T>) -> TableOf<'_, T> {
    let table = table.text("source", |(row, _)| row.source.to_owned());
    targets(table.text("kind", |(row, _)| row.kind.to_owned()))
}

/// The columns of the target unit and its fold.
fn targets<T>(table: TableOf<'_, T>) -> TableOf<'_, T> {
    table
        .text("subject", |(row, _)| row.unit.subject.clone())
        .text("hemisphere", |(row, _)| row.unit.hemisphere.clone())
        .text("roi", |(row, _)| row.unit.roi.clone())
        .whole("fold", |(row, _)| row.fold)
}

fn kind_of(donor: bool) -> &'static str {
    if donor { "subject" } else { "model" }
}

fn fits(alignment: &Alignment) -> impl Iterator<Item = (Row<'_>, &FitResult)> {
    alignment.run.units.iter().flat_map(|unit| {
        unit.sources.iter().flat_map(move |source| {
            source.fits.iter().enumerate().map(move |(fold, fit)| {
                let kind = kind_of(source.donor);
                (Row::of(&source.source, kind, &unit.unit, fold), fit)
            })
        })
    })
}

/// One row for each source, target, fold and k.
fn profiles(alignment: &Alignment) -> NamedColumns {
    let rows = fits(alignment).flat_map(|(row, fit)| {
        let curve = fit.profile.iter().flat_map(|profile| &profile.top_k).enumerate();
        curve.map(move |(k, &covered)| (row, (fit, k, covered)))
    });
    let null =
        |fit: &FitResult, k: usize| -> Vec<f64> { fit.null.iter().filter_map(|curve| curve.get(k).copied()).collect() };
    of_sources(rows)
        .whole("k", |(_, (_, k, _))| k + 1)
        .number("top_k_cov", |(_, (.., covered))| Some(*covered))
        .number("dir_cov", |(_, (fit, k, _))| fit.profile.as_ref().ok()?.directional.get(*k).copied())
        .number("next_fold_top_k_cov", |(_, (fit, k, _))| fit.next_fold.as_ref().ok()?.get(*k).copied())
        .number("null_mean", |(_, (fit, k, _))| mean(null(fit, *k)))
        .number("null_sd", |(_, (fit, k, _))| standard_deviation(&null(fit, *k)))
        .into_columns()
}

/// One row for each target, fold and direction.
fn references(alignment: &Alignment) -> NamedColumns {
    let rows = alignment.run.units.iter().flat_map(|unit| {
        let references = unit.references.iter().enumerate();
        references.flat_map(move |(fold, reference)| {
            let weights = reference.weights.iter().enumerate();
            let row = Row::of("", "", &unit.unit, fold);
            weights.map(move |(direction, &weight)| (row, (reference, direction, weight)))
        })
    });
    targets(ColumnTable::of(rows))
        .whole("direction", |(_, (_, direction, _))| direction + 1)
        .number("weight", |(_, (.., weight))| Some(*weight))
        .number("effective_rank", |(_, (reference, ..))| reference.effective_rank)
        .whole("consensus_rank", |(_, (reference, ..))| reference.consensus_rank)
        .into_columns()
}

/// One row for each source, target and fold.
fn selections(alignment: &Alignment) -> NamedColumns {
    type Of = fn(&FitResult) -> Option<f64>;
    let numbers: [(&str, Of); 8] = [
        ("alpha", |fit| Some(fit.selection.alpha)),
        ("validation", |fit| Some(fit.selection.score)),
        ("best_validation", |fit| Some(fit.selection.best_score)),
        ("standard_error", |fit| Some(fit.selection.standard_error)),
        ("readout_alpha", |fit| Some(fit.readout_alpha)),
        ("accuracy", |fit| Some(fit.accuracy)),
        ("effective_rank", |fit| fit.effective_rank),
        ("full_ref_cov", |fit| Some(fit.profile.as_ref().ok()?.full)),
    ];
    let table = of_sources(fits(alignment))
        .whole("rank", |(_, fit)| fit.selection.rank)
        .whole("dimensions", |(_, fit)| fit.rank);
    let table = numbers
        .into_iter()
        .fold(table, |table, (name, of)| table.number(name, |(_, fit)| of(fit).filter(|value| value.is_finite())));
    table
        .some_text("undefined", |(_, fit)| fit.profile.as_ref().err().map(ToString::to_string))
        .into_columns()
}

/// BlockUse: one row for each model, target, fold and layer.
fn block_use(alignment: &Alignment) -> NamedColumns {
    let models = fits(alignment).filter(|(row, _)| row.kind == kind_of(false));
    let rows = models.flat_map(|(row, fit)| {
        let names = alignment.run.blocks.get(row.source).into_iter().flatten();
        let shares = fit.block_use.iter().flatten().copied();
        names.zip(shares).map(move |own| (row, own))
    });
    of_sources(rows)
        .text("block", |(_, (name, _))| (*name).clone())
        .number("block_use", |(_, (_, share))| Some(*share))
        .into_columns()
}

/// One row for each control, source (empty for a control of the target alone), target, fold and draw.
fn controls(alignment: &Alignment) -> NamedColumns {
    let rows = alignment.run.units.iter().flat_map(|unit| {
        unit.controls.iter().flat_map(move |control| {
            let (source, kind) = match &control.source {
                Some(source) => (source.as_str(), kind_of(control.donor)),
                None => ("", "target"),
            };
            control.fits.iter().map(move |fit| {
                let row = Row::of(source, kind, &unit.unit, fit.fold);
                (row, (control.baseline, fit))
            })
        })
    });
    let profile_mean = |fit: &ControlFit, k: usize| {
        let own = fit.profile.as_ref().ok()?;
        Profile::of_folds(std::slice::from_ref(own)).ok()?.mean(k).ok()
    };
    let table = ColumnTable::of(rows).text("control", |(_, (baseline, _))| baseline.to_string());
    let table = sources(table)
        .whole("draw", |(_, (_, fit))| fit.draw)
        .whole("dimensions", |(_, (_, fit))| fit.rank)
        .number("alpha", |(_, (_, fit))| fit.alpha)
        .number("accuracy", |(_, (_, fit))| fit.accuracy)
        .number("full_ref_cov", |(_, (_, fit))| Some(fit.profile.as_ref().ok()?.full));
    let lengths = alignment.record.config.settings.lengths().into_iter();
    let table = lengths
        .fold(table, |table, k| table.number(&format!("profile_mean_{k}"), |(_, (_, fit))| profile_mean(fit, k)));
    table
        .some_text("undefined", |(_, (_, fit))| fit.profile.as_ref().err().map(ToString::to_string))
        .into_columns()
}

/// One row for each source, target, fold and direction of the reference.
fn directions(alignment: &Alignment) -> NamedColumns {
    let rows = fits(alignment).flat_map(|(row, fit)| {
        let of_unit = alignment.run.units.iter().find(|own| own.unit == *row.unit);
        let reference = of_unit.and_then(|own| own.references.get(row.fold));
        let weights: &[f64] = reference.map_or(&[], |reference| &reference.weights);
        let covered = fit.profile.iter().flat_map(|profile| &profile.directional);
        let both = covered.zip(fit.prediction.iter().flatten()).enumerate();
        both.map(move |(place, (&covered, &along))| (row, (place, weights.get(place).copied(), covered, along)))
    });
    of_sources(rows)
        .whole("direction", |(_, (place, ..))| place + 1)
        .number("weight", |(_, (_, weight, ..))| *weight)
        .number("dir_cov", |(_, (_, _, covered, _))| Some(*covered))
        .number("prediction", |(_, (.., along))| Some(*along))
        .into_columns()
}

/// One row for each source, target and fold.
fn auxiliary(alignment: &Alignment) -> NamedColumns {
    let rows = fits(alignment).filter_map(|(row, fit)| Some((row, fit.auxiliary.as_ref()?)));
    type Of = fn(&AuxiliaryReadouts) -> &ReservedReadout;
    let readouts: [(&str, Of); 3] = [
        ("full", |found| &found.full),
        ("subspace", |found| &found.subspace),
        ("source_pca", |found| &found.source_pca),
    ];
    let table = of_sources(rows)
        .whole("rank", |(_, found)| found.selection.rank)
        .number("alpha", |(_, found)| Some(found.selection.alpha));
    let table = readouts.into_iter().fold(table, |table, (name, of)| {
        table
            .number(&format!("{name}_alpha"), |(_, found)| Some(of(found).alpha))
            .number(&format!("{name}_accuracy"), |(_, found)| Some(of(found).test))
    });
    table.into_columns()
}

/// Every direction that a source's fit predicts, with its position.
fn attributed(alignment: &Alignment) -> impl Iterator<Item = (Row<'_>, (usize, &DirectionShares))> {
    fits(alignment).flat_map(|(row, fit)| {
        fit.attribution
            .iter()
            .enumerate()
            .filter_map(move |(place, found)| Some((row, (place, found.as_ref().ok()?))))
    })
}

/// The blocks of a source, with their positions; empty for another subject.
fn blocks_of<'a>(alignment: &'a Alignment, row: &Row<'_>) -> &'a [String] {
    let blocks = match row.kind == kind_of(false) {
        true => alignment.run.blocks.get(row.source),
        false => None,
    };
    blocks.map_or(&[], Vec::as_slice)
}

/// The features with the largest share of each direction: one row for each source, target, fold, direction and feature.
fn attribution(alignment: &Alignment) -> NamedColumns {
    let rows = attributed(alignment)
        .flat_map(|(row, (place, found))| found.features.iter().map(move |feature| (row, (place, feature))));
    of_sources(rows)
        .whole("direction", |(_, (place, _))| place + 1)
        .whole("feature", |(_, (_, found))| found.feature)
        .number("weight", |(_, (_, found))| Some(found.weight))
        .number("share", |(_, (_, found))| Some(found.share))
        .number("correlation", |(_, (_, found))| Some(found.correlation))
        .into_columns()
}

/// The shares of features summed over blocks: one row for each source, target, fold, direction and block.
fn block_shares(alignment: &Alignment) -> NamedColumns {
    let rows = attributed(alignment).flat_map(|(row, (place, found))| {
        let names = blocks_of(alignment, &row).iter();
        names.zip(found.blocks.iter().copied()).map(move |own| (row, (place, own)))
    });
    of_sources(rows)
        .whole("direction", |(_, (place, _))| place + 1)
        .text("block", |(_, (_, (name, _)))| (*name).clone())
        .number("share", |(_, (_, (_, share)))| Some(*share))
        .into_columns()
}

/// One row for each block and direction, for each target and fold of sources with several blocks.
fn contributions(alignment: &Alignment) -> NamedColumns {
    let blocked = fits(alignment).filter_map(|(row, fit)| Some((row, fit.blocks.as_ref()?)));
    let rows = blocked.flat_map(|(row, found)| {
        let names = blocks_of(alignment, &row);
        let all: Vec<usize> = (0..names.len()).collect();
        let of_blocks = names.iter().enumerate().filter_map(move |(block, name)| {
            let others: Vec<usize> = all.iter().copied().filter(|own| *own != block).collect();
            let sets = [all.as_slice(), &[block], &others];
            let [Some(whole), Some(alone), Some(without)] = sets.map(|set| found.of(set)) else {
                return None;
            };
            Some((name, [whole, alone, without]))
        });
        of_blocks.flat_map(move |(name, three)| {
            let directions = 0..three[0].prediction.len();
            directions.map(move |place| (row, (name, place, three)))
        })
    });
    let recovered = |fit: &BlockFit, place: usize| fit.recovered().nth(place);
    let covered = |fit: &BlockFit, place: usize| fit.profile.directional.get(place).copied();
    let table = of_sources(rows)
        .text("block", |(_, (name, ..))| (*name).clone())
        .whole("direction", |(_, (_, place, _))| place + 1);
    let names = ["whole", "alone", "without"].into_iter().enumerate();
    let table = names.fold(table, |table, (own, name)| {
        table
            .number(&format!("recovered_{name}"), move |(_, (_, place, three))| recovered(three[own], *place))
            .number(&format!("dir_cov_{name}"), move |(_, (_, place, three))| covered(three[own], *place))
    });
    table.into_columns()
}
