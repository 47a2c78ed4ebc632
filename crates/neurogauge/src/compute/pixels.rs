//! Metrics of the images themselves: streamed, journalled, parallel over pairs.

use super::{Columns, Context, of_kind, outcomes, transpose};
use crate::Error;
use crate::selection::Selection;
use neurogauge_core::{Image, Outcome, Pair, Role, Side, Sides, Undefined};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::store::{ContentKey, Journal, Store, recipe_text};
use neurogauge_metrics::Compute;
use rayon::prelude::*;

/// Raised whenever a metric of images would give something else; keys of the journal hold it.
const REVISION: &str = "0.1.0";

/// Pairs between two writes of the journal.
const PAIRS_PER_SAVE: usize = 64;

type PixelMetric = fn(&Image<f32>, &Image<f32>) -> Result<Outcome, neurogauge_metrics::MetricError>;

/// Metrics that compare the resized images of a pair.
pub(super) struct ImageComparison<'a> {
    /// What the progress is called.
    pub(super) stage: &'a str,
    /// One outcome each.
    pub(super) ids: &'a [&'static str],
    /// The models that compare, in words that differ where a value could; empty without any.
    pub(super) models: String,
    pub(super) pairs_per_save: usize,
}

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let metrics: Vec<(&'static str, PixelMetric)> = of_kind(selection, |compute| match compute {
        Compute::Pixels(function) => Some(*function),
        _ => None,
    });
    if metrics.is_empty() {
        return Ok(Columns::new());
    }
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    let comparison = ImageComparison {
        stage: "comparing images",
        ids: &ids,
        models: String::new(),
        pairs_per_save: PAIRS_PER_SAVE,
    };
    let compare = |pair: &Pair, gt: &Image<f32>, recon: &Image<f32>| {
        outcomes(&metrics, pair, |function| function(gt, recon))
    };
    over_images(&comparison, || Ok(compare), context)
}

/// Compares the images of every pair that the journal does not know; `begin` gives the function that does,
/// if there is any such pair.
pub(super) fn over_images<F>(
    comparison: &ImageComparison<'_>,
    begin: impl FnOnce() -> Result<F, Error>,
    context: &Context<'_>,
) -> Result<Columns, Error>
where
    F: Fn(&Pair, &Image<f32>, &Image<f32>) -> Result<Vec<Outcome>, Error> + Sync,
{
    let Some(images) = &context.dataset.images else {
        return Ok(Columns::new());
    };
    let mut journal = Journal::open(&context.folder.journal_path())?;
    let keys = keys(&images.pairs, comparison, context)?;

    let n_pairs = images.pairs.len();
    let shard = context.settings.shard;
    let unfinished: Vec<usize> = shard
        .map_or(0..n_pairs, |shard| shard.items(n_pairs))
        .filter(|&index| keys[index].iter().any(|key| !journal.holds(key)))
        .collect();
    if !unfinished.is_empty() {
        let compare = begin()?;
        let done = images.pairs.len() - unfinished.len();
        let progress = context.progress;
        progress.start(comparison.stage, images.pairs.len() as u64, done as u64);
        let compared = unfinished
            .chunks(comparison.pairs_per_save)
            .try_for_each(|chunk| {
                let computed: Vec<Result<Vec<(ContentKey, Outcome)>, Error>> = chunk
                    .par_iter()
                    .map(|&index| {
                        let pair = &images.pairs[index];
                        let outcomes = match load(pair, &images.sides, context)? {
                            Ok([gt, recon]) => compare(pair, &gt, &recon)?,
                            Err(reason) => vec![Err(reason); comparison.ids.len()],
                        };
                        progress.advance(1);
                        Ok(keys[index].iter().cloned().zip(outcomes).collect())
                    })
                    .collect();
                save(computed, &mut journal)
            });
        progress.finish();
        compared?;
    }
    let rows = keys
        .iter()
        .map(|keys| {
            keys.iter()
                .filter_map(|key| journal.outcome(key).cloned())
                .collect()
        })
        .collect();
    Ok(transpose(comparison.ids, rows))
}

/// What could be computed is saved before the first failure is reported.
fn save(
    computed: Vec<Result<Vec<(ContentKey, Outcome)>, Error>>,
    journal: &mut Journal,
) -> Result<(), Error> {
    let mut failure = None;
    let mut entries = Vec::new();
    for result in computed {
        match result {
            Ok(outcomes) => entries.extend(outcomes),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    journal.record(entries)?;
    failure.map_or(Ok(()), Err)
}

/// For each pair the journal key of each metric: whatever decides the value is in it.
fn keys(
    pairs: &[Pair],
    comparison: &ImageComparison<'_>,
    context: &Context<'_>,
) -> Result<Vec<Vec<ContentKey>>, Error> {
    let record = |side: Side| context.dataset.input(Role::images(side));
    let (Some(gt_record), Some(recon_record)) = (record(Side::Gt), record(Side::Recon)) else {
        return Ok(Vec::new());
    };
    let (gt, recon) = (gt_record.hashes(), recon_record.hashes());
    let forms = format!("{} and {}", gt_record.form, recon_record.form);
    let options = recipe_text(comparison.stage, &context.request.options.pixels)?;
    let keys = pairs
        .iter()
        .map(|pair| {
            let stem = pair.stem.as_str();
            let ids = comparison.ids.iter();
            ids.map(|id| {
                let parts = [REVISION, id, &forms, gt[stem], recon[stem], &options];
                match comparison.models.as_str() {
                    "" => ContentKey::of_parts(&parts),
                    models => ContentKey::of_parts(&[&parts[..], &[models]].concat()),
                }
            })
            .collect()
        })
        .collect();
    Ok(keys)
}

/// The two images of a pair, resized, or why there is nothing to compare.
fn load(
    pair: &Pair,
    sides: &Sides<ImageSource>,
    context: &Context<'_>,
) -> Result<Result<[Image<f32>; 2], Undefined>, Error> {
    let options = &context.request.options.pixels;
    let load = |side: Side, index: usize| -> Result<Result<Image<f32>, Undefined>, Error> {
        let image = sides.side(side).load(index)?;
        if let Err(reason) = image.check_finite(side) {
            return Ok(Err(reason));
        }
        let resized = options.apply(image).map_err(|source| Error::Resize {
            pair: pair.stem.clone(),
            source,
        })?;
        Ok(Ok(resized))
    };
    let (gt, recon) = (load(Side::Gt, pair.gt)?, load(Side::Recon, pair.recon)?);
    Ok(gt.and_then(|gt| Ok([gt, recon?])))
}
