//! A finished alignment as views: each opens with the question that a reader has and its answer, and has the paper's
//! figures with their tables beside them.

mod answers;
mod plan;

use crate::html::escape;
use crate::markdown_tables;
use crate::other_results::{self, SectionHtml};
use answers::Answers;
use neurogauge::Error;
use neurogauge::core::Finding;
use plan::{OTHER, Part, VIEWS, View};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The prefix of the sheets of the stimuli at both ends of a direction; their target unit follows.
const SHEET: &str = "stimuli_of_";

/// The views of these alignments, each with all of them.
///
/// # Errors
/// A folder without the tables or the record of a finished alignment.
pub(crate) fn views(
    folders: &[PathBuf],
    shows_images: bool,
    findings: &mut Vec<Finding>,
) -> Result<Vec<SectionHtml>, Error> {
    let results = folders.iter().map(|folder| Aligned::read(folder));
    let mut results: Vec<Aligned> = results.collect::<Result<_, Error>>()?;
    let mut views: Vec<SectionHtml> = Vec::new();
    for view in VIEWS.iter().chain([&OTHER]) {
        let contents = results.iter_mut().map(|own| own.view(view, shows_images, findings));
        let contents: Vec<String> = contents.collect();
        let content = match contents.as_slice() {
            [only] => only.clone(),
            all => (all.iter().zip(folders))
                .filter(|(content, _)| !content.is_empty())
                .map(|(content, folder)| {
                    let name = escape(&other_results::name(folder));
                    content.replacen("<h3>", &format!("<h3>{name}: "), 1)
                })
                .collect(),
        };
        if !content.is_empty() {
            views.push((view.id, view.heading, content));
        }
    }
    Ok(views)
}

/// The files of a finished alignment, less what a view has shown.
struct Aligned {
    answers: Answers,
    figures: PathBuf,
    /// Names of figures.
    drawn: BTreeSet<String>,
    sheets: Vec<PathBuf>,
    /// Titles and Markdown of the tables.
    tables: Vec<(String, String)>,
}

impl Aligned {
    fn read(folder: &Path) -> Result<Aligned, Error> {
        let text = other_results::tables_of("align", folder)?;
        let (opening, mut tables) = tables(&text);
        for more in ["paper", "stimuli"] {
            // Only the command itself writes them, and not for every study.
            if folder.join(format!("{more}.md")).exists() {
                tables.extend(self::tables(&other_results::tables_of(more, folder)?).1);
            }
        }
        let figures = folder.join("figures");
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let drawn = other_results::drawn(&figures, "svg");
        let sheets = other_results::drawn(&figures, "png").into_iter();
        Ok(Aligned {
            answers: Answers::read(folder, &opening)?,
            drawn: drawn.iter().filter_map(stem).collect(),
            sheets: sheets.filter(|path| stem(path).is_some_and(|stem| stem.starts_with(SHEET))).collect(),
            figures,
            tables,
        })
    }

    /// The view's question, its answer, and what it shows; empty if there is nothing to show.
    fn view(&mut self, view: &View, shows_images: bool, findings: &mut Vec<Finding>) -> String {
        let mut parts = String::new();
        for part in view.parts {
            parts.push_str(&self.part(part, findings));
        }
        if view.id == OTHER.id {
            let names = std::mem::take(&mut self.drawn).into_iter();
            let figures = names.map(|name| self.figure(&name, &name.replace('_', " "), findings));
            let figures: Vec<String> = figures.collect();
            let tables = std::mem::take(&mut self.tables);
            let tables = tables.iter().map(|(_, markdown)| table(markdown));
            parts.push_str(&beside(&figures.concat(), &tables.collect::<String>()));
        }
        if view.has_sheets {
            let sheets = std::mem::take(&mut self.sheets);
            parts.push_str(&match shows_images {
                _ if parts.is_empty() && sheets.is_empty() => String::new(),
                _ if sheets.is_empty() => {
                    "<p>No pictures are here, since no source of this study names the images of its stimuli.</p>\n"
                        .to_owned()
                }
                true => sheets.iter().map(|path| sheet(path)).collect(),
                false => "<p>The pictures of stimuli are left out of this page.</p>\n".to_owned(),
            });
        }
        if parts.is_empty() {
            return parts;
        }
        let answer = self.answers.of(view.id);
        let answer = answer.map(|text| format!("<p class=\"answer\">{}</p>\n", escape(&text)));
        let question = match self.answers.is_reverse() {
            true => view.question_of_models,
            false => view.question,
        };
        format!(
            "<h3>{}</h3>\n{}<p>{}</p>\n{parts}",
            escape(question),
            answer.unwrap_or_default(),
            escape(view.about)
        )
    }

    /// Figures and, beside them, their tables.
    fn part(&mut self, part: &Part, findings: &mut Vec<Finding>) -> String {
        let mut figures = String::new();
        for (name, about) in part.figures {
            if self.drawn.remove(*name) {
                figures.push_str(&self.figure(name, about, findings));
            }
        }
        let is_own = |title: &str| part.tables.iter().any(|begin| title.starts_with(begin));
        let all = std::mem::take(&mut self.tables);
        let (own, others) = all.into_iter().partition(|(title, _)| is_own(title));
        self.tables = others;
        let own: Vec<(String, String)> = own;
        let tables = own.iter().map(|(_, markdown)| table(markdown));
        beside(&figures, &tables.collect::<String>())
    }

    fn figure(&self, name: &str, about: &str, findings: &mut Vec<Finding>) -> String {
        other_results::figure(&self.figures.join(format!("{name}.svg")), about, findings)
    }
}

/// The text before the first table, and each table with its title.
fn tables(text: &str) -> (String, Vec<(String, String)>) {
    let mut blocks = format!("\n{text}");
    let first = blocks.find("\n### ").unwrap_or(blocks.len());
    let tables = blocks.split_off(first);
    let tables = tables.split("\n### ").skip(1).map(|block| {
        let title = block.lines().next().unwrap_or_default();
        (markdown_tables::plain(title), format!("### {}\n", block.trim_end()))
    });
    (blocks, tables.collect())
}

/// A table below its title, in a view that is headed by a question.
fn table(markdown: &str) -> String {
    other_results::one_level_down(&markdown_tables::to_html(markdown))
}

fn sheet(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let unit = stem.trim_start_matches(SHEET).replace('_', " ");
    let about = format!("Stimuli with the highest and the lowest scores on directions of {unit}");
    other_results::sheet(path, &about)
}

/// Figures and tables side by side, where the window is wide enough.
fn beside(figures: &str, tables: &str) -> String {
    match (figures, tables) {
        ("", "") => String::new(),
        (one, "") | ("", one) => format!("<div class=\"part\">\n<div>\n{one}</div>\n</div>\n"),
        _ => format!("<div class=\"part beside\">\n<div>\n{figures}</div>\n<div>\n{tables}</div>\n</div>\n"),
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
        let names = parts.flat_map(|part| part.figures.iter().map(|(name, _)| *name));
        let names: Vec<&str> = names.collect();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), different.len(), "{names:?}");
    }
}
