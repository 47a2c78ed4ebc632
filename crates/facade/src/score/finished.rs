//! A finished run: its numbers and table, just written or read back.

use super::dimensions;
use crate::Error;
use crate::averaged_trials;
use crate::results::{Report, ResultFiles, keep};
use crate::run_folder::{RECORD, RunFolder};
use crate::run_record::RunRecord;
use crate::summary::{self, MetricSummary};
use neurogauge_core::{Finding, PairDetails, ScoreTable};
use neurogauge_formats::{
    FormatError, Problem, atomic_file, content_hash, json, pair_details, scores_csv, scores_parquet,
};
use neurogauge_metrics::decoding::basic_h::DimensionScores;
use neurogauge_metrics::find;
use neurogauge_report::{Format, LatexStyle, SystemTable, Table};
use std::path::Path;
use std::sync::{Arc, OnceLock};

const SCORES: &str = "scores.parquet";
/// The scores with one row for each pair.
const SCORES_TABLE: &str = "scores.csv";
/// The jackknife's pseudo-values of identification metrics, in the layout of the scores.
const PSEUDO_VALUES: &str = "pseudo_values.parquet";
/// Every outcome of the parts of items.
const SCORES_OF_PARTS: &str = "scores_of_parts.parquet";
/// The details of each pair (what it matched, missed and invented), one line per pair.
const DETAILS: &str = "details.jsonl";
/// The details with one row for each entry.
const DETAILS_TABLE: &str = "details.parquet";
/// BASIC-H with one row for each dimension.
const DIMENSIONS: &str = "dimensions.csv";
/// The summary of every metric.
const SUMMARY: &str = "summary.json";

/// Larger scores have no mean in double precision.
const LARGEST: f64 = 1e100;
/// How far rounding may take a score past the end of its range.
const ROUNDING: f64 = 1e-6;

#[derive(Debug)]
pub struct Run {
    pub folder: RunFolder,
    pub record: RunRecord,
    pub scores: ScoreTable,
    /// The stems of the pairs if runs share them, and then the scores have none.
    shared_stems: Option<Arc<[String]>>,
    /// The jackknife's pseudo-values of identification metrics, from which their intervals and differences are computed
    /// (convention `identification-intervals`), and what each pair adds to metrics of all pairs together (conventions
    /// `bleu-corpus`, `grounding-interval`). Without columns for a run without such metrics.
    pub pseudo_values: ScoreTable,
    /// Was the run already finished?
    pub resumed: bool,
    /// The details of pairs while a run is being finished.
    details: Vec<PairDetails>,
    /// The scores of parts while a run is being finished.
    of_parts: Option<ScoreTable>,
    /// Empty until first used.
    summed_up: OnceLock<SummedUp>,
}

#[derive(Debug)]
struct SummedUp {
    summaries: Vec<MetricSummary>,
    table: SystemTable,
}

impl Run {
    pub(super) fn of(folder: RunFolder, record: RunRecord, scores: ScoreTable, pseudo_values: ScoreTable) -> Run {
        Run {
            folder,
            record,
            scores,
            shared_stems: None,
            pseudo_values,
            resumed: false,
            details: Vec::new(),
            of_parts: None,
            summed_up: OnceLock::new(),
        }
    }

    /// The stems of the pairs.
    pub(crate) fn stems(&self) -> &[String] {
        self.shared_stems.as_deref().unwrap_or(&self.scores.pairs)
    }

    /// Keeps the stems of the pairs once for runs that have the same: those of thousands of runs take more memory than
    /// their scores.
    pub(crate) fn share_stems(&mut self, known: &mut Option<Arc<[String]>>) {
        let shared = known.get_or_insert_with(|| self.scores.pairs.as_slice().into());
        if **shared == self.scores.pairs[..] {
            self.shared_stems = Some(Arc::clone(shared));
            self.scores.pairs = Vec::new();
        }
    }

    /// The summary of every metric, computed on first use: its intervals take longer than reading a run, and a
    /// comparison of runs does not use them.
    ///
    /// # Errors
    /// Scores have no interval, for example because they are infinite.
    pub fn summaries(&self) -> Result<&[MetricSummary], Error> {
        Ok(&self.summed_up()?.summaries)
    }

    /// The table printed by the command.
    pub fn table(&self) -> Result<&SystemTable, Error> {
        Ok(&self.summed_up()?.table)
    }

    fn summed_up(&self) -> Result<&SummedUp, Error> {
        if let Some(known) = self.summed_up.get() {
            return Ok(known);
        }
        let pairs = self.stems();
        let summaries = summary::summarise((&self.scores, pairs), &self.pseudo_values, &self.record)?;
        let table = summary::table(self.folder.name(), &summaries, pairs, &self.record);
        Ok(self.summed_up.get_or_init(|| SummedUp { summaries, table }))
    }

    pub(super) fn read_back(folder: RunFolder, record: RunRecord) -> Result<Run, Error> {
        let path = folder.verified(&record, SCORES)?;
        let scores = scores_parquet::read(&path)?;
        refuse_impossible(&path, &scores, &record)?;
        let pseudo_values = match record.outputs.contains_key(PSEUDO_VALUES) {
            true => scores_parquet::read(&folder.verified(&record, PSEUDO_VALUES)?)?,
            false => ScoreTable::new(Vec::new()),
        };
        Ok(Run {
            resumed: true,
            ..Run::of(folder, record, scores, pseudo_values)
        })
    }

    /// Rewrites the table for papers if it has another style.
    pub(super) fn restyle(&mut self, latex: LatexStyle) -> Result<(), Error> {
        let name = format!("{}.{}", Run::FILES.tables, Format::LATEX.ending());
        let path = self.folder.root().join(&name);
        let text = self.print(Format::Latex(latex), None)?;
        if std::fs::read(&path).is_ok_and(|before| before != text.as_bytes()) {
            atomic_file::write(&path, text.as_bytes())?;
            let sha256 = content_hash::of_file(&path)?;
            self.record.outputs.insert(name, sha256);
            self.folder.write_record(&self.record)?;
        }
        Ok(())
    }

    /// Writes the outputs, then the record that marks them as complete.
    pub(super) fn finish(
        mut self,
        details: Vec<PairDetails>,
        of_parts: Option<ScoreTable>,
        latex: LatexStyle,
    ) -> Result<Run, Error> {
        self.details = details;
        self.of_parts = of_parts;
        let root = self.folder.root().to_owned();
        self.write_files(&root, latex)?;
        self.record.outputs = self.outputs(&root)?;
        self.record.complete = true;
        self.folder.write_record(&self.record)?;
        Ok(self)
    }

    /// The content of `summary.json`: an object with an entry for each metric.
    pub fn summary(&self) -> Result<serde_json::Value, Error> {
        Ok(summary::to_json(self.summaries()?, &self.record.request.bootstrap))
    }

    /// Every outcome of the parts of items, with one row for each pair of images; `None` for a run whose items have one
    /// image each.
    pub fn scores_of_parts(&self) -> Result<Option<ScoreTable>, Error> {
        if !self.record.outputs.contains_key(SCORES_OF_PARTS) {
            return Ok(None);
        }
        let path = self.folder.verified(&self.record, SCORES_OF_PARTS)?;
        Ok(Some(scores_parquet::read(&path)?))
    }

    /// The details of each pair (what it matched, missed and invented), in the order of the pairs (see
    /// [`pair_details::write`] for the form). Empty for a run whose metrics match nothing.
    ///
    /// # Errors
    /// `details.jsonl` cannot be read.
    pub fn details(&self) -> Result<Vec<PairDetails>, Error> {
        let path = self.folder.verified(&self.record, DETAILS)?;
        match path.exists() {
            true => Ok(pair_details::read(&path)?),
            false => Ok(Vec::new()),
        }
    }

    /// The curve over the number of averaged trials; `None` without any.
    pub fn curve(&self) -> Option<Table> {
        averaged_trials::table(&self.record)
    }

    /// BASIC-H by dimension, over all pairs together (convention `basic-dimensions`). Empty for a run without BASIC-H.
    ///
    /// # Errors
    /// `details.jsonl` cannot be read.
    pub fn dimensions(&self) -> Result<Vec<DimensionScores>, Error> {
        dimensions::of_details(&self.details()?, &self.record)
    }

    /// [`dimensions`](Self::dimensions) as a table; `None` without any.
    pub fn dimension_table(&self) -> Result<Option<Table>, Error> {
        let scores = self.dimensions()?;
        Ok(dimensions::table(scores, &self.folder.name(), &self.record))
    }
}

/// Refuses scores outside their metric's range. Rounding may take a score slightly past its end.
fn refuse_impossible(path: &Path, scores: &ScoreTable, record: &RunRecord) -> Result<(), FormatError> {
    for (id, outcomes) in &scores.columns {
        let Some(metric) = find(id) else { continue };
        let (low, high) = metric.spec.range;
        let below = record.too_low_by(metric);
        let (low, high) = (low.max(-LARGEST) - below, high.min(LARGEST));
        let is_possible = |value: f64| (low - ROUNDING..=high + ROUNDING).contains(&value);
        for (pair, outcome) in scores.pairs.iter().zip(outcomes) {
            if let Some(value) = outcome.as_ref().ok().filter(|value| !is_possible(**value)) {
                return Err(Problem::invalid(
                    format!("{id} of pair {pair:?}"),
                    format!("is {value}; expected {low} to {high}, the range of the metric: score the pairs again"),
                )
                .at(path));
            }
        }
    }
    Ok(())
}

/// A finished run, read from its folder.
///
/// # Errors
/// The folder has no finished run; the scores are not those that the run wrote; scores are outside their metric's
/// range.
pub fn load_run(root: &Path) -> Result<Run, Error> {
    let folder = RunFolder::open(root)?;
    let record = folder.record()?;
    Run::read_back(folder, record)
}

impl Report for Run {
    const FILES: ResultFiles = ResultFiles::of(RECORD, "summary", &[Format::Markdown, Format::LATEX, Format::Csv]);
    type Record = RunRecord;

    fn record(&self) -> &RunRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        // The findings are already notes of the table.
        &[]
    }

    fn done(&self) -> String {
        match self.resumed {
            true => "already finished with these inputs and options; nothing was computed".into(),
            false => format!("{} scored", self.record.counted()),
        }
    }

    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        let mut systems = self.table()?.clone();
        if !matches!(format, Format::Json | Format::Csv) {
            let tables: Vec<Table> = [systems.table()?].into_iter().chain(self.curve()).collect();
            return Ok(Table::render_all(&tables, format, width));
        }
        let (columns, estimates): (Vec<_>, Vec<_>) = averaged_trials::columns(&self.record).unzip();
        systems.columns.extend(columns);
        for row in &mut systems.rows {
            row.estimates.extend(estimates.clone());
            row.undefined.iter_mut().for_each(|reasons| reasons.resize(row.estimates.len(), String::new()));
        }
        Ok(systems.table()?.render(format, width))
    }

    fn write(&self, folder: &Path, latex: LatexStyle) -> Result<(), Error> {
        self.write_files(folder, latex)?;
        let record = RunRecord {
            outputs: self.outputs(folder)?,
            ..self.record.clone()
        };
        Ok(json::write(&folder.join(RECORD), &record)?)
    }

    fn data(&self) -> Vec<String> {
        let names = [SCORES, SCORES_TABLE, PSEUDO_VALUES, SCORES_OF_PARTS, DETAILS, DETAILS_TABLE, DIMENSIONS, SUMMARY];
        names.map(str::to_owned).to_vec()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        scores_parquet::write(&folder.join(SCORES), &self.scores)?;
        let placeholders = self.record.metrics.iter().filter(|metric| metric.stand_in);
        let placeholders: Vec<&str> = placeholders.map(|metric| metric.id.as_str()).collect();
        atomic_file::write(&folder.join(SCORES_TABLE), scores_csv::written(&self.scores, &placeholders).as_bytes())?;
        let pseudo_values = folder.join(PSEUDO_VALUES);
        match self.pseudo_values.columns.is_empty() {
            true => keep::remove(&pseudo_values)?,
            false => scores_parquet::write(&pseudo_values, &self.pseudo_values)?,
        }
        let of_parts = folder.join(SCORES_OF_PARTS);
        match &self.of_parts {
            Some(scores) => scores_parquet::write(&of_parts, scores)?,
            None => keep::remove(&of_parts)?,
        }
        let (lines, rows) = (folder.join(DETAILS), folder.join(DETAILS_TABLE));
        if self.details.is_empty() {
            keep::remove(&lines)?;
            keep::remove(&rows)?;
        } else {
            let (lines, rows) = rayon::join(
                || pair_details::write(&lines, &self.details),
                || pair_details::write_table(&rows, &self.details),
            );
            lines.and(rows)?;
        }
        let by_dimension = folder.join(DIMENSIONS);
        match dimensions::of_details(&self.details, &self.record)?.as_slice() {
            [] => keep::remove(&by_dimension)?,
            scores => atomic_file::write(&by_dimension, dimensions::csv(scores).as_bytes())?,
        }
        Ok(json::write(&folder.join(SUMMARY), &self.summary()?)?)
    }
}
