//! What the paper's exhibits show of one kind of record: a report of tables and figures.

use crate::preset::paper;
use crate::scores::StimulusScores;
use neurogauge::core::Finding;
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, is_drawn};
use neurogauge_exhibits::{Made, Records};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// The kinds of records: name among exhibits, version of the layout, files, and how many tables a terminal shows.
const KINDS: [(&str, u32, ResultFiles, usize); 3] = [
    ("compare", 2, ResultFiles::of("compare.json", "compare", &[Format::Markdown, Format::Csv]), 1),
    ("paper", 7, ResultFiles::of("paper.json", "paper", &[Format::Markdown]), usize::MAX),
    ("stimuli", 3, ResultFiles::of("stimuli.json", "stimuli", &[Format::Markdown]), usize::MAX),
];

/// A comparison of alignments.
pub type AlignComparison = Shown<0>;
/// Tables and figures of the paper, from a finished alignment.
pub type PaperReport = Shown<1>;
/// Scores of stimuli along the directions of every target unit.
pub type StimulusReport = Shown<STIMULI>;
const STIMULI: usize = 2;

/// The content of the record's file.
#[derive(Debug, Serialize)]
pub struct ShownRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// What the exhibits show, by the names that they give it.
    #[serde(flatten)]
    pub shown: Value,
}

/// A report of the kind with this number.
#[derive(Debug)]
pub struct Shown<const KIND: usize> {
    pub record: ShownRecord,
    /// Notes for the alignment's own tables.
    pub notes: Vec<String>,
    pub(crate) done: String,
    pub(crate) findings: Vec<Finding>,
    pub(crate) made: Made,
    pub(crate) scores: Option<StimulusScores>,
}

impl<const KIND: usize> Shown<KIND> {
    /// Increased when the layout of the record changes.
    pub(crate) const SCHEMA: u32 = KINDS[KIND].1;

    /// The exhibits of a record, which may show other records too.
    pub(crate) fn new(provenance: Provenance, shown: Value, others: Records, done: String) -> Result<Self, Error> {
        let kind = KINDS[KIND].0;
        Ok(Shown {
            made: paper()?.make(&others.with(kind, &shown)?, Some(kind))?,
            record: ShownRecord { provenance, shown },
            notes: Vec::new(),
            done,
            findings: Vec::new(),
            scores: None,
        })
    }
}

impl<const KIND: usize> Report for Shown<KIND> {
    const FILES: ResultFiles = KINDS[KIND].2;
    const SHOWN: usize = KINDS[KIND].3;
    type Record = ShownRecord;

    fn record(&self) -> &ShownRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn done(&self) -> String {
        self.done.clone()
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        self.made.tables().into_iter().chain(self.made.absent_table()).collect()
    }

    fn figures(&self) -> Result<Figures, Error> {
        let mut figures = self.made.figures();
        if let Some(scores) = &self.scores {
            scores.add_sheets(&mut figures)?;
        }
        Ok(figures)
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        let is_exhibit = paper().is_ok_and(|paper| paper.has_figure(KINDS[KIND].0, stem));
        is_exhibit && is_drawn(ending) || KIND == STIMULI && StimulusScores::is_sheet(stem, ending)
    }

    fn data(&self) -> Vec<String> {
        self.scores.iter().map(|_| StimulusScores::file()).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        self.scores.as_ref().map_or(Ok(()), |scores| scores.write(folder))
    }
}
