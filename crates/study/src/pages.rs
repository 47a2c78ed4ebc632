//! Writes the pages of a study: `study.md` has every table with its figure and lists what is missing; `study.html` also
//! shows the systems' pairs and loads nothing.

use crate::items::{Item, Items, with_number};
use crate::record::{Study, StudyRecord};
use itertools::Itertools;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{FigureFormat, FigureStyle};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, Figures, LocalPaths, Report, Silent};
use neurogauge_exhibits::Absent;
use neurogauge_report_page::{PageRequest, Section, SectionFigure, SectionPart, page};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The record without the paths of this machine, for pages.
fn shown(record: &StudyRecord) -> StudyRecord {
    let mut paths = LocalPaths::default();
    paths.add_record(&serde_json::json!(record).to_string());
    let mut record = record.clone();
    for text in record.findings.iter_mut().flat_map(|finding| [&mut finding.subject, &mut finding.message]) {
        *text = paths.shortened(text);
    }
    for system in &mut record.systems {
        system["run"] = paths.shortened(words(system, "run")).into();
    }
    record
}

pub(crate) fn markdown(record: &StudyRecord, items: &Items) -> String {
    let record = &shown(record);
    let mut page = format!("# Study\n\n{}", systems(record).markdown());
    for item in &items.shown {
        page += &format!("\n{}\n", table(item));
        // Markdown cannot show a PDF.
        if let Some(ending) = item.figure_endings.iter().find(|ending| **ending != "pdf") {
            page += &format!("![{0}](figures/{0}.{ending})\n\n", item.name);
        }
        page += &format!("Files: {}\n", item.files().iter().map(|file| format!("[{file}]({file})")).join(", "));
    }
    page + &closing(record)
}

fn table(item: &Item) -> String {
    let table = item.table.markdown();
    // The heading has the title already.
    let below = table.strip_prefix('#').and_then(|rest| rest.split_once("\n\n")).map_or(&*table, |(_, below)| below);
    format!("## {}\n\n{below}", plain(&item.heading()))
}

/// Lists the systems, and says which of them the page shows pair by pair.
fn opening(record: &StudyRecord, shown: &[String]) -> String {
    let names = record.systems.iter().map(|system| words(system, "name"));
    let others = names.filter(|name| !shown.iter().any(|own| own == name)).join(", ");
    let mut out = systems(record).markdown();
    if !others.is_empty() {
        let words = format!(
            "The overview, the pairs and the distributions of this page are of {}; {others} have stimuli of their own.",
            shown.join(", ")
        );
        out += &format!("\n{}\n", plain(&words));
    }
    out
}

fn closing(record: &StudyRecord) -> String {
    let findings = record.findings.iter().filter(|found| found.is_shown()).map(ToString::to_string);
    let mut out = String::new();
    for (heading, lines) in [("Not here", absent_lines(&record.absent)), ("Warnings", findings.collect())] {
        if !lines.is_empty() {
            let lines = lines.iter().map(|line| format!("- {}\n", plain(line))).join("");
            out += &format!("\n## {heading}\n\n{lines}");
        }
    }
    out
}

fn words<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_default()
}

/// Missing items, with a line for each input that they need.
fn absent_lines(absent: &[Absent]) -> Vec<String> {
    let named = |one: &Absent| {
        let about = if one.about.is_empty() {
            String::new()
        } else {
            format!(" of {}", one.about)
        };
        with_number(&format!("{}{about}", one.shows), &one.paper)
    };
    let line = |needs: &str| {
        let of = absent.iter().filter(|one| one.needs == needs).map(named).collect_vec();
        format!("{} {} {needs}", of.join(", "), if of.len() == 1 { "needs" } else { "need" })
    };
    absent.iter().map(|one| one.needs.as_str()).unique().map(line).collect()
}

fn systems(record: &StudyRecord) -> Table {
    let count = |of: &Value| of.as_u64().map_or(Cell::Missing, |n| Cell::Count(n as usize));
    let raters = |system: &Value| {
        let rated = record.rated.iter().find(|rated| rated["system"] == system["name"]);
        rated.map_or(Cell::Missing, |rated| count(&rated["n_raters"]))
    };
    Table::of("Systems", &record.systems)
        .column("System", |system| Cell::text(words(system, "name")))
        .column("pairs", |system| count(&system["n_pairs"]))
        .column("raters", |system| raters(system))
        .column("run", |system| Cell::text(words(system, "run")))
        .noted(vec![
            "Everything that was computed, and its inputs, are recorded in study.json and in the run.json of each run."
                .to_owned(),
        ])
}

/// Puts words on one line and escapes them for Markdown.
fn plain(words: &str) -> String {
    let escaped = |c: char| match c {
        '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '#' => format!("\\{c}"),
        '\n' => " ".to_owned(),
        c => c.to_string(),
    };
    words.chars().map(escaped).collect()
}

pub(crate) const HTML: &str = "study.html";

/// Writes the page into the study's folder.
pub(crate) fn write_html(study: &Study, folder: &Path) -> Result<(), Error> {
    let record = &study.record;
    let below = |paths: &[PathBuf]| paths.iter().map(|path| folder.join(path)).collect();
    let origin = Path::new(&record.config.origin);
    let repeats = || format!("neurogauge study --config '{}' --out '{}'", origin.display(), folder.display());
    // Runs that were given are recorded with the given path, our own runs relative to the study's folder.
    let place = |run: &PathBuf| Some(folder.join(run)).filter(|made| made.exists()).unwrap_or_else(|| run.clone());
    let request = PageRequest {
        runs: study.page.runs.iter().map(place).collect(),
        meta: below(&study.page.meta),
        audit: below(&study.page.audit),
        sections: vec![section(study)],
        // If it was read from a file.
        command: Some(if origin.is_file() { repeats() } else { String::new() }),
        title: Some(format!("Study of {}", record.systems.iter().map(|system| words(system, "name")).join(", "))),
        files: vec![(Study::FILES.record.to_owned(), study.json()?)],
        out: folder.join(HTML),
        ..study.page.clone()
    };
    let page = page(&request, &Silent)?;
    Ok(atomic_file::write(&folder.join(HTML), page.html.as_bytes())?)
}

fn section(study: &Study) -> Section {
    let part = |markdown, figure: Option<(String, SectionFigure)>| SectionPart {
        markdown,
        figures: figure.into_iter().collect(),
    };
    let record = &shown(&study.record);
    let items = study.items.shown.iter().map(|item| part(table(item), figure(item, &study.items.figures)));
    let (first, last) = (part(opening(record, &study.page.names), None), part(closing(record), None));
    Section {
        id: "study",
        heading: "Tables and figures".to_owned(),
        parts: [first].into_iter().chain(items).chain([last]).collect(),
    }
}

fn figure(item: &Item, figures: &Figures) -> Option<(String, SectionFigure)> {
    let about = format!("{}; the table above has its numbers", item.heading());
    if let Some(drawn) = figures.pictures.iter().find(|drawn| drawn.name == item.name) {
        return Some((about, SectionFigure::Svg(drawn.picture.svg())));
    }
    let sheet = figures.sheets.iter().find(|sheet| sheet.name == item.name)?;
    Some((about, SectionFigure::Png((sheet.picture).file(FigureFormat::Png, &FigureStyle::default()).ok()?)))
}
