//! `run.json` of a benchmark: the request and the results.

use neurogauge::Provenance;
use neurogauge::core::{Estimate, Finding, Observed};
use neurogauge::formats::{FormatError, recipe};
use serde::Serialize;
use std::path::PathBuf;

/// Raised when the layout of `run.json` changes.
const SCHEMA: u32 = 1;

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchmarkRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// `caption`, `ground` or `shapes`.
    pub benchmark: &'static str,
    pub request: serde_json::Value,
    /// Ids of the choices that decide the numbers.
    pub conventions: Vec<&'static str>,
    /// Number of images, or of shapes.
    pub n_images: usize,
    pub level: f64,
    pub findings: Vec<Finding>,
    /// The meaning of the rows: `system` or `categories`.
    pub row_heading: &'static str,
    /// What [`BenchmarkRow::n`] counts: `images`, `boxes` or `shapes`.
    pub counted: &'static str,
    pub rows: Vec<BenchmarkRow>,
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
            n_images: 0,
            level,
            findings: Vec::new(),
            row_heading: "system",
            counted: "images",
            rows: Vec::new(),
        }
    }

    /// Notes whether a placeholder made any of these inputs.
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
    /// On how much its values rest.
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
    /// Does it rest on a placeholder?
    pub stand_in: bool,
}

impl BenchmarkRow {
    /// Marks the values that rest on a placeholder.
    pub(super) fn marked(mut self, is_stand_in: impl Fn(&Measure) -> bool) -> Self {
        for measure in &mut self.measures {
            measure.stand_in = is_stand_in(measure);
        }
        self
    }

    /// Do all its values rest on a placeholder?
    pub(super) fn is_stand_in(&self) -> bool {
        self.measures.iter().all(|measure| measure.stand_in)
    }
}

impl Measure {
    /// A metric that a row does not have.
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
