//! Metrics of the words of captions.

use super::captions::Texts;
use crate::Error;
use crate::caption_words::{CaptionTools, ReferencesAndCaption};
use crate::compute::{Computed, Context};
use neurogauge_core::{Input, Outcome};
use neurogauge_metrics::Compute;

/// Computes scores, and what each pair adds to the value of a system where that is of all captions together.
pub(super) fn compute(texts: &[Texts<'_>], context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let tools = CaptionTools::new(
        context.dataset.resources.wordnet.as_ref(),
        context.request.options.rouge_stemming,
        context.request.inputs.get(Input::Punkt),
    )?;
    let given: Vec<ReferencesAndCaption<'_>> = texts.iter().flatten().cloned().collect();
    let documents = context.items.map(|items| {
        let references = texts.iter().map(|text| text.as_ref().ok().map(|(of, _)| of));
        of_known(texts, items.parts.first_with(references))
    });
    let of_pairs = |found: Vec<Outcome>| -> Vec<Outcome> {
        let mut found = found.into_iter();
        let of_pair = |text: &Texts<'_>| match text {
            Ok(_) => found.next(),
            Err(reason) => Some(Err(reason.clone())),
        };
        texts.iter().filter_map(of_pair).collect()
    };
    let metrics = context.metrics(|compute| matches!(compute, Compute::CaptionWords { .. }).then_some(*compute));
    for (id, compute) in metrics {
        let weights = |scores: &[Outcome]| {
            let weights = context.items?.weights_of_pairs(id, &of_pairs(scores.to_vec()));
            Some(of_known(texts, weights))
        };
        let (scores, of_all) = tools.scores_and_shares(&compute, &given, documents.as_deref(), weights);
        computed.add_column(id, of_pairs(scores));
        of_all.into_iter().for_each(|of_all| computed.add_pseudo_values(id, of_pairs(of_all)));
    }
    Ok(())
}

/// What the pairs with captions on both sides have.
fn of_known<T>(texts: &[Texts<'_>], of_pairs: Vec<T>) -> Vec<T> {
    let known = of_pairs.into_iter().zip(texts);
    known.filter_map(|(found, text)| text.is_ok().then_some(found)).collect()
}
