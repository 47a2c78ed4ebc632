//! A finished study: the tables and figures of papers that it makes, their files, and its pages. `study.md` has every table
//! with its figure and lists what is missing; `study.html` also shows the systems' pairs and loads nothing. Neither has
//! paths of this machine.

use crate::config::StudyConfig;
use crate::runs::System;
use crate::shown::shown_of;
use crate::systems::by_stimuli;
use itertools::Itertools;
use neurogauge::core::Finding;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{ContactSheet, FigureFormat, FigureOptions, FigureStyle, SheetRow};
use neurogauge::report::{Cell, Format, LatexStyle, Table, paragraph};
use neurogauge::{Error, FailedItem, Figures, LocalPaths, Report, ResultFiles, Silent, remove_others};
use neurogauge_exhibits::{Absent, MadeExhibit, PairLines, Paper, Records};
use neurogauge_report_page::{PageRequest, Section, SectionFigure, SectionPart, page};
use serde_json::{Value, json};
use std::path::Path;

const TABLE_FORMATS: [Format; 3] = [Format::Markdown, Format::LATEX, Format::Csv];

/// An exhibit with a table.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) made: MadeExhibit,
    pub(crate) table: Table,
    /// The formats of its figure; empty without a figure.
    pub(crate) figure_endings: Vec<&'static str>,
}

impl Item {
    /// A description of its content, followed by the paper's number.
    fn heading(&self) -> String {
        with_number(&self.table.title, &self.made.paper)
    }

    /// The table under this heading.
    fn headed(&self) -> Table {
        let mut table = self.table.clone();
        table.title = self.heading();
        table
    }

    fn markdown(&self) -> String {
        self.headed().markdown().replacen("###", "##", 1)
    }

    fn files(&self) -> Vec<String> {
        let figures = self.figure_endings.iter().map(|ending| format!("figures/{}.{ending}", self.made.name));
        self.table_files().into_iter().chain(figures).collect()
    }

    fn table_files(&self) -> [String; TABLE_FORMATS.len()] {
        TABLE_FORMATS.map(|format| format!("tables/{}.{}", self.made.name, format.ending()))
    }

    pub(crate) fn record(&self) -> Value {
        json!({"paper": self.made.paper, "about": self.made.about, "title": self.table.title, "files": self.files()})
    }
}

/// Words followed by their place in the paper, if they have one.
pub(crate) fn with_number(words: &str, paper: &str) -> String {
    match paper {
        "" => words.to_owned(),
        paper => format!("{words} ({paper})"),
    }
}

/// The tables and figures of a study, and those that are missing.
#[derive(Debug, Default)]
pub(crate) struct Items {
    pub(crate) shown: Vec<Item>,
    pub(crate) absent: Vec<Absent>,
    /// The drawn figures. If a figure could not be drawn, its numbers are still in the table.
    pub(crate) figures: Figures,
}

impl Items {
    /// Makes the exhibits of the papers, drawn with these options; those whose inputs are missing are listed with what they
    /// need. The images of the systems that an exhibit is about stand beside the lines of its pairs.
    pub(crate) fn of(
        papers: &[Paper],
        records: &Records,
        systems: &[System],
        drawing: &FigureOptions,
    ) -> Result<Items, Error> {
        let groups = by_stimuli(systems);
        let endings = drawing.formats.iter().map(|format| format.ending()).collect_vec();
        let of_sheets = [FigureFormat::Png, FigureFormat::Pdf].map(|format| format.ending());
        let of_sheets = of_sheets.into_iter().filter(|own| *own == "png" || endings.contains(own)).collect_vec();
        let mut items = Items::default();
        for paper in papers {
            let made = paper.make(records, Some("study"))?;
            for mut made in made.exhibits {
                let Some(table) = made.table.take() else {
                    continue;
                };
                let alone = systems.iter().find(|system| system.name == made.about).map(|alone| vec![alone]);
                let group = groups.iter().find(|group| group.about() == made.about);
                let shown = alone.or(group.map(|group| group.systems.clone())).unwrap_or_default();
                let (figure, sheet) = (made.figure.take(), sheet(&table, &made.pairs, &shown)?);
                if figure.is_none() && sheet.is_none() && !made.pairs.is_empty() {
                    items.absent.push(Absent {
                        paper: made.paper.clone(),
                        shows: made.shows.clone(),
                        about: made.about.clone(),
                        needs: "images of both sides, for the picture beside the table".to_owned(),
                    });
                }
                let (name, figures) = (made.name.clone(), &mut items.figures);
                let drawn = match (figure, sheet) {
                    (Some(figure), _) => figures.add(name, figure.draw()).then_some(&endings),
                    (None, Some(sheet)) => figures.add_sheet(name, sheet.draw()).then_some(&of_sheets),
                    _ => None,
                };
                items.shown.push(Item {
                    made,
                    table,
                    figure_endings: drawn.cloned().unwrap_or_default(),
                });
            }
            items.absent.extend(made.absent);
        }
        Ok(items)
    }
}

/// The stimulus and each system's reconstruction of every pair; `None` without pairs or images.
fn sheet(table: &Table, pairs: &[PairLines], systems: &[&System]) -> Result<Option<ContactSheet>, Error> {
    if pairs.is_empty() || systems.is_empty() || !systems.iter().all(|system| system.views.has_images()) {
        return Ok(None);
    }
    let row = |pair: &PairLines| {
        let mut images = Vec::new();
        for (place, system) in systems.iter().enumerate() {
            images.extend(system.views.images(&pair.pair)?.into_iter().skip(usize::from(place > 0)));
        }
        let lines = pair.lines.clone();
        Ok(SheetRow { images, lines })
    };
    let mut columns = vec!["stimulus".to_owned()];
    match systems {
        [_] => columns.push("reconstruction".to_owned()),
        _ => columns.extend(systems.iter().map(|system| system.name.clone())),
    }
    Ok(Some(ContactSheet {
        title: table.title.clone(),
        columns,
        rows: pairs.iter().map(row).collect::<Result<_, Error>>()?,
        caption: table.notes.join(" "),
    }))
}

const HTML: &str = "study.html";

/// A finished study.
#[derive(Debug)]
pub struct Study {
    /// The content of `study.json`: the program, the ratings that it read, the configuration, the systems and their runs,
    /// and what exhibits show. Folders in it are relative to the study's, or as given.
    pub record: Value,
    pub(crate) config: StudyConfig,
    pub(crate) systems: Vec<System>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) items: Items,
    pub(crate) latex: LatexStyle,
    /// How well metrics agree with people, in a sentence for each rated system.
    pub(crate) answers: Vec<String>,
    /// The items on which models failed, by what they lack.
    pub(crate) failed_items: Vec<(&'static str, Vec<FailedItem>)>,
}

impl Study {
    /// The record of a rated system.
    fn rated(&self, system: &System) -> Option<&Value> {
        self.record["rated"].as_array()?.iter().find(|own| own["system"] == *system.name)
    }

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
    type Record = Value;

    fn record(&self) -> &Value {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn done(&self) -> String {
        format!(
            "{} systems, {} of them rated; {} tables and figures in study.md",
            self.systems.len(),
            self.config.ratings.len(),
            self.items.shown.len()
        )
    }

    fn tables(&self, format: Format) -> Vec<Table> {
        let is_read = format == Format::Table;
        let table = |item: &Item| if is_read { item.headed() } else { item.table.clone() };
        self.items.shown.iter().map(table).collect()
    }

    fn opening(&self) -> Vec<String> {
        self.answers.clone()
    }

    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        match format {
            Format::Json => self.json(),
            Format::Markdown => Ok(markdown(self)),
            _ => Ok(Table::render_all(&self.tables(format), format, width)),
        }
    }

    fn data(&self) -> Vec<String> {
        let tables = self.items.shown.iter().flat_map(Item::table_files);
        tables.chain([HTML.to_owned()]).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        for item in &self.items.shown {
            for (format, file) in TABLE_FORMATS.into_iter().zip(item.table_files()) {
                let text = item.table.render(format.styled(self.latex), None);
                atomic_file::write(&folder.join(&file), text.as_bytes())?;
            }
        }
        let files = self.items.shown.iter().flat_map(Item::table_files);
        let written = files.map(|file| file.trim_start_matches("tables/").to_owned()).collect();
        remove_others(&folder.join("tables"), &written, Study::has_figure)?;
        write_html(self, folder)
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.items.figures.clone())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        let is_ours = stem.starts_with("table") || stem.starts_with("figure");
        is_ours && ["md", "tex", "csv", "svg", "png", "pdf"].contains(&ending)
    }
}

fn markdown(study: &Study) -> String {
    let mut page = format!("# Study\n\n{}", listed(study).markdown());
    for item in &study.items.shown {
        page += &format!("\n{}\n", item.markdown());
        // Markdown cannot show a PDF.
        if let Some(ending) = item.figure_endings.iter().find(|ending| **ending != "pdf") {
            page += &format!("![{0}](figures/{0}.{ending})\n\n", item.made.name);
        }
        page += &format!("Files: {}\n", item.files().iter().map(|file| format!("[{file}]({file})")).join(", "));
    }
    page + &closing(study)
}

/// Lists the systems, and says which of them the page shows pair by pair.
fn opening(study: &Study, shown: &[String]) -> String {
    let listed = listed(study).markdown();
    let others = study.systems.iter().map(|system| &system.name).filter(|name| !shown.contains(name)).join(", ");
    let words = format!(
        "The overview, the pairs and the distributions of this page are of {}; {others} have stimuli of their own.",
        shown.join(", ")
    );
    match others.as_str() {
        "" => listed,
        _ => format!("{listed}\n{}", plain(&words)),
    }
}

fn closing(study: &Study) -> String {
    let (paths, mut out) = (local_paths(&study.record), String::new());
    let findings = study.findings.iter().filter(|found| found.is_shown());
    let findings = findings.map(|found| paths.shortened(&found.to_string())).collect();
    for (heading, lines) in [("Not here", absent_lines(&study.items.absent)), ("Warnings", findings)] {
        if !lines.is_empty() {
            out += &format!("\n## {heading}\n\n{}", lines.iter().map(|line| format!("- {}", plain(line))).join(""));
        }
    }
    out
}

fn local_paths(record: &Value) -> LocalPaths {
    let mut paths = LocalPaths::default();
    paths.add_record(&record.to_string());
    paths
}

/// Missing items, with a line for each input that they need.
fn absent_lines(absent: &[Absent]) -> Vec<String> {
    let named = |one: &Absent| {
        let about = Some(format!(" of {}", one.about)).filter(|_| !one.about.is_empty()).unwrap_or_default();
        with_number(&format!("{}{about}", one.shows), &one.paper)
    };
    let line = |needs: &str| {
        let of = absent.iter().filter(|one| one.needs == needs).map(named).collect_vec();
        format!("{} {} {needs}", of.join(", "), if of.len() == 1 { "needs" } else { "need" })
    };
    absent.iter().map(|one| one.needs.as_str()).unique().map(line).collect()
}

/// The systems with their runs.
fn listed(study: &Study) -> Table {
    let paths = local_paths(&study.record);
    let n_raters = |system: &System| Some(study.rated(system)?["n_raters"].as_u64()? as usize);
    Table::of("Systems", &study.systems)
        .column("System", |system| Cell::text(system.name.as_str()))
        .column("pairs", |system| Cell::Count(system.run.record.n_pairs))
        .column("raters", |system| n_raters(system).map_or(Cell::Missing, Cell::Count))
        .column("run", |system| Cell::text(paths.shortened(&system.place)))
        .noted(vec![
            "Everything that was computed, and its inputs, are recorded in study.json and in the run.json of each run."
                .to_owned(),
        ])
}

/// A line of words in Markdown.
fn plain(words: &str) -> String {
    paragraph(words, Format::Markdown, None).unwrap_or_default()
}

/// Writes the page into the study's folder. Pair by pair it shows the largest group of systems that share their stimuli;
/// ties go to the first.
fn write_html(study: &Study, folder: &Path) -> Result<(), Error> {
    let (config, origin) = (&study.config, Path::new(&study.config.origin));
    let repeats = || format!("neurogauge study --config '{}' --out '{}'", origin.display(), folder.display());
    let largest = by_stimuli(&study.systems).into_iter().rev().max_by_key(|group| group.names.len());
    let (shown, names) = largest.map(|group| (group.systems, group.names)).unwrap_or_default();
    // Runs that were given are recorded with the given path, everything else relative to the study's folder.
    let place = |path: &str| Some(folder.join(path)).filter(|made| made.exists()).unwrap_or_else(|| path.into());
    let meta = |system: &&System| Some(place(study.rated(system)?["folder"].as_str()?));
    let request = PageRequest {
        runs: shown.iter().map(|system| place(&system.place)).collect(),
        meta: shown.iter().filter_map(meta).collect(),
        audit: shown.iter().filter_map(|system| Some(place(&system.audit.as_ref()?.0))).collect(),
        metrics: shown_of(config, &shown.iter().map(|system| &system.run.scores).collect_vec()),
        sections: vec![section(study, &names)],
        // If it was read from a file.
        command: Some(if origin.is_file() { repeats() } else { String::new() }),
        title: Some(format!("Study of {}", study.systems.iter().map(|system| &system.name).join(", "))),
        files: vec![(Study::FILES.record.to_owned(), study.json()?)],
        out: folder.join(HTML),
        names,
        ..PageRequest::default()
    };
    let page = page(&request, &Silent)?;
    Ok(atomic_file::write(&folder.join(HTML), page.html.as_bytes())?)
}

fn section(study: &Study, shown: &[String]) -> Section {
    let part = |markdown, figures| SectionPart { markdown, figures };
    let figures = |item| figure(item, &study.items.figures).into_iter().collect();
    let items = study.items.shown.iter().map(|item| part(item.markdown(), figures(item)));
    let (first, last) = (part(opening(study, shown), Vec::new()), part(closing(study), Vec::new()));
    Section {
        id: "study",
        heading: "Tables and figures".to_owned(),
        parts: [first].into_iter().chain(items).chain([last]).collect(),
    }
}

fn figure(item: &Item, figures: &Figures) -> Option<(String, SectionFigure)> {
    let about = format!("{}; the table above has its numbers", item.heading());
    if let Some(drawn) = figures.pictures.iter().find(|drawn| drawn.name == item.made.name) {
        return Some((about, SectionFigure::Svg(drawn.picture.svg())));
    }
    let sheet = figures.sheets.iter().find(|sheet| sheet.name == item.made.name)?;
    Some((about, SectionFigure::Png((sheet.picture).file(FigureFormat::Png, &FigureStyle::default()).ok()?)))
}
