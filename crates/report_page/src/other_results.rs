//! Results of other commands, each as a section of the page.

use crate::figures_in_place;
use crate::html::SectionHtml;
use crate::markdown_tables::one_level_down;
use crate::recovery;
use crate::request::{ImagePlacement, PageRequest};
use crate::result_files::{drawn, figure, name, sheet, tables_of};
use maud::{Markup, html};
use neurogauge::Error;
use neurogauge::core::Finding;
use std::path::{Path, PathBuf};

/// A section for each kind of result; if there are only alignments, one for each of their views.
pub(crate) fn sections(request: &PageRequest, findings: &mut Vec<Finding>) -> Result<Vec<SectionHtml<'static>>, Error> {
    let results = [
        ("meta", "Agreement with people", &request.meta),
        ("audit", "Decoding or classification", &request.audit),
        ("multiverse", "The same pairs under every convention", &request.multiverse),
    ];
    let shows_images = request.images == ImagePlacement::Within && !request.blurred;
    let mut sections = Vec::new();
    for (id, heading, folders) in results {
        let parts = folders.iter().map(|folder| Ok((folder, result(id, folder, findings)?)));
        let parts: Vec<(&PathBuf, Markup)> = parts.collect::<Result<_, Error>>()?;
        let content = html! {
            @for (folder, tables) in parts {
                @if folders.len() > 1 { h3 { (name(folder)) } (one_level_down(&tables)) } @else { (tables) }
                @if shows_images { (sheets(&folder.join("figures"))) }
            }
        };
        if !folders.is_empty() {
            sections.push((id, heading, content));
        }
    }
    let views = recovery::views(&request.align, shows_images, findings)?;
    match request.runs.is_empty() {
        true => sections.extend(views),
        false if views.is_empty() => {}
        false => {
            let content = html! { @for (.., content) in views { (content) } };
            sections.push(("align", "Recovery of response dimensions", content));
        }
    }
    Ok(sections)
}

/// The tables and figures that another command wrote.
fn result(command: &str, folder: &Path, findings: &mut Vec<Finding>) -> Result<Markup, Error> {
    let tables = match command {
        "audit" => answers_first(&tables_of(command, folder)?),
        _ => tables_of(command, folder)?,
    };
    let figures = drawn(&folder.join("figures"), "svg").into_iter().map(|path| {
        let about = path.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ");
        let figure = figure(&path, &about, findings);
        (about, figure)
    });
    let figures: Vec<(String, Markup)> = figures.collect();
    Ok(figures_in_place::to_html(&tables, &figures))
}

/// Moves the first sentences below each table, which answer the question above it, in front of the table.
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

/// The contact sheets in an audit's folder, which show images.
fn sheets(folder: &Path) -> Markup {
    let sheets = drawn(folder, "png").into_iter();
    let sheets = sheets.filter(|path| path.file_stem().is_some_and(|stem| stem == "copies"));
    html! { @for path in sheets { (sheet(&path, "Reconstructions nearest to a training picture")) } }
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
