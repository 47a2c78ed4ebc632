//! Brain captioning and brain grounding as BrainHub defines them: `neurogauge caption` and
//! `neurogauge ground`.
//!
//! [`caption()`] and [`ground()`] read two or more files and give a [`BenchmarkRun`], which
//! writes itself.

mod caption;
mod clip_scores;
mod ground;
mod record;
mod text_table;

pub use caption::{CaptionRequest, caption};
pub use ground::{GroundRequest, ground};
pub use record::{BenchmarkRecord, BenchmarkRow, Measure};

use crate::Error;
use neurogauge_core::ScoreTable;
use neurogauge_formats::{atomic_file, json, scores_parquet};
use neurogauge_report::TextTable;
use std::path::Path;

/// A finished benchmark.
#[derive(Debug)]
pub struct BenchmarkRun {
    /// Everything but the values of single images, as `run.json` keeps it.
    pub record: BenchmarkRecord,
    /// The values of single images.
    pub scores: ScoreTable,
}

impl BenchmarkRun {
    /// The table made for reading.
    pub fn text_table(&self) -> TextTable {
        text_table::reading(&self.record)
    }

    /// Every figure in full precision.
    pub fn csv(&self) -> String {
        text_table::full(&self.record).csv()
    }

    /// The content of `run.json`.
    pub fn json(&self) -> Result<String, Error> {
        let bytes = json::to_bytes(Path::new("run.json"), &self.record)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Writes `run.json`, `scores.parquet` and `summary.{md,tex,csv}`.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let table = self.text_table();
        let latex = format!("{}\n{}", TextTable::LATEX_NEEDS, table.latex());
        for (name, text) in [
            ("summary.md", table.markdown()),
            ("summary.tex", latex),
            ("summary.csv", self.csv()),
        ] {
            atomic_file::write(&folder.join(name), text.as_bytes())?;
        }
        scores_parquet::write(&folder.join("scores.parquet"), &self.scores)?;
        // Last, so that it is there only if the others are.
        json::write(&folder.join("run.json"), &self.record)?;
        Ok(())
    }
}
