//! Captions: JSON in the forms of several programs, tables, or SEED's pickled `.npy`.

mod json_forms;
mod record;
mod table;

use crate::stem_listing::has_ending;
use crate::{AtPath, FormatError, Problem, json, npy, pickle};
use indexmap::IndexMap;
use indexmap::map::Entry;
use neurogauge_core::{Captions, natural_cmp};
use serde_json::Value;
use std::path::Path;

/// The expected content in messages, with the smallest examples.
const EXPECTED: &str = "captions: JSON such as {\"0001\": \"a dog on a beach\"}, or a table such as the lines \
                        \"image,caption\" and \"0001,a dog on a beach\"";

/// The captions of a file, and what it was taken for.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptionFile {
    /// By stem in natural order.
    pub captions: Vec<(String, Captions)>,
    /// The form of the file in a few words, such as "CSV columns image, caption"; empty for this program's own form and
    /// SEED's.
    pub form: String,
}

/// Reads the captions of one side, by stem in natural order; see [`read_described`].
pub fn read(path: &Path) -> Result<Vec<(String, Captions)>, FormatError> {
    Ok(read_described(path)?.captions)
}

/// Reads the captions of one side in one of these forms; a stimulus may have several, by different people.
///
/// - JSON by stem: `{"stem": "text"}` or `{"stem": ["text", "text"]}`, or a list, whose stems are "0", "1", ...;
/// - COCO's captions, `{"annotations": [{"image_id": 1, "caption": "text"}]}`, and results, such a list alone;
/// - JSON Lines, each with an image and a caption;
/// - a table (CSV, TSV, Parquet) with a column of images and one of captions; several lines of an image are several
///   captions;
/// - SEED's pickled dictionary (`.npy`).
///
/// Keys of JSON by stem are the stems; in other forms, images are called by their files, whose endings are removed. The
/// text is unchanged, except for spaces at the ends of a table's cells.
///
/// # Errors
/// Faults with their line and column (also a key that occurs twice, an empty list of captions, a caption that is not a
/// text); no captions; columns that cannot be told apart; two images with one stem; a forbidden or malformed pickle.
pub fn read_described(path: &Path) -> Result<CaptionFile, FormatError> {
    let (captions, form) = if has_ending(path, &["npy"]) {
        (by_image_name(path, &npy::read_pickled_dict(path)?)?, String::new())
    } else if has_ending(path, &["parquet"]) {
        table::read_parquet(path)?
    } else if has_ending(path, &["pkl", "pickle"]) {
        return Err(Problem::new(pickle::REFUSED).at(path));
    } else {
        let bytes = json::read_bytes(path, "captions as JSON, a table, or SEED's .npy")?;
        let is_json = has_ending(path, &["json", "jsonl", "ndjson"]);
        match bytes.trim_ascii_start().first() {
            Some(b'{') if json_forms::are_lines(&bytes) => json_forms::read_lines(path, &bytes)?,
            Some(b'{' | b'[') => json_forms::read(path, &bytes)?,
            _ if is_json => json_forms::read(path, &bytes)?,
            _ => table::read_text(path)?,
        }
    };
    let captions = json::by_stem(captions, format_args!("no caption in it; expected {EXPECTED}")).at(path)?;
    Ok(CaptionFile { captions, form })
}

/// Writes captions as JSON in the order given, a single caption as a string, several as a list; [`read`] returns the
/// same in natural order.
///
/// # Errors
/// The captions would be refused by [`read`] (a stem that occurs twice, a stem without a caption). Nothing is written
/// then.
pub fn write_json(path: &Path, captions: &[(String, Captions)]) -> Result<(), FormatError> {
    if let Some((stem, _)) = captions.iter().find(|(_, texts)| texts.0.is_empty()) {
        return Err(Problem::unexpected(format!("{stem:?}: no caption"), "at least one").at(path));
    }
    json::write_by_stem(path, captions, |texts| match texts.0.as_slice() {
        [single] => Value::from(single.as_str()),
        several => Value::from(several),
    })
}

/// The stem of an image file's name: the name without the ending of an image format. Other endings stay, since a stem
/// may contain a full stop.
pub(crate) fn stem_of_image_name(name: &str) -> &str {
    const ENDINGS: [&str; 9] = ["png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff", "gif", "ppm"];
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) => stem,
        _ => name,
    }
}

/// One caption for each stem of the image files that the entries name, in natural order.
pub(crate) fn by_image_name(path: &Path, entries: &[(String, String)]) -> Result<Vec<(String, Captions)>, FormatError> {
    let mut captions = grouped(path, entries.iter().map(|(name, text)| (name.clone(), vec![text.clone()])))?;
    captions.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    Ok(captions)
}

/// The captions of each image in the order of the first, by the stem of its file's name.
fn grouped(
    path: &Path,
    entries: impl IntoIterator<Item = (String, Vec<String>)>,
) -> Result<Vec<(String, Captions)>, FormatError> {
    let mut captions: IndexMap<String, (String, Vec<String>)> = IndexMap::new();
    for (name, texts) in entries {
        let stem = stem_of_image_name(&name).to_owned();
        match captions.entry(stem) {
            Entry::Occupied(mut found) if found.get().0 == name => found.get_mut().1.extend(texts),
            Entry::Occupied(found) => {
                return Err(Problem::duplicate_stem(found.key(), &found.get().0, &name).at(path));
            }
            Entry::Vacant(place) => drop(place.insert((name, texts))),
        }
    }
    Ok(captions.into_iter().map(|(stem, (_, texts))| (stem, Captions(texts))).collect())
}
