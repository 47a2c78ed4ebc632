//! Metrics that combine other metrics' outcomes.

use super::{Computed, Context};
use neurogauge_core::Outcome;
use neurogauge_metrics::{Compute, parts_among};

pub(crate) fn compute(context: &Context<'_>, computed: &mut Computed) {
    let composites = context.metrics(|compute| match compute {
        Compute::Scores { from, combine, .. } => Some((*from, *combine)),
        _ => None,
    });
    for (id, (from, combine)) in composites {
        let scores = &computed.scores;
        let parts = parts_among(from, |part| scores.column(part).is_some()).into_iter();
        let parts: Vec<&[Outcome]> = parts.filter_map(|part| scores.column(part)).collect();
        let outcome = |pair: usize| {
            let row: Vec<&Outcome> = parts.iter().map(|part| &part[pair]).collect();
            combine(&row, &context.request.options)
        };
        let outcomes = (0..scores.pairs.len()).map(outcome).collect();
        computed.add_column(id, outcomes);
    }
}
