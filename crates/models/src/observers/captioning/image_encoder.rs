//! From images to the tokens that a captioner's decoder gets.

use crate::architectures::vit::VisionTransformer;
use crate::observers::image_features::{Layer, LayerOutputs, Network, Pass};
use candle_core::Tensor;

/// Maps the tokens of an image into the decoder's space.
pub(crate) trait TokenMap: Send + Sync {
    /// The layers it offers, in order; the decoder gets the last one.
    fn layers(&self) -> Vec<Layer>;

    /// `tokens` has the shape (image, token, feature).
    fn forward(&self, tokens: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()>;
}

/// A vision transformer whose tokens are all kept, with a map after them.
pub(crate) struct ImageEncoder {
    tower: VisionTransformer,
    map: Box<dyn TokenMap>,
    layers: Vec<Layer>,
}

impl ImageEncoder {
    pub(crate) fn new(tower: VisionTransformer, map: impl TokenMap + 'static) -> Self {
        let layers = tower.layers().iter().cloned().chain(map.layers());
        ImageEncoder {
            layers: layers.collect(),
            tower,
            map: Box::new(map),
        }
    }
}

impl Network for ImageEncoder {
    fn architecture(&self) -> &'static str {
        self.tower.architecture()
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn refuses(&self, width_px: usize, height_px: usize) -> Option<String> {
        self.tower.refuses(width_px, height_px)
    }

    fn images_per_pass(&self) -> usize {
        self.tower.images_per_pass()
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let tokens = self.tower.normalised(images, outputs)?;
        self.map.forward(&tokens, outputs)
    }
}
