//! Results of other commands, each a section of the page.

use crate::figures_in_place;
use crate::html::{self, escape};
use crate::jpeg::as_jpeg;
use crate::recovery;
use crate::request::{ImagePlacement, PageRequest};
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::{Problem, content_hash};
use std::path::{Path, PathBuf};

/// Figures that are larger are left out.
const MOST_FIGURE_BYTES: u64 = 2_000_000;

/// An id, a heading and the content.
pub(crate) type SectionHtml = (&'static str, &'static str, String);

/// A section for each kind of result; for alignments alone, one for each of their views.
pub(crate) fn sections(request: &PageRequest, findings: &mut Vec<Finding>) -> Result<Vec<SectionHtml>, Error> {
    let results = [
        ("meta", "Agreement with people", &request.meta),
        ("audit", "Decoding or classification", &request.audit),
        ("multiverse", "The same pairs under every convention", &request.multiverse),
    ];
    let shows_images = request.images == ImagePlacement::Within && !request.blurred;
    let mut sections = Vec::new();
    for (id, heading, folders) in results {
        let mut content = String::new();
        for folder in folders {
            let tables = result(id, folder, findings)?;
            if folders.len() > 1 {
                content.push_str(&format!("<h3>{}</h3>\n", escape(&name(folder))));
                content.push_str(&one_level_down(&tables));
            } else {
                content.push_str(&tables);
            }
            if shows_images {
                content.push_str(&sheets(&folder.join("figures")));
            }
        }
        if !content.is_empty() {
            sections.push((id, heading, content));
        }
    }
    let views = recovery::views(&request.align, shows_images, findings)?;
    match request.runs.is_empty() {
        true => sections.extend(views),
        false if views.is_empty() => {}
        false => sections.push((
            "align",
            "Recovery of response dimensions",
            views.into_iter().map(|(.., content)| content).collect(),
        )),
    }
    Ok(sections)
}

/// Tables below a heading of their own.
pub(crate) fn one_level_down(tables: &str) -> String {
    tables.replace("<h3>", "<h4>").replace("</h3>", "</h4>")
}

/// The name of a result's folder.
pub(crate) fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// A file of tables that a command wrote; the other files of the result are those that it wrote, too.
pub(crate) fn tables_of(command: &str, folder: &Path) -> Result<String, Error> {
    let path = folder.join(format!("{command}.md"));
    let text = std::fs::read_to_string(&path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => {
            Problem::not_found(format!("a folder that `neurogauge {command}` wrote")).at(path)
        }
        _ => Problem::Io("reading", source).at(path),
    })?;
    content_hash::verify_outputs(&folder.join(format!("{command}.json")))?;
    Ok(text)
}

/// The tables and figures that another command wrote.
fn result(command: &str, folder: &Path, findings: &mut Vec<Finding>) -> Result<String, Error> {
    let tables = match command {
        "audit" => answers_first(&tables_of(command, folder)?),
        _ => tables_of(command, folder)?,
    };
    let figures = drawn(&folder.join("figures"), "svg").into_iter().map(|path| {
        let about = path.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ");
        let figure = figure(&path, &about, findings);
        (about, figure)
    });
    let figures: Vec<(String, String)> = figures.collect();
    Ok(figures_in_place::to_html(&tables, &figures))
}

/// The same with the first sentences below each table, the answer to the question above it, in front of the table.
fn answers_first(markdown: &str) -> String {
    let mut parts: Vec<&str> = markdown.split("\n\n").collect();
    for place in (1..parts.len()).rev() {
        let is_answer = !parts[place].starts_with(['|', '#', '-']);
        if is_answer && parts[place - 1].starts_with('|') {
            parts.swap(place - 1, place);
        }
    }
    parts.join("\n\n")
}

/// A drawn figure; a warning in its place if it is too large or cannot be read.
pub(crate) fn figure(path: &Path, about: &str, findings: &mut Vec<Finding>) -> String {
    let shown = match std::fs::metadata(path) {
        Ok(facts) if facts.len() > MOST_FIGURE_BYTES => Err(format!("not shown, since it has {} bytes", facts.len())),
        _ => std::fs::read_to_string(path).map_err(|error| format!("not shown: {error}")),
    };
    match shown {
        Ok(svg) => html::figure(&svg, about),
        Err(why) => {
            let subject = path.display().to_string();
            findings.push(Finding::warning("figure_not_shown", subject, why));
            String::new()
        }
    }
}

/// A sheet of images, as JPEG; empty if it cannot be read.
pub(crate) fn sheet(path: &Path, about: &str) -> String {
    let jpeg = std::fs::read(path).ok().and_then(|png| as_jpeg(&png));
    jpeg.map_or_else(String::new, |jpeg| html::jpeg_figure(&jpeg, about))
}

/// The contact sheets of an audit's folder, which show images.
fn sheets(folder: &Path) -> String {
    let sheets = drawn(folder, "png").into_iter();
    let sheets = sheets.filter(|path| path.file_stem().is_some_and(|stem| stem == "copies"));
    let about = "Reconstructions nearest to a training picture";
    sheets.map(|path| sheet(&path, about)).collect()
}

/// The files of a folder with this ending, by name.
pub(crate) fn drawn(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut figures: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|known| known == ending)).collect();
    figures.sort();
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_front_of_their_tables() {
        let audit = "### One?\n\n| a |\n| - |\n\nYes.\n\nIntervals.\n\n### Two?\n\n| b |\n| - |\n\nNo.\n";
        let expected = "### One?\n\nYes.\n\n| a |\n| - |\n\nIntervals.\n\n### Two?\n\nNo.\n\n\n| b |\n| - |";
        assert_eq!(answers_first(audit), expected);
    }
}
