//! A finished alignment as views. Each opens with a reader's question and its answer, and has the paper's figures
//! beside their tables.

mod answers;
mod plan;

use crate::html::SectionHtml;
use crate::markdown_tables::{one_level_down, plain, to_html};
use crate::result_files;
use answers::Answers;
use maud::{Markup, html};
use neurogauge::Error;
use neurogauge::core::Finding;
use plan::{OTHER, VIEWS, View, ViewPart};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The prefix of sheets with the stimuli at both ends of a direction; the target unit's name follows.
const SHEET: &str = "stimuli_of_";

/// The views, each of which shows all these alignments.
///
/// # Errors
/// A folder without the tables or the record of a finished alignment.
pub(crate) fn views(
    folders: &[PathBuf],
    shows_images: bool,
    findings: &mut Vec<Finding>,
) -> Result<Vec<SectionHtml<'static>>, Error> {
    let results = folders.iter().map(|folder| Aligned::read(folder));
    let mut results: Vec<Aligned> = results.collect::<Result<_, Error>>()?;
    let mut views = Vec::new();
    for view in VIEWS.iter().chain([&OTHER]) {
        let content = html! {
            @for (own, folder) in results.iter_mut().zip(folders) {
                @let name = (folders.len() > 1).then(|| result_files::name(folder));
                (own.view(view, name.as_deref(), shows_images, findings))
            }
        };
        if !content.0.is_empty() {
            views.push((view.id, view.heading, content));
        }
    }
    Ok(views)
}

/// The files of a finished alignment that no view has shown yet.
struct Aligned {
    answers: Answers,
    figures: PathBuf,
    drawn: BTreeSet<String>,
    sheets: Vec<PathBuf>,
    /// Titles and Markdown of the tables.
    tables: Vec<(String, String)>,
}

impl Aligned {
    fn read(folder: &Path) -> Result<Aligned, Error> {
        let text = result_files::tables_of("align", folder)?;
        let (opening, mut tables) = tables(&text);
        for more in ["paper", "stimuli"] {
            // Only the command itself writes these files, and not for every study.
            if folder.join(format!("{more}.md")).exists() {
                tables.extend(self::tables(&result_files::tables_of(more, folder)?).1);
            }
        }
        let figures = folder.join("figures");
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let drawn = result_files::drawn(&figures, "svg");
        let sheets = result_files::drawn(&figures, "png").into_iter();
        Ok(Aligned {
            answers: Answers::read(folder, &opening)?,
            drawn: drawn.iter().filter_map(stem).collect(),
            sheets: sheets.filter(|path| stem(path).is_some_and(|stem| stem.starts_with(SHEET))).collect(),
            figures,
            tables,
        })
    }

    /// The view's question, headed by a name if there is one, with its answer and its content; empty if there is
    /// nothing to show.
    fn view(&mut self, view: &View, name: Option<&str>, shows_images: bool, findings: &mut Vec<Finding>) -> Markup {
        let mut parts: Vec<Markup> = view.parts.iter().map(|part| self.part(part, findings)).collect();
        if view.id == OTHER.id {
            let names = std::mem::take(&mut self.drawn);
            let figures = html! { @for name in names { (self.figure(&name, &name.replace('_', " "), findings)) } };
            let tables = std::mem::take(&mut self.tables);
            parts.push(beside(&figures, &html! { @for (_, markdown) in tables { (table(&markdown)) } }));
        }
        let is_empty = parts.iter().all(|part| part.0.is_empty());
        let sheets = match view.has_sheets() {
            true => std::mem::take(&mut self.sheets),
            false => Vec::new(),
        };
        if is_empty && sheets.is_empty() {
            return Markup::default();
        }
        let question = view.question(self.answers.is_reverse());
        html! {
            h3 { @if let Some(name) = name { (name) ": " } (question) }
            @if let Some(answer) = self.answers.of(view.id) { p.answer { (answer) } }
            p { (view.about) }
            @for part in parts { (part) }
            @if !view.has_sheets() {}
            @else if sheets.is_empty() {
                p { "No pictures are here, since no source of this study names the images of its stimuli." }
            }
            @else if shows_images { @for path in sheets { (sheet(&path)) } }
            @else { p { "The pictures of stimuli are left out of this page." } }
        }
    }

    /// Figures with their tables beside them.
    fn part(&mut self, part: &ViewPart, findings: &mut Vec<Finding>) -> Markup {
        let figures = html! {
            @for (name, about) in part.figures {
                @if self.drawn.remove(*name) { (self.figure(name, about, findings)) }
            }
        };
        let is_own = |(title, _): &(String, String)| part.tables.iter().any(|begin| title.starts_with(begin));
        let (own, others) = std::mem::take(&mut self.tables).into_iter().partition::<Vec<_>, _>(is_own);
        self.tables = others;
        beside(&figures, &html! { @for (_, markdown) in own { (table(&markdown)) } })
    }

    fn figure(&self, name: &str, about: &str, findings: &mut Vec<Finding>) -> Markup {
        result_files::figure(&self.figures.join(format!("{name}.svg")), about, findings)
    }
}

/// The text before the first table, and each table with its title.
fn tables(text: &str) -> (String, Vec<(String, String)>) {
    let mut blocks = format!("\n{text}");
    let first = blocks.find("\n### ").unwrap_or(blocks.len());
    let tables = blocks.split_off(first);
    let tables = tables.split("\n### ").skip(1).map(|block| {
        let title = block.lines().next().unwrap_or_default();
        (plain(title), format!("### {}\n", block.trim_end()))
    });
    (blocks, tables.collect())
}

/// A table below its title, in a view whose heading is a question.
fn table(markdown: &str) -> Markup {
    one_level_down(&to_html(markdown))
}

fn sheet(path: &Path) -> Markup {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let unit = stem.trim_start_matches(SHEET).replace('_', " ");
    let about = format!("Stimuli with the highest and the lowest scores on directions of {unit}");
    result_files::sheet(path, &about)
}

/// Figures and tables side by side, if the window is wide enough.
fn beside(figures: &Markup, tables: &Markup) -> Markup {
    html! {
        @match (figures.0.is_empty(), tables.0.is_empty()) {
            (true, true) => {},
            (false, false) => div.part.beside { div { (figures) } div { (tables) } },
            _ => div.part { div { (figures) (tables) } },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_by_their_titles() {
        let (opening, found) = tables("One.\n\nTwo.\n\n### A\\_b, c\n\n| x |\n| - |\n| 1 |\n\n### D\n\ne\n");
        assert_eq!(opening, "\nOne.\n\nTwo.\n");
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["A_b, c", "D"]);
        assert_eq!(found[1].1, "### D\n\ne\n");
        assert_eq!(tables("### A\n").1.len(), 1);
        assert_eq!(tables("").1.len(), 0);
    }

    #[test]
    fn no_figure_has_two_places() {
        let parts = VIEWS.iter().flat_map(|view| view.parts);
        let names: Vec<&str> = parts.flat_map(|part| part.figures.iter().map(|(name, _)| *name)).collect();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), different.len(), "{names:?}");
    }
}
