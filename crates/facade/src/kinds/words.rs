//! Words that a person or a model gives for an image: names of categories, and texts in images.

use super::compared::compared;
use super::files::{FileKind, known};
use crate::Error;
use crate::compute::{Computed, Context, content};
use neurogauge_core::{CategoryNames, ObservationKind};
use neurogauge_formats::{FormatError, category_names};
use neurogauge_metrics::Compute;
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

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        let metrics = context.metrics(|compute| match (compute, ARE_TEXTS) {
            (Compute::CategoryNames(function), false) | (Compute::ImageTexts(function), true) => Some(*function),
            _ => None,
        });
        let options = &context.request.options;
        compared::<Self, _, _>(
            &metrics,
            context,
            computed,
            |function, words| function(words.gt, words.recon, options),
            |_, _| (),
        )?;
        Ok(())
    }

    fn content(words: &CategoryNames) -> Option<u64> {
        content(&words.0)
    }
}
