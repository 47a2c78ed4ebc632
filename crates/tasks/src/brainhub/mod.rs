//! Brain captioning and brain grounding as defined by BrainHub, decoded shapes, and distances of sets: `neurogauge score
//! captions`, `boxes`, `shapes` and `sets`.
//!
//! [`caption()`], [`ground()`], [`shapes()`] and [`sets()`] read two or more files and return a [`BenchmarkRun`], which is
//! a [`Report`].

mod caption;
mod clip_scores;
mod ground;
mod record;
mod sets;
mod shapes;

pub use caption::{CaptionRequest, caption};
pub use ground::{GroundRequest, ground};
pub use record::{BenchmarkRecord, BenchmarkRow, Measure};
pub use sets::{SetDifference, SetsRequest, sets};
pub use shapes::{ShapesRequest, shapes};

use neurogauge::Error;
use neurogauge::core::{Finding, ScoreTable};
use neurogauge::formats::scores_parquet;
use neurogauge::report::{Format, Table};
use neurogauge::{Report, ResultFiles};
use std::path::Path;

fn stems_of<T>(items: &[(String, T)]) -> Vec<String> {
    items.iter().map(|(stem, _)| stem.clone()).collect()
}

/// A finished benchmark.
#[derive(Debug)]
pub struct BenchmarkRun {
    /// The content of `run.json`: everything except the values of single images.
    pub record: BenchmarkRecord,
    pub scores: ScoreTable,
}

impl Report for BenchmarkRun {
    const FILES: ResultFiles = ResultFiles::of("run.json", "summary", &[Format::Markdown, Format::LATEX, Format::Csv]);
    type Record = BenchmarkRecord;

    fn record(&self) -> &BenchmarkRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        format!("{} {} scored", self.record.n_images, record::items(&self.record))
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        let differences = (!self.record.differences.is_empty()).then(|| sets::table(&self.record));
        [record::reading(&self.record)].into_iter().chain(differences).collect()
    }

    fn full(&self) -> Option<Table> {
        Some(record::full(&self.record))
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        Ok(scores_parquet::write(&folder.join("scores.parquet"), &self.scores)?)
    }
}
