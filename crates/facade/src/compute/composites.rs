//! Metrics made of other metrics' outcomes.

use super::{Columns, Context, of_kind};
use crate::selection::Selection;
use neurogauge_core::Outcome;
use neurogauge_metrics::{Compute, parts_among};

pub(super) fn compute(selection: &Selection, context: &Context<'_>, columns: &mut Columns) {
    let composites = of_kind(selection, |compute| match compute {
        Compute::Scores { from, combine, .. } => Some((*from, *combine)),
        _ => None,
    });
    for (id, (from, combine)) in composites {
        let column = |part: &str| columns.iter().find(|(name, _)| *name == part);
        let parts: Vec<&Vec<Outcome>> = parts_among(from, |part| column(part).is_some())
            .into_iter()
            .filter_map(|part| Some(&column(part)?.1))
            .collect();
        let outcomes = (0..context.dataset.stems.len())
            .map(|index| {
                let row: Vec<&Outcome> = parts.iter().map(|part| &part[index]).collect();
                combine(&row, &context.request.options)
            })
            .collect();
        columns.push((id, outcomes));
    }
}
