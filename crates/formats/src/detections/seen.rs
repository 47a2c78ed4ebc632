//! Facts about the labels and boxes in files of detections, before they are compared.

use super::found_objects::FoundObjects;
use super::names::LabelNames;
use crate::{FormatError, Problem};
use neurogauge_core::option_words::option;
use neurogauge_core::{LabelList, NAMES_SHOWN};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The labels and the range of the boxes of files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// The names of numbers, in their order in the first file that has them; then those that only other files have.
    pub names_of_numbers: Option<Vec<String>>,
    /// Number of objects for each number without a name.
    pub numbers: BTreeMap<i64, usize>,
    /// Does any object have a named label?
    pub has_names: bool,
    /// The first file that contains a number without a name.
    pub unnamed: Option<PathBuf>,
    pub(super) n_boxes: usize,
    range: Option<(f64, f64)>,
}

impl Seen {
    pub(super) fn of_file(path: &Path, file: &FoundObjects<'_>, beside: Option<&[(i64, String)]>) -> Self {
        let names = LabelNames::of(file, beside);
        let mut seen = Seen {
            names_of_numbers: names.of_numbers(),
            n_boxes: file.bboxes.len(),
            ..Seen::default()
        };
        for index in 0..file.labels.len() {
            match names.name(index) {
                Ok(_) => seen.has_names = true,
                Err(number) => *seen.numbers.entry(number).or_default() += 1,
            }
        }
        seen.unnamed = (!seen.numbers.is_empty()).then(|| path.to_owned());
        let edges = file.bboxes.iter().flat_map(|bbox| bbox.0);
        seen.range = edges.map(|edge| (edge, edge)).reduce(wider);
        seen
    }

    /// Facts about boxes by names that are looked up in a list.
    pub(super) fn of_names(names: &[String]) -> Self {
        Seen {
            names_of_numbers: Some(names.to_vec()),
            ..Seen::default()
        }
    }

    #[must_use]
    pub fn and(mut self, other: Seen) -> Seen {
        for (number, n) in other.numbers {
            *self.numbers.entry(number).or_default() += n;
        }
        Seen {
            names_of_numbers: match (self.names_of_numbers, other.names_of_numbers) {
                (Some(mut names), Some(others)) if names != others => {
                    let more: Vec<String> = others.into_iter().filter(|name| !names.contains(name)).collect();
                    names.extend(more);
                    Some(names)
                }
                (names, others) => names.or(others),
            },
            numbers: self.numbers,
            has_names: self.has_names || other.has_names,
            unnamed: self.unnamed.or(other.unnamed),
            n_boxes: self.n_boxes + other.n_boxes,
            range: self.range.into_iter().chain(other.range).reduce(wider),
        }
    }

    /// The lowest and the highest coordinate.
    pub fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// The numbers without names with their numbers of objects, the most frequent first.
    fn by_frequency(&self) -> Vec<(i64, usize)> {
        let mut numbers: Vec<(i64, usize)> = self.numbers.clone().into_iter().collect();
        numbers.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        numbers
    }

    /// The most frequent numbers without names, formatted by `show`, with the number of their objects.
    pub fn most_frequent(&self, show: &dyn Fn(i64) -> String) -> String {
        let numbers = self.by_frequency().into_iter().take(NAMES_SHOWN);
        numbers.map(|(label, n)| format!("{} ({n})", show(label))).collect::<Vec<_>>().join(", ")
    }

    /// Refuses numbers without names.
    ///
    /// # Errors
    /// The first file with such a number, the meaning of the numbers in the built-in lists, and the option that
    /// decides.
    pub fn refuse_unnamed(&self) -> Result<(), FormatError> {
        let Some(path) = &self.unnamed else {
            return Ok(());
        };
        let reason = format!(
            "numbers without names, most often {}; expected {}, which says what they mean: {}, or a file of names",
            self.most_frequent(&|label| label.to_string()),
            option("labels", "LIST"),
            self.in_lists()
        );
        Err(Problem::invalid("labels", reason).at(path))
    }

    /// The meaning of 0 and of the most frequent numbers in each built-in list.
    fn in_lists(&self) -> String {
        let frequent = self.by_frequency().into_iter().filter_map(|(label, _)| usize::try_from(label).ok());
        let frequent = frequent.filter(|label| *label != 0).take(NAMES_SHOWN - 1);
        let shown: Vec<usize> = [0].into_iter().chain(frequent).collect();
        let of_list = |list: LabelList| {
            let names = shown.iter().map(|&label| match list.names().get(label) {
                Some(name) => format!("{label} {name}"),
                None => format!("{label} none"),
            });
            format!("{} ({})", list.id(), names.collect::<Vec<_>>().join(", "))
        };
        LabelList::all_builtin().map(of_list).join(", ")
    }
}

fn wider(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}
