//! The forward pass.

use crate::blocks::{
    Convolution, LayerNorm, Linear, NoBias, Sequences, TokenEmbedding, TransformerBlock,
};
use crate::observers::image_features::{Layer, LayerKind, LayerOutputs, Network, Pass};
use candle_core::{Result, Tensor};

/// The layers of a vision transformer, each with the name that its output is offered under.
pub(crate) struct Parts {
    pub(crate) patches: (&'static str, Convolution),
    /// The tokens with their positions.
    pub(crate) tokens: (&'static str, TokenEmbedding),
    /// Before the first block.
    pub(crate) pre_norm: Option<(&'static str, LayerNorm)>,
    pub(crate) blocks: Vec<(String, TransformerBlock)>,
    pub(crate) norm: (&'static str, LayerNorm),
    /// Is the last norm that of the class token, or of all tokens?
    pub(crate) norm_of_class_token: bool,
    /// Of the class token, where there is one.
    pub(crate) head: Option<(&'static str, Linear)>,
}

/// A vision transformer for images of one size.
pub(crate) struct VisionTransformer {
    architecture: &'static str,
    image_px: usize,
    layers: Vec<Layer>,
    parts: Parts,
}

impl VisionTransformer {
    /// For square images of `image_px` on each side.
    pub(crate) fn new(architecture: &'static str, image_px: usize, parts: Parts) -> Self {
        let tokens = LayerKind::TokensWithClass;
        let mut layers = vec![
            Layer::new(parts.patches.0, LayerKind::Map),
            Layer::new(parts.tokens.0, tokens),
        ];
        layers.extend(
            parts
                .pre_norm
                .iter()
                .map(|(name, _)| Layer::new(*name, tokens)),
        );
        layers.extend(
            parts
                .blocks
                .iter()
                .map(|(name, _)| Layer::new(name, tokens)),
        );
        let norm = if parts.norm_of_class_token {
            LayerKind::Vector
        } else {
            tokens
        };
        layers.push(Layer::new(parts.norm.0, norm));
        if let Some((name, _)) = &parts.head {
            layers.push(Layer::new(*name, LayerKind::Vector));
        }
        VisionTransformer {
            architecture,
            image_px,
            layers,
            parts,
        }
    }
}

impl VisionTransformer {
    /// What comes out of the last norm: all tokens, or the class token.
    pub(crate) fn normalised(
        &self,
        images: &Tensor,
        outputs: &mut LayerOutputs<'_>,
    ) -> Pass<Tensor> {
        let parts = &self.parts;
        let maps = parts.patches.1.forward(images)?;
        outputs.offer(parts.patches.0, &maps)?;
        let mut x = parts.tokens.1.forward(&maps)?;
        outputs.offer(parts.tokens.0, &x)?;
        if let Some((name, norm)) = &parts.pre_norm {
            x = norm.forward(&x)?;
            outputs.offer(name, &x)?;
        }
        let shape = x.dims3()?;
        let sequences = Sequences::new(vec![shape.1; shape.0]);
        for (name, block) in &parts.blocks {
            let rows = x.flatten_to(1)?;
            x = block.forward(&rows, &sequences, &NoBias)?.reshape(shape)?;
            outputs.offer(name, &x)?;
        }
        if parts.norm_of_class_token {
            x = class_tokens(&x)?;
        }
        x = parts.norm.1.forward(&x)?;
        outputs.offer(parts.norm.0, &x)?;
        Ok(x)
    }
}

impl Network for VisionTransformer {
    fn architecture(&self) -> &'static str {
        self.architecture
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn refuses(&self, width_px: usize, height_px: usize) -> Option<String> {
        let side = self.image_px;
        (width_px != side || height_px != side).then(|| format!("{side} x {side} px"))
    }

    fn images_per_pass(&self) -> usize {
        4
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let parts = &self.parts;
        let mut x = self.normalised(images, outputs)?;
        if let Some((name, head)) = &parts.head {
            if !parts.norm_of_class_token {
                x = class_tokens(&x)?;
            }
            outputs.offer(name, &head.forward(&x)?)?;
        }
        Ok(())
    }
}

/// The first token of every image.
fn class_tokens(tokens: &Tensor) -> Result<Tensor> {
    tokens.narrow(1, 0, 1)?.squeeze(1)?.contiguous()
}
