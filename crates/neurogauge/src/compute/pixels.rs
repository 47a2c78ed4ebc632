//! Metrics of the images themselves: streamed, journalled, parallel over pairs.

use super::{Columns, Context, of_kind, transpose};
use crate::Error;
use crate::journal::Journal;
use crate::selection::Selection;
use neurogauge_core::{Image, Outcome, Pair, Side};
use neurogauge_metrics::Compute;
use rayon::prelude::*;

/// Pairs between two writes of the journal.
const PAIRS_PER_SAVE: usize = 64;

type PixelMetric = fn(&Image<f32>, &Image<f32>) -> Result<Outcome, neurogauge_metrics::MetricError>;

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let metrics: Vec<(&'static str, PixelMetric)> = of_kind(selection, |compute| match compute {
        Compute::Pixels(function) => Some(*function),
        _ => None,
    });
    let (Some(images), false) = (&context.dataset.images, metrics.is_empty()) else {
        return Ok(Columns::new());
    };
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    let mut journal = Journal::open(&context.folder.journal_path())?;
    let keys = keys(&images.pairs, &ids, context);

    let unfinished: Vec<usize> = (0..images.pairs.len())
        .filter(|&index| keys[index].iter().any(|key| journal.get(key).is_none()))
        .collect();
    let done = images.pairs.len() - unfinished.len();
    context
        .progress
        .start("comparing images", images.pairs.len() as u64, done as u64);
    for chunk in unfinished.chunks(PAIRS_PER_SAVE) {
        let computed: Vec<Result<Vec<(String, Outcome)>, Error>> = chunk
            .par_iter()
            .map(|&index| {
                let outcomes = compare(&images.pairs[index], &metrics, context)?;
                context.progress.advance(1);
                Ok(keys[index].iter().cloned().zip(outcomes).collect())
            })
            .collect();
        // What could be computed is saved before the first failure is reported.
        let mut failure = None;
        let mut entries = Vec::new();
        for result in computed {
            match result {
                Ok(outcomes) => entries.extend(outcomes),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        journal.record(entries)?;
        if let Some(error) = failure {
            context.progress.finish();
            return Err(error);
        }
    }
    context.progress.finish();

    let rows = keys
        .iter()
        .map(|keys| {
            keys.iter()
                .filter_map(|key| journal.get(key).cloned())
                .collect()
        })
        .collect();
    Ok(transpose(&ids, rows))
}

/// For each pair the journal key of each metric: whatever decides the value is in it.
fn keys(pairs: &[Pair], ids: &[&str], context: &Context<'_>) -> Vec<Vec<String>> {
    let record = |side: Side| context.dataset.input(&format!("{}/images", side.folder()));
    let (Some(gt_record), Some(recon_record)) = (record(Side::Gt), record(Side::Recon)) else {
        return Vec::new();
    };
    let (gt, recon) = (gt_record.hashes(), recon_record.hashes());
    let forms = format!("{} and {}", gt_record.form, recon_record.form);
    let options = serde_json::to_string(&context.request.options.pixels).unwrap_or_default();
    pairs
        .iter()
        .map(|pair| {
            let stem = pair.stem.as_str();
            ids.iter()
                .map(|id| {
                    let version = env!("CARGO_PKG_VERSION");
                    Journal::key(&[version, id, &forms, gt[stem], recon[stem], &options])
                })
                .collect()
        })
        .collect()
}

fn compare(
    pair: &Pair,
    metrics: &[(&'static str, PixelMetric)],
    context: &Context<'_>,
) -> Result<Vec<Outcome>, Error> {
    let Some(images) = &context.dataset.images else {
        return Ok(Vec::new());
    };
    let options = &context.request.options.pixels;
    let load = |side: Side, index: usize| -> Result<(Image<f32>, Outcome), Error> {
        let image = images.sides.side(side).load(index)?;
        let finite = image.check_finite(side).map(|()| 0.0);
        let resized = options.apply(image).map_err(|source| Error::Resize {
            pair: pair.stem.clone(),
            source,
        })?;
        Ok((resized, finite))
    };
    let (gt, gt_finite) = load(Side::Gt, pair.gt)?;
    let (recon, recon_finite) = load(Side::Recon, pair.recon)?;
    if let Err(reason) = gt_finite.and(recon_finite) {
        return Ok(vec![Err(reason); metrics.len()]);
    }
    metrics
        .iter()
        .map(|(id, function)| {
            function(&gt, &recon).map_err(|source| Error::Metric {
                pair: pair.stem.clone(),
                metric: id,
                source,
            })
        })
        .collect()
}
