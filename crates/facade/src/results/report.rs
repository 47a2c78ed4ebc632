//! Writes any result as text and as files.

use super::keep;
use crate::Error;
use crate::figure_files::{self, Figures};
use neurogauge_core::Finding;
use neurogauge_formats::content_hash::{self, Hashes};
use neurogauge_formats::{atomic_file, json};
use neurogauge_report::figures::FigureOptions;
use neurogauge_report::{Format, LatexStyle, Table, paragraph};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultFiles {
    /// The record. It is written last, so if it exists, all other files do.
    pub record: &'static str,
    pub tables: &'static str,
    pub formats: &'static [Format],
}

impl ResultFiles {
    pub const fn of(record: &'static str, tables: &'static str, formats: &'static [Format]) -> Self {
        ResultFiles {
            record,
            tables,
            formats,
        }
    }
}

#[derive(Serialize)]
struct WithOutputs<'a, R> {
    #[serde(flatten)]
    record: &'a R,
    outputs: Hashes,
}

/// The separator between the paragraphs before the tables, which end with a line break.
fn between(format: Format) -> &'static str {
    match format {
        Format::Markdown => "\n",
        Format::Table | Format::Csv | Format::Json | Format::Latex(_) => "",
    }
}

/// The result of a command. Implementations supply the content; printing and writing are the same for all.
pub trait Report {
    const FILES: ResultFiles;

    /// Number of tables that a terminal shows, the first ones; files have all.
    const SHOWN: usize = usize::MAX;

    type Record: Serialize;

    /// All results, with everything that is needed to repeat them.
    fn record(&self) -> &Self::Record;

    fn findings(&self) -> &[Finding] {
        &[]
    }

    fn done(&self) -> String;

    /// The command to run next on the result in this folder.
    fn next(&self, _folder: &Path) -> Option<String> {
        None
    }

    /// The readable tables in this format; none if the result implements [`print`](Self::print) itself.
    fn tables(&self, _format: Format) -> Vec<Table> {
        Vec::new()
    }

    /// The same number for this result.
    fn n_shown(&self) -> usize {
        Self::SHOWN
    }

    /// What a command prints; files have all tables.
    fn shown(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        self.print(format, width)
    }

    /// Paragraphs before the tables in text formats: the answer to the user's question, and the meaning of its terms.
    fn opening(&self) -> Vec<String> {
        Vec::new()
    }

    /// Every number in full precision, one line each; by default the content of the tables.
    fn full(&self) -> Option<Table> {
        None
    }

    /// Draws the figures. One that cannot be drawn is only a warning.
    fn figures(&self) -> Result<Figures, Error> {
        Ok(Figures::default())
    }

    /// Can a result of this kind have a figure with this name and ending?
    fn has_figure(_stem: &str, _ending: &str) -> bool {
        false
    }

    /// The files that [`write_data`](Self::write_data) can write, in the result's folder.
    fn data(&self) -> Vec<String> {
        Vec::new()
    }

    /// Writes the files for other programs, such as scores.
    fn write_data(&self, _folder: &Path) -> Result<(), Error> {
        Ok(())
    }

    /// Fails if the folder holds a finished result of this kind with other inputs or options.
    ///
    /// # Errors
    /// [`Error::OtherRun`], with the difference in words.
    fn refuse_other(&self, folder: &Path) -> Result<(), Error> {
        match folder.join(Self::FILES.record).exists() {
            true => Self::refuse_other_than(&serde_json::json!(self.record()), folder),
            false => Ok(()),
        }
    }

    /// Checks the same before anything is computed; `known` is the known part of the record.
    ///
    /// # Errors
    /// [`Error::OtherRun`], with the difference in words.
    fn refuse_other_than(known: &serde_json::Value, folder: &Path) -> Result<(), Error> {
        keep::refuse_other(folder, Self::FILES.record, known)
    }

    /// Marks a finished result in the folder as unfinished, so that it may be replaced.
    fn set_unfinished(folder: &Path) -> Result<(), Error> {
        Ok(keep::set_unfinished(folder, Self::FILES.record)?)
    }

    /// The content of the record's file.
    fn json(&self) -> Result<String, Error> {
        let bytes = json::to_bytes(Path::new(Self::FILES.record), self.record())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The result as text; `width` is the terminal's width, for [`Format::Table`] only.
    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        let tables = match (format, self.full()) {
            (Format::Json, _) => return self.json(),
            (Format::Csv, Some(full)) => vec![full],
            _ => self.tables(format),
        };
        let text = Table::render_all(&tables, format, width);
        let opening = self.opening();
        let opening: Vec<String> = (opening.iter()).filter_map(|words| paragraph(words, format, width)).collect();
        Ok(match opening.is_empty() {
            true => text,
            false => format!(
                "{}
{text}",
                opening.join(between(format))
            ),
        })
    }

    /// Writes the tables (in LaTeX with this style), the data and, last, the record with the SHA-256 of each other
    /// file. Figures must be written earlier.
    fn write(&self, folder: &Path, latex: LatexStyle) -> Result<(), Error> {
        self.write_files(folder, latex)?;
        let record = WithOutputs {
            record: self.record(),
            outputs: self.outputs(folder)?,
        };
        Ok(json::write(&folder.join(Self::FILES.record), &record)?)
    }

    /// Writes the tables and the data, but no record.
    fn write_files(&self, folder: &Path, latex: LatexStyle) -> Result<(), Error> {
        let files = Self::FILES;
        for format in files.formats {
            let name = format!("{}.{}", files.tables, format.ending());
            atomic_file::write(&folder.join(name), self.print(format.styled(latex), None)?.as_bytes())?;
        }
        self.write_data(folder)
    }

    /// SHA-256 of the tables, data and figures in the folder.
    fn outputs(&self, folder: &Path) -> Result<Hashes, Error> {
        let ResultFiles { tables, formats, .. } = Self::FILES;
        let tables = formats.iter().map(|format| format!("{tables}.{}", format.ending()));
        let figures = figure_files::own_files(&folder.join("figures"), Self::has_figure);
        let figures = figures.into_iter().map(|name| format!("figures/{name}"));
        let there = tables.chain(self.data()).chain(figures).filter(|name| folder.join(name).exists());
        there.map(|name| Ok((name.clone(), content_hash::of_file(&folder.join(name))?))).collect()
    }

    /// Writes the figures into `folder/figures`, and returns a warning for each that could not be drawn.
    ///
    /// Removes figures of an earlier result that this one does not have; other files are left alone.
    fn write_figures(&self, folder: &Path, options: &FigureOptions) -> Result<Vec<Finding>, Error> {
        self.draw_into(&folder.join("figures"), options)
    }

    /// Writes the figures into the folder itself.
    fn draw_into(&self, folder: &Path, options: &FigureOptions) -> Result<Vec<Finding>, Error> {
        let mut figures = self.figures()?;
        let unfit = figures.write(folder, options, Self::has_figure)?;
        figures.findings.extend(unfit);
        Ok(figures.findings)
    }

    /// Removes what an earlier result of this kind left in the folder: its record, tables and figures.
    fn remove(folder: &Path) -> Result<(), Error> {
        let files = Self::FILES;
        Self::set_unfinished(folder)?;
        for format in files.formats {
            let name = format!("{}.{}", files.tables, format.ending());
            keep::remove(&folder.join(name))?;
        }
        figure_files::remove_others(&folder.join("figures"), &HashSet::new(), Self::has_figure)
    }

    /// Removes the figures of an earlier result, which would not match the tables.
    fn remove_figures(&self, folder: &Path) -> Result<(), Error> {
        figure_files::remove_others(&folder.join("figures"), &HashSet::new(), Self::has_figure)
    }
}
