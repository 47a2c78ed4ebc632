//! Writes any result as text and as files.

use super::keep;
use crate::Error;
use crate::figure_files::{self, Figures};
use neurogauge_core::Warning;
use neurogauge_formats::{atomic_file, json};
use neurogauge_report::figures::FigureOptions;
use neurogauge_report::{Format, LatexStyle, ResultTable, paragraph};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// The names of a result's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultFiles {
    /// The record's. It is written last, so where it is, all else is.
    pub record: &'static str,
    /// The tables', without ending.
    pub tables: &'static str,
    /// What tables are written as.
    pub formats: &'static [Format],
}

/// Between the paragraphs before the tables, which end in a line break.
fn between(format: Format) -> &'static str {
    match format {
        Format::Markdown => "\n",
        Format::Table | Format::Csv | Format::Json | Format::Latex(_) => "",
    }
}

/// What a command found. Implementors say what there is; printing and writing are the same for all.
pub trait Report {
    /// The names of its files.
    const FILES: ResultFiles;

    /// What its record is made of.
    type Record: Serialize;

    /// Everything that was found and all that it takes to find it again.
    fn record(&self) -> &Self::Record;

    /// What should be known about the numbers.
    fn warnings(&self) -> &[Warning];

    /// What was done, in a line.
    fn done(&self) -> String;

    /// The command that goes on from the result that was written into this folder.
    fn next(&self, _folder: &Path) -> Option<String> {
        None
    }

    /// The tables made for reading, as this format shows them.
    fn tables(&self, format: Format) -> Vec<ResultTable>;

    /// The answer to the question that was asked, and what its words mean: paragraphs before the tables that are read as text.
    fn opening(&self) -> Vec<String> {
        Vec::new()
    }

    /// Every figure in full precision, a line for each; of the tables where nothing else is said.
    fn full(&self) -> Option<ResultTable> {
        None
    }

    /// Draws the figures.
    ///
    /// # Errors
    /// Images that cannot be read. What cannot be drawn is a warning.
    fn figures(&self) -> Result<Figures, Error> {
        Ok(Figures::default())
    }

    /// Can a result of this kind have a figure of this name and ending?
    fn has_figure(_stem: &str, _ending: &str) -> bool {
        false
    }

    /// Writes the files for other programs, such as scores.
    ///
    /// # Errors
    /// Files that cannot be written.
    fn write_data(&self, _folder: &Path) -> Result<(), Error> {
        Ok(())
    }

    /// An error if the folder holds a finished result of this kind, of other inputs or options than this one's.
    ///
    /// # Errors
    /// [`Error::OtherRun`], with the difference in words.
    fn refuse_other(&self, folder: &Path) -> Result<(), Error> {
        match folder.join(Self::FILES.record).exists() {
            true => Self::refuse_other_than(&serde_json::json!(self.record()), folder),
            false => Ok(()),
        }
    }

    /// The same before anything is computed: `known` is what is known already of the record.
    ///
    /// # Errors
    /// [`Error::OtherRun`], with the difference in words.
    fn refuse_other_than(known: &serde_json::Value, folder: &Path) -> Result<(), Error> {
        keep::refuse_other(folder, Self::FILES.record, known)
    }

    /// Makes a finished result in the folder count as unfinished, so that another one may take its place.
    ///
    /// # Errors
    /// A record that cannot be removed.
    fn set_unfinished(folder: &Path) -> Result<(), Error> {
        Ok(keep::set_unfinished(folder, Self::FILES.record)?)
    }

    /// The content of the record's file.
    ///
    /// # Errors
    /// A record that is no JSON.
    fn json(&self) -> Result<String, Error> {
        let bytes = json::to_bytes(Path::new(Self::FILES.record), self.record())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The result as text; `width` is that of the terminal, for [`Format::Table`] alone.
    ///
    /// # Errors
    /// A table whose parts do not fit together.
    fn print(&self, format: Format, width: Option<usize>) -> Result<String, Error> {
        let tables = match (format, self.full()) {
            (Format::Json, _) => return self.json(),
            (Format::Csv, Some(full)) => vec![full],
            _ => self.tables(format),
        };
        let text = ResultTable::render_all(&tables, format, width)?;
        let opening = self.opening();
        let opening: Vec<String> = (opening.iter())
            .filter_map(|words| paragraph(words, format, width))
            .collect();
        Ok(match opening.is_empty() {
            true => text,
            false => format!(
                "{}
{text}",
                opening.join(between(format))
            ),
        })
    }

    /// Writes tables (those in LaTeX in this style), data and, last, the record.
    ///
    /// # Errors
    /// Files that cannot be written.
    fn write(&self, folder: &Path, latex: LatexStyle) -> Result<(), Error> {
        let files = Self::FILES;
        for format in files.formats {
            let name = format!("{}.{}", files.tables, format.ending());
            let text = self.print(format.styled(latex), None)?;
            atomic_file::write(&folder.join(name), text.as_bytes())?;
        }
        self.write_data(folder)?;
        atomic_file::write(&folder.join(files.record), self.json()?.as_bytes())?;
        Ok(())
    }

    /// Writes the figures into `folder/figures`, and says which could not be drawn.
    ///
    /// Figures of an earlier result that this one does not have are removed; other files are left alone.
    ///
    /// # Errors
    /// Files that cannot be written or removed.
    fn write_figures(&self, folder: &Path, options: &FigureOptions) -> Result<Vec<Warning>, Error> {
        self.draw_into(&folder.join("figures"), options)
    }

    /// The same into the folder itself.
    ///
    /// # Errors
    /// Files that cannot be written or removed.
    fn draw_into(&self, folder: &Path, options: &FigureOptions) -> Result<Vec<Warning>, Error> {
        let mut figures = self.figures()?;
        let unfit = figures.write(folder, options, Self::has_figure)?;
        figures.warnings.extend(unfit);
        Ok(figures.warnings)
    }

    /// Removes the figures of an earlier result: they would not show what the tables say.
    ///
    /// # Errors
    /// Files that cannot be removed.
    fn remove_figures(&self, folder: &Path) -> Result<(), Error> {
        figure_files::remove_others(&folder.join("figures"), &HashSet::new(), Self::has_figure)
    }
}
