//! Selects the boxes that the decoder's queries start from.

use super::heads::{ContrastiveHead, fours, sigmoid};
use super::places::Places;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{LayerNorm, Linear, Perceptron};
use neurogauge_kernels::generation::top_k::top_k;

/// Every position proposes a box; the boxes that fit some token best are taken.
pub(super) struct QuerySelection {
    pub(super) map: Linear,
    pub(super) norm: LayerNorm,
    pub(super) head: ContrastiveHead,
    pub(super) boxes: Perceptron,
}

impl QuerySelection {
    /// The boxes of the `n_queries` positions whose largest logit over the tokens is largest, in descending order. Ties
    /// come in the order of `torch.topk` on a CPU.
    pub(super) fn boxes(
        &self,
        vision: &Tensor,
        text: &Tensor,
        places: &Places,
        n_queries: usize,
    ) -> Result<Vec<[f32; 4]>> {
        let proposals = places.proposals();
        let rows: Vec<Option<u32>> =
            (proposals.iter().enumerate()).map(|(place, proposal)| proposal.map(|_| place as u32)).collect();
        // A position without a proposal has zeros instead of its vector.
        let vectors = self.norm.forward(&self.map.forward_picked(vision, &rows)?)?;
        let logits = self.head.logits(&vectors, text)?;
        let best: Vec<f32> = logits
            .chunks_exact(text.dim(0)?)
            .map(|row| row.iter().copied().fold(f32::NEG_INFINITY, largest))
            .collect();
        let chosen = top_k(&best, n_queries);
        let rows: Vec<u32> = chosen.iter().map(|&place| place as u32).collect();
        let rows = Tensor::from_vec(rows, chosen.len(), vectors.device())?;
        let differences = fours(&self.boxes, &vectors.index_select(&rows, 0)?)?;
        let boxes = chosen.iter().zip(differences).map(|(&place, difference)| {
            let proposal = proposals[place].unwrap_or([f32::INFINITY; 4]);
            [0, 1, 2, 3].map(|side| sigmoid(difference[side] + proposal[side]))
        });
        Ok(boxes.collect())
    }
}

/// Like `f32::max`, but NaN counts as less than all numbers, since the selection needs a total order.
fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
