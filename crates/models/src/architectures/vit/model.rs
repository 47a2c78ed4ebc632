//! The forward pass.

use super::rotation::Rotation;
use crate::network::{Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use crate::observers::captioning::TokenTower;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    Convolution, LatentPool, LayerNorm, Linear, NoBias, Sequences, TokenEmbedding, TransformerBlock,
};

/// The layers of a vision transformer, each with the name under which its output is offered.
pub(crate) struct Parts {
    /// Consecutive convolutions, and the reference library's kind of their last output.
    pub(crate) patches: (&'static str, LayerKind, Vec<Convolution>),
    /// The tokens with their positions.
    pub(crate) tokens: (&'static str, TokenEmbedding),
    pub(crate) has_class_token: bool,
    /// The norm before the first block.
    pub(crate) pre_norm: Option<(&'static str, LayerNorm)>,
    pub(crate) blocks: Vec<(String, TransformerBlock)>,
    /// The rotation of queries and keys in every block, and the width of the blocks' heads.
    pub(crate) rotation: Option<(Rotation, usize)>,
    pub(crate) norm: (&'static str, LayerNorm),
    /// Does the last norm apply to the class token only, or to all tokens?
    pub(crate) norm_of_class_token: bool,
    /// Makes one vector from each image's tokens.
    pub(crate) head: Option<Head>,
}

/// The head that turns an image's tokens into one vector.
pub(crate) struct Head {
    pub(crate) readout: Readout,
    /// The name of the vector, and its projection if it has one.
    pub(crate) vector: (&'static str, Option<Linear>),
}

/// What the head reads.
pub(crate) enum Readout {
    ClassToken,
    /// The mean of all tokens.
    Mean,
    /// The attention of a learned query, with the name under which it is offered.
    Latent(&'static str, Box<LatentPool>),
}

pub(crate) struct VisionTransformer {
    outline: Outline,
    parts: Parts,
}

impl VisionTransformer {
    pub(crate) fn new(architecture: &'static str, sides: Sides, parts: Parts) -> Self {
        let tokens = match parts.has_class_token {
            true => LayerKind::TokensWithClass {
                n_registers: parts.tokens.1.n_first() - 1,
            },
            false => LayerKind::Tokens,
        };
        let mut layers = vec![Layer::new(parts.patches.0, parts.patches.1), Layer::new(parts.tokens.0, tokens)];
        let pre_norm = parts.pre_norm.iter();
        layers.extend(pre_norm.map(|(name, _)| Layer::new(*name, tokens)));
        let blocks = parts.blocks.iter();
        layers.extend(blocks.map(|(name, _)| Layer::new(name, tokens)));
        let norm = if parts.norm_of_class_token {
            LayerKind::Vector
        } else {
            tokens
        };
        layers.push(Layer::new(parts.norm.0, norm));
        if let Some(head) = &parts.head {
            if let Readout::Latent(name, _) = &head.readout {
                layers.push(Layer::new(*name, LayerKind::Vector));
            }
            layers.push(Layer::new(head.vector.0, LayerKind::Vector));
        }
        VisionTransformer {
            outline: Outline::new(architecture, sides, layers),
            parts,
        }
    }

    /// The output of the last norm: all tokens, or the class token.
    fn normalised(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<Tensor> {
        let parts = &self.parts;
        let (name, _, convolutions) = &parts.patches;
        let mut maps = images.clone();
        for convolution in convolutions {
            maps = convolution.forward(&maps)?;
        }
        outputs.offer(name, &maps)?;
        let (_, n_rows, n_columns, _) = maps.dims4()?;
        let mut x = parts.tokens.1.forward(&maps)?;
        outputs.offer(parts.tokens.0, &x)?;
        if let Some((name, norm)) = &parts.pre_norm {
            x = norm.forward(&x)?;
            outputs.offer(name, &x)?;
        }
        let shape = x.dims3()?;
        let sequences = Sequences::new(vec![shape.1; shape.0]);
        let n_first = parts.tokens.1.n_first();
        let turns = parts
            .rotation
            .map(|(rotation, head_width)| rotation.turns(n_first, (n_rows, n_columns), head_width));
        for (name, block) in &parts.blocks {
            let rows = x.flatten_to(1)?;
            let rows = match &turns {
                None => block.forward(&rows, &sequences, &NoBias)?,
                Some(turns) => block.forward_turned(&rows, &sequences, turns)?,
            };
            x = rows.reshape(shape)?;
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

impl TokenTower for VisionTransformer {
    fn tokens(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<Tensor> {
        self.normalised(images, outputs)
    }
}

impl Network for VisionTransformer {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn images_per_pass(&self) -> usize {
        4
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let parts = &self.parts;
        let mut x = self.normalised(images, outputs)?;
        let Some(head) = &parts.head else {
            return Ok(());
        };
        match &head.readout {
            Readout::ClassToken if parts.norm_of_class_token => {}
            Readout::ClassToken => x = class_tokens(&x)?,
            Readout::Mean => x = x.mean(1)?,
            Readout::Latent(name, pool) => {
                x = pool.forward(&x)?;
                outputs.offer(name, &x)?;
            }
        }
        let (name, map) = &head.vector;
        if let Some(map) = map {
            x = map.forward(&x)?;
        }
        outputs.offer(name, &x)
    }
}

/// The first token of every image.
pub(crate) fn class_tokens(tokens: &Tensor) -> Result<Tensor> {
    tokens.narrow(1, 0, 1)?.squeeze(1)?.contiguous()
}
