//! Metrics of captions against images, from embeddings of both.

use super::captions::texts_of_pairs;
use super::{Columns, Context, outcomes};
use crate::Error;
use crate::observers::text_embeddings::{embed, encoder_beside_images};
use crate::selection::{MetricSource, Selection};
use neurogauge_core::{Outcome, Side, Undefined};
use neurogauge_formats::features::StoredFeatures;
use neurogauge_metrics::Compute;
use std::collections::{BTreeSet, HashMap};

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let dataset = context.dataset;
    let Some(captions) = &dataset.captions else {
        return Ok(Columns::new());
    };
    let texts = texts_of_pairs(captions);
    let mut columns = Columns::new();
    for selected in &selection.metrics {
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
        let Some(images) = dataset.features_of(name) else {
            continue;
        };
        let id = selected.metric.spec.id;
        let of_stem: HashMap<&str, usize> = images.pairs.iter().map(|pair| (pair.stem.as_str(), pair.gt)).collect();
        let depicts = |text: &str| format!("{before}{text}");
        let all = texts.iter().flatten().flat_map(|(references, caption)| references.iter().chain([caption]));
        let all: Vec<String> = all.map(|text| depicts(text)).collect();
        let embeddings = embed(
            &all.iter().map(String::as_str).collect::<BTreeSet<&str>>(),
            encoder_beside_images(encoder, &context.request.text_encoder),
            None,
            Some(&context.folder.caption_embeddings_dir()),
            context.settings,
            context.progress,
        )?;
        let of = |text: &str| embeddings.of(&depicts(text)).unwrap_or_default();
        let pairs = captions.pairs.iter().zip(&texts);
        let column = pairs.map(|(pair, texts)| -> Result<Outcome, Error> {
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
        });
        columns.push((id, column.collect::<Result<Vec<Outcome>, Error>>()?));
    }
    Ok(columns)
}
