//! Metrics of a model's answers about a reconstruction and the caption of its stimulus.

use super::{Columns, Context, of_kind};
use crate::selection::Selection;
use neurogauge_metrics::Compute;

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Columns {
    let metrics = of_kind(selection, |compute| match compute {
        Compute::VqaScores(function) => Some(*function),
        _ => None,
    });
    let scores = context.dataset.vqa_scores.iter();
    let columns = scores.flat_map(|scores| {
        let of = |function: fn(Option<f64>) -> _| scores.iter().map(|(_, yes)| function(*yes)).collect();
        metrics.iter().map(move |(id, function)| (*id, of(*function)))
    });
    columns.collect()
}
