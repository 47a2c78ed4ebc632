//! `neurogauge meta`: do metrics agree with people?
//!
//! [`meta()`] reads a survey and the scores of metrics, joins them by item, and has
//! [`evaluate_metrics`](neurogauge_stats::meta::evaluate_metrics) compute. A [`MetaRun`] holds what
//! came of it and writes it.

mod csv;
mod direction;
mod join;
mod record;
mod request;
mod sheets;
mod source;

pub use direction::{DirectionFrom, MetricRole};
pub use record::{MetaInput, MetaRecord};
pub use request::MetaRequest;

use crate::Error;
use crate::run_record::RunRecord;
use join::Joined;
use neurogauge_formats::{atomic_file, content_hash};
use neurogauge_report::Sheet;
use neurogauge_stats::meta::evaluate_metrics_within;
use source::Source;
use std::path::Path;

/// A finished meta-evaluation.
#[derive(Debug)]
pub struct MetaRun {
    /// Everything, as `meta.json` keeps it.
    pub record: MetaRecord,
}

/// Holds metrics against human ratings.
pub fn meta(request: &MetaRequest) -> Result<MetaRun, Error> {
    let options = request.options.check();
    options.map_err(|error| Error::Usage(error.to_string()))?;
    let sources = request
        .metrics
        .iter()
        .map(|path| Source::open(path, request.item_column.as_deref()))
        .collect::<Result<Vec<Source>, Error>>()?;
    let mut inputs = vec![input("human", &request.human)?];
    for source in &sources {
        inputs.push(input("metrics", &source.file)?);
    }
    let joined = Joined::of(request, &sources)?;
    let (ratings, groupings) = (&joined.ratings, &joined.groupings);
    let result = evaluate_metrics_within(ratings, groupings, &joined.columns, &request.options)?;
    Ok(MetaRun {
        record: MetaRecord {
            schema: record::SCHEMA,
            versions: RunRecord::versions(),
            request: request.clone(),
            inputs,
            raters: joined.raters,
            metrics: joined.roles,
            warnings: joined.warnings,
            result,
        },
    })
}

impl MetaRun {
    /// The tables made for reading.
    pub fn sheets(&self) -> Vec<Sheet> {
        sheets::sheets(&self.record)
    }

    /// Every figure on a line of its own, in full precision.
    pub fn csv(&self) -> String {
        csv::sheet(&self.record).csv()
    }

    /// The content of `meta.json`.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.record).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The tables as Markdown.
    pub fn markdown(&self) -> String {
        let sheets = self.sheets();
        let sheets: Vec<String> = sheets.iter().map(Sheet::markdown).collect();
        sheets.join("\n")
    }

    /// The tables for a terminal of `width` columns.
    pub fn text(&self, width: Option<usize>) -> String {
        let sheets = self.sheets();
        let sheets: Vec<String> = sheets.iter().map(|sheet| sheet.text(width)).collect();
        sheets.join("\n")
    }

    /// The tables as LaTeX.
    pub fn latex(&self) -> String {
        let sheets = self.sheets();
        let sheets: Vec<String> = sheets.iter().map(Sheet::latex).collect();
        format!("{}\n{}", Sheet::LATEX_NEEDS, sheets.join("\n"))
    }

    /// Writes `meta.json`, `meta.md`, `meta.tex` and `meta.csv`.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        atomic_file::write(&folder.join("meta.md"), self.markdown().as_bytes())?;
        atomic_file::write(&folder.join("meta.tex"), self.latex().as_bytes())?;
        atomic_file::write(&folder.join("meta.csv"), self.csv().as_bytes())?;
        // Last, so that it is there only if the others are.
        atomic_file::write(&folder.join("meta.json"), self.json().as_bytes())?;
        Ok(())
    }
}

fn input(role: &'static str, path: &Path) -> Result<MetaInput, Error> {
    Ok(MetaInput {
        role,
        path: path.display().to_string(),
        sha256: content_hash::of_file(path)?,
    })
}
