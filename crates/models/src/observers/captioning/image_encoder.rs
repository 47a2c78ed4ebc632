//! Turns images into the tokens that a captioner's decoder reads.

use crate::network::{Layer, LayerOutputs, Network, Outline, Pass};
use candle_core::Tensor;

/// A network whose last tokens a captioner uses.
pub(crate) trait TokenTower: Network {
    /// All tokens after the last block, normalised.
    fn tokens(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<Tensor>;
}

/// Maps the tokens of an image into the decoder's space.
pub(crate) trait TokenMap: Send + Sync {
    /// The layers that it offers, in order; the decoder gets the last one.
    fn layers(&self) -> Vec<Layer>;

    /// `tokens` has the shape (image, token, feature).
    fn forward(&self, tokens: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()>;
}

/// A vision transformer, all of whose tokens are used, with a map after them.
pub(crate) struct ImageEncoder {
    tower: Box<dyn TokenTower>,
    map: Box<dyn TokenMap>,
    outline: Outline,
}

impl ImageEncoder {
    pub(crate) fn new(tower: impl TokenTower + 'static, map: impl TokenMap + 'static) -> Self {
        let own = tower.outline();
        let layers = own.layers.iter().cloned().chain(map.layers());
        ImageEncoder {
            outline: Outline::new(own.architecture, own.sides, layers.collect()),
            tower: Box::new(tower),
            map: Box::new(map),
        }
    }
}

impl Network for ImageEncoder {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn images_per_pass(&self) -> usize {
        self.tower.images_per_pass()
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let tokens = self.tower.tokens(images, outputs)?;
        self.map.forward(&tokens, outputs)
    }
}
