//! The parts of a finished result, which a view takes one by one: its opening sentence, its tables and its figures.

use super::files::{drawn, figure, tables_of};
use super::view::{Part, View};
use crate::markdown_tables::{below, plain};
use maud::{Markup, html};
use neurogauge::Error;
use neurogauge::core::Finding;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a view shows in place of a result's own parts; both may be empty.
#[derive(Debug, Default)]
pub(super) struct Opening {
    pub(super) answer: Option<String>,
    pub(super) figure: Markup,
    /// Follows the figure.
    pub(super) below: Markup,
}

/// A table with the sentences below it.
#[derive(Debug, PartialEq)]
pub(super) struct TextTable {
    title: String,
    /// The table, as Markdown.
    rows: String,
    notes: Vec<String>,
}

/// A result whose tables and figures are those that no view has taken yet.
#[derive(Debug)]
pub(super) struct Finished {
    /// The paragraphs before the first table.
    pub(super) opening: Vec<String>,
    tables: Vec<TextTable>,
    /// The names of figures, and their folder.
    drawn: BTreeSet<String>,
    figures: PathBuf,
}

impl Finished {
    /// Reads what a command wrote into a folder. `in_words` changes its tables first.
    ///
    /// # Errors
    /// A folder that the command did not write.
    pub(super) fn read(command: &str, folder: &Path, in_words: impl Fn(&str) -> String) -> Result<Self, Error> {
        let (opening, tables) = tables(&in_words(&tables_of(command, folder)?));
        let figures = folder.join("figures");
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(Finished {
            opening,
            tables,
            drawn: drawn(&figures, "svg").iter().filter_map(stem).collect(),
            figures,
        })
    }

    /// Adds the tables that another command wrote into the same folder.
    pub(super) fn add(&mut self, command: &str, folder: &Path) -> Result<(), Error> {
        self.tables.extend(tables(&tables_of(command, folder)?).1);
        Ok(())
    }

    /// The sheets of images beside the figures whose names begin so.
    pub(super) fn sheets(&self, begin: &str) -> Vec<PathBuf> {
        let is_own = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with(begin));
        drawn(&self.figures, "png").into_iter().filter(is_own).collect()
    }

    /// The answer, one figure and one table, and everything else folded under its question. Empty if there is nothing
    /// to show.
    pub(super) fn view(&mut self, view: &View<'_>, opening: Opening, findings: &mut Vec<Finding>) -> Shown {
        let figure = match opening.figure.0.is_empty() {
            true => self.take_figures(&view.lead.figures, 1, findings),
            false => opening.figure,
        };
        let mut table = self.take_tables(&view.lead.tables, 1).pop();
        let below = table.as_mut().filter(|_| view.lead.has_answer).and_then(TextTable::take_answer);
        let title = table.as_ref().map_or(String::new(), |table| table.title.clone());
        let notes = table
            .as_ref()
            .map_or(Markup::default(), |table| folded("How is it computed?", None, &table.notes()));
        let folds = html! { @for part in &view.folds { (self.fold(part, findings)) } };
        let is_empty = figure.0.is_empty() && table.is_none() && folds.0.is_empty();
        Shown {
            content: html! {
                @if !figure.0.is_empty() || table.is_some() {
                    div.lead-part {
                        div {
                            (figure)
                            @if !figure.0.is_empty() && !view.about.is_empty() { p.quiet { (view.about) } }
                            (opening.below)
                        }
                        @if let Some(table) = &table {
                            div {
                                @if !view.lead.has_answer { h4 { (title) } }
                                (table.rows())
                            }
                        }
                    }
                }
                (notes) (folds)
            },
            answer: opening.answer.or(below).filter(|_| !is_empty),
            title,
            is_empty,
        }
    }

    /// The part's figures and tables below its question; empty if the result has none of them.
    fn fold(&mut self, part: &Part<'_>, findings: &mut Vec<Finding>) -> Markup {
        let figures = self.take_figures(&part.figures, usize::MAX, findings);
        let mut tables = self.take_tables(&part.tables, usize::MAX);
        if figures.0.is_empty() && tables.is_empty() {
            return Markup::default();
        }
        let below = tables.first_mut().filter(|_| part.has_answer).and_then(TextTable::take_answer);
        let answer = part.answer.or(below.as_deref());
        let content = html! {
            (figures)
            @for table in tables {
                @if table.title != part.question { h4 { (table.title) } }
                (table.rows()) (table.notes())
            }
        };
        folded(part.question, answer, &content)
    }

    /// Everything that is left: a fold for each table, whose title asks, and the figures in a last one.
    pub(super) fn rest(&mut self, has_answers: bool, findings: &mut Vec<Finding>) -> Markup {
        let tables = std::mem::take(&mut self.tables).into_iter().map(|mut table| {
            let answer = has_answers.then(|| table.take_answer()).flatten();
            folded(&table.title, answer.as_deref(), &html! { (table.rows()) (table.notes()) })
        });
        let names: Vec<(String, String)> =
            self.drawn.iter().map(|name| (name.clone(), name.replace('_', " "))).collect();
        let figures: Vec<(&str, &str)> = names.iter().map(|(name, about)| (name.as_str(), about.as_str())).collect();
        let figures = self.take_figures(&figures, usize::MAX, findings);
        html! {
            @for table in tables { (table) }
            @if !figures.0.is_empty() { (folded("Which further figures are there?", None, &figures)) }
        }
    }

    /// Up to `most` of these figures, each with its description.
    fn take_figures(&mut self, named: &[(&str, &str)], most: usize, findings: &mut Vec<Finding>) -> Markup {
        let mut own = Vec::new();
        for (name, about) in named {
            if own.len() < most && self.drawn.remove(*name) {
                own.push(figure(&self.figures.join(format!("{name}.svg")), about, findings));
            }
        }
        html! { @for figure in own { (figure) } }
    }

    /// Up to `most` of the tables with these titles, in this order.
    fn take_tables(&mut self, titles: &[&str], most: usize) -> Vec<TextTable> {
        let mut own = Vec::new();
        for wanted in titles {
            let is_own = |table: &mut TextTable| match wanted.strip_prefix('*') {
                Some(part) => table.title.contains(part),
                None => table.title.starts_with(wanted),
            };
            let room = most - own.len();
            own.extend(self.tables.extract_if(.., is_own).take(room));
        }
        own
    }
}

/// What a view shows below its question.
pub(super) struct Shown {
    pub(super) answer: Option<String>,
    /// The title of its table.
    pub(super) title: String,
    pub(super) content: Markup,
    pub(super) is_empty: bool,
}

/// Content that a reader opens by its question. A short answer stands beside the question.
pub(crate) fn folded(question: &str, answer: Option<&str>, content: &Markup) -> Markup {
    html! {
        @if !content.0.is_empty() {
            details.fold {
                summary { (question) @if let Some(answer) = answer { " " small { (answer) } } }
                (content)
            }
            "\n"
        }
    }
}

impl TextTable {
    /// Takes the first sentences below the table, which answer the question above it.
    fn take_answer(&mut self) -> Option<String> {
        (!self.notes.is_empty()).then(|| plain(&self.notes.remove(0)))
    }

    fn rows(&self) -> Markup {
        below(&self.rows, &self.title)
    }

    fn notes(&self) -> Markup {
        below(&self.notes.join("\n\n"), &self.title)
    }
}

/// The paragraphs before the first table, and the tables.
fn tables(text: &str) -> (Vec<String>, Vec<TextTable>) {
    let text = format!("\n{text}");
    let mut blocks = text.split("\n### ");
    let paragraphs = |block: &str| -> Vec<String> {
        block.split("\n\n").map(|words| words.trim().to_owned()).filter(|words| !words.is_empty()).collect()
    };
    let opening = blocks.next().map_or_else(Vec::new, paragraphs);
    let tables = blocks.map(|block| {
        let (title, body) = block.split_once('\n').unwrap_or((block, ""));
        let (rows, notes) = paragraphs(body).into_iter().partition::<Vec<_>, _>(|words| words.starts_with('|'));
        TextTable {
            title: plain(title.trim()),
            rows: rows.join("\n\n"),
            notes,
        }
    });
    (opening, tables.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_by_their_titles() {
        let (opening, found) =
            tables("One.\n\nTwo.\n\n### A\\_b, c\n\n| x |\n| - |\n| 1 |\n\nYes.\n\nHow.\n\n### D\n\ne\n");
        assert_eq!(opening, ["One.", "Two."]);
        let titles: Vec<&str> = found.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(titles, ["A_b, c", "D"]);
        assert_eq!((found[0].rows.as_str(), found[0].notes.join(" ").as_str()), ("| x |\n| - |\n| 1 |", "Yes. How."));
        assert_eq!(tables("### A\n").1.len(), 1);
        assert_eq!(tables("").1.len(), 0);
    }

    /// A result has two tables with answers and three figures; the view leads with one of each.
    #[test]
    fn a_view_opens_with_one_figure_and_one_table_and_folds_the_rest() {
        let mut own = Finished {
            opening: Vec::new(),
            tables: tables("### One?\n\n| a |\n| - |\n\nYes.\n\nHow.\n\n### Two?\n\n| b |\n| - |\n\nNo.\n").1,
            drawn: BTreeSet::new(),
            figures: PathBuf::new(),
        };
        let view = View {
            lead: Part {
                tables: vec!["One"],
                has_answer: true,
                ..Part::default()
            },
            ..View::default()
        };
        let shown = own.view(&view, Opening::default(), &mut Vec::new());
        assert_eq!(shown.answer.as_deref(), Some("Yes."));
        let html = shown.content.into_string();
        assert!(
            html.contains("<summary>How is it computed?</summary><p>How.</p>") && !html.contains("Two?"),
            "{html}"
        );
        let rest = own.rest(true, &mut Vec::new()).into_string();
        assert!(rest.starts_with("<details class=\"fold\"><summary>Two? <small>No.</small></summary>"), "{rest}");
        assert_eq!(own.rest(true, &mut Vec::new()).0, "");
    }
}
