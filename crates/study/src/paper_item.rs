//! A table or figure of the study, and its files.

use crate::exhibits::{Made, with_number};
use crate::scoring::System;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{ContactSheet, FigureOptions, Picture, SheetRow};
use neurogauge::report::{Format, LatexStyle, ReportError, ResultTable, Table, TextTable};
use neurogauge::{Error, Figures, remove_others};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

const TABLE_FORMATS: [Format; 3] = [Format::Markdown, Format::LATEX, Format::Csv];

/// A table, with its figure if it has one.
#[derive(Debug)]
pub struct PaperItem {
    /// Its place in the paper, such as `Table 1`.
    pub paper: &'static str,
    /// Name of its files, without ending.
    pub name: String,
    /// The system or systems that it is about.
    pub about: String,
    pub table: ResultTable,
    /// The formats of its figure; empty without a figure.
    pub figure_endings: Vec<&'static str>,
}

/// A table or figure of the paper that this study does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its place in the paper, such as `Table 1`.
    pub paper: &'static str,
    /// The system or systems it would be about; empty for all.
    pub about: String,
    /// The inputs that it needs.
    pub needs: String,
}

impl PaperItem {
    /// Its content, followed by the paper's number.
    pub(crate) fn heading(&self) -> String {
        with_number(self.table.title(), self.paper)
    }

    pub(crate) fn titled(&self, title: String) -> ResultTable {
        match self.table.clone() {
            ResultTable::Systems(table) => (Table { title, ..*table }).into(),
            ResultTable::Text(table) => (TextTable { title, ..table }).into(),
        }
    }

    /// Its files, below the study's folder.
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
            let text = item.table.render(format.styled(latex), None)?;
            atomic_file::write(&out.join(&file), text.as_bytes())?;
            written.insert(file.trim_start_matches("tables/").to_owned());
        }
    }
    remove_others(&out.join("tables"), &written, is_ours)
}

/// Where a table or figure belongs: its place in the paper, the name of its files, the systems that it is about.
pub(crate) type Place<'a> = (&'static str, String, &'a str);

/// The tables and figures of a study, and the missing ones.
#[derive(Debug, Default)]
pub(crate) struct PaperItems {
    pub(crate) shown: Vec<PaperItem>,
    pub(crate) absent: Vec<Absent>,
    /// The drawn figures. A figure that could not be drawn is missing; its numbers are in the table anyway.
    pub(crate) figures: Figures,
    /// The formats of drawn figures.
    endings: Vec<&'static str>,
}

impl PaperItems {
    /// An empty collection whose figures will be drawn with these options.
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

    /// Adds an exhibit of a system. Images of pairs are in rows, captioned by the table's notes.
    pub(crate) fn add_made(&mut self, place: Place<'_>, system: &System, made: Made) -> Result<(), Error> {
        match made {
            Made::Nothing => {}
            Made::Needs(needs) => self.absent(place.0, &system.name, needs),
            Made::Table(table) => self.add(place, table),
            Made::Figure(table, drawn) => self.add_with_figure(place, table, drawn),
            Made::Pairs(table, pairs) => {
                let mut sheet = None;
                if system.views.has_images() {
                    let row = |(stem, lines): (String, _)| {
                        let images = system.views.images(&stem)?;
                        Ok(SheetRow { images, lines })
                    };
                    sheet = Some(ContactSheet {
                        title: table.title.clone(),
                        columns: ["stimulus", "reconstruction"].map(str::to_owned).to_vec(),
                        rows: pairs.into_iter().map(row).collect::<Result<_, Error>>()?,
                        caption: table.notes.join(" "),
                    });
                }
                self.add_with_images(place, table, sheet);
            }
        }
        Ok(())
    }

    /// Adds a table with its figure of images. Without images, the figure is listed as absent.
    pub(crate) fn add_with_images(
        &mut self,
        (paper, name, about): Place<'_>,
        table: TextTable,
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
        self.push((paper, name, about), table.into(), endings);
    }

    pub(crate) fn add(&mut self, place: Place<'_>, table: impl Into<ResultTable>) {
        self.push(place, table.into(), Vec::new());
    }

    pub(crate) fn add_with_figure(&mut self, place: Place<'_>, table: TextTable, drawn: Result<Picture, ReportError>) {
        let endings = match self.figures.add(place.1.as_str(), drawn) {
            true => self.endings.clone(),
            false => Vec::new(),
        };
        self.push(place, table.into(), endings);
    }

    fn push(&mut self, (paper, name, about): Place<'_>, table: ResultTable, figure_endings: Vec<&'static str>) {
        self.shown.push(PaperItem {
            paper,
            name,
            about: about.to_owned(),
            table,
            figure_endings,
        });
    }
}
