//! An image model without weights.

use crate::{FeatureMatrix, ImageModel, LayerRequest, ModelError, Pooling};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::pixels::grid_means;
use std::sync::LazyLock;

const ARCHITECTURE: &str = "the placeholder for image models";

/// **Its numbers mean nothing.** A placeholder for a real image model, for use without weights.
///
/// Its layers are the mean colours of the cells of a grid laid over the image: `grid16` of 16 x 16 cells stands for an
/// early layer, `grid4` of 4 x 4 for a late one; values are in the order channels, rows, columns. Images that are
/// similar in colour and composition get similar vectors, even if they show different things.
/// [`ModelIdentity::stand_in`] is true, so that everything computed from it is marked.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::{ImageModel, LayerRequest, MeanColours};
/// let white = Image::new(16, 16, vec![1.0_f32; 16 * 16 * 3]).unwrap();
/// let request = LayerRequest::whole("grid4");
/// let features = MeanColours.features(&[white], &[request])?;
/// assert_eq!(features[0].n_features, 48);
/// assert_eq!(features[0].values[47], 1.0);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct MeanColours;

/// Name and cells per side of each layer.
const LAYERS: [(&str, usize); 2] = [("grid16", 16), ("grid4", 4)];

impl MeanColours {
    pub const ID: &str = "mean-colours";
}

static IDENTITY: LazyLock<ModelIdentity> = LazyLock::new(|| ModelIdentity::placeholder(MeanColours::ID, "1"));

impl ImageModel for MeanColours {
    fn identity(&self) -> &ModelIdentity {
        &IDENTITY
    }

    fn layers(&self) -> Vec<&'static str> {
        LAYERS.iter().map(|(name, _)| *name).collect()
    }

    fn features(&self, images: &[Image<f32>], requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError> {
        check_sizes(images)?;
        requests
            .iter()
            .map(|request| {
                let n_cells = n_cells(&request.layer)?;
                check_pooling(request)?;
                let rows = images.iter().map(|image| grid_means(image, n_cells));
                let rows: Vec<Vec<f32>> = rows.map(|row| pool(row, request.pooling)).collect();
                Ok(FeatureMatrix {
                    n_features: pool(vec![0.0; 3 * n_cells * n_cells], request.pooling).len(),
                    values: rows.concat(),
                })
            })
            .collect()
    }
}

fn n_cells(layer: &str) -> Result<usize, ModelError> {
    let found = LAYERS.iter().find(|(name, _)| *name == layer);
    found.map(|(_, n_cells)| *n_cells).ok_or_else(|| {
        let names = LAYERS.map(|(name, _)| name);
        ModelError::unknown_layer(ARCHITECTURE, layer, &names)
    })
}

fn check_pooling(request: &LayerRequest) -> Result<(), ModelError> {
    match request.pooling {
        Pooling::None | Pooling::Mean => Ok(()),
        pooling => Err(ModelError::no_pooling(ARCHITECTURE, &request.layer, "has no class token", pooling)),
    }
}

fn check_sizes(images: &[Image<f32>]) -> Result<(), ModelError> {
    let least = LAYERS[0].1;
    let size = |image: &Image<f32>| (image.width_px(), image.height_px());
    let wrong = images
        .iter()
        .position(|image| size(image) != size(&images[0]) || image.width_px() < least || image.height_px() < least);
    match wrong {
        None => Ok(()),
        Some(index) => {
            let expected = format_args!("one size for all of a batch, at least {least} x {least} px");
            Err(ModelError::image_size(ARCHITECTURE, index, size(&images[index]), expected))
        }
    }
}

fn pool(row: Vec<f32>, pooling: Pooling) -> Vec<f32> {
    if pooling == Pooling::None {
        return row;
    }
    let n_positions = row.len() / Image::<f32>::CHANNELS;
    let channels = row.chunks(n_positions);
    let mean = |channel: &[f32]| channel.iter().sum::<f32>() / n_positions as f32;
    channels.map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_same_alone_and_in_a_batch_and_the_cells_are_where_they_should_be() {
        let size = 32;
        let ramp = |offset: usize| {
            let data = (0..size * size * 3).map(|i| ((i + offset) / (3 * size)) as f32);
            Image::new(size, size, data.collect()).unwrap()
        };
        let model = MeanColours;
        let images = [ramp(0), ramp(96)];
        let requests = [LayerRequest::new("grid4", Pooling::None), LayerRequest::new("grid16", Pooling::Mean)];
        let both = model.features(&images, &requests).unwrap();
        let alone = model.features(&images[1..], &requests).unwrap();
        assert_eq!(both[0].values[48..], alone[0].values);
        // The first row of cells covers image rows 0 to 7, whose values are 0 to 7.
        assert_eq!(both[0].values[0], 3.5);
        assert_eq!(both[0].values[12], 27.5, "the last row of cells");
        assert_eq!((both[1].n_features, both[1].values[0]), (3, 15.5));
    }

    #[test]
    fn an_unknown_layer_and_unequal_sizes_are_refused() {
        let model = MeanColours;
        assert!(model.identity().stand_in);
        let image = |px: usize| Image::new(px, px, vec![0.5; px * px * 3]).unwrap();
        let error = model.features(&[image(16)], &[LayerRequest::new("grid5", Pooling::None)]);
        assert!(error.unwrap_err().to_string().contains("did you mean \"grid4\"?"));
        let error = model.features(&[], &[LayerRequest::new("grid4", Pooling::ClassToken)]);
        assert!(error.unwrap_err().to_string().contains("grid4 has no class token"));
        let error = model.features(&[image(16), image(17)], &[]).unwrap_err();
        assert!(error.to_string().contains("image 1 is 17 x 17 px"), "{error}");
    }
}
