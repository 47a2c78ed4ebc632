//! The result of a comparison, as tables and files.

use super::differences::{Differences, NamedDifference};
use super::dimensions::ComparedDimensions;
use super::figures::has_figure;
use super::options::CompareOptions;
use super::subjects::SystemSubjects;
use super::table::{self, all_differences, has_bound, is_placeholder};
use crate::Error;
use crate::figure_files::Figures;
use crate::results::{Provenance, Report, ResultFiles, keep};
use itertools::Itertools;
use neurogauge_core::Estimate;
use neurogauge_formats::atomic_file;
use neurogauge_metrics::Metric;
use neurogauge_report::{Format, SystemTable, Table};
use neurogauge_stats::Comparison;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Systems side by side.
#[derive(Debug)]
pub struct SystemComparison {
    /// Names of the systems, in the order given.
    pub systems: Vec<String>,
    /// The name of each run: its system, or a subject of it.
    pub runs: Vec<String>,
    /// The subjects of each system, if subjects are distinguished.
    pub subjects: Option<Vec<SystemSubjects>>,
    /// For every metric that all runs have: estimates and ranks of the systems. The differences are those of
    /// [`differences`](Self::differences), not in here.
    pub metrics: Vec<(&'static Metric, Comparison)>,
    /// For each metric, system and subject, the estimate for this subject; empty if subjects are not distinguished.
    pub of_subjects: Vec<Vec<Vec<Estimate>>>,
    /// The estimates as a table, whose notes say what readers should know.
    pub table: SystemTable,
    /// That table as it is written.
    pub(super) written: Table,
    /// The content of `compare.json`.
    pub(super) record: CompareRecord,
    /// For every metric that is a mean over pairs, the pairs' values of each system.
    pub(super) pairs: Vec<(&'static str, Vec<Vec<f64>>)>,
}

/// The content of `compare.json`: the table's data, the differences, and their provenance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareRecord {
    /// The program, and the scores that it read.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: CompareRequest,
    /// The subjects of each system, if subjects are distinguished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subjects: Option<Vec<SystemSubjects>>,
    /// The table in its JSON form.
    #[serde(flatten)]
    pub table: serde_json::Value,
    pub differences: Differences,
    /// BASIC-H by dimension, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_dimension: Option<ComparedDimensions>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareRequest {
    pub runs: Vec<PathBuf>,
    /// The requested metrics, intervals and tests.
    #[serde(flatten)]
    pub options: CompareOptions,
}

/// BASIC-H by dimension, with one row for each dimension and system.
const DIMENSIONS: &str = "dimensions.csv";
const DIMENSION_DIFFERENCES: &str = "dimension_differences.csv";
const SUBJECT_DIFFERENCES: &str = "subject_differences.csv";
/// The files that only some comparisons have.
const FURTHER: [&str; 3] = [SUBJECT_DIFFERENCES, DIMENSIONS, DIMENSION_DIFFERENCES];
const TABLE: &str = "compare.csv";
const DIFFERENCES: &str = "differences.csv";
/// Differences whose cells are in memory at a time while they are written: those of 1000 systems take a gigabyte.
const AT_ONCE: usize = 4096;

impl SystemComparison {
    pub fn differences(&self) -> &Differences {
        &self.record.differences
    }

    /// The family that p values are corrected over, like verdicts and ranks: `for all 28 differences`.
    pub fn correction(&self) -> String {
        table::correction(self.differences(), &self.record.request.options)
    }

    pub fn test_label(&self) -> &'static str {
        self.record.request.options.test_label()
    }

    pub fn by_dimension(&self) -> Option<&ComparedDimensions> {
        self.record.by_dimension.as_ref()
    }

    /// The tables by dimension, for reading; empty if they were not requested.
    pub fn dimension_tables(&self, format: Format) -> Vec<Table> {
        self.named_dimension_tables(format).into_iter().map(|(_, table)| table).collect()
    }

    /// The tables by dimension, with the names of their files.
    fn named_dimension_tables(&self, format: Format) -> Vec<(&'static str, Table)> {
        let Some(found) = self.by_dimension() else {
            return Vec::new();
        };
        let differences = &found.differences;
        let (scores, differences) = match format {
            Format::Csv => {
                let all: Vec<NamedDifference> = differences.iter().collect();
                (found.rows(&self.systems), all_differences(&all, has_bound(differences), |_| found.stand_in))
            }
            _ => (
                found.table(&self.systems, &self.table),
                table::differences(differences, |_| found.stand_in, &self.table, &self.record.request.options),
            ),
        };
        let scores = (DIMENSIONS, scores);
        match self.systems.len() {
            1 => vec![scores],
            _ => vec![scores, (DIMENSION_DIFFERENCES, differences)],
        }
    }

    /// Some of the differences, with every number.
    fn all_differences(&self, some: &[NamedDifference], has_bound: bool) -> Table {
        all_differences(some, has_bound, |found| is_placeholder(&self.table, found))
    }

    /// The differences of each subject, if subjects are distinguished.
    fn subject_table(&self, format: Format) -> Option<Table> {
        let table = table::differences_of_subjects(self.differences(), &self.table)?;
        Some(match format {
            Format::Csv => table::all_differences_of_subjects(self.differences()),
            _ => table,
        })
    }
}

impl Report for SystemComparison {
    const FILES: ResultFiles = ResultFiles {
        record: "compare.json",
        tables: "compare",
        // CSV files hold one table each.
        formats: &[Format::Markdown, Format::LATEX],
    };
    type Record = CompareRecord;

    fn record(&self) -> &CompareRecord {
        &self.record
    }

    fn done(&self) -> String {
        match self.systems.len() {
            1 => format!("{} subjects of one system compared", self.runs.len()),
            n => format!("{n} systems compared"),
        }
    }

    fn opening(&self) -> Vec<String> {
        self.headline(|_| true).into_iter().collect()
    }

    fn tables(&self, format: Format) -> Vec<Table> {
        let all = self.differences();
        let is_placeholder = |found: &NamedDifference| is_placeholder(&self.table, found);
        let differences = (self.systems.len() > 1).then(|| match format {
            Format::Csv => self.all_differences(&all.iter().collect::<Vec<_>>(), has_bound(all)),
            _ => table::differences(all, is_placeholder, &self.table, &self.record.request.options),
        });
        let mut tables = vec![self.written.clone()];
        tables.extend(self.dimension_tables(format));
        tables.extend(differences);
        tables.extend(self.subject_table(format));
        tables
    }

    /// The means, and what was asked for in addition.
    fn n_shown(&self) -> usize {
        1 + usize::from(self.by_dimension().is_some())
    }

    /// A paper's LaTeX has one table of systems by metrics; compare.tex also has the ranks and the differences.
    fn shown(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        match format {
            Format::Latex(_) => Ok(self.written.clone().as_in_papers().render(format, None)),
            _ => self.print(format, width),
        }
    }

    fn data(&self) -> Vec<String> {
        [TABLE, DIFFERENCES].into_iter().chain(FURTHER).map(str::to_owned).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        atomic_file::write(&folder.join(TABLE), self.written.csv().as_bytes())?;
        if self.systems.len() > 1 {
            let has_bound = has_bound(self.differences());
            atomic_file::write_with(&folder.join(DIFFERENCES), |file| {
                for (place, some) in self.differences().iter().chunks(AT_ONCE).into_iter().enumerate() {
                    let csv = self.all_differences(&some.collect::<Vec<_>>(), has_bound).csv();
                    let rows = csv.split_once('\n').map_or("", |(_, rows)| rows);
                    file.write_all(if place == 0 { &csv } else { rows }.as_bytes())?;
                }
                Ok(())
            })?;
        }
        let mut further = self.named_dimension_tables(Format::Csv);
        further.extend(self.subject_table(Format::Csv).map(|table| (SUBJECT_DIFFERENCES, table)));
        for name in FURTHER {
            let path = folder.join(name);
            match further.iter().find(|(own, _)| *own == name) {
                Some((_, table)) => atomic_file::write(&path, table.csv().as_bytes())?,
                None => keep::remove(&path)?,
            }
        }
        Ok(())
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.drawn())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        has_figure(stem, ending)
    }
}
