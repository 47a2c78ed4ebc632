//! Runs a study, and collects its results.

use crate::audited::{self, Audited};
use crate::basic::{self, Configured};
use crate::config::StudyConfig;
use crate::paper_item::{self, PaperItem, PaperItems};
use crate::rated::Rated;
use crate::record::{self, Found, Study, StudyRecord};
use crate::scoring::System;
use crate::shown_metrics::shown_of;
use crate::systems::by_stimuli;
use crate::variants::Varying;
use crate::{exhibits, index, published, rated, scoring};
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
    match settings.overwrite {
        true => {
            // Checks first, so that an existing study stays if a system of this one cannot be scored.
            config.check_systems(settings)?;
            Study::set_unfinished(&settings.out)?;
        }
        false => {
            let known = json!({ "config": config });
            Study::refuse_other_than(&known, &settings.out)?;
        }
    }
    let settings = &settings.with_cache(&settings.out.join("cache"));
    let systems = scoring::score_all(config, settings, progress)?;
    let rated = rated::rate_all(config, &systems)?;
    for rated in &rated {
        rated.write(settings, drawing)?;
    }
    let audits = audited::audit_all(config, &systems, settings, drawing, progress)?;
    let answers = rated.iter().flat_map(|rated| {
        let answers = rated.meta.opening().into_iter();
        answers.map(|answer| format!("{}: {answer}", rated.system.name))
    });
    let answers = answers.collect();
    let varying = Varying {
        config,
        rated: &rated,
        settings,
        progress,
    };
    let (components, objects) = (varying.components()?, varying.objects()?);
    let configured = basic::score_all(config, &systems, settings, progress)?;

    let found = Found {
        config,
        settings,
        systems: &systems,
        rated: &rated,
        components: &components,
        objects: &objects,
        audits: &audits,
    };
    let (shown, tables) = exhibits::of_study(&found)?;
    let mut findings = config.left_out.clone();
    for rated in &rated {
        findings.extend(rated.meta.record.findings.iter().cloned());
    }
    for audited in &audits {
        findings.extend(audited.audit.record.findings.iter().cloned());
    }
    let seed = config.meta.bootstrap.seed.0;
    let mut provenance = Provenance::new(record::SCHEMA, "study", Some(seed));
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
        findings,
        shown,
    };
    let records = Records::default().with("study", &record)?.with_tables(tables);
    let mut items = PaperItems::of(&published::papers(config)?, &records, &systems, drawing)?;
    record.findings.splice(0..0, std::mem::take(&mut items.figures.findings));
    record.exhibits = items.shown.iter().map(PaperItem::record).collect();
    record.absent = items.absent;
    Ok(Study {
        record,
        paper_items: items.shown,
        page: page(config, &systems, &rated, &audits),
        figures: items.figures,
        latex: settings.latex,
        answers,
        failed_items: (systems.iter().map(|system| &system.run))
            .chain(configured.iter().flat_map(Configured::runs))
            .flat_map(|run| run.record.failed_items())
            .map(|(what, images)| (what, images.to_vec()))
            .collect(),
    })
}

/// The page of the largest group of systems that share their stimuli; ties go to the first.
fn page(config: &StudyConfig, systems: &[System], rated: &[Rated<'_>], audits: &[Audited<'_>]) -> PageRequest {
    let groups = by_stimuli(systems).into_iter().map(|group| group.systems);
    let larger = |largest: Vec<_>, group: Vec<_>| if group.len() > largest.len() { group } else { largest };
    let shown: Vec<&System> = groups.reduce(larger).unwrap_or_default();
    let is_shown = |system: &System| shown.iter().any(|own| own.name == system.name);
    PageRequest {
        runs: shown.iter().map(|system| system.place.clone().into()).collect(),
        names: shown.iter().map(|system| system.name.clone()).collect(),
        meta: rated
            .iter()
            .filter(|rated| is_shown(rated.system))
            .map(|rated| rated.place.clone().into())
            .collect(),
        audit: audits
            .iter()
            .filter(|found| is_shown(found.system))
            .map(|found| found.place.clone().into())
            .collect(),
        metrics: shown_of(config, &shown.iter().map(|system| &system.run.scores).collect::<Vec<_>>()),
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
            self.paper_items.len()
        )
    }

    fn tables(&self, format: Format) -> Vec<Table> {
        let shown = |item: &PaperItem| {
            let mut table = item.table.clone();
            if format == Format::Table {
                table.title = item.heading();
            }
            table
        };
        self.paper_items.iter().map(shown).collect()
    }

    fn opening(&self) -> Vec<String> {
        self.answers.clone()
    }

    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        match format {
            Format::Json => self.json(),
            Format::Markdown => index::markdown(&self.record, &self.paper_items),
            _ => Ok(Table::render_all(&self.tables(format), format, width)),
        }
    }

    fn data(&self) -> Vec<String> {
        let tables = self.paper_items.iter().flat_map(PaperItem::table_files);
        tables.chain([index::HTML.to_owned()]).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        paper_item::write_tables(&self.paper_items, folder, self.latex)?;
        index::write_html(self, folder)
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.figures.clone())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        paper_item::is_ours(stem, ending)
    }
}
