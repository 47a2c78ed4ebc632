//! Tables and figures of the papers that a study makes, and their files.

use crate::runs::System;
use crate::systems::by_stimuli;
use neurogauge::formats::atomic_file;
use neurogauge::report::figures::{ContactSheet, FigureOptions, SheetRow};
use neurogauge::report::{Format, LatexStyle, Table};
use neurogauge::{Error, Figures, remove_others};
use neurogauge_exhibits::{Absent, MadeExhibit, PairLines, Paper, Records};
use serde_json::{Value, json};
use std::path::Path;

const TABLE_FORMATS: [Format; 3] = [Format::Markdown, Format::LATEX, Format::Csv];

/// A table, with its figure if it has one.
#[derive(Debug)]
pub(crate) struct Item {
    /// The paper, and where it is there, such as `SEED Table 1`; empty if it is not.
    paper: String,
    /// Name of its files, without extension.
    pub(crate) name: String,
    /// The systems that it is about.
    about: String,
    pub(crate) table: Table,
    /// The formats of its figure; empty without a figure.
    pub(crate) figure_endings: Vec<&'static str>,
}

impl Item {
    /// A description of its content, followed by the paper's number.
    pub(crate) fn heading(&self) -> String {
        with_number(&self.table.title, &self.paper)
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let figures = self.figure_endings.iter().map(|ending| format!("figures/{}.{ending}", self.name));
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

/// The tables and figures of a study, and those that are missing.
#[derive(Debug, Default)]
pub(crate) struct Items {
    pub(crate) shown: Vec<Item>,
    pub(crate) absent: Vec<Absent>,
    /// The drawn figures. If a figure could not be drawn, its numbers are still in the table.
    pub(crate) figures: Figures,
}

impl Items {
    /// Makes the exhibits of the papers, drawn with these options; those whose inputs are missing are listed with what they
    /// need.
    pub(crate) fn of(
        papers: &[Paper],
        records: &Records,
        systems: &[System],
        drawing: &FigureOptions,
    ) -> Result<Items, Error> {
        let groups = by_stimuli(systems);
        let endings: Vec<&str> = drawing.formats.iter().map(|format| format.ending()).collect();
        let mut items = Items::default();
        for paper in papers {
            let made = paper.make(records, Some("study"))?;
            for exhibit in made.exhibits {
                let alone = systems.iter().find(|system| system.name == exhibit.about).map(|alone| vec![alone]);
                let group = groups.iter().find(|group| group.about() == exhibit.about);
                let shown = alone.or(group.map(|group| group.systems.clone())).unwrap_or_default();
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
        let (paper, name, about) = (made.paper, made.name, made.about);
        let mut figure_endings = Vec::new();
        match (made.figure, sheet(&table, &made.pairs, systems)?) {
            (Some(drawn), _) => {
                if self.figures.add(name.as_str(), drawn.draw()) {
                    figure_endings.extend(endings);
                }
            }
            (None, Some(sheet)) => {
                if self.figures.add_sheet(name.clone(), sheet.draw()) {
                    figure_endings.push("png");
                    figure_endings.extend(endings.iter().filter(|ending| **ending == "pdf"));
                }
            }
            (None, None) if made.pairs.is_empty() => {}
            (None, None) => self.absent.push(Absent {
                paper: paper.clone(),
                shows: made.shows,
                about: about.clone(),
                needs: "images of both sides, for the picture beside the table".to_owned(),
            }),
        }
        self.shown.push(Item {
            paper,
            name,
            about,
            table,
            figure_endings,
        });
        Ok(())
    }

    /// Writes all tables, and removes those that an earlier study left in the folder.
    pub(crate) fn write_tables(&self, out: &Path, latex: LatexStyle) -> Result<(), Error> {
        for item in &self.shown {
            for (format, file) in TABLE_FORMATS.into_iter().zip(item.table_files()) {
                let text = item.table.render(format.styled(latex), None);
                atomic_file::write(&out.join(&file), text.as_bytes())?;
            }
        }
        let files = self.shown.iter().flat_map(Item::table_files);
        let written = files.map(|file| file.trim_start_matches("tables/").to_owned()).collect();
        remove_others(&out.join("tables"), &written, is_ours)
    }
}

/// The stimulus and each system's reconstruction of every pair; `None` without pairs or images.
fn sheet(table: &Table, pairs: &[PairLines], systems: &[&System]) -> Result<Option<ContactSheet>, Error> {
    if pairs.is_empty() || systems.is_empty() || !systems.iter().all(|system| system.views.has_images()) {
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
    let mut columns = vec!["stimulus".to_owned()];
    match systems {
        [_] => columns.push("reconstruction".to_owned()),
        _ => columns.extend(systems.iter().map(|system| system.name.clone())),
    }
    Ok(Some(ContactSheet {
        title: table.title.clone(),
        columns,
        rows: pairs.iter().map(row).collect::<Result<_, Error>>()?,
        caption: table.notes.join(" "),
    }))
}
