//! BASIC-H's F1 by dimension, compared over the pairs that all systems have.

use super::differences::{Differences, Tested};
use super::options::{Compared, HolmFamily};
use super::shared_runs::{SharedRuns, clip};
use crate::Error;
use crate::score::Run;
use neurogauge_core::option_words::option;
use neurogauge_core::{Dimension, Direction, Estimate, Outcome, Sides, Undefined};
use neurogauge_metrics::decoding::basic_h::{Matched, dimension_counts, dimension_f1_values};
use neurogauge_metrics::{BASIC_H, METRICS, details_of};
use neurogauge_report::{Cell, SystemTable, Table, marked};
use neurogauge_stats::Comparison;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Every dimension of BASIC-H for several systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedDimensions {
    /// The dimensions that some pair has an element of.
    pub dimensions: Vec<ComparedDimension>,
    /// Every difference between two systems, dimension by dimension.
    pub differences: Differences,
    /// Do the numbers come from a placeholder model?
    pub stand_in: bool,
}

/// One dimension of BASIC-H for several systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedDimension {
    pub dimension: Dimension,
    /// Number of pairs that have an element of it, in the stimulus or in a reconstruction.
    pub n_pairs: usize,
    /// F1 of each system, in the order of the systems.
    pub f1: Vec<Estimate>,
}

/// Can all of these runs be compared by dimension?
pub fn have_dimensions<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<bool, Error> {
    for run in runs {
        if run.record.parts.is_some() || run.dimensions()?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The counts of each dimension in pairs, by their stems.
type CountsByStem = HashMap<String, BTreeMap<Dimension, Sides<Matched>>>;

/// The counts of each dimension in a run's pairs.
fn counts_of(run: &Run, name: &str) -> Result<CountsByStem, Error> {
    let lacking = |why: &str| {
        Error::Usage(format!(
            "{}: {name} {why}; expected runs of pairs, each with BASIC-H ({})",
            option("by-dimension", ""),
            option("metrics", BASIC_H)
        ))
    };
    if run.record.parts.is_some() {
        return Err(lacking("has items of several images"));
    }
    let details = run.details()?;
    let of_pairs = details.into_iter().filter_map(|pair| {
        let levels = pair.metrics.get(BASIC_H)?;
        Some((pair.stem, dimension_counts(levels.values())))
    });
    let counts: CountsByStem = of_pairs.collect();
    match counts.values().all(BTreeMap::is_empty) {
        true => Err(lacking("has no dimensions of scene graphs")),
        false => Ok(counts),
    }
}

/// Compares runs by each dimension: F1 of the sums over all pairs, by the pair values whose mean it is.
pub(super) fn compared(
    systems: &[String],
    of_runs: &SharedRuns<'_>,
    shared: &[String],
    compared: &Compared,
) -> Result<ComparedDimensions, Error> {
    let options = of_runs.options;
    let counts = of_runs.runs.iter().zip(of_runs.names).map(|(run, name)| counts_of(run, name));
    let counts: Vec<CountsByStem> = counts.collect::<Result<_, Error>>()?;
    let of_pair = |counts: &CountsByStem, stem: &String, dimension| counts.get(stem)?.get(&dimension).copied();
    let with_elements = Dimension::ALL.into_iter().filter_map(|dimension| {
        let has_any = |place: &usize| {
            let mut of_runs = counts.iter();
            of_runs.any(|of| of_pair(of, &shared[*place], dimension).is_some())
        };
        let pairs: Vec<usize> = (0..shared.len()).filter(has_any).collect();
        (!pairs.is_empty()).then_some((dimension, pairs))
    });
    let with_elements: Vec<(Dimension, Vec<usize>)> = with_elements.collect();
    let n_differences = systems.len() * systems.len().saturating_sub(1) / 2;
    let n_family = match options.holm {
        HolmFamily::Metric => n_differences,
        HolmFamily::All => with_elements.len() * n_differences,
    };
    let scale = (Direction::Higher, (0.0, 1.0));
    let mut found: Vec<(Dimension, Comparison)> = Vec::new();
    for (dimension, pairs) in with_elements {
        let columns = counts.iter().map(|of_run| {
            let items = pairs.iter().map(|&pair| of_pair(of_run, &shared[pair], dimension));
            let items: Vec<Sides<Matched>> = items.map(Option::unwrap_or_default).collect();
            let mut column: Vec<Outcome> = vec![Err(Undefined::NoPairs); shared.len()];
            for (&pair, value) in pairs.iter().zip(dimension_f1_values(&items)) {
                column[pair] = Ok(value);
            }
            vec![Cow::Owned(column)]
        });
        let columns: Vec<Vec<Cow<'_, [Outcome]>>> = columns.collect();
        let mut comparison = of_runs.tested(scale, n_family, (&columns, None), &options.bootstrap)?.comparison;
        clip(&mut comparison, scale.1, options)?;
        found.push((dimension, comparison));
    }
    let mut of_basic_h = METRICS.iter();
    let stand_in =
        of_basic_h.any(|metric| details_of(metric.spec.id) == Some(BASIC_H) && compared.is_placeholder(metric));
    let tested = found.iter_mut();
    let tested = tested.map(|(dimension, found)| Tested::of((BASIC_H, Some(*dimension), !stand_in), found));
    let differences = Differences::of(systems, tested.collect(), n_family, options)?;
    let of_dimension = |(dimension, comparison): (Dimension, Comparison)| ComparedDimension {
        dimension,
        n_pairs: comparison.n_shared,
        f1: (comparison.systems.into_iter()).map(|standing| standing.estimate).collect(),
    };
    Ok(ComparedDimensions {
        dimensions: found.into_iter().map(of_dimension).collect(),
        differences,
        stand_in,
    })
}

impl ComparedDimensions {
    /// F1 of each dimension as a readable table, with a column for each system.
    pub(super) fn table(&self, systems: &[String], table: &SystemTable) -> Table {
        let level = 100.0 * table.level;
        let mut notes = vec![format!(
            "F1 of the sums over all pairs with an element of the dimension, with {level}% intervals over stimuli; higher is better. Which \
             element belongs to which dimension is a rule of this toolkit (convention basic-dimensions)."
        )];
        if self.stand_in {
            notes.push("Rests on a placeholder model: the numbers mean nothing.".to_owned());
        }
        let headings = systems.iter().map(|system| marked(system, self.stand_in));
        Table::of("BASIC-H's F1 by dimension", &self.dimensions)
            .column("dimension", |of| Cell::text(of.dimension.label()))
            .columns(headings, |of| {
                of.f1.iter().map(|f1| Cell::estimate(&f1.value, f1.interval)).collect::<Vec<Cell>>()
            })
            .column(table.unit, |of| Cell::Count(of.n_pairs))
            .noted(notes)
    }

    /// F1 of each dimension in full precision, with a row for each dimension and system.
    pub(super) fn rows(&self, systems: &[String]) -> Table {
        let of_dimension = |of: &ComparedDimension| {
            let (dimension, n_pairs) = (of.dimension, of.n_pairs);
            let rows = systems.iter().cloned().zip(of.f1.clone());
            rows.map(move |(system, f1)| (dimension, n_pairs, system, f1)).collect::<Vec<_>>()
        };
        Table::of("", self.dimensions.iter().flat_map(of_dimension))
            .column("dimension", |row| Cell::text(row.0.id()))
            .column("system", |row| Cell::text(&row.2))
            .column("n", |row| Cell::Count(row.1))
            .column("f1", |row| Cell::number(&row.3.value))
            .ends(["f1_low", "f1_high"], |row| row.3.interval)
            .column("stand_in", |_| Cell::text(self.stand_in.to_string()))
            .noted(Vec::new())
    }
}
