//! Words that a person or a model gives for an image: names of categories, and texts in images.

use super::Needs;
use super::files::{FileKind, known};
use crate::compute::content;
use crate::option_names::{VLM_EXAMPLE, VLM_URL};
use neurogauge_core::{CategoryNames, ObservationKind};
use neurogauge_formats::{FormatError, category_names};
use neurogauge_metrics::Metric;
use std::path::Path;

/// Names of categories, or texts in images.
pub(crate) struct WordKind<const ARE_TEXTS: bool>;

impl<const ARE_TEXTS: bool> FileKind for WordKind<ARE_TEXTS> {
    const KIND: ObservationKind = match ARE_TEXTS {
        true => ObservationKind::ImageTexts,
        false => ObservationKind::CategoryNames,
    };
    type Entry = Option<CategoryNames>;

    fn read(path: &Path) -> Result<Vec<(String, Self::Entry)>, FormatError> {
        match ARE_TEXTS {
            true => category_names::read_texts(path).map(known),
            false => category_names::read(path).map(known),
        }
    }

    fn needs(_metric: &Metric) -> Needs {
        let needs = Needs::of_file(<Self as FileKind>::KIND);
        let (files, to_give, options) = match ARE_TEXTS {
            true => (
                needs.files,
                format!("texts in the images of both sides, or a vision-language model ({VLM_URL})"),
                VLM_EXAMPLE,
            ),
            false => (
                needs.files.replacen(<Self as FileKind>::KIND.noun(), "names of categories", 1),
                "categories of both sides".to_owned(),
                " --observations observations/",
            ),
        };
        Needs {
            to_give: vec![to_give],
            options,
            ..Needs::of_files(files)
        }
    }

    fn content(words: &CategoryNames) -> Option<u64> {
        content(&words.0)
    }
}
