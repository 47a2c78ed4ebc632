//! `study.html`: the study's tables and figures, and the pairs of its systems, on one page that loads nothing.

use crate::index;
use crate::paper_item::PaperItem;
use crate::record::{PagePairs, StudyRecord};
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{FigureFormat, FigureStyle};
use neurogauge::{Error, Figures, Silent};
use neurogauge_report_page::{PageRequest, Section, SectionFigure, SectionPart, page};
use std::path::{Path, PathBuf};

/// The page's file.
pub(crate) const FILE: &str = "study.html";

/// What the page shows.
pub(crate) struct Content<'a> {
    pub(crate) record: &'a StudyRecord,
    /// The file of the record, and what it holds.
    pub(crate) file: (String, String),
    pub(crate) paper_items: &'a [PaperItem],
    pub(crate) figures: &'a Figures,
    pub(crate) pairs: &'a PagePairs,
}

/// Writes the page into the study's folder.
pub(crate) fn write(content: Content<'_>, folder: &Path) -> Result<(), Error> {
    let Content { record, pairs, .. } = content;
    // Given runs are recorded with their given path, our own runs relative to the study's folder.
    let place = |run: &String| -> PathBuf {
        let made = folder.join(run);
        if made.exists() { made } else { run.into() }
    };
    let request = PageRequest {
        runs: pairs.systems.iter().map(|(_, run)| place(run)).collect(),
        names: pairs.systems.iter().map(|(name, _)| name.clone()).collect(),
        meta: pairs.meta.iter().map(|meta| folder.join(meta)).collect(),
        audit: pairs.audits.iter().map(|audit| folder.join(audit)).collect(),
        metrics: pairs.metrics.clone(),
        sections: vec![section(&content)?],
        command: Some(command(record, folder)),
        title: Some(format!("Study of {}", index::names(record).join(", "))),
        files: vec![content.file],
        out: folder.join(FILE),
        ..PageRequest::default()
    };
    let page = page(&request, &Silent)?;
    Ok(atomic_file::write(&folder.join(FILE), page.html.as_bytes())?)
}

/// The command that repeats the study, if it was read from a file.
fn command(record: &StudyRecord, folder: &Path) -> String {
    let origin = Path::new(&record.config.origin);
    match origin.is_file() {
        true => format!("neurogauge study --config '{}' --out '{}'", origin.display(), folder.display()),
        false => String::new(),
    }
}

fn section(content: &Content<'_>) -> Result<Section, Error> {
    let mut parts = vec![text(index::opening(content.record, content.pairs))];
    for item in content.paper_items {
        parts.push(SectionPart {
            markdown: index::table(item)?,
            figures: figure(item, content.figures).into_iter().collect(),
        });
    }
    parts.push(text(index::closing(content.record)));
    Ok(Section {
        id: "study",
        heading: "Tables and figures".to_owned(),
        parts,
    })
}

fn text(markdown: String) -> SectionPart {
    SectionPart {
        markdown,
        figures: Vec::new(),
    }
}

/// An item's drawn figure.
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
