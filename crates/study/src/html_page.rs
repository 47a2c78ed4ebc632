//! `study.html`: the study's tables and figures, and the pairs of its systems, on one page that loads nothing.

use crate::index;
use crate::paper_item::PaperItem;
use crate::record::StudyRecord;
use crate::study::Study;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{FigureFormat, FigureStyle};
use neurogauge::{Error, Figures, Report, Silent};
use neurogauge_report_page::{PageRequest, Section, SectionFigure, SectionPart, page};
use std::path::{Path, PathBuf};

pub(crate) const FILE: &str = "study.html";

/// Writes the page into the study's folder.
pub(crate) fn write(study: &Study, folder: &Path) -> Result<(), Error> {
    let (record, pairs) = (&study.record, &study.page_pairs);
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
        sections: vec![section(study)?],
        command: Some(command(record, folder)),
        title: Some(format!("Study of {}", index::names(record).join(", "))),
        files: vec![(Study::FILES.record.to_owned(), study.json()?)],
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

fn section(study: &Study) -> Result<Section, Error> {
    let text = |markdown| SectionPart {
        markdown,
        figures: Vec::new(),
    };
    let mut parts = vec![text(index::opening(&study.record, &study.page_pairs))];
    for item in &study.paper_items {
        parts.push(SectionPart {
            markdown: index::table(item)?,
            figures: figure(item, &study.figures).into_iter().collect(),
        });
    }
    parts.push(text(index::closing(&study.record)));
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
