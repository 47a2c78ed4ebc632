//! From images to tokens of the language model's space.

use super::ARCHITECTURE;
use super::qformer::QFormer;
use crate::architectures::vit::VisionTransformer;
use crate::observers::image_features::{Layer, Network, Pass, Taps};
use candle_core::Tensor;

/// A vision transformer and the Q-Former behind it.
pub(crate) struct ImageEncoder {
    tower: VisionTransformer,
    qformer: QFormer,
    layers: Vec<Layer>,
}

impl ImageEncoder {
    pub(super) fn new(tower: VisionTransformer, qformer: QFormer) -> Self {
        let layers = tower.layers().iter().cloned().chain(qformer.taps());
        ImageEncoder {
            layers: layers.collect(),
            tower,
            qformer,
        }
    }
}

impl Network for ImageEncoder {
    fn architecture(&self) -> &'static str {
        ARCHITECTURE
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

    fn forward(&self, images: &Tensor, taps: &mut Taps<'_>) -> Pass<()> {
        let tokens = self.tower.normalised(images, taps)?;
        self.qformer.forward(&tokens, taps)
    }
}
