//! From images to tokens of the decoder's space.

use super::ARCHITECTURE;
use crate::architectures::vit::VisionTransformer;
use crate::blocks::{LayerNorm, Linear};
use crate::observers::image_features::{Layer, LayerKind, Network, Pass, Taps};
use candle_core::Tensor;

/// The name of the encoder's last output.
pub(super) const TOKENS: &str = "visual_projection";

/// CLIP's image tower, with a map and a norm behind its tokens.
pub(crate) struct ImageEncoder {
    tower: VisionTransformer,
    projection: Linear,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

impl ImageEncoder {
    /// `norm` comes after the projection.
    pub(super) fn new(tower: VisionTransformer, projection: Linear, norm: LayerNorm) -> Self {
        let mut layers = tower.layers().to_vec();
        layers.push(Layer::new(TOKENS, LayerKind::TokensWithClass));
        ImageEncoder {
            tower,
            projection,
            norm,
            layers,
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
        let projected = self.norm.forward(&self.projection.forward(&tokens)?)?;
        taps.offer(TOKENS, &projected)
    }
}
