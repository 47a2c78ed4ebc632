//! A table or figure of the study, and its files.

use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{ContactSheet, FigureOptions, Picture};
use neurogauge::report::{Format, LatexStyle, ReportError, Table};
use neurogauge::{Error, Figures, remove_others};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

const TABLE_FORMATS: [Format; 3] = [Format::Markdown, Format::LATEX, Format::Csv];

/// A table, with its figure if it has one.
#[derive(Debug)]
pub struct PaperItem {
    /// Where it is in the paper, such as `Table 1`.
    pub paper: &'static str,
    /// Name of its files, without extension.
    pub name: String,
    /// The systems that it is about.
    pub about: String,
    pub table: Table,
    /// The formats of its figure; empty without a figure.
    pub figure_endings: Vec<&'static str>,
}

/// A table or figure of the paper that this study does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Where it is in the paper, such as `Table 1`.
    pub paper: &'static str,
    /// The systems it would be about; empty for all.
    pub about: String,
    /// The inputs that it needs.
    pub needs: String,
}

impl PaperItem {
    /// A description of its content, followed by the paper's number.
    pub(crate) fn heading(&self) -> String {
        with_number(&self.table.title, self.paper)
    }

    /// Its files, relative to the study's folder.
    pub fn files(&self) -> Vec<String> {
        let name = &self.name;
        let figures = self.figure_endings.iter();
        let figures = figures.map(|ending| format!("figures/{name}.{ending}"));
        self.table_files().into_iter().chain(figures).collect()
    }

    pub(crate) fn table_files(&self) -> [String; TABLE_FORMATS.len()] {
        TABLE_FORMATS.map(|format| format!("tables/{}.{}", self.name, format.ending()))
    }
}

/// Can a study have a file of this name?
pub(crate) fn is_ours(stem: &str, ending: &str) -> bool {
    let is_ours = stem.starts_with("table") || stem.starts_with("figure");
    is_ours && ["md", "tex", "csv", "svg", "png", "pdf"].contains(&ending)
}

/// Writes all tables, and removes those that an earlier study left in the folder.
pub(crate) fn write_tables(paper_items: &[PaperItem], out: &Path, latex: LatexStyle) -> Result<(), Error> {
    let mut written = HashSet::new();
    for item in paper_items {
        for (format, file) in TABLE_FORMATS.into_iter().zip(item.table_files()) {
            let text = item.table.render(format.styled(latex), None);
            atomic_file::write(&out.join(&file), text.as_bytes())?;
            written.insert(file.trim_start_matches("tables/").to_owned());
        }
    }
    remove_others(&out.join("tables"), &written, is_ours)
}

/// Where a table or figure is in the paper, the name of its files, and the systems that it is about.
pub(crate) type Place<'a> = (&'static str, String, &'a str);

/// The tables and figures of a study, and those that are missing.
#[derive(Debug, Default)]
pub(crate) struct PaperItems {
    pub(crate) shown: Vec<PaperItem>,
    pub(crate) absent: Vec<Absent>,
    /// The drawn figures. If a figure could not be drawn, its numbers are still in the table.
    pub(crate) figures: Figures,
    /// The formats of drawn figures.
    endings: Vec<&'static str>,
}

impl PaperItems {
    /// An empty collection, whose figures will be drawn with these options.
    pub(crate) fn of(drawing: &FigureOptions) -> Self {
        let formats = drawing.formats.iter();
        PaperItems {
            endings: formats.map(|format| format.ending()).collect(),
            ..PaperItems::default()
        }
    }

    pub(crate) fn absent(&mut self, paper: &'static str, about: &str, needs: impl Into<String>) {
        self.absent.push(Absent {
            paper,
            about: about.to_owned(),
            needs: needs.into(),
        });
    }

    /// Adds a table with a figure of images. Without images, the figure is listed as absent.
    pub(crate) fn add_with_images(
        &mut self,
        (paper, name, about): Place<'_>,
        table: Table,
        sheet: Option<ContactSheet>,
    ) {
        let drawn = sheet.map(|sheet| sheet.draw());
        let is_drawn = drawn.map(|drawn| self.figures.add_sheet(name.clone(), drawn));
        if is_drawn.is_none() {
            let needs = "images of both sides, for the picture beside the table";
            self.absent(paper, about, needs);
        }
        let endings = match is_drawn {
            Some(true) => {
                let pdf = self.endings.iter().filter(|ending| **ending == "pdf");
                ["png"].iter().chain(pdf).copied().collect()
            }
            _ => Vec::new(),
        };
        self.push((paper, name, about), table, endings);
    }

    pub(crate) fn add(&mut self, place: Place<'_>, table: Table) {
        self.push(place, table, Vec::new());
    }

    pub(crate) fn add_with_figure(&mut self, place: Place<'_>, table: Table, drawn: Result<Picture, ReportError>) {
        let endings = match self.figures.add(place.1.as_str(), drawn) {
            true => self.endings.clone(),
            false => Vec::new(),
        };
        self.push(place, table, endings);
    }

    fn push(&mut self, (paper, name, about): Place<'_>, table: Table, figure_endings: Vec<&'static str>) {
        self.shown.push(PaperItem {
            paper,
            name,
            about: about.to_owned(),
            table,
            figure_endings,
        });
    }
}

/// Descriptions of each exhibit's content. Headings add the system; missing items are listed without it.
const CONTENTS: [(&str, &str); 20] = [
    ("Table 1", "agreement with people"),
    ("Table 2", "agreement with people for a second system"),
    ("Table 3", "objects that a vision-language model names"),
    ("Table 4", "Object F1 with size, location and number"),
    ("Table 5", "parts of SEED and their averages"),
    ("Section 5.3", "pairs of the same and of different class"),
    ("Figure 3", "SEED with other components"),
    ("Figure 4", "worst cases of the parts of SEED"),
    ("Figure 5", "semantic near misses"),
    ("Figure 6", "right objects, wrong details"),
    ("Figure 8", "averages of two metrics"),
    ("Figure 9", "worst cases of groups of metrics"),
    ("Figure 10", "pairs that all parts of SEED misjudge"),
    ("v1 Table 3", "means beside published ones"),
    ("Table 6", "systems by metrics"),
    ("BASIC Table 1", "BASIC-H by dimension"),
    ("BASIC Tables 2, 3 and S2", "means beside published ones"),
    ("BASIC Figure 2", "BASIC-H against BASIC-L"),
    ("BASIC Figure S2", "stimuli by systems"),
    ("BASIC Figure S4", "BASIC by level"),
];

/// Description of a table or figure. Without an entry, it is the name of its part, which follows a colon.
pub(crate) fn content(paper: &'static str) -> &'static str {
    let found = CONTENTS.iter().find(|(number, _)| *number == paper);
    found.map_or_else(|| paper.rsplit(": ").next().unwrap_or(paper), |(_, content)| content)
}

/// Words followed by the number and the paper's name; numbers without a paper are SEED's. Content without a single
/// place in a paper has no number.
pub(crate) fn with_number(words: &str, paper: &str) -> String {
    match paper.split(": ").next().unwrap_or(paper) {
        "" | "BASIC" => words.to_owned(),
        number if number.starts_with("BASIC") => format!("{words} ({number})"),
        number => format!("{words} (SEED {number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_behind_the_words() {
        assert_eq!(content("Figure 5"), "semantic near misses");
        assert_eq!(with_number("Agreement with people: a", "Table 1"), "Agreement with people: a (SEED Table 1)");
        assert_eq!(with_number("By level", "BASIC Figure S4"), "By level (BASIC Figure S4)");
        assert_eq!(with_number("BASIC", "BASIC"), "BASIC");
        let rankings = "BASIC Figure 3: rankings";
        assert_eq!(with_number(content(rankings), rankings), "rankings (BASIC Figure 3)");
    }
}
