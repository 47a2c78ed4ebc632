//! Reads the files of another command's result: tables, figures and sheets of images.

use crate::html;
use crate::jpeg::as_jpeg;
use itertools::Itertools;
use maud::Markup;
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::{Problem, content_hash};
use std::path::{Path, PathBuf};

/// The page's letters (16 px) over those of figures (12 px), somewhat less for their numbers and captions.
const LETTERS: f64 = 1.25;
/// Larger figures are left out, bytes.
const MOST_FIGURE_BYTES: u64 = 2_000_000;

pub(crate) fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// A file of tables that the command wrote; the other files of the result are also the command's own.
pub(super) fn tables_of(command: &str, folder: &Path) -> Result<String, Error> {
    let path = folder.join(format!("{command}.md"));
    let text = std::fs::read_to_string(&path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => {
            Problem::not_found(format!("a folder that `neurogauge {command}` wrote")).at(path)
        }
        _ => Problem::Io("reading", source).at(path),
    })?;
    content_hash::verify_outputs(&folder.join(format!("{command}.json")))?;
    Ok(text)
}

/// A figure from a file; empty, with a warning, if it is too large or cannot be read.
pub(super) fn figure(path: &Path, about: &str, findings: &mut Vec<Finding>) -> Markup {
    let shown = match std::fs::metadata(path) {
        Ok(facts) if facts.len() > MOST_FIGURE_BYTES => Err(format!("not shown, since it has {} bytes", facts.len())),
        _ => std::fs::read_to_string(path).map_err(|error| format!("not shown: {error}")),
    };
    match shown {
        Ok(svg) => html::figure("image/svg+xml", svg.as_bytes(), about, width_px(&svg)),
        Err(why) => {
            let subject = path.display().to_string();
            findings.push(Finding::warning("figure_not_shown", subject, why));
            Markup::default()
        }
    }
}

/// A sheet of images, as JPEG; empty if it cannot be read.
pub(super) fn sheet(path: &Path, about: &str) -> Markup {
    let jpeg = std::fs::read(path).ok().and_then(|png| as_jpeg(&png));
    jpeg.map_or_else(Markup::default, |jpeg| html::figure("image/jpeg", &jpeg, about, None))
}

/// The width at which letters of a figure are as large as those of the page.
fn width_px(svg: &str) -> Option<u32> {
    let (_, rest) = svg.split_once("<svg width=\"")?;
    let width: f64 = rest.split_once('"')?.0.parse().ok()?;
    Some((LETTERS * width).round() as u32)
}

/// The files of a folder with this extension, sorted by name.
pub(super) fn drawn(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|known| known == ending)).sorted().collect()
}
