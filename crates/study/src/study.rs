//! Runs a study, and holds its results.

use crate::audited::Audited;
use crate::basic::{self, Configured};
use crate::config::StudyConfig;
use crate::html_page;
use crate::paper_item::{self, PaperItem, PaperItems};
use crate::rated::Rated;
use crate::record::{self, PagePairs, PaperItemRecord, RatedRecord, StudyRecord, SystemRecord};
use crate::scoring::System;
use crate::shown_metrics::shown_of;
use crate::{
    agreement_tables, audited, averages_figure, class_tables, components, components_figure, datasets_table,
    dimension_table, failure_figures, group_worst_cases, index, object_variants, pooled, rated, scoring, systems_table,
    vlm_categories, worst_cases_figure,
};
use neurogauge::core::Finding;
use neurogauge::core::option_words::option;
use neurogauge::report::figures::FigureOptions;
use neurogauge::report::{Format, LatexStyle, ResultTable};
use neurogauge::{Error, FailedItem, Figures, Progress, Provenance, Report, ResultFiles, RunSettings};
use std::path::Path;

/// A finished study.
#[derive(Debug)]
pub struct Study {
    /// The content of `study.json`.
    pub record: StudyRecord,
    /// Its tables and figures, in the order of the paper.
    pub paper_items: Vec<PaperItem>,
    /// What `study.html` shows pair by pair.
    pub(crate) page_pairs: PagePairs,
    figures: Figures,
    /// The style of its LaTeX tables.
    latex: LatexStyle,
    /// The failed items, by what they lack.
    failed_items: Vec<(&'static str, Vec<FailedItem>)>,
}

/// Scores systems and compares metrics with people, below `settings.out`, to which the [`Report`] is also written;
/// `drawing` has the options of its figures. A finished study there is replaced if the settings ask for it.
///
/// # Errors
/// Faults of the configuration, before anything is computed; errors of a run or a meta-evaluation, with the system.
pub fn study(
    config: &StudyConfig,
    settings: &RunSettings,
    drawing: &FigureOptions,
    progress: &dyn Progress,
) -> Result<Study, Error> {
    config.check()?;
    match settings.overwrite {
        true => {
            // The study that is there stays if a system of this one cannot be scored.
            config.check_systems(settings)?;
            Study::set_unfinished(&settings.out)?;
        }
        false => {
            let known = serde_json::json!({ "config": config });
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
    let components = components::evaluate(config, &rated, settings, progress)?;

    let of_variants = rated
        .iter()
        .map(|rated| object_variants::evaluate(config, rated, settings, progress))
        .collect::<Result<Vec<_>, Error>>()?;
    let configured = basic::score_all(config, &systems, settings, progress)?;

    let mut paper_items = PaperItems::of(drawing);
    for (place, rated) in rated.iter().enumerate() {
        agreement_tables::agreement(rated, place == 0, &mut paper_items);
    }
    pooled::table(config, &rated, &mut paper_items)?;
    for rated in &rated {
        vlm_categories::table(config, rated, &mut paper_items)?;
    }
    for (rated, found) in rated.iter().zip(&of_variants) {
        object_variants::table(rated, found, &mut paper_items);
    }
    for rated in &rated {
        agreement_tables::parts_and_averages(rated, &mut paper_items);
    }
    systems_table::tables(config, &systems, &mut paper_items)?;
    dimension_table::tables(config, &systems, &mut paper_items)?;
    datasets_table::table(config, &systems, &mut paper_items);
    systems_table::beside_published(config, &systems, &mut paper_items)?;
    for rated in &rated {
        components_figure::figure(rated, &config.choices, &components, &mut paper_items);
    }
    for rated in &rated {
        worst_cases_figure::figure(rated, &mut paper_items)?;
    }
    for system in &systems {
        failure_figures::near_misses(system, config.examples.n, &mut paper_items)?;
    }
    for system in &systems {
        failure_figures::detail_misses(system, config.examples.n, &mut paper_items)?;
    }
    for rated in &rated {
        averages_figure::figure(rated, &mut paper_items);
    }
    for rated in &rated {
        class_tables::tables(rated, config.examples.n, &mut paper_items)?;
    }
    for rated in &rated {
        group_worst_cases::figures(config, rated, &mut paper_items)?;
    }
    audited::tables(&audits, &systems, settings, &mut paper_items)?;
    name_unrated(rated.len(), &mut paper_items);
    let basic = basic::tables(config, &systems, &configured, &mut paper_items)?;

    let PaperItems {
        shown,
        absent,
        mut figures,
        ..
    } = paper_items;
    let mut findings = std::mem::take(&mut figures.findings);
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
    Ok(Study {
        record: StudyRecord {
            provenance,
            config: config.clone(),
            systems: systems.iter().map(SystemRecord::of).collect::<Result<_, Error>>()?,
            rated: rated.iter().map(RatedRecord::of).collect(),
            components,
            basic,
            paper_items: shown.iter().map(PaperItemRecord::of).collect(),
            absent,
            findings,
        },
        paper_items: shown,
        page_pairs: page_pairs(config, &systems, &rated, &audits),
        figures,
        latex: settings.latex,
        failed_items: (systems.iter().map(|system| &system.run))
            .chain(configured.iter().flat_map(Configured::runs))
            .flat_map(|run| run.record.failed_items())
            .map(|(what, images)| (what, images.to_vec()))
            .collect(),
    })
}

/// The largest group of systems that share their stimuli; ties go to the first.
fn page_pairs(config: &StudyConfig, systems: &[System], rated: &[Rated<'_>], audits: &[Audited<'_>]) -> PagePairs {
    let mut groups = systems_table::by_stimuli(systems).into_iter();
    let first = groups.next().unwrap_or_default();
    let shown = groups.fold(first, |largest, group| if group.len() > largest.len() { group } else { largest });
    let is_shown = |name: &str| shown.iter().any(|system| system.name == name);
    let others = systems.iter().filter(|system| !is_shown(&system.name));
    let meta = rated.iter().filter(|rated| is_shown(&rated.system.name));
    PagePairs {
        systems: (shown.iter()).map(|system| (system.name.clone(), system.place.clone())).collect(),
        others: others.map(|system| system.name.clone()).collect(),
        meta: meta.map(|rated| rated.place.clone()).collect(),
        audits: (audits.iter().filter(|found| is_shown(&found.system.name)))
            .map(|found| found.place.clone())
            .collect(),
        metrics: shown_of(config, &shown.iter().map(|system| &system.run.scores).collect::<Vec<_>>()),
    }
}

/// Lists the items that need human ratings as absent, if there are none, or none of a second system.
fn name_unrated(n_rated: usize, paper_items: &mut PaperItems) {
    let ratings = &format!(
        "human ratings of a system's reconstructions: [[ratings]] with system and file, or {}",
        option("human", "NAME=FILE")
    );
    match n_rated {
        0 => {
            for paper in [
                "Table 1",
                "Table 2",
                "Table 3",
                "Table 4",
                "Table 5",
                "Figure 3",
                "Figure 4",
                "Figure 8",
                "Figure 9",
                "Figure 10",
            ] {
                paper_items.absent(paper, "", ratings);
            }
        }
        1 => paper_items.absent(
            "Table 2",
            "",
            "human ratings of a second system, such as one of another dataset (a system may have its own gt)",
        ),
        _ => {}
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
    const FILES: ResultFiles = ResultFiles {
        record: "study.json",
        tables: "study",
        formats: &[Format::Markdown],
    };
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

    fn tables(&self, _: Format) -> Vec<ResultTable> {
        self.paper_items.iter().map(|item| item.table.clone()).collect()
    }

    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        match format {
            Format::Table => index::text(&self.record, &self.paper_items, width),
            Format::Json => self.json(),
            Format::Markdown => index::markdown(&self.record, &self.paper_items),
            _ => Ok(ResultTable::render_all(&self.tables(format), format, width)?),
        }
    }

    fn data(&self) -> Vec<String> {
        let tables = self.paper_items.iter().flat_map(PaperItem::table_files);
        tables.chain([html_page::FILE.to_owned()]).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        paper_item::write_tables(&self.paper_items, folder, self.latex)?;
        let content = html_page::Content {
            record: &self.record,
            file: (Self::FILES.record.to_owned(), self.json()?),
            paper_items: &self.paper_items,
            figures: &self.figures,
            pairs: &self.page_pairs,
        };
        html_page::write(content, folder)
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.figures.clone())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        paper_item::is_ours(stem, ending)
    }
}
