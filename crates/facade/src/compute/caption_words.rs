//! Metrics of the words of captions.

use super::captions::texts_of_pairs;
use super::{Columns, Context};
use crate::Error;
use crate::caption_words::{CaptionTools, ReferencesAndCaption};
use crate::selection::{MetricSource, Selection};
use neurogauge_core::{Input, Outcome};
use neurogauge_metrics::Compute;

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let mut columns = Columns::new();
    let Some(captions) = &context.dataset.captions else {
        return Ok(columns);
    };
    let tools = CaptionTools::new(
        context.dataset.wordnet.as_ref(),
        context.request.options.rouge_stemming,
        context.request.inputs.get(Input::Punkt),
    )?;
    let texts = texts_of_pairs(captions);
    let given: Vec<ReferencesAndCaption<'_>> = texts.iter().flatten().cloned().collect();
    for selected in &selection.metrics {
        let is_of_words = matches!(selected.metric.compute, Compute::CaptionWords { .. });
        if !is_of_words || selected.source != MetricSource::Compared {
            continue;
        }
        let mut scores = tools.scores(selected.metric, &given).into_iter();
        let of_pair = |text: &Result<_, _>| match text {
            Ok(_) => scores.next(),
            Err(reason) => Some(Err(Clone::clone(reason))),
        };
        let column: Vec<Outcome> = texts.iter().filter_map(of_pair).collect();
        columns.push((selected.metric.spec.id, column));
    }
    Ok(columns)
}
