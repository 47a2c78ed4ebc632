//! Metrics of the words of captions.

use super::captions::texts_of_pairs;
use super::{Columns, Context};
use crate::Error;
use crate::caption_words::{CaptionTools, ReferencesAndCaption};
use crate::selection::{MetricSource, Selection};
use neurogauge_core::{Input, Outcome};
use neurogauge_metrics::Compute;

/// Columns of scores, and of what each pair adds to the value of a system where that is of all captions together.
pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<(Columns, Columns), Error> {
    let (mut columns, mut shares) = (Columns::new(), Columns::new());
    let Some(captions) = &context.dataset.captions else {
        return Ok((columns, shares));
    };
    let tools = CaptionTools::new(
        context.dataset.wordnet.as_ref(),
        context.request.options.rouge_stemming,
        context.request.inputs.get(Input::Punkt),
    )?;
    let texts = texts_of_pairs(captions);
    let given: Vec<ReferencesAndCaption<'_>> = texts.iter().flatten().cloned().collect();
    let is_known: Vec<bool> = texts.iter().map(Result::is_ok).collect();
    let documents: Option<Vec<bool>> = context.items.map(|items| {
        let references = texts.iter().map(|text| text.as_ref().ok().map(|(of, _)| of));
        of_known(&is_known, items.parts.first_with(references))
    });
    let of_pairs = |found: Vec<Outcome>| -> Vec<Outcome> {
        let mut found = found.into_iter();
        let of_pair = |text: &Result<_, _>| match text {
            Ok(_) => found.next(),
            Err(reason) => Some(Err(Clone::clone(reason))),
        };
        texts.iter().filter_map(of_pair).collect()
    };
    for selected in &selection.metrics {
        let is_of_words = matches!(selected.metric.compute, Compute::CaptionWords { .. });
        if !is_of_words || selected.source != MetricSource::Compared {
            continue;
        }
        let id = selected.metric.spec.id;
        let weights = |scores: &[Outcome]| {
            let weights = context.items?.weights_of_pairs(id, &of_pairs(scores.to_vec()));
            Some(of_known(&is_known, weights))
        };
        let (scores, of_all) = tools.scores_and_shares(selected.metric, &given, documents.as_deref(), weights);
        columns.push((id, of_pairs(scores)));
        shares.extend(of_all.map(|of_all| (id, of_pairs(of_all))));
    }
    Ok((columns, shares))
}

/// What the pairs with captions on both sides have.
fn of_known<T>(is_known: &[bool], of_pairs: Vec<T>) -> Vec<T> {
    let known = of_pairs.into_iter().zip(is_known);
    known.filter_map(|(found, is_known)| is_known.then_some(found)).collect()
}
