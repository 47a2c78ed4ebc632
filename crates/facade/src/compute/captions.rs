//! Metrics of captions, from their sentence embeddings.

use super::{Columns, Context, of_kind, outcomes, transpose};
use crate::Error;
use crate::caption_words::ReferencesAndCaption;
use crate::dataset::Paired;
use crate::observers::text_embeddings::embed;
use crate::selection::Selection;
use neurogauge_core::{Captions, Pair, Side, Undefined};
use neurogauge_metrics::Compute;
use std::collections::BTreeSet;

/// The captions of each pair, or which side has none.
pub(super) fn texts_of_pairs(
    captions: &Paired<Vec<(String, Captions)>>,
) -> Vec<Result<ReferencesAndCaption<'_>, Undefined>> {
    let of_pair = |pair: &Pair| {
        let (_, references) = &captions.sides.gt[pair.gt];
        let (_, caption) = &captions.sides.recon[pair.recon];
        if references.0.is_empty() {
            return Err(Undefined::NoCaption(Side::Gt));
        }
        let caption = caption.0.first().ok_or(Undefined::NoCaption(Side::Recon))?;
        let references = references.0.iter().map(String::as_str);
        Ok((references.collect(), caption.as_str()))
    };
    captions.pairs.iter().map(of_pair).collect()
}

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let metrics = of_kind(selection, |compute| match compute {
        Compute::Captions(function) => Some(*function),
        _ => None,
    });
    let (Some(captions), false) = (&context.dataset.captions, metrics.is_empty()) else {
        return Ok(Columns::new());
    };
    let how = context.request.options.references;
    let texts = texts_of_pairs(captions);
    let distinct: BTreeSet<&str> = texts
        .iter()
        .flatten()
        .flat_map(|(references, caption)| references.iter().chain([caption]))
        .copied()
        .collect();
    let embeddings = embed(
        &distinct,
        &context.request.text_encoder,
        context.request.text_instruction.as_deref(),
        Some(&context.folder.caption_embeddings_dir()),
        context.settings,
        context.progress,
    )?;

    let rows = captions
        .pairs
        .iter()
        .zip(&texts)
        .map(|(pair, texts)| {
            let (references, caption) = match texts {
                Ok(texts) => texts,
                Err(reason) => return Ok(vec![Err(reason.clone()); metrics.len()]),
            };
            let references: Vec<&[f32]> = references.iter().filter_map(|text| embeddings.of(text)).collect();
            let caption = embeddings.of(caption).unwrap_or_default();
            outcomes(&metrics, pair, |function| function(&references, caption, how))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    Ok(transpose(&ids, rows))
}
