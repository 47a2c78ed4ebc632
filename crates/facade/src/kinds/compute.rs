//! Computes the metrics of a run, kind by kind.

use super::images::ImageKind;
use super::{ComparedKind, KINDS, captions};
use crate::Error;
use crate::compute::alike::neighbours_are_alike;
use crate::compute::{Computed, Context, composites, of_scores, sameness};
use crate::execute::FailedItem;
use neurogauge_core::Side;

/// Compares the images of the pairs that are in the shard of the settings: the only results that are kept
/// pair by pair. Returns the images that could not be read.
pub(crate) fn compare_images(context: &Context<'_>) -> Result<Vec<FailedItem>, Error> {
    // The process that finishes the run reads their warnings from the journal.
    let mut computed = Computed::of_inputs(context.dataset);
    ImageKind::compare(context, &mut computed)?;
    Ok(computed.unreadable)
}

/// Computes every selected metric. The scores have the order of the selection.
pub(crate) fn compute(context: &Context<'_>) -> Result<Computed, Error> {
    let mut computed = Computed::of_inputs(context.dataset);
    for kind in &KINDS {
        (kind.compare)(context, &mut computed)?;
    }
    composites::compute(context, &mut computed);
    let order: Vec<&str> = context.selection.metrics.iter().map(|selected| selected.metric.spec.id).collect();
    let place = |id: &String| order.iter().position(|known| known == id);
    computed.scores.columns.retain(|(id, _)| place(id).is_some());
    computed.scores.columns.sort_by_key(|(id, _)| place(id));
    // Detections and masks are looked at as they are compared.
    for side in Side::BOTH {
        for kind in KINDS.iter().filter(|kind| kind.kind.sides().contains(&side)) {
            let contents = (kind.contents)(context.dataset, side);
            computed.findings.extend(sameness(side, kind.kind.noun(), contents.into_iter()));
        }
    }
    let of_scores = of_scores(context, &computed, |place| captions::are_blank(context.dataset, place));
    computed.findings.extend(of_scores);
    let alike = neighbours_are_alike(&computed, context)?;
    computed.findings.extend(alike);
    if computed.details.iter().all(|pair| pair.metrics.is_empty()) {
        computed.details.clear();
    }
    Ok(computed)
}
