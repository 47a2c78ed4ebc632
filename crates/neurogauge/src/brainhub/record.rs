//! `run.json` of a benchmark: what was asked for and what was found.

use crate::dataset::InputRecord;
use crate::run_record::RunRecord;
use neurogauge_core::{Estimate, Warning};
use serde::Serialize;
use std::collections::BTreeMap;

/// Raised when the layout of `run.json` changes.
const SCHEMA: u32 = 1;

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchmarkRecord {
    /// Version of this file's layout.
    pub schema: u32,
    /// `caption` or `ground`.
    pub benchmark: &'static str,
    /// Versions of the program.
    pub versions: BTreeMap<String, String>,
    /// What was asked for.
    pub request: serde_json::Value,
    /// Ids of the choices that decide the numbers.
    pub conventions: Vec<&'static str>,
    /// What was read.
    pub inputs: Vec<InputRecord>,
    /// Number of images.
    pub n_images: usize,
    /// Level of the intervals.
    pub level: f64,
    /// What should be known about the numbers.
    pub warnings: Vec<Warning>,
    /// What the rows stand for: `system` or `categories`.
    pub row_heading: &'static str,
    /// What [`BenchmarkRow::n`] counts: `images` or `boxes`.
    pub counted: &'static str,
    /// The results.
    pub rows: Vec<BenchmarkRow>,
}

impl BenchmarkRecord {
    pub(super) fn new(
        benchmark: &'static str,
        request: &impl Serialize,
        level: f64,
        conventions: &[&'static str],
    ) -> Self {
        BenchmarkRecord {
            schema: SCHEMA,
            benchmark,
            versions: RunRecord::versions(),
            request: serde_json::json!(request),
            conventions: conventions.to_vec(),
            inputs: Vec::new(),
            n_images: 0,
            level,
            warnings: Vec::new(),
            row_heading: "system",
            counted: "images",
            rows: Vec::new(),
        }
    }
}

/// A system, or a group of categories.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchmarkRow {
    /// Its name.
    pub name: String,
    /// On how much its values rest.
    pub n: usize,
    /// One value for each metric.
    pub measures: Vec<Measure>,
}

/// A metric of all images.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measure {
    /// Its id.
    pub id: &'static str,
    /// Its name in tables.
    pub label: &'static str,
    /// Its value.
    pub value: Option<f64>,
    /// Why it has none.
    pub undefined: Option<String>,
    /// Bootstrap interval over images.
    pub interval: Option<(f64, f64)>,
}

impl Measure {
    pub(super) fn new(id: &'static str, label: &'static str, estimate: &Estimate) -> Self {
        Measure {
            id,
            label,
            value: estimate.value.as_ref().ok().copied(),
            undefined: estimate.value.as_ref().err().map(ToString::to_string),
            interval: estimate.interval,
        }
    }
}
