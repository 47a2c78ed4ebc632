//! Runs a study, and collects its results.

use crate::audited::Audited;
use crate::config::StudyConfig;
use crate::exhibits::{self, Found};
use crate::items::{self, Items};
use crate::rated::Rated;
use crate::record::{SCHEMA, Study, StudyRecord};
use crate::runs::{Job, System};
use crate::shown_metrics::shown_of;
use crate::systems::by_stimuli;
use crate::{basic, pages, published};
use neurogauge::core::Finding;
use neurogauge::report::figures::FigureOptions;
use neurogauge::report::{Format, Table};
use neurogauge::{Error, FailedItem, Figures, Progress, Provenance, Report, ResultFiles, RunSettings};
use neurogauge_exhibits::Records;
use neurogauge_report_page::PageRequest;
use serde_json::json;
use std::path::Path;

/// Scores systems and compares metrics with people, below `settings.out`, to which the [`Report`] is also written;
/// `drawing` has the options of its figures. A finished study there is replaced if the settings ask for it.
///
/// # Errors Errors in the configuration, before anything is computed; errors of a run or a meta-evaluation, which name
/// the system.
pub fn study(
    config: &StudyConfig,
    settings: &RunSettings,
    drawing: &FigureOptions,
    progress: &dyn Progress,
) -> Result<Study, Error> {
    config.check()?;
    if settings.overwrite {
        // First, so that an existing study stays if a system of this one cannot be scored.
        config.check_systems(settings)?;
        Study::set_unfinished(&settings.out)?;
    } else {
        Study::refuse_other_than(&json!({ "config": config }), &settings.out)?;
    }
    let settings = &settings.with_cache(&settings.out.join("cache"));
    let job = Job {
        config,
        settings,
        drawing,
        progress,
    };
    let systems = job.systems()?;
    let rated = job.rated(&systems)?;
    let audits = job.audits(&systems)?;
    let (components, objects) = (job.components(&rated)?, job.objects(&rated)?);
    let configured = job.configured(&systems)?;
    let found = Found {
        job,
        systems: &systems,
        rated: &rated,
        components: &components,
        objects: &objects,
        audits: &audits,
    };
    let (shown, tables) = exhibits::of_study(&found)?;
    let of_ratings = rated.iter().flat_map(|rated| &rated.meta.record.findings);
    let of_audits = audits.iter().flat_map(|audited| &audited.audit.record.findings);
    let mut provenance = Provenance::new(SCHEMA, "study", Some(config.meta.bootstrap.seed.0));
    for ratings in &config.ratings {
        for file in [&ratings.file].into_iter().chain(&ratings.scores).chain(&ratings.classes) {
            provenance.read(format!("ratings/{}", ratings.system), file)?;
        }
    }
    let mut record = StudyRecord {
        provenance,
        config: config.clone(),
        systems: systems.iter().map(|system| exhibits::of_system(&found, system)).collect::<Result<_, Error>>()?,
        rated: rated.iter().map(|rated| exhibits::of_rated(&found, rated)).collect::<Result<_, Error>>()?,
        basic: basic::record(config, &systems, &configured)?,
        components: json!(components),
        exhibits: Vec::new(),
        absent: Vec::new(),
        findings: config.left_out.iter().chain(of_ratings).chain(of_audits).cloned().collect(),
        shown,
    };
    let records = Records::default().with("study", &record)?.with_tables(tables);
    let mut items = Items::of(&published::papers(config)?, &records, &systems, drawing)?;
    record.findings.splice(0..0, std::mem::take(&mut items.figures.findings));
    record.exhibits = items.shown.iter().map(items::Item::record).collect();
    record.absent.clone_from(&items.absent);
    let of_configurations = configured.iter().flat_map(|one| &one.runs).map(|(_, run)| run);
    let runs = systems.iter().map(|system| &system.run).chain(of_configurations);
    let answers = rated.iter().flat_map(|rated| {
        let answers = rated.meta.opening().into_iter();
        answers.map(|answer| format!("{}: {answer}", rated.system.name))
    });
    Ok(Study {
        record,
        items,
        latex: settings.latex,
        answers: answers.collect(),
        failed_items: (runs.flat_map(|run| run.record.failed_items()))
            .map(|(what, images)| (what, images.to_vec()))
            .collect(),
        page: page(config, &systems, &rated, &audits),
    })
}

/// The page of the largest group of systems that share their stimuli; ties go to the first.
fn page(config: &StudyConfig, systems: &[System], rated: &[Rated<'_>], audits: &[Audited<'_>]) -> PageRequest {
    let groups = by_stimuli(systems).into_iter();
    let largest = groups.reduce(|largest, group| {
        if group.names.len() > largest.names.len() {
            group
        } else {
            largest
        }
    });
    let (shown, names) = largest.map(|group| (group.systems, group.names)).unwrap_or_default();
    let is_shown = |system: &System| names.contains(&system.name);
    let meta = rated.iter().filter(|rated| is_shown(rated.system)).map(|rated| rated.place.clone().into());
    let audit = audits.iter().filter(|found| is_shown(found.system)).map(|found| found.place.clone().into());
    PageRequest {
        runs: shown.iter().map(|system| system.place.clone().into()).collect(),
        meta: meta.collect(),
        audit: audit.collect(),
        metrics: shown_of(config, &shown.iter().map(|system| &system.run.scores).collect::<Vec<_>>()),
        names,
        ..PageRequest::default()
    }
}

impl Study {
    /// An error if a model failed on an item.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(&self) -> Result<(), Error> {
        self.failed_items.iter().try_for_each(|(what, images)| FailedItem::check(images, what, true))
    }
}

impl Report for Study {
    const FILES: ResultFiles = ResultFiles::of("study.json", "study", &[Format::Markdown]);
    const SHOWN: usize = 1;
    type Record = StudyRecord;

    fn record(&self) -> &StudyRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        format!(
            "{} systems, {} of them rated; {} tables and figures in study.md",
            self.record.systems.len(),
            self.record.rated.len(),
            self.items.shown.len()
        )
    }

    fn tables(&self, format: Format) -> Vec<Table> {
        let mut tables: Vec<Table> = self.items.shown.iter().map(|item| item.table.clone()).collect();
        if format == Format::Table {
            tables.iter_mut().zip(&self.items.shown).for_each(|(table, item)| table.title = item.heading());
        }
        tables
    }

    fn opening(&self) -> Vec<String> {
        self.answers.clone()
    }

    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        match format {
            Format::Json => self.json(),
            Format::Markdown => Ok(pages::markdown(&self.record, &self.items)),
            _ => Ok(Table::render_all(&self.tables(format), format, width)),
        }
    }

    fn data(&self) -> Vec<String> {
        let tables = self.items.shown.iter().flat_map(items::Item::table_files);
        tables.chain([pages::HTML.to_owned()]).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        self.items.write_tables(folder, self.latex)?;
        pages::write_html(self, folder)
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.items.figures.clone())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        items::is_ours(stem, ending)
    }
}
