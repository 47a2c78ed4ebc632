//! Finds names for the arrays, which have none.

use super::order;
use crate::captions::{by_image_name, stem_of_image_name};
use crate::{FormatError, Problem, npy};
use neurogauge_core::{Captions, natural_cmp};
use std::path::Path;

/// A caption file, the only part of the layout that contains the names of the image files.
pub(super) struct CaptionedNames {
    /// Image file names with their captions, in the order of the file.
    pub(super) entries: Vec<(String, String)>,
    /// The captions by stem, in natural order.
    pub(super) captions: Vec<(String, Captions)>,
}

impl CaptionedNames {
    pub(super) fn read(folder: &Path, file: &str) -> Result<Option<Self>, FormatError> {
        let path = folder.join(file);
        if !path.is_file() {
            return Ok(None);
        }
        let entries = npy::read_pickled_dict(&path)?;
        let captions = by_image_name(&path, &entries)?;
        Ok(Some(CaptionedNames { entries, captions }))
    }

    pub(super) fn file_names(&self) -> Vec<String> {
        self.entries.iter().map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn sorted_stems(&self) -> Vec<&str> {
        order::by_text(&self.file_names())
            .iter()
            .map(|&index| stem_of_image_name(&self.entries[index].0))
            .collect()
    }
}

/// The values of an array in the order of the image file names, by stem.
pub(super) fn by_name(
    path: &Path,
    names: &[String],
    values: &[f64],
    what: &str,
) -> Result<Vec<(String, f64)>, FormatError> {
    let stems: Vec<String> = names.iter().map(|name| stem_of_image_name(name).to_owned()).collect();
    by_stem(path, &stems, &order::by_text(names), values, what)
}

/// The values of an array whose value i belongs to the stem at `order[i]`, by stem in natural
/// order.
pub(super) fn by_stem(
    path: &Path,
    stems: &[String],
    order: &[usize],
    values: &[f64],
    what: &str,
) -> Result<Vec<(String, f64)>, FormatError> {
    if values.len() != stems.len() {
        let expected = format!("({},), one value for each of the {what}", stems.len());
        return Err(Problem::shape(vec![values.len() as u64], expected).at(path));
    }
    let mut pairs: Vec<(String, f64)> =
        order.iter().zip(values).map(|(&index, &value)| (stems[index].clone(), value)).collect();
    pairs.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    Ok(pairs)
}
