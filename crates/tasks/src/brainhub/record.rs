//! `run.json` of a benchmark: the request, the results and their tables.

use super::sets::{NOTE, SetDifference};
use neurogauge::Provenance;
use neurogauge::core::{Estimate, Finding, ModelIdentity, Observed};
use neurogauge::formats::{FormatError, recipe};
use neurogauge::report::{Cell, Table, dagger_note, interval_note, marked};
use serde::Serialize;
use std::path::PathBuf;

/// Increased when the layout of `run.json` changes.
const SCHEMA: u32 = 1;

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchmarkRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// `caption`, `ground`, `shapes` or `sets`.
    pub benchmark: &'static str,
    pub request: serde_json::Value,
    /// Ids of the conventions that affect the numbers.
    pub conventions: Vec<&'static str>,
    /// The model that observed images; empty if features were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelIdentity>,
    /// Number of images, of shapes, or of pairs.
    pub n_images: usize,
    pub level: f64,
    pub findings: Vec<Finding>,
    /// The meaning of the rows: `system` or `categories`.
    pub row_heading: &'static str,
    /// The unit of [`BenchmarkRow::n`]: `images`, `boxes`, `shapes` or `pairs`.
    pub counted: &'static str,
    pub rows: Vec<BenchmarkRow>,
    /// Every two systems, of `sets`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<SetDifference>,
}

impl BenchmarkRecord {
    pub(super) fn new(
        benchmark: &'static str,
        request: &impl Serialize,
        (level, seed): (f64, Option<u64>),
        conventions: &[&'static str],
    ) -> Self {
        BenchmarkRecord {
            provenance: Provenance::new(SCHEMA, benchmark, seed),
            benchmark,
            request: serde_json::json!(request),
            conventions: conventions.to_vec(),
            models: Vec::new(),
            n_images: 0,
            level,
            findings: Vec::new(),
            row_heading: "system",
            counted: "images",
            rows: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// Records whether a placeholder made any of these inputs.
    pub(super) fn rests_on_placeholder<'a, T: Observed>(
        &mut self,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<bool, FormatError> {
        let n_before = self.findings.len();
        for path in inputs {
            self.findings.extend(recipe::warning::<T>(path)?);
        }
        Ok(self.findings.len() > n_before)
    }
}

/// A system, or a group of categories.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchmarkRow {
    pub name: String,
    /// The number of units behind its values.
    pub n: usize,
    pub measures: Vec<Measure>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measure {
    pub id: &'static str,
    pub label: &'static str,
    pub value: Option<f64>,
    pub undefined: Option<String>,
    /// Interval over images.
    pub interval: Option<(f64, f64)>,
    /// Does it depend on a placeholder?
    pub stand_in: bool,
}

impl BenchmarkRow {
    /// Marks the values that depend on a placeholder.
    pub(super) fn marked(mut self, is_stand_in: impl Fn(&Measure) -> bool) -> Self {
        for measure in &mut self.measures {
            measure.stand_in = is_stand_in(measure);
        }
        self
    }

    /// Do all its values depend on a placeholder?
    pub(super) fn is_stand_in(&self) -> bool {
        self.measures.iter().all(|measure| measure.stand_in)
    }
}

impl Measure {
    /// A metric that a row lacks.
    pub(super) fn missing(id: &'static str, label: &'static str) -> Self {
        Measure {
            id,
            label,
            value: None,
            undefined: None,
            interval: None,
            stand_in: false,
        }
    }

    pub(super) fn new(id: &'static str, label: &'static str, estimate: &Estimate) -> Self {
        Measure {
            id,
            label,
            value: estimate.value.as_ref().ok().copied(),
            undefined: estimate.value.as_ref().err().map(ToString::to_string),
            interval: estimate.interval,
            stand_in: false,
        }
    }
}

/// The factor in the field's tables of captions and boxes, which have two decimals.
const PERCENT: f64 = 100.0;
const DECIMALS: usize = 2;

pub(super) fn items(record: &BenchmarkRecord) -> &'static str {
    match record.benchmark {
        "shapes" => "shapes",
        "sets" => "pairs",
        _ => "images",
    }
}

pub(super) fn reading(record: &BenchmarkRecord) -> Table {
    let (what, method) = match record.benchmark {
        "caption" => ("Brain captioning", "bootstrap over images"),
        "shapes" => ("Decoded shapes", "bootstrap over shapes"),
        "sets" => ("Distances of sets", "jackknife over pairs in all roles"),
        _ => ("Brain grounding", "jackknife over images, each with all its boxes"),
    };
    let population = format!("new {}", items(record));
    let intervals = interval_note(record.level, &population, method);
    let are_shares = !matches!(record.benchmark, "shapes" | "sets");
    let mut notes = vec![match record.benchmark {
        "shapes" => format!("Distances, lower is better; {intervals}."),
        "sets" => format!("{NOTE}; {intervals}."),
        _ => {
            format!("All values times 100, as BrainHub prints them (the files hold them as they are); {intervals}.")
        }
    }];
    for row in &record.rows {
        for measure in &row.measures {
            if let Some(reason) = &measure.undefined {
                notes.push(format!("{}, {}: {reason}.", row.name, measure.label));
            }
        }
    }
    notes.extend(record.rows.iter().flat_map(|row| &row.measures).any(|measure| measure.stand_in).then(dagger_note));
    notes.extend(record.findings.iter().filter(|found| found.is_shown()).map(Finding::below_table));
    let labels = record.rows.first().map_or(&[][..], |row| &row.measures);
    // If all values of a row depend on a placeholder, its name shows it.
    let others = record.rows.iter().filter(|row| !row.is_stand_in());
    let heading = |measure: &Measure| {
        let mut of_others = others.clone().flat_map(|row| &row.measures);
        let is_marked = of_others.any(|other| other.id == measure.id && other.stand_in);
        marked(measure.label, is_marked)
    };
    let shown = |measure: &Measure| {
        if !are_shares {
            return Cell::estimate(measure.value, measure.interval).decimals(2 * DECIMALS);
        }
        let value = measure.value.map(|value| value * PERCENT);
        let ends = measure.interval.map(|(low, high)| (low * PERCENT, high * PERCENT));
        Cell::estimate(value, ends).decimals(DECIMALS)
    };
    Table::of(format!("{what}: {} {}", record.n_images, items(record)), &record.rows)
        .column(record.row_heading, |row| Cell::text(marked(&row.name, row.is_stand_in())))
        .column(record.counted, |row| Cell::Count(row.n))
        .columns(labels.iter().map(heading), |row| row.measures.iter().map(shown).collect::<Vec<Cell>>())
        .noted(notes)
}

/// All values in full precision, one line for each.
pub(super) fn full(record: &BenchmarkRecord) -> Table {
    let lines = record.rows.iter().flat_map(|row| row.measures.iter().map(move |measure| (row, measure)));
    Table::of(record.benchmark, lines)
        .column(record.row_heading, |(row, _)| Cell::text(&row.name))
        .column("metric", |(_, measure)| Cell::text(measure.id))
        .column("value", |(_, measure)| Cell::number(measure.value))
        .ends(["low", "high"], |(_, measure)| measure.interval)
        .column(record.counted, |(row, _)| Cell::Count(row.n))
        .column("undefined", |(_, measure)| measure.undefined.as_ref().map_or(Cell::Missing, Cell::text))
        .column("stand_in", |(_, measure)| Cell::text(measure.stand_in.to_string()))
        .noted(Vec::new())
}
