//! Writes the pages of a study: `study.md` has every table with its figure and lists what is missing; `study.html` also
//! shows the systems' pairs and loads nothing.

use crate::paper_item::{PaperItem, with_number};
use crate::record::{Study, StudyRecord};
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

pub(crate) fn markdown(record: &StudyRecord, paper_items: &[PaperItem]) -> Result<String, Error> {
    let record = &shown(record);
    let mut page = String::from("# Study\n\n");
    page.push_str(&systems(record).markdown());
    for paper_item in paper_items {
        page.push('\n');
        page.push_str(&table(paper_item)?);
        page.push('\n');
        // Markdown cannot show a PDF.
        let mut endings = paper_item.figure_endings.iter();
        if let Some(ending) = endings.find(|ending| **ending != "pdf") {
            let name = &paper_item.name;
            page.push_str(&format!("![{name}](figures/{name}.{ending})\n\n"));
        }
        let links = paper_item.files().into_iter().map(|file| format!("[{file}]({file})"));
        page.push_str(&format!("Files: {}\n", links.collect::<Vec<_>>().join(", ")));
    }
    page.push_str(&closing(record));
    Ok(page)
}

/// A table below its heading.
fn table(paper_item: &PaperItem) -> Result<String, Error> {
    let table = paper_item.table.markdown();
    let heading = plain(&paper_item.heading());
    Ok(format!("## {heading}\n\n{}", without_title(&table)))
}

/// Lists the systems, and says which of them the page shows pair by pair.
fn opening(record: &StudyRecord, shown: &[String]) -> String {
    let mut out = systems(record).markdown();
    let names = record.systems.iter().map(|system| words(system, "name"));
    let others: Vec<&str> = names.filter(|name| !shown.iter().any(|own| own == name)).collect();
    if !others.is_empty() {
        let words = format!(
            "The overview, the pairs and the distributions of this page are of {}; {} have stimuli of their own.",
            shown.join(", "),
            others.join(", ")
        );
        out.push_str(&format!("\n{}\n", plain(&words)));
    }
    out
}

/// Lists missing items and warnings.
fn closing(record: &StudyRecord) -> String {
    let mut out = String::new();
    let mut list = |heading: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.push_str(&format!("\n## {heading}\n\n"));
        }
        for line in lines {
            out.push_str(&format!("- {}\n", plain(&line)));
        }
    };
    list("Not here", absent_lines(&record.absent));
    let findings = record.findings.iter().filter(|found| found.is_shown()).map(ToString::to_string);
    list("Warnings", findings.collect());
    out
}

fn words<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_default()
}

/// Removes a table's title, which the heading above already has.
fn without_title(markdown: &str) -> &str {
    let below = markdown.strip_prefix('#').and_then(|rest| rest.split_once("\n\n"));
    below.map_or(markdown, |(_, below)| below)
}

/// Missing items, with a line for each input that they need.
fn absent_lines(absent: &[Absent]) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for one in absent {
        let words = match one.about.as_str() {
            "" => one.shows.clone(),
            about => format!("{} of {about}", one.shows),
        };
        let words = with_number(&words, &one.paper);
        match lines.iter_mut().find(|(needs, _)| *needs == one.needs) {
            Some((_, others)) => others.push(words),
            None => lines.push((&one.needs, vec![words])),
        }
    }
    let line = |(needs, of): (&str, Vec<String>)| {
        let need = if of.len() == 1 { "needs" } else { "need" };
        format!("{} {need} {needs}", of.join(", "))
    };
    lines.into_iter().map(line).collect()
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
    let marked = |c: char| matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '#');
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if marked(c) {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

pub(crate) const HTML: &str = "study.html";

/// Writes the page into the study's folder.
pub(crate) fn write_html(study: &Study, folder: &Path) -> Result<(), Error> {
    let record = &study.record;
    let below = |paths: &[PathBuf]| paths.iter().map(|path| folder.join(path)).collect();
    let names: Vec<&str> = record.systems.iter().map(|system| words(system, "name")).collect();
    // Runs that were given are recorded with the given path, our own runs relative to the study's folder.
    let place = |run: &PathBuf| Some(folder.join(run)).filter(|made| made.exists()).unwrap_or_else(|| run.clone());
    let request = PageRequest {
        runs: study.page.runs.iter().map(place).collect(),
        meta: below(&study.page.meta),
        audit: below(&study.page.audit),
        sections: vec![section(study)?],
        command: Some(command(record, folder)),
        title: Some(format!("Study of {}", names.join(", "))),
        files: vec![(Study::FILES.record.to_owned(), study.json()?)],
        out: folder.join(HTML),
        ..study.page.clone()
    };
    let page = page(&request, &Silent)?;
    Ok(atomic_file::write(&folder.join(HTML), page.html.as_bytes())?)
}

/// The command that repeats the study, if it was read from a file.
fn command(record: &StudyRecord, folder: &Path) -> String {
    let origin = Path::new(&record.config.origin);
    match origin.is_file() {
        true => format!("neurogauge study --config '{}' --out '{}'", origin.display(), folder.display()),
        false => String::new(),
    }
}

fn section(study: &Study) -> Result<Section, Error> {
    let text = |markdown| SectionPart {
        markdown,
        figures: Vec::new(),
    };
    let record = &shown(&study.record);
    let mut parts = vec![text(opening(record, &study.page.names))];
    for item in &study.paper_items {
        parts.push(SectionPart {
            markdown: table(item)?,
            figures: figure(item, &study.figures).into_iter().collect(),
        });
    }
    parts.push(text(closing(record)));
    Ok(Section {
        id: "study",
        heading: "Tables and figures".to_owned(),
        parts,
    })
}

fn figure(item: &PaperItem, figures: &Figures) -> Option<(String, SectionFigure)> {
    let about = format!("{}; the table above has its numbers", item.heading());
    let drawn = figures.pictures.iter().find(|drawn| drawn.name == item.name);
    if let Some(drawn) = drawn {
        return Some((about, SectionFigure::Svg(drawn.picture.svg())));
    }
    let sheet = figures.sheets.iter().find(|sheet| sheet.name == item.name)?;
    let png = (sheet.picture).file(FigureFormat::Png, &FigureStyle::default());
    Some((about, SectionFigure::Png(png.ok()?)))
}
