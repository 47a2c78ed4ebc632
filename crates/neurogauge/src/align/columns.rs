//! The tables for other programs: `profiles.parquet`, `references.parquet`, `fits.parquet`, `block_use.parquet`, and those
//! of the controls, `controls.parquet`, `directions.parquet`, `auxiliary.parquet`.

use super::{AlignSettings, Alignment, Control, ControlFit, FitResult};
use neurogauge_alignment::{AuxiliaryReadouts, Profile, ReservedReadout, Unit};
use neurogauge_formats::FormatError;
use neurogauge_formats::columns_parquet::{self, Column};
use neurogauge_stats::{mean, standard_deviation};
use std::path::Path;

/// Columns with their names.
pub(super) type Columns = Vec<(String, Column)>;

/// A table: its name, whether the settings ask for it, and its columns.
type ColumnTable = (
    &'static str,
    fn(&AlignSettings) -> bool,
    fn(&Alignment) -> Columns,
);

/// All tables.
pub(super) const TABLES: [ColumnTable; 7] = [
    ("profiles", |_| true, profiles),
    ("references", |_| true, references),
    ("fits", |_| true, selections),
    ("block_use", |_| true, block_use),
    ("controls", AlignSettings::makes_subspaces, controls),
    (
        "directions",
        |own| own.makes(Control::DirectionPrediction),
        directions,
    ),
    (
        "auxiliary",
        |own| own.makes(Control::AuxiliaryReadouts),
        auxiliary,
    ),
];

/// Writes a table.
pub(super) fn write(path: &Path, table: &str, columns: Columns) -> Result<(), FormatError> {
    let (names, columns): (Vec<String>, Vec<Column>) = columns.into_iter().unzip();
    let names = names.iter().map(String::as_str);
    let columns: Vec<(&str, Column)> = names.zip(columns).collect();
    columns_parquet::write(path, table, &columns)
}

/// What a row is of: a source, a target unit, an outer fold, and whatever the table is about.
#[derive(Clone, Copy)]
struct Row<'a, T> {
    source: &'a str,
    /// What tables call another subject, and everything else that is a source.
    kind: &'static str,
    unit: &'a Unit,
    fold: usize,
    of: T,
}

impl<'a, T> Row<'a, T> {
    fn with<U>(&self, of: U) -> Row<'a, U> {
        Row {
            source: self.source,
            kind: self.kind,
            unit: self.unit,
            fold: self.fold,
            of,
        }
    }
}

/// A table in the making: its rows, and the columns described so far.
struct Described<'a, T> {
    rows: Vec<Row<'a, T>>,
    columns: Columns,
}

impl<'a, T> Described<'a, T> {
    fn of(rows: impl Iterator<Item = Row<'a, T>>) -> Self {
        Described {
            rows: rows.collect(),
            columns: Vec::new(),
        }
    }

    fn add(mut self, name: &str, column: impl Fn(&[Row<'a, T>]) -> Column) -> Self {
        self.columns.push((name.to_owned(), column(&self.rows)));
        self
    }

    fn text(self, name: &str, of: impl Fn(&Row<'a, T>) -> String) -> Self {
        self.add(name, |rows| Column::Text(rows.iter().map(&of).collect()))
    }

    fn whole(self, name: &str, of: impl Fn(&T) -> usize) -> Self {
        let values = |rows: &[Row<'a, T>]| rows.iter().map(|row| of(&row.of) as i64).collect();
        self.add(name, |rows| Column::Whole(values(rows)))
    }

    fn number(self, name: &str, of: impl Fn(&T) -> Option<f64>) -> Self {
        self.add(name, |rows| {
            Column::Number(rows.iter().map(|row| of(&row.of)).collect())
        })
    }

    fn reason(self, name: &str, of: impl Fn(&T) -> Option<String>) -> Self {
        self.add(name, |rows| {
            Column::SomeText(rows.iter().map(|row| of(&row.of)).collect())
        })
    }

    /// Which source.
    fn source(self) -> Self {
        self.text("source", |row| row.source.to_owned())
            .text("kind", |row| row.kind.to_owned())
    }

    /// Which target unit, and which fold of it.
    fn target(self) -> Self {
        self.text("subject", |row| row.unit.subject.clone())
            .text("hemisphere", |row| row.unit.hemisphere.clone())
            .text("roi", |row| row.unit.roi.clone())
            .add("fold", |rows| {
                Column::Whole(rows.iter().map(|row| row.fold as i64).collect())
            })
    }
}

fn kind_of(donor: bool) -> &'static str {
    if donor { "subject" } else { "model" }
}

/// Every fit.
fn fits(alignment: &Alignment) -> impl Iterator<Item = Row<'_, &FitResult>> {
    alignment.run.units.iter().flat_map(|unit| {
        unit.sources.iter().flat_map(move |source| {
            source.fits.iter().enumerate().map(move |(fold, fit)| Row {
                source: &source.source,
                kind: kind_of(source.donor),
                unit: &unit.unit,
                fold,
                of: fit,
            })
        })
    })
}

/// One row for each source, target, fold and k.
fn profiles(alignment: &Alignment) -> Columns {
    let rows = fits(alignment).flat_map(|row| {
        let profile = row.of.profile.as_ref().ok();
        let curve = profile
            .map_or(&[][..], |profile| &profile.top_k)
            .iter()
            .enumerate();
        curve.map(move |(k, &covered)| row.with((row.of, k, covered)))
    });
    let null = |fit: &FitResult, k: usize| -> Vec<f64> {
        fit.null
            .iter()
            .filter_map(|curve| curve.get(k).copied())
            .collect()
    };
    Described::of(rows)
        .source()
        .target()
        .whole("k", |(_, k, _)| k + 1)
        .number("top_k_cov", |(.., covered)| Some(*covered))
        .number("dir_cov", |(fit, k, _)| {
            fit.profile.as_ref().ok()?.directional.get(*k).copied()
        })
        .number("next_fold_top_k_cov", |(fit, k, _)| {
            fit.next_fold.as_ref().ok()?.get(*k).copied()
        })
        .number("null_mean", |(fit, k, _)| mean(null(fit, *k)))
        .number("null_sd", |(fit, k, _)| standard_deviation(&null(fit, *k)))
        .columns
}

/// One row for each target, fold and direction.
fn references(alignment: &Alignment) -> Columns {
    let rows = alignment.run.units.iter().flat_map(|unit| {
        let references = unit.references.iter().enumerate();
        references.flat_map(move |(fold, reference)| {
            let weights = reference.weights.iter().enumerate();
            weights.map(move |(direction, &weight)| Row {
                source: "",
                kind: "",
                unit: &unit.unit,
                fold,
                of: (reference, direction, weight),
            })
        })
    });
    Described::of(rows)
        .target()
        .whole("direction", |(_, direction, _)| direction + 1)
        .number("weight", |(.., weight)| Some(*weight))
        .number("effective_rank", |(reference, ..)| {
            Some(reference.effective_rank)
        })
        .whole("consensus_rank", |(reference, ..)| reference.consensus_rank)
        .columns
}

/// One row for each source, target and fold.
fn selections(alignment: &Alignment) -> Columns {
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
    let table = Described::of(fits(alignment))
        .source()
        .target()
        .whole("rank", |fit| fit.selection.rank)
        .whole("dimensions", |fit| fit.rank);
    let table = numbers.into_iter().fold(table, |table, (name, of)| {
        table.number(name, |fit| of(fit).filter(|value| value.is_finite()))
    });
    table
        .reason("undefined", |fit| {
            fit.profile.as_ref().err().map(ToString::to_string)
        })
        .columns
}

/// BlockUse: one row for each model, target, fold and layer.
fn block_use(alignment: &Alignment) -> Columns {
    let rows = fits(alignment)
        .filter(|row| row.kind == kind_of(false))
        .flat_map(|row| {
            let names = alignment.run.blocks.get(row.source).into_iter().flatten();
            let shares = row.of.block_use.iter().flatten().copied();
            names
                .zip(shares)
                .map(move |own| row.with(own))
                .collect::<Vec<_>>()
        });
    Described::of(rows)
        .source()
        .target()
        .text("block", |row| row.of.0.clone())
        .number("block_use", |(_, share)| Some(*share))
        .columns
}

/// One row for each control, source (empty where it is of the target alone), target, fold and draw.
fn controls(alignment: &Alignment) -> Columns {
    let rows = alignment.run.units.iter().flat_map(|unit| {
        unit.controls.iter().flat_map(move |control| {
            let (source, kind) = match &control.source {
                Some(source) => (source.as_str(), kind_of(control.donor)),
                None => ("", "target"),
            };
            control.fits.iter().map(move |fit| Row {
                source,
                kind,
                unit: &unit.unit,
                fold: fit.fold,
                of: (control.baseline, fit),
            })
        })
    });
    let profile_mean = |fit: &ControlFit, k: usize| {
        let own = fit.profile.as_ref().ok()?;
        let of_fold = Profile::of_folds(std::slice::from_ref(own)).ok()?;
        of_fold.mean(k).ok()
    };
    let table = Described::of(rows)
        .text("control", |row| row.of.0.to_string())
        .source()
        .target()
        .whole("draw", |(_, fit)| fit.draw)
        .whole("dimensions", |(_, fit)| fit.rank)
        .number("alpha", |(_, fit)| fit.alpha)
        .number("accuracy", |(_, fit)| fit.accuracy)
        .number("full_ref_cov", |(_, fit)| {
            Some(fit.profile.as_ref().ok()?.full)
        });
    let lengths = alignment.record.config.settings.lengths().into_iter();
    let table = lengths.fold(table, |table, k| {
        table.number(&format!("profile_mean_{k}"), |(_, fit)| {
            profile_mean(fit, k)
        })
    });
    table
        .reason("undefined", |(_, fit)| {
            fit.profile.as_ref().err().map(ToString::to_string)
        })
        .columns
}

/// One row for each source, target, fold and direction of the reference.
fn directions(alignment: &Alignment) -> Columns {
    let rows = fits(alignment).flat_map(|row| {
        let of_unit = alignment.run.units.iter().find(|own| own.unit == *row.unit);
        let reference = of_unit.and_then(|own| own.references.get(row.fold));
        let weights: &[f64] = reference.map_or(&[], |reference| &reference.weights);
        let covered = row
            .of
            .profile
            .iter()
            .flat_map(|profile| &profile.directional);
        let both = covered.zip(row.of.prediction.iter().flatten()).enumerate();
        both.map(move |(place, (&covered, &along))| {
            row.with((place, weights.get(place).copied(), covered, along))
        })
    });
    Described::of(rows)
        .source()
        .target()
        .whole("direction", |(place, ..)| place + 1)
        .number("weight", |(_, weight, ..)| *weight)
        .number("dir_cov", |(_, _, covered, _)| Some(*covered))
        .number("prediction", |(.., along)| Some(*along))
        .columns
}

/// One row for each source, target and fold.
fn auxiliary(alignment: &Alignment) -> Columns {
    let rows = fits(alignment).filter_map(|row| Some(row.with(row.of.auxiliary.as_ref()?)));
    type Of = fn(&AuxiliaryReadouts) -> &ReservedReadout;
    let readouts: [(&str, Of); 3] = [
        ("full", |found| &found.full),
        ("subspace", |found| &found.subspace),
        ("source_pca", |found| &found.source_pca),
    ];
    let table = Described::of(rows)
        .source()
        .target()
        .whole("rank", |found| found.selection.rank)
        .number("alpha", |found| Some(found.selection.alpha));
    let table = readouts.into_iter().fold(table, |table, (name, of)| {
        table
            .number(&format!("{name}_alpha"), |found| Some(of(found).alpha))
            .number(&format!("{name}_accuracy"), |found| Some(of(found).test))
    });
    table.columns
}
