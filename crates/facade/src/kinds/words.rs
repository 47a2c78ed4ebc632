//! Words that a person or a model gives for an image: names of categories, and texts in images.

use super::ComparedKind;
use super::compared::compared;
use super::files::{FileKind, known};
use crate::Error;
use crate::compute::{Computed, Context, content};
use neurogauge_core::{CategoryNames, Explained, ObservationKind, Sides};
use neurogauge_formats::{FormatError, category_names};
use neurogauge_metrics::{Compute, MetricError, Options};
use std::path::Path;

pub(crate) struct CategoryNameKind;
pub(crate) struct ImageTextKind;

impl FileKind for CategoryNameKind {
    const KIND: ObservationKind = ObservationKind::CategoryNames;
    type Entry = Option<CategoryNames>;

    fn read(path: &Path) -> Result<Vec<(String, Self::Entry)>, FormatError> {
        category_names::read(path).map(known)
    }

    fn content(names: &CategoryNames) -> Option<u64> {
        content(&names.0)
    }
}

impl FileKind for ImageTextKind {
    const KIND: ObservationKind = ObservationKind::ImageTexts;
    type Entry = Option<CategoryNames>;

    fn read(path: &Path) -> Result<Vec<(String, Self::Entry)>, FormatError> {
        category_names::read_texts(path).map(known)
    }

    fn content(texts: &CategoryNames) -> Option<u64> {
        content(&texts.0)
    }
}

impl ComparedKind for CategoryNameKind {
    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        compare::<Self>(context, computed, |compute| match compute {
            Compute::CategoryNames(function) => Some(*function),
            _ => None,
        })
    }
}

impl ComparedKind for ImageTextKind {
    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        compare::<Self>(context, computed, |compute| match compute {
            Compute::ImageTexts(function) => Some(*function),
            _ => None,
        })
    }
}

type Function = fn(&CategoryNames, &CategoryNames, &Options) -> Result<Explained, MetricError>;

fn compare<K: FileKind<Entry = Option<CategoryNames>>>(
    context: &Context<'_>,
    computed: &mut Computed,
    function: impl Fn(&Compute) -> Option<Function>,
) -> Result<(), Error> {
    let (metrics, options) = (context.metrics(function), &context.request.options);
    let compare = |function: &Function, sides: &Sides<&CategoryNames>| function(sides.gt, sides.recon, options);
    compared::<K, _, _>(&metrics, context, computed, compare, |_, _| ())?;
    Ok(())
}
