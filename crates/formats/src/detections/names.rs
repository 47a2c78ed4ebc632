//! The names of the labels in a file.

use super::found_objects::{FoundObjects, Label};
use crate::{AtPath, FormatError, Problem};
use neurogauge_core::LabelList;
use neurogauge_core::option_words::option;
use std::path::Path;

/// The labels of a file, with names for its numbers if the file, or the recipe in its folder, has them.
pub(super) struct LabelNames<'a> {
    file: &'a FoundObjects<'a>,
    of_numbers: Option<Vec<(i64, String)>>,
}

impl<'a> LabelNames<'a> {
    /// The names for a file; `beside` are those of the folder, or of all images of a file.
    pub(super) fn of(file: &'a FoundObjects<'a>, beside: Option<&[(i64, String)]>) -> Self {
        let beside = || beside.map(<[(i64, String)]>::to_vec);
        LabelNames {
            file,
            of_numbers: file.names_of_numbers().or_else(beside),
        }
    }

    /// The names of the numbers, in the order of the file.
    pub(super) fn of_numbers(&self) -> Option<Vec<String>> {
        Some(self.of_numbers.as_ref()?.iter().map(|(_, name)| name.clone()).collect())
    }

    /// The name of the label at `index`, or its number if it has no name.
    pub(super) fn name(&self, index: usize) -> Result<&str, i64> {
        let names = self.file.label_names.as_ref();
        if let Some(name) = names.and_then(|names| names.get(index)) {
            return Ok(name);
        }
        match &self.file.labels[index] {
            Label::Name(name) => Ok(name),
            Label::Index(number) => {
                let mut names = self.of_numbers.iter().flatten();
                names.find(|(known, _)| known == number).map(|(_, name)| name.as_str()).ok_or(*number)
            }
        }
    }

    /// The position in the list of the label at `index`.
    pub(super) fn category(&self, path: &Path, index: usize, list: &LabelList) -> Result<usize, FormatError> {
        let number = match self.name(index) {
            Ok(name) => {
                let same_place = match self.file.labels[index] {
                    // A list may contain a name twice.
                    Label::Index(number) => usize::try_from(number).ok(),
                    Label::Name(_) => None,
                };
                let same_place = same_place.filter(|&place| {
                    let known = list.names().get(place);
                    known.is_some_and(|known| list.index_of(name) == list.index_of(known))
                });
                let found = same_place.or_else(|| list.index_of(name));
                return found
                    .ok_or_else(|| Problem::unknown_label(format!("labels[{index}]"), name, list.id()).at(path));
            }
            Err(number) => number,
        };
        let (id, n_labels) = match &self.of_numbers {
            Some(names) => ("names in the file", names.len()),
            None => (list.id(), list.names().len()),
        };
        let place = usize::try_from(number).ok();
        let place = place.filter(|&place| self.of_numbers.is_none() && place < n_labels);
        let last = n_labels.saturating_sub(1);
        let faulty = || {
            let choose = option("labels", "");
            format!(
                "labels[{index}] is {number}, but the label list {id:?} has {n_labels} names (0 to {last}); choose another with {choose}"
            )
        };
        place.ok_or_else(|| Problem::new(faulty())).at(path)
    }
}
