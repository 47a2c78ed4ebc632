//! The forward pass.

use super::weights::positions;
use crate::network::{Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::{LayerNorm, Linear, Mlp, TokenColumns, attend_across};

/// Frames per token.
pub(crate) const TUBELET_FRAMES: usize = 2;
/// Sides of a frame and of a token's patch, px.
pub(super) const FRAME_PX: usize = 224;
pub(super) const PATCH_PX: usize = 16;
/// Patches along each side of a frame.
pub(super) const GRID: usize = FRAME_PX / PATCH_PX;

pub(super) const PATCHES: &str = "videomae.embeddings.patch_embeddings";
pub(super) const TOKENS: &str = "videomae.embeddings";
pub(super) const BLOCKS: &str = "videomae.encoder.layer";
pub(super) const NORM: &str = "fc_norm";
pub(super) const CLASSIFIER: &str = "classifier";

/// VideoMAE with a classifier. All threads share the work of a clip.
pub(crate) struct VideoMae {
    pub(super) outline: Outline,
    /// Maps a token's pixels, which are read frame by frame, row by row.
    pub(super) tubelets: Linear,
    /// The encodings of positions in a clip of the published length.
    pub(super) positions: Tensor,
    pub(super) width: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) norm: LayerNorm,
    pub(super) classifier: Linear,
    pub(super) placement: Placement,
}

/// Attention of all tokens of a clip to each other, then a perceptron, each with a norm before it.
pub(super) struct Block {
    pub(super) norm: LayerNorm,
    /// The queries include the scores' factor.
    pub(super) query_key_value: Linear,
    pub(super) output: Linear,
    /// The perceptron and its norm.
    pub(super) perceptron: Mlp,
    pub(super) n_heads: usize,
    pub(super) is_shared: bool,
}

impl Block {
    /// The block's output for clips of shape (clip, token, feature).
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let projected = self.query_key_value.forward(&self.norm.forward(x)?)?;
        let width = x.dim(2)?;
        let columns = [0, 1, 2].map(|part| TokenColumns {
            tokens: &projected,
            first: part * width,
        });
        let attended = attend_across(columns, width, self.n_heads, self.is_shared)?;
        let x = self.output.forward_residual(&attended, x)?;
        self.perceptron.forward_residual(&x, &x)
    }
}

impl VideoMae {
    /// The pixels of each token, shape (clip, token, feature). Tokens are ordered by pairs of frames, then row by row.
    fn patches(&self, clips: &Tensor) -> Result<Tensor> {
        let (n_clips, height, _, channels) = clips.dims4()?;
        let n_tubelets = height / (TUBELET_FRAMES * FRAME_PX);
        let pixels =
            clips.reshape(vec![n_clips * n_tubelets, TUBELET_FRAMES, GRID, PATCH_PX, GRID, PATCH_PX * channels])?;
        let pixels = pixels.permute(vec![0, 2, 4, 1, 3, 5])?.contiguous()?;
        let n_pixels = TUBELET_FRAMES * PATCH_PX * PATCH_PX * channels;
        let shape = (n_clips, n_tubelets * GRID * GRID, n_pixels);
        self.tubelets.forward(&pixels.reshape(shape)?)
    }
}

impl Network for VideoMae {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn forward(&self, clips: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let patches = self.patches(clips)?;
        outputs.offer(PATCHES, &patches)?;
        let n_tokens = patches.dim(1)?;
        // The encoding of a position does not depend on the length of the clip.
        let positions = match n_tokens <= self.positions.dim(0)? {
            true => self.positions.narrow(0, 0, n_tokens)?,
            false => positions(n_tokens, self.width, &self.placement)?,
        };
        let mut x = patches.broadcast_add(&positions)?;
        outputs.offer(TOKENS, &x)?;
        for (index, block) in self.blocks.iter().enumerate() {
            x = block.forward(&x)?;
            outputs.offer(&format!("{BLOCKS}.{index}"), &x)?;
        }
        let x = self.norm.forward(&x.mean(1)?)?;
        outputs.offer(NORM, &x)?;
        outputs.offer(CLASSIFIER, &self.classifier.forward(&x)?)
    }
}

pub(super) fn outline(n_blocks: usize) -> Outline {
    let blocks = (0..n_blocks).map(|index| format!("{BLOCKS}.{index}"));
    let tokens = [PATCHES, TOKENS].map(str::to_owned).into_iter().chain(blocks);
    let tokens = tokens.map(|name| Layer::new(name, LayerKind::Tokens));
    let vectors = [NORM, CLASSIFIER].map(|name| Layer::new(name, LayerKind::Vector));
    let sides = Sides::Clips {
        frame_px: FRAME_PX,
        frames_together: TUBELET_FRAMES,
    };
    Outline::new("VideoMAE ViT-B/16", sides, tokens.chain(vectors).collect())
}
