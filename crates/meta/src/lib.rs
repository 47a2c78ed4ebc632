//! `neurogauge meta`: how well metrics agree with people.
//!
//! [`meta()`] reads a survey and the scores of metrics, joins them by item, and calls
//! [`evaluate_metrics`](neurogauge::stats::meta::evaluate_metrics). The result is a [`MetaRun`], which is a [`Report`].

mod choices;
mod classes;
mod combination_tables;
mod combinations;
mod csv;
mod direction;
mod figures;
mod informative;
mod item_groups;
mod items;
mod join;
mod record;
mod request;
mod stimuli;
mod strengths;
mod text_tables;
mod worst_case_images;
mod worst_cases;

pub use choices::ChoiceRecord;
pub use classes::{ClassAnalysis, ClassContrast, ClassFigures, ClassMean, MetricClasses};
pub use combinations::{CombinationRequest, CombineWhen, NamedComposite};
pub use direction::{DirectionFrom, MetricRole};
pub use item_groups::{GroupDifference, ItemGroups};
pub use items::{MetaItems, oriented};
pub use record::MetaRecord;
pub use request::{InMemoryTable, InMemoryTables, MetaRequest, RatingScale};
pub use stimuli::StimuliFrom;
pub use strengths::{ItemStrength, Strengths};
pub use worst_cases::{MetricWorstCases, WorstCase, WorstCaseRequest, WorstCases};

use join::{Joined, Source};
use neurogauge::core::option_words::{NamedOption, option};
use neurogauge::core::{Finding, counted};
use neurogauge::formats::ratings::Choices as ChoicesOfPeople;
use neurogauge::report::{Format, Table};
use neurogauge::stats::meta::{agreement_with_choices, evaluate_metrics_within};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, RunFolder, file_name, is_drawn, is_sheet};
use std::path::Path;
use worst_case_images::ItemImages;

const HUMAN: NamedOption<'static> = option("human", "");
const METRICS_OPTION: NamedOption<'static> = option("metrics", "");

/// A finished meta-evaluation.
#[derive(Debug)]
pub struct MetaRun {
    /// The content of `meta.json`.
    pub record: MetaRecord,
    /// The scores behind the results.
    pub items: MetaItems,
}

pub fn meta(request: &MetaRequest) -> Result<MetaRun, Error> {
    meta_of(request, &InMemoryTables::default())
}

/// Checks that ratings are a file: a folder is probably a run, meant for the metrics.
fn check_is_file(ratings: &Path) -> Result<(), Error> {
    if !ratings.is_dir() {
        return Ok(());
    }
    let of_run = match RunFolder::is_at(ratings) {
        true => format!(" of a run, which belongs to {METRICS_OPTION}"),
        false => String::new(),
    };
    Err(Error::Usage(format!(
        "{}: a folder{of_run}; {HUMAN} takes a file of people's ratings: a table (.csv, .tsv, .txt) or .npy",
        ratings.display()
    )))
}

/// Compares metrics with people from files and from tables in memory. The latter are not listed among the record's inputs.
pub fn meta_of(request: &MetaRequest, held: &InMemoryTables) -> Result<MetaRun, Error> {
    request.options.check().map_err(|error| Error::Usage(error.to_string()))?;
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
    join::keep_only(request, &mut sources)?;
    let seed = request.options.bootstrap.seed.0;
    let mut provenance = Provenance::new(record::SCHEMA, "meta", Some(seed));
    if held.human.is_none() {
        check_is_file(&request.human)?;
        provenance.read("human", &request.human)?;
    }
    request.items.iter().try_for_each(|items| provenance.read("items", items))?;
    for file in sources.iter().filter_map(|source| source.file.as_deref()) {
        provenance.read("metrics", file)?;
    }
    let mut joined = Joined::of(request, held.human.as_ref(), &sources)?;
    let composites = combinations::composites(request, &mut joined)?;
    let of_composites = composites.as_deref().unwrap_or_default();
    let of_composites = combinations::as_metrics(request, &mut joined, of_composites)?;
    // Combinations are of human scores, which items lack if their strengths are undefined.
    let has_scores = joined.choices.as_ref().is_none_or(|human| human.strengths.no_strengths.is_none());
    let combined = composites.as_deref().filter(|_| has_scores);
    let combinations = combinations::combine(request, &mut joined, combined)?;
    // Composites come first in differences, which should show how much better they are than a metric.
    let n_composites = of_composites.len();
    let (mut columns, mut roles): (Vec<_>, Vec<_>) = of_composites.into_iter().unzip();
    columns.append(&mut joined.columns);
    roles.append(&mut joined.roles);
    let worst_metrics = worst_cases::metrics(&request.worst_cases, &roles)?;
    let groupings = (joined.groupings.as_slice(), joined.stimuli.as_ref());
    let mut result = evaluate_metrics_within(&joined.ratings, groupings, &columns, &request.options)?;
    let choices = joined.choices.take().map(|human| {
        let ChoicesOfPeople { items, raters, choices } = &human.choices;
        let found = agreement_with_choices(
            items.len(),
            raters.len(),
            choices,
            joined.stimuli.as_ref(),
            &columns,
            &request.options,
        )?;
        Ok::<ChoiceRecord, Error>(ChoiceRecord {
            agreement: found,
            human: human.strengths,
        })
    });
    let choices = choices.transpose()?;
    // In tables, they follow their parts.
    result.metrics.rotate_left(n_composites);
    columns.rotate_left(n_composites);
    roles.rotate_left(n_composites);
    let mut items = MetaItems::new(joined.items, &joined.ratings, request.options.human_score, columns);
    let worst_groups_of = request.worst_cases.groups.as_ref();
    let worst_groups = worst_groups_of.map(|groups| groups.of_items(&items.ids, &mut provenance)).transpose()?;
    if let Some(ItemGroups::File(path)) = worst_groups_of {
        joined.findings.push(Finding::read_as(path.display().to_string(), "the group of each item"));
    }
    let worst_cases = match (request.worst_cases.n, &worst_groups) {
        (0, None) => None,
        _ => {
            let over = (joined.stimuli.as_ref(), &request.options.bootstrap);
            let (request, groups) = (&request.worst_cases, worst_groups.as_ref());
            Some(worst_cases::worst_cases(request, &worst_metrics, &items, groups, over)?)
        }
    };
    if let (Some(images), Some(found)) = (&images, &worst_cases) {
        joined.findings.extend(images.findings.iter().cloned());
        joined.findings.extend(images.missing(found));
    }
    let mut classes = None;
    if !request.classes.is_empty() {
        let labels = classes::read(request, &joined.rated_ids, &items, &mut joined.findings)?;
        for path in &request.classes {
            provenance.read("classes", path)?;
            joined.findings.push(Finding::read_as(path.display().to_string(), "the class of each image"));
        }
        let bootstrap = &request.options.bootstrap;
        classes = Some(classes::classes(&labels, &items, bootstrap)?);
        items.classes = labels;
    }
    Ok(MetaRun {
        items,
        record: MetaRecord {
            provenance,
            request: request.clone(),
            raters: joined.raters,
            metrics: roles,
            findings: joined.findings,
            result,
            choices,
            combinations,
            worst_cases,
            classes,
        },
    })
}

impl MetaRun {
    pub fn text_tables(&self) -> Vec<Table> {
        let mut record = self.record.marked();
        record.result.metrics.sort_by(text_tables::by_agreement);
        let mut tables = text_tables::text_tables(&record);
        if let Some(found) = &record.combinations {
            tables.extend(combination_tables::text_tables(found, &record));
        }
        let bootstrap = &record.request.options.bootstrap;
        let classes = record.classes.as_ref();
        tables.extend(classes.map(|found| classes::text_table(found, bootstrap)));
        let groups = record.worst_cases.as_ref();
        let groups = groups.filter(|_| record.request.worst_cases.groups.is_some());
        tables.extend(groups.map(|found| item_groups::text_table(&found.metrics, bootstrap.level)));
        tables
    }
}

/// The prefix of the names of figures of a metric's worst cases; the metric's name follows.
const WORST: &str = "worst-";

impl Report for MetaRun {
    const FILES: ResultFiles = ResultFiles::of("meta.json", "meta", &[Format::Markdown, Format::LATEX, Format::Csv]);
    const SHOWN: usize = 1;
    type Record = MetaRecord;

    fn record(&self) -> &MetaRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let result = &self.record.result;
        let (n_metrics, n_raters) = (result.metrics.len(), result.n_raters);
        let people = match &self.record.choices {
            Some(found) => counted(found.agreement.n_choices, "choice"),
            None if self.record.is_of_means() => "mean ratings".to_owned(),
            None => counted(n_raters, "rater"),
        };
        format!("{} held against {people}", counted(n_metrics, "metric"))
    }

    fn opening(&self) -> Vec<String> {
        vec![match &self.record.choices {
            Some(found) => choices::headline(found, &self.record),
            None => text_tables::headline(&self.record),
        }]
    }

    fn tables(&self, format: Format) -> Vec<Table> {
        let mut tables = self.text_tables();
        if format == Format::Markdown {
            let MetaRecord {
                request, worst_cases, ..
            } = self.record.marked();
            let (request, worst) = (&request.worst_cases, worst_cases.as_ref());
            // The list is too long for a terminal.
            tables.extend(worst.map(|found| worst_cases::text_table(request, found)));
        }
        tables
    }

    fn full(&self) -> Option<Table> {
        Some(csv::text_table(&self.record))
    }

    fn figures(&self) -> Result<Figures, Error> {
        if self.record.choices.as_ref().is_some_and(|found| found.human.no_strengths.is_some()) {
            return Ok(Figures::default());
        }
        let mut figures = figures::figures(self);
        let images = ItemImages::open(&self.record.request.worst_cases)?;
        if let (Some(images), Some(found)) = (images, &self.record.worst_cases) {
            let marked = self.record.marked().worst_cases.unwrap_or_default();
            let with_cases = found.metrics.iter().zip(&marked.metrics);
            for (metric, marked) in with_cases.filter(|(metric, _)| !metric.cases.is_empty()) {
                let name = format!("{WORST}{}", file_name(&metric.metric));
                let is_new = |name: &String| figures.sheets.iter().all(|own| own.name != *name);
                let further = (2..).map(|n| format!("{name}-{n}"));
                let name = [name.clone()].into_iter().chain(further).find(is_new).unwrap_or(name);
                figures.add_sheet(name, images.sheet(marked)?.draw());
            }
        }
        Ok(figures)
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        let is_named = figures::NAMES.contains(&stem) || stem.starts_with(figures::AVERAGES);
        is_named && is_drawn(ending) || is_sheet(ending) && stem.starts_with(WORST)
    }
}
