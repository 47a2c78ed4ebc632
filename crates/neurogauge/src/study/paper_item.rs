//! A table or figure of the study, and its files.

use super::scoring::System;
use crate::{Error, figure_files};
use neurogauge_core::Warning;
use neurogauge_formats::atomic_file;
use neurogauge_report::figures::{ContactSheet, Picture, SheetRow};
use neurogauge_report::{Format, ReportError, ResultTable, TextTable};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// What each table is written as.
const TABLE_FORMATS: [Format; 3] = [Format::Markdown, Format::Latex, Format::Csv];

/// A table, a figure, or a figure with its numbers.
#[derive(Debug)]
pub struct PaperItem {
    /// What it is in the paper, such as `Table 1`.
    pub paper: &'static str,
    /// Name of its files, without ending.
    pub name: String,
    /// The system or systems that it is about.
    pub about: String,
    /// Its numbers.
    pub table: Option<ResultTable>,
    /// Its picture.
    pub picture: Option<PaperPicture>,
}

/// The picture of a [`PaperItem`].
#[derive(Debug)]
pub enum PaperPicture {
    /// As SVG and PNG.
    Drawn(Picture),
    /// Of images, as PNG.
    Images(Vec<u8>),
}

/// What the paper has and this study does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// What it is in the paper, such as `Table 1`.
    pub paper: &'static str,
    /// The system or systems it would be about; empty for all.
    pub about: String,
    /// What would bring it.
    pub needs: String,
}

impl PaperItem {
    /// Its files, below the study's folder.
    pub fn files(&self) -> Vec<String> {
        let name = &self.name;
        let of_table = TABLE_FORMATS.map(|format| format!("tables/{name}.{}", format.ending()));
        let mut files = Vec::new();
        if self.table.is_some() {
            files.extend(of_table);
        }
        match &self.picture {
            Some(PaperPicture::Drawn(_)) => {
                files.extend(["svg", "png"].map(|ending| format!("figures/{name}.{ending}")));
            }
            Some(PaperPicture::Images(_)) => files.push(format!("figures/{name}.png")),
            None => {}
        }
        files
    }

    fn write(&self, out: &Path) -> Result<(), Error> {
        let write = |file: &str, bytes: &[u8]| atomic_file::write(&out.join(file), bytes);
        let name = &self.name;
        if let Some(table) = &self.table {
            for format in TABLE_FORMATS {
                let text = table.render(format, None)?;
                write(
                    &format!("tables/{name}.{}", format.ending()),
                    text.as_bytes(),
                )?;
            }
        }
        match &self.picture {
            Some(PaperPicture::Drawn(picture)) => {
                write(&format!("figures/{name}.svg"), picture.svg.as_bytes())?;
                write(&format!("figures/{name}.png"), &picture.png)?;
            }
            Some(PaperPicture::Images(png)) => write(&format!("figures/{name}.png"), png)?,
            None => {}
        }
        Ok(())
    }
}

/// Writes all of them, and removes those that an earlier study left in the folder.
pub(super) fn write_all(paper_items: &[PaperItem], out: &Path) -> Result<(), Error> {
    for paper_item in paper_items {
        paper_item.write(out)?;
    }
    for folder in ["tables", "figures"] {
        let files = paper_items.iter().flat_map(PaperItem::files);
        let written: HashSet<String> = files
            .filter_map(|file| {
                Some(
                    file.strip_prefix(folder)?
                        .trim_start_matches('/')
                        .to_owned(),
                )
            })
            .collect();
        figure_files::remove_others(&out.join(folder), &written, |stem, ending| {
            let is_ours = stem.starts_with("table") || stem.starts_with("figure");
            is_ours && ["md", "tex", "csv", "svg", "png"].contains(&ending)
        })?;
    }
    Ok(())
}

/// What is shown and what is not.
#[derive(Debug, Default)]
pub(super) struct PaperItems {
    pub(super) shown: Vec<PaperItem>,
    pub(super) absent: Vec<Absent>,
    pub(super) warnings: Vec<Warning>,
}

impl PaperItems {
    pub(super) fn absent(&mut self, paper: &'static str, about: &str, needs: impl Into<String>) {
        self.absent.push(Absent {
            paper,
            about: about.to_owned(),
            needs: needs.into(),
        });
    }

    /// Adds a table with its figure of images of both sides, a row of them for each of `rows`, captioned by the table's
    /// notes. Where there are no images, the figure is named as absent.
    pub(super) fn add_with_images(
        &mut self,
        paper: &'static str,
        name: String,
        system: &System,
        table: TextTable,
        rows: Vec<SheetRow>,
    ) {
        let picture = if system.views.has_images() {
            let sheet = ContactSheet {
                title: table.title.clone(),
                columns: ["stimulus", "reconstruction"].map(str::to_owned).to_vec(),
                rows,
                caption: table.notes.join(" "),
            };
            self.drawn(&name, sheet.draw_png(), PaperPicture::Images)
        } else {
            let needs = "images of both sides, for the picture beside the table";
            self.absent(paper, &system.name, needs);
            None
        };
        self.add(paper, name, &system.name, table, picture);
    }

    /// Adds a table, with a picture if there is one.
    pub(super) fn add(
        &mut self,
        paper: &'static str,
        name: String,
        about: &str,
        table: impl Into<ResultTable>,
        picture: Option<PaperPicture>,
    ) {
        self.shown.push(PaperItem {
            paper,
            name,
            about: about.to_owned(),
            table: Some(table.into()),
            picture,
        });
    }

    /// The picture, or a warning in its place: numbers stand in the tables whether or not they can be drawn.
    pub(super) fn drawn<T>(
        &mut self,
        name: &str,
        drawn: Result<T, ReportError>,
        wrap: impl Fn(T) -> PaperPicture,
    ) -> Option<PaperPicture> {
        match drawn {
            Ok(picture) => Some(wrap(picture)),
            Err(error) => {
                let warning = figure_files::not_drawn(name, &error.to_string());
                self.warnings.push(warning);
                None
            }
        }
    }
}
