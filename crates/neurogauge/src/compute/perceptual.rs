//! Distances of images in the layers of a network.

use super::pixels::{ImageComparison, over_images};
use super::{Columns, Context};
use crate::Error;
use crate::lpips::LpipsPlan;
use crate::selection::Selection;
use neurogauge_core::{Image, Pair};
use neurogauge_metrics::MetricError;
use neurogauge_models::{DeviceChoice, Lpips, ModelError};

/// Pairs between two writes of the journal: each takes a second or so.
const PAIRS_PER_SAVE: usize = 16;

/// One network after the other, so that one is in memory at a time.
pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let mut columns = Columns::new();
    for plan in &selection.lpips {
        let id = plan.heads.net().metric();
        let comparison = ImageComparison {
            stage: id,
            ids: &[id],
            models: models(plan),
            pairs_per_save: PAIRS_PER_SAVE,
        };
        let begin = || {
            let lpips = Lpips::load_on(&plan.backbone, plan.heads.clone(), plan.device)?;
            Ok(move |pair: &Pair, gt: &Image<f32>, recon: &Image<f32>| {
                let distance = lpips.compare(gt, recon);
                let distance = distance.map_err(|source| blame(source, plan, pair, context))?;
                Ok(vec![Ok(distance.total())])
            })
        };
        columns.extend(over_images(&comparison, begin, context)?);
    }
    Ok(columns)
}

/// Whatever the network has learned, and where it runs, decides the value too.
fn models(plan: &LpipsPlan) -> String {
    let models = serde_json::to_string(&plan.identities()).unwrap_or_default();
    match plan.device {
        DeviceChoice::Cpu => models,
        device => format!("{models} on {device}"),
    }
}

fn blame(source: ModelError, plan: &LpipsPlan, pair: &Pair, context: &Context<'_>) -> Error {
    match (source, &context.dataset.images) {
        (
            ModelError::PairSizes {
                gt_px, recon_px, ..
            },
            _,
        ) => Error::Metric {
            pair: pair.stem.clone(),
            metric: plan.heads.net().metric(),
            source: MetricError::SizeMismatch {
                gt_width: gt_px.0,
                gt_height: gt_px.1,
                recon_width: recon_px.0,
                recon_height: recon_px.1,
            },
        },
        (source @ ModelError::Engine { .. }, _) | (source, None) => Error::Model(source),
        (source, Some(images)) => Error::Image {
            stem: pair.stem.clone(),
            path: images.sides.recon.path().to_owned(),
            source,
        },
    }
}
