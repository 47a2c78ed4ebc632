//! What a model sees in a batch of prepared images.

use crate::Error;
use neurogauge_core::Image;
use neurogauge_models::{ImageModel, LayerRequest, ModelError};

/// Hands the features of each image and request to `take`, with the places of both; `blame` is given the
/// place of an image that the model cannot take.
pub(super) fn look_at(
    model: &dyn ImageModel,
    images: &[Image<f32>],
    requests: &[LayerRequest],
    blame: impl Fn(usize, ModelError) -> Error,
    mut take: impl FnMut(usize, usize, &[f32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut start = 0;
    // A model takes images of one size at a time.
    for alike in images.chunk_by(|a, b| size(a) == size(b)) {
        let found = model
            .features(alike, requests)
            .map_err(|source| match source {
                ModelError::ImageSize { index, .. } => blame(start + index, source),
                other => Error::Model(other),
            })?;
        for (request, features) in found.iter().enumerate() {
            let rows = features.values.chunks(features.n_features.max(1));
            for (place, row) in rows.enumerate() {
                take(start + place, request, row)?;
            }
        }
        start += alike.len();
    }
    Ok(())
}

fn size(image: &Image<f32>) -> (usize, usize) {
    (image.width_px(), image.height_px())
}
