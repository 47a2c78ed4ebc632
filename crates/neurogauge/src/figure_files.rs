//! Drawn figures, and the `figures` folder that they go to.

use crate::Error;
use neurogauge_core::Warning;
use neurogauge_formats::{FormatError, atomic_file};
use neurogauge_report::ReportError;
use neurogauge_report::figures::Picture;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// A figure and the name of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPicture {
    /// Without ending.
    pub name: String,
    /// The drawing.
    pub picture: Picture,
}

/// Those that could be drawn, and a warning for each of the others.
pub(crate) fn drawn(
    outcomes: impl IntoIterator<Item = (String, Result<Picture, ReportError>)>,
) -> (Vec<NamedPicture>, Vec<Warning>) {
    let (mut pictures, mut warnings) = (Vec::new(), Vec::new());
    for (name, outcome) in outcomes {
        match outcome {
            Ok(picture) => pictures.push(NamedPicture { name, picture }),
            Err(error) => warnings.push(not_drawn(&name, &error.to_string())),
        }
    }
    (pictures, warnings)
}

/// Numbers stand in the tables whether or not they can be drawn, so this stops nothing.
pub(crate) fn not_drawn(name: &str, reason: &str) -> Warning {
    Warning::new("figure_not_drawn", format!("figure {name}"), reason)
}

/// A value in a figure's note.
pub(crate) fn two_decimals(value: f64) -> String {
    // What rounds to zero has no sign.
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    format!("{rounded:.2}").replace('-', "−")
}

/// Letters, digits, dots, hyphens and underscores of a name; the rest become underscores.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let letters = name.chars().map(|c| if plain(c) { c } else { '_' });
    letters.take(80).collect()
}

/// Writes each picture as SVG and PNG and gives back the names of the files.
pub(crate) fn write(folder: &Path, pictures: &[NamedPicture]) -> Result<HashSet<String>, Error> {
    let mut written = HashSet::new();
    for NamedPicture { name, picture } in pictures {
        let files = [
            (format!("{name}.svg"), picture.svg.as_bytes()),
            (format!("{name}.png"), picture.png.as_slice()),
        ];
        for (name, bytes) in files {
            atomic_file::write(&folder.join(&name), bytes)?;
            written.insert(name);
        }
    }
    Ok(written)
}

/// Removes files of an earlier run that this one did not write. `is_ours` says by stem and ending which files a run
/// can have written; other files are left alone, as is a folder that is not there.
pub(crate) fn remove_others(
    folder: &Path,
    written: &HashSet<String>,
    is_ours: impl Fn(&str, &str) -> bool,
) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_ours = name
            .rsplit_once('.')
            .is_some_and(|(stem, ending)| is_ours(stem, ending));
        if is_ours && !written.contains(&name) {
            let path = entry.path();
            fs::remove_file(&path).map_err(|source| FormatError::Io {
                path,
                action: "removing",
                source,
            })?;
        }
    }
    Ok(())
}
