//! Tables and figures of the papers that a study makes, and their files.

use crate::scoring::System;
use crate::systems::by_stimuli;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{ContactSheet, FigureOptions, SheetRow};
use neurogauge::report::{Format, LatexStyle, Table};
use neurogauge::{Error, Figures, remove_others};
use neurogauge_exhibits::{Absent, MadeExhibit, PairLines, Paper, Records};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;

const TABLE_FORMATS: [Format; 3] = [Format::Markdown, Format::LATEX, Format::Csv];

/// A table, with its figure if it has one.
#[derive(Debug)]
pub struct PaperItem {
    /// The paper, and where it is there, such as `SEED Table 1`; empty if it is not.
    pub paper: String,
    /// Name of its files, without extension.
    pub name: String,
    /// The systems that it is about.
    pub about: String,
    pub table: Table,
    /// The formats of its figure; empty without a figure.
    pub figure_endings: Vec<&'static str>,
}

impl PaperItem {
    /// A description of its content, followed by the paper's number.
    pub(crate) fn heading(&self) -> String {
        with_number(&self.table.title, &self.paper)
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

    pub(crate) fn record(&self) -> Value {
        json!({"paper": self.paper, "about": self.about, "title": self.table.title, "files": self.files()})
    }
}

/// Words followed by their place in the paper, if they have one.
pub(crate) fn with_number(words: &str, paper: &str) -> String {
    match paper {
        "" => words.to_owned(),
        paper => format!("{words} ({paper})"),
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

/// The tables and figures of a study, and those that are missing.
#[derive(Debug, Default)]
pub(crate) struct PaperItems {
    pub(crate) shown: Vec<PaperItem>,
    pub(crate) absent: Vec<Absent>,
    /// The drawn figures. If a figure could not be drawn, its numbers are still in the table.
    pub(crate) figures: Figures,
}

impl PaperItems {
    /// Makes the exhibits of the papers, drawn with these options; those whose inputs are missing are listed with what they
    /// need.
    pub(crate) fn of(
        papers: &[Paper],
        records: &Records,
        systems: &[System],
        drawing: &FigureOptions,
    ) -> Result<PaperItems, Error> {
        let groups = by_stimuli(systems);
        let endings: Vec<&str> = drawing.formats.iter().map(|format| format.ending()).collect();
        let mut items = PaperItems::default();
        for paper in papers {
            let made = paper.make(records, Some("study"))?;
            for exhibit in made.exhibits {
                let alone = systems.iter().filter(|system| system.name == exhibit.about);
                let mut shown: Vec<&System> = alone.collect();
                if shown.is_empty() {
                    let group = groups.iter().find(|group| group.about() == exhibit.about);
                    shown.extend(group.iter().flat_map(|group| &group.systems));
                }
                items.add(exhibit, &shown, &endings)?;
            }
            items.absent.extend(made.absent);
        }
        Ok(items)
    }

    /// Adds an exhibit. The images of these systems stand beside the lines of its pairs; without images, the picture is
    /// listed as absent.
    fn add(&mut self, made: MadeExhibit, systems: &[&System], endings: &[&'static str]) -> Result<(), Error> {
        let Some(table) = made.table else {
            return Ok(());
        };
        let mut figure_endings = Vec::new();
        if let Some(drawn) = made.figure {
            if self.figures.add(made.name.as_str(), drawn.draw()) {
                figure_endings.extend(endings);
            }
        } else if !made.pairs.is_empty() {
            match sheet(&table, &made.pairs, systems)? {
                Some(sheet) => {
                    if self.figures.add_sheet(made.name.clone(), sheet.draw()) {
                        figure_endings.push("png");
                        figure_endings.extend(endings.iter().filter(|ending| **ending == "pdf"));
                    }
                }
                None => self.absent.push(Absent {
                    paper: made.paper.clone(),
                    shows: made.shows,
                    about: made.about.clone(),
                    needs: "images of both sides, for the picture beside the table".to_owned(),
                }),
            }
        }
        self.shown.push(PaperItem {
            paper: made.paper,
            name: made.name,
            about: made.about,
            table,
            figure_endings,
        });
        Ok(())
    }
}

/// The stimulus and each system's reconstruction of every pair; `None` without images.
fn sheet(table: &Table, pairs: &[PairLines], systems: &[&System]) -> Result<Option<ContactSheet>, Error> {
    if systems.is_empty() || !systems.iter().all(|system| system.views.has_images()) {
        return Ok(None);
    }
    let row = |pair: &PairLines| {
        let mut images = Vec::new();
        for (place, system) in systems.iter().enumerate() {
            images.extend(system.views.images(&pair.pair)?.into_iter().skip(usize::from(place > 0)));
        }
        let lines = pair.lines.clone();
        Ok(SheetRow { images, lines })
    };
    let reconstructions = match systems {
        [_] => vec!["reconstruction".to_owned()],
        _ => systems.iter().map(|system| system.name.clone()).collect(),
    };
    Ok(Some(ContactSheet {
        title: table.title.clone(),
        columns: ["stimulus".to_owned()].into_iter().chain(reconstructions).collect(),
        rows: pairs.iter().map(row).collect::<Result<_, Error>>()?,
        caption: table.notes.join(" "),
    }))
}
