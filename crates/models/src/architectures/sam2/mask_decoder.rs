//! Turns prompts and the image's maps into masks.

use super::choice::chosen;
use super::config::N_MASKS;
use super::image_encoder::Embedding;
use super::two_way::TwoWay;
use candle_core::{D, Result, Tensor};
use neurogauge_kernels::blocks::{LayerNorm, Linear, Perceptron, host_values};

/// Side of a mask over the side of the map.
pub(super) const ENLARGEMENT: usize = 4;
/// Tokens before those of the masks: whether the object is present, and how well the masks fit.
const N_BEFORE_MASKS: usize = 2;

pub(super) struct MaskDecoder {
    /// The tokens before those of the prompt; shape (token, channel).
    pub(super) first_tokens: Tensor,
    /// Encodings of the map's positions; shape (1, position, channel).
    pub(super) positions: Tensor,
    /// Added to the map, since no mask is part of the prompt.
    pub(super) no_mask: Tensor,
    pub(super) two_way: TwoWay,
    /// Each turns a position into 2 x 2 positions, whose channels are adjacent. The norm applies to the positions of
    /// the first one.
    pub(super) enlarging: [Linear; 2],
    pub(super) enlarged_norm: LayerNorm,
    /// Turn the token of a mask into the weights of its pixels.
    pub(super) of_masks: Vec<Perceptron>,
    pub(super) overlaps: Perceptron,
    /// Positions along each side of the map.
    pub(super) side: usize,
}

pub(super) struct Chosen {
    /// Logits, row by row.
    pub(super) logits: Vec<f32>,
    /// Predicted intersection over union with the object.
    pub(super) overlap: f32,
    pub(super) candidate: usize,
}

impl MaskDecoder {
    /// Masks for prompts given as tokens of shape (prompt, token, channel). `seen` gets `iou` and `logits`.
    pub(super) fn forward(
        &self,
        embedding: &Embedding,
        prompts: &Tensor,
        seen: &mut dyn FnMut(&str, &Tensor) -> Result<()>,
    ) -> Result<Vec<Chosen>> {
        let (n_prompts, _, width) = prompts.dims3()?;
        let (n_first, _) = self.first_tokens.dims2()?;
        let first = self.first_tokens.broadcast_as((n_prompts, n_first, width))?.contiguous()?;
        let tokens = Tensor::cat(&[&first, prompts], 1)?.contiguous()?;
        let map = embedding.map.broadcast_add(&self.no_mask)?;
        let n_places = map.dim(0)?;
        let maps = map.broadcast_as((n_prompts, n_places, width))?.contiguous()?;
        let (tokens, maps) = self.two_way.forward(&tokens, &maps, &self.positions)?;
        let overlaps = self.overlaps.forward(&token(&tokens, 1)?)?;
        seen("iou", &overlaps)?;
        let of_masks = self
            .of_masks
            .iter()
            .enumerate()
            .map(|(mask, perceptron)| perceptron.forward(&token(&tokens, N_BEFORE_MASKS + mask)?))
            .collect::<Result<Vec<_>>>()?;
        let of_masks = Tensor::stack(&of_masks, 1)?;
        let overlaps = host_values(&overlaps)?;
        let mut all = Vec::new();
        let mut found = Vec::with_capacity(n_prompts);
        for (prompt, overlaps) in overlaps.chunks_exact(N_MASKS).enumerate() {
            let enlarged = self.enlarged(&maps.get(prompt)?.contiguous()?, &embedding.fine)?;
            let products =
                Linear::without_bias(&of_masks.get(prompt)?.contiguous()?)?.shared(true).forward(&enlarged)?;
            let mut masks = self.by_rows(&host_values(&products)?);
            all.extend(masks.concat());
            let candidate = chosen(&masks, overlaps);
            found.push(Chosen {
                logits: masks.swap_remove(candidate),
                overlap: overlaps[candidate],
                candidate,
            });
        }
        let side = ENLARGEMENT * self.side;
        seen("logits", &Tensor::from_vec(all, (n_prompts, N_MASKS, side, side), prompts.device())?)?;
        Ok(found)
    }

    /// Enlarges every position to 4 x 4: shape (position, channel), square within square.
    fn enlarged(&self, map: &Tensor, fine: &[Tensor; 2]) -> Result<Tensor> {
        let [first, second] = &self.enlarging;
        let x = first.forward_residual(map, &fine[0])?;
        let x = x.reshape(((), x.dim(D::Minus1)? / 4))?;
        let x = second.forward_residual(&self.enlarged_norm.forward(&x)?, &fine[1])?;
        x.reshape(((), x.dim(D::Minus1)? / 4))
    }

    /// Logits of each mask row by row. The input has those of all masks for each position, in the order of squares
    /// within squares.
    fn by_rows(&self, products: &[f32]) -> Vec<Vec<f32>> {
        let side = ENLARGEMENT * self.side;
        let mut masks = vec![vec![0.0; side * side]; N_MASKS];
        for (index, logits) in products.chunks_exact(N_MASKS).enumerate() {
            let (place, outer, inner) = (index / 16, index / 4 % 4, index % 4);
            let y = place / self.side * 4 + outer / 2 * 2 + inner / 2;
            let x = place % self.side * 4 + outer % 2 * 2 + inner % 2;
            for (mask, logit) in masks.iter_mut().zip(logits) {
                mask[y * side + x] = *logit;
            }
        }
        masks
    }
}

/// The token at `index` for every prompt.
fn token(tokens: &Tensor, index: usize) -> Result<Tensor> {
    tokens.narrow(1, index, 1)?.squeeze(1)?.contiguous()
}
