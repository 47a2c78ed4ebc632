//! `neurogauge meta`: do metrics agree with people?
//!
//! [`meta()`] reads a survey and the scores of metrics, joins them by item, and has
//! [`evaluate_metrics`](neurogauge_stats::meta::evaluate_metrics) compute. A [`MetaRun`] holds what
//! came of it and writes it.

mod classes;
mod combination_lines;
mod combination_tables;
mod combinations;
mod csv;
mod direction;
mod figure_files;
mod figures;
mod items;
mod join;
mod record;
mod request;
mod source;
mod text_tables;
mod weight_tables;
mod worst_case_images;
mod worst_cases;

pub use classes::{ClassAnalysis, ClassContrast, ClassFigures, ClassMean, MetricClasses};
pub use combinations::{CombinationRequest, CombineWhen, NamedComposite};
pub use direction::{DirectionFrom, MetricRole};
pub use items::MetaItems;
pub(crate) use items::oriented;
pub use record::{MetaInput, MetaRecord};
pub use request::{HeldTable, HeldTables, MetaRequest};
pub use worst_cases::{MetricWorstCases, WorstCase, WorstCaseRequest, WorstCases};

use crate::Error;
use crate::figure_files::NamedPicture;
use crate::run_record::RunRecord;
use join::Joined;
use neurogauge_core::Warning;
use neurogauge_formats::{atomic_file, content_hash};
use neurogauge_report::TextTable;
use neurogauge_stats::meta::evaluate_metrics_within;
use source::Source;
use std::path::Path;
use worst_case_images::ItemImages;

/// A finished meta-evaluation.
#[derive(Debug)]
pub struct MetaRun {
    /// Everything, as `meta.json` keeps it.
    pub record: MetaRecord,
    /// The scores behind the figures.
    pub items: MetaItems,
}

/// Holds metrics against human ratings.
pub fn meta(request: &MetaRequest) -> Result<MetaRun, Error> {
    meta_of(request, &HeldTables::default())
}

/// The same of files and of tables in memory. Those in memory are not among the record's inputs.
pub fn meta_of(request: &MetaRequest, held: &HeldTables) -> Result<MetaRun, Error> {
    let options = request.options.check();
    options.map_err(|error| Error::Usage(error.to_string()))?;
    request.combinations.options.check()?;
    request.worst_cases.check()?;
    let images = ItemImages::open(&request.worst_cases)?;
    let item_column = request.item_column.as_deref();
    let files = request.metrics.iter();
    let tables = held.metrics.iter();
    let mut sources = files
        .map(|path| Source::open(path, item_column))
        .chain(tables.map(|table| Source::held(table, item_column)))
        .collect::<Result<Vec<Source>, Error>>()?;
    source::keep_only(&request.only, &mut sources)?;
    let mut inputs = Vec::new();
    if held.human.is_none() {
        inputs.push(input("human", &request.human)?);
    }
    for file in sources.iter().filter_map(|source| source.file.as_deref()) {
        inputs.push(input("metrics", file)?);
    }
    let mut joined = Joined::of(request, held.human.as_ref(), &sources)?;
    let composites = combinations::composites(request, &mut joined)?;
    let (ratings, groupings) = (&joined.ratings, &joined.groupings);
    let result = evaluate_metrics_within(ratings, groupings, &joined.columns, &request.options)?;
    let combinations = combinations::combine(request, &joined, composites.as_deref())?;
    let items = MetaItems::new(
        joined.items,
        &joined.ratings,
        request.options.human_score,
        joined.columns,
    );
    let worst_cases = match request.worst_cases.n {
        0 => None,
        _ => Some(worst_cases::worst_cases(&request.worst_cases, &items)?),
    };
    if let (Some(images), Some(found)) = (&images, &worst_cases) {
        joined.warnings.extend(images.missing(found));
    }
    let mut classes = None;
    if !request.classes.is_empty() {
        let (labels, read) = classes::read(request, &items, &mut joined.warnings)?;
        inputs.extend(read);
        let bootstrap = &request.options.bootstrap;
        classes = Some(classes::classes(&labels, &items, bootstrap)?);
    }
    Ok(MetaRun {
        items,
        record: MetaRecord {
            schema: record::SCHEMA,
            versions: RunRecord::versions(),
            request: request.clone(),
            inputs,
            raters: joined.raters,
            metrics: joined.roles,
            warnings: joined.warnings,
            result,
            combinations,
            worst_cases,
            classes,
        },
    })
}

impl MetaRun {
    /// The figures, and which could not be drawn.
    pub fn figures(&self) -> (Vec<NamedPicture>, Vec<Warning>) {
        figures::figures(self)
    }

    /// The tables made for reading.
    pub fn text_tables(&self) -> Vec<TextTable> {
        let mut tables = text_tables::text_tables(&self.record);
        if let Some(found) = &self.record.combinations {
            tables.extend(combination_tables::text_tables(found, &self.record));
        }
        let bootstrap = &self.record.request.options.bootstrap;
        let classes = self.record.classes.as_ref();
        tables.extend(classes.map(|found| classes::text_table(found, bootstrap)));
        tables
    }

    /// Every figure on a line of its own, in full precision.
    pub fn csv(&self) -> String {
        let mut table = csv::text_table(&self.record);
        if let Some(found) = &self.record.combinations {
            combination_lines::add(
                &mut table,
                found,
                self.record.result.options.bootstrap.level,
            );
        }
        table.csv()
    }

    /// The content of `meta.json`.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.record).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The tables as Markdown, with the worst cases.
    pub fn markdown(&self) -> String {
        let mut tables = self.text_tables();
        let request = &self.record.request.worst_cases;
        let worst = self.record.worst_cases.as_ref();
        // Too long a list for a terminal.
        tables.extend(worst.map(|found| worst_cases::text_table(request, found)));
        let tables: Vec<String> = tables.iter().map(TextTable::markdown).collect();
        tables.join("\n")
    }

    /// The tables for a terminal of `width` columns.
    pub fn text(&self, width: Option<usize>) -> String {
        let tables = self.text_tables();
        let tables: Vec<String> = tables.iter().map(|table| table.text(width)).collect();
        tables.join("\n")
    }

    /// The tables as LaTeX.
    pub fn latex(&self) -> String {
        let tables = self.text_tables();
        let tables: Vec<String> = tables.iter().map(TextTable::latex).collect();
        format!("{}\n{}", TextTable::LATEX_NEEDS, tables.join("\n"))
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
