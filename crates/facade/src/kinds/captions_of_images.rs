//! Metrics of captions against images, from embeddings of both.

use super::captions::{Texts, all_texts};
use crate::Error;
use crate::compute::{Computed, Context, outcomes};
use crate::dataset::{Entries, Paired};
use crate::observers::text_embeddings::{embed, encoder_beside_images};
use crate::selection::MetricSource;
use neurogauge_core::{Captions, Outcome, Pair, Side, Undefined};
use neurogauge_formats::features::StoredFeatures;
use neurogauge_metrics::Compute;
use std::collections::{BTreeSet, HashMap};

pub(super) fn compute(
    captions: &Paired<Entries<Captions>>,
    texts: &[Texts<'_>],
    context: &Context<'_>,
    computed: &mut Computed,
) -> Result<(), Error> {
    for selected in &context.selection.metrics {
        let id = selected.metric.spec.id;
        let (
            &Compute::CaptionsOfImages {
                texts: encoder,
                before,
                compare,
                ..
            },
            MetricSource::Features(name),
        ) = (&selected.metric.compute, &selected.source)
        else {
            continue;
        };
        let Some(images) = context.dataset.features_of(name) else {
            continue;
        };
        let of_stem: HashMap<&str, usize> = images.pairs.iter().map(|pair| (pair.stem.as_str(), pair.gt)).collect();
        let depicts = |text: &str| format!("{before}{text}");
        let all: Vec<String> = all_texts(texts).map(depicts).collect();
        let embeddings = embed(
            &all.iter().map(String::as_str).collect::<BTreeSet<&str>>(),
            encoder_beside_images(encoder, &context.request.text_encoder),
            None,
            Some(&context.folder.caption_embeddings_dir()),
            context.settings,
            context.progress,
        )?;
        let of = |text: &str| embeddings.of(&depicts(text)).unwrap_or_default();
        let outcome = |(pair, texts): (&Pair, &Texts<'_>)| -> Result<Outcome, Error> {
            let (references, caption) = match texts {
                Ok(texts) => texts,
                Err(reason) => return Ok(Err(reason.clone())),
            };
            let row = of_stem.get(pair.stem.as_str());
            let Some(&row) = row.filter(|&&row| StoredFeatures::has(&images.sides.gt, row)) else {
                return Ok(Err(Undefined::NoFeatures(Side::Gt)));
            };
            let image = images.sides.gt.single_row(row)?;
            let references: Vec<&[f32]> = references.iter().map(|text| of(text)).collect();
            let found = outcomes(&[(id, compare)], pair, |compare| compare(&image, of(caption), &references));
            Ok(found?.swap_remove(0))
        };
        let column = captions.pairs.iter().zip(texts).map(outcome).collect::<Result<_, Error>>()?;
        computed.add_column(id, column);
    }
    Ok(())
}
