//! Drawn figures, and the `figures` folder that they are written to.

use crate::Error;
use neurogauge_core::Finding;
use neurogauge_formats::{IoResult, atomic_file};
use neurogauge_report::ReportError;
use neurogauge_report::figures::{FigureFormat, FigureOptions, FigureStyle, Picture};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

#[derive(Debug, Clone)]
pub struct NamedPicture {
    /// The name without ending.
    pub name: String,
    pub picture: Picture,
}

/// A figure of a result, or the reason why it cannot be drawn; `None` if the result has nothing to show in it.
pub type Drawn = Option<Result<Picture, ReportError>>;

/// The name of a figure, and the function that draws it.
pub type FigureOf<T> = (&'static str, fn(&T) -> Drawn);

#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Drawn figures, which are written in every requested format.
    pub pictures: Vec<NamedPicture>,
    /// Sheets of images, which are written as PNG, and as PDF if requested.
    pub sheets: Vec<NamedPicture>,
    /// A warning for each figure that could not be drawn.
    pub findings: Vec<Finding>,
}

impl Figures {
    /// The figures of a result that are not empty.
    pub fn of<T>(figures: &[FigureOf<T>], result: &T) -> Figures {
        let mut found = Figures::default();
        for (name, draw) in figures {
            if let Some(drawn) = draw(result) {
                found.add(*name, drawn);
            }
        }
        found
    }

    /// Adds a figure, or a warning that it could not be drawn. Returns whether it was drawn.
    pub fn add(&mut self, name: impl Into<String>, drawn: Result<Picture, ReportError>) -> bool {
        let name = name.into();
        match drawn {
            Ok(picture) => self.pictures.push(NamedPicture { name, picture }),
            Err(error) => return self.not_drawn(&name, &error.to_string()),
        }
        true
    }

    /// Adds a sheet of images, or a warning that it could not be drawn. Returns whether it was drawn.
    pub fn add_sheet(&mut self, name: String, drawn: Result<Picture, ReportError>) -> bool {
        match drawn {
            Ok(picture) => self.sheets.push(NamedPicture { name, picture }),
            Err(error) => return self.not_drawn(&name, &error.to_string()),
        }
        true
    }

    /// Warns that a figure could not be drawn, which is not an error, since the tables have its numbers.
    pub(crate) fn not_drawn(&mut self, name: &str, reason: &str) -> bool {
        let subject = format!("figure {name}");
        let warning = Finding::warning("figure_not_drawn", subject, reason);
        self.findings.push(warning);
        false
    }

    /// Writes all figures, and removes figures of an earlier result that this one does not have. `is_ours` decides by
    /// stem and ending whether a result can have written a file; other files are left alone. Returns a warning for each
    /// figure that does not fit into the requested width.
    pub(crate) fn write(
        &self,
        folder: &Path,
        options: &FigureOptions,
        is_ours: impl Fn(&str, &str) -> bool,
    ) -> Result<Vec<Finding>, Error> {
        let mut unfit = Figures::default();
        let mut written = HashSet::new();
        let mut write = |name: String, bytes: &[u8]| -> Result<(), Error> {
            atomic_file::write(&folder.join(&name), bytes)?;
            written.insert(name);
            Ok(())
        };
        for NamedPicture { name, picture } in &self.pictures {
            for format in &options.formats {
                match picture.file(*format, &options.style) {
                    Ok(bytes) => write(format!("{name}.{}", format.ending()), &bytes)?,
                    Err(error) => {
                        unfit.not_drawn(name, &error.to_string());
                        break;
                    }
                }
            }
        }
        for NamedPicture { name, picture } in &self.sheets {
            for format in sheet_formats(&options.formats) {
                // The width of columns applies to figures with letters; a sheet keeps its own width.
                match picture.file(format, &FigureStyle::default()) {
                    Ok(bytes) => write(format!("{name}.{}", format.ending()), &bytes)?,
                    Err(error) => {
                        unfit.not_drawn(name, &error.to_string());
                        break;
                    }
                }
            }
        }
        remove_others(folder, &written, is_ours)?;
        Ok(unfit.findings)
    }
}

/// The requested formats for sheets of images, without SVG: an SVG of many images is large and shows no more.
fn sheet_formats(requested: &[FigureFormat]) -> impl Iterator<Item = FigureFormat> {
    let has_pdf = requested.contains(&FigureFormat::Pdf);
    [FigureFormat::Png].into_iter().chain(has_pdf.then_some(FigureFormat::Pdf))
}

/// Can a sheet of images have this ending?
pub fn is_sheet(ending: &str) -> bool {
    sheet_formats(&FigureFormat::ALL).any(|format| format.ending() == ending)
}

pub fn is_drawn(ending: &str) -> bool {
    FigureFormat::of_ending(ending).is_some()
}

/// A number with two decimals, for a figure's note.
pub fn two_decimals(value: f64) -> String {
    // Adding 0 removes the sign of -0.
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    format!("{rounded:.2}").replace('-', "−")
}

/// A name in which everything except letters, digits, dots, hyphens and underscores becomes an underscore.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    name.chars().map(|c| if plain(c) { c } else { '_' }).take(80).collect()
}

/// Removes files of an earlier run that this one did not write. `is_ours` decides by stem and ending whether a run can
/// have written a file; other files are left alone. A missing folder is not an error.
///
/// # Errors
/// A file cannot be removed.
pub fn remove_others(
    folder: &Path,
    written: &HashSet<String>,
    is_ours: impl Fn(&str, &str) -> bool,
) -> Result<(), Error> {
    for name in own_files(folder, is_ours) {
        if !written.contains(&name) {
            let path = folder.join(name);
            fs::remove_file(&path).when("removing", &path)?;
        }
    }
    Ok(())
}

/// The files in a folder that a run can have written; `is_ours` decides by stem and ending.
pub(crate) fn own_files(folder: &Path, is_ours: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_ours = |name: &String| name.rsplit_once('.').is_some_and(|(stem, ending)| is_ours(stem, ending));
    names.filter(is_ours).collect()
}
