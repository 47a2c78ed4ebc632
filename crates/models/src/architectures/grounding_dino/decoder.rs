//! Turns queries into detections: each query attends to the other queries, to the prompt's tokens and to the image
//! around its box, which moves from layer to layer.

use super::heads::{ContrastiveHead, fours, moved};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    CrossAttention, DeformableAttention, LayerNorm, Mlp, Perceptron, References, SinePositions, beside, sum,
};

pub(super) struct Decoder {
    pub(super) layers: Vec<DecoderLayer>,
    /// Encodes the numbers of a box one after the other.
    pub(super) sines: SinePositions,
    /// Maps the sines of a box to the position of its query.
    pub(super) positions: Perceptron,
    pub(super) norm: LayerNorm,
    pub(super) head: ContrastiveHead,
}

/// The parts of a layer; each has a residual and a norm of the sum.
pub(super) struct DecoderLayer {
    pub(super) among_queries: CrossAttention<2>,
    pub(super) among_queries_norm: LayerNorm,
    pub(super) to_text: CrossAttention<2>,
    pub(super) to_text_norm: LayerNorm,
    pub(super) to_image: DeformableAttention,
    pub(super) to_image_norm: LayerNorm,
    pub(super) mlp: Mlp,
    pub(super) mlp_norm: LayerNorm,
    /// Gives the movement of each query's box.
    pub(super) boxes: Perceptron,
}

/// What queries attend to: the image and the prompt.
pub(super) struct Scene<'a> {
    pub(super) vision: &'a Tensor,
    pub(super) sizes: &'a [(usize, usize)],
    pub(super) text: &'a Tensor,
}

/// Logits of shape (query, token), and one box per query.
pub(super) type Detections = (Vec<f32>, Vec<[f32; 4]>);

impl Decoder {
    /// Decodes queries that start from these vectors and boxes; `seen` gets every layer's normalised vectors.
    pub(super) fn forward(
        &self,
        queries: &Tensor,
        mut boxes: Vec<[f32; 4]>,
        scene: &Scene<'_>,
        seen: &mut dyn FnMut(&str, &Tensor) -> Result<()>,
    ) -> Result<Detections> {
        let mut x = queries.clone();
        for (index, layer) in self.layers.iter().enumerate() {
            let positions = self.positions.forward(&self.encoded(&boxes, &x)?)?;
            let references = References::Boxes(boxes.clone());
            x = layer.forward(&x, &positions, &references, scene)?;
            let normalised = self.norm.forward(&x)?;
            seen(&format!("decoder.{index}"), &normalised)?;
            if index + 1 == self.layers.len() {
                let logits = self.head.logits(&normalised, scene.text)?;
                return Ok((logits, moved(&boxes, &fours(&layer.boxes, &normalised)?)));
            }
            boxes = moved(&boxes, &fours(&layer.boxes, &x)?);
        }
        Ok((Vec::new(), boxes))
    }

    /// Sines of the box centre's y and x, and of its width and height, in this order.
    fn encoded(&self, boxes: &[[f32; 4]], like: &Tensor) -> Result<Tensor> {
        let n = self.sines.n_features();
        let mut features = vec![0.0; boxes.len() * 4 * n];
        for ([x, y, width, height], out) in boxes.iter().zip(features.chunks_exact_mut(4 * n)) {
            for (number, out) in [y, x, width, height].iter().zip(out.chunks_exact_mut(n)) {
                self.sines.encode(**number, out);
            }
        }
        beside(like, features, (boxes.len(), 4 * n))
    }
}

impl DecoderLayer {
    fn forward(&self, x: &Tensor, positions: &Tensor, references: &References, scene: &Scene<'_>) -> Result<Tensor> {
        let placed = sum(x, positions)?;
        let x = (self.among_queries).forward_residual(&placed, [&placed, x], x)?;
        let x = self.among_queries_norm.forward(&x)?;
        let placed = sum(&x, positions)?;
        let x = (self.to_text).forward_residual(&placed, [scene.text; 2], &x)?;
        let x = self.to_text_norm.forward(&x)?;
        let placed = sum(&x, positions)?;
        let x = (self.to_image).forward_residual(&placed, references, scene.vision, scene.sizes, &x)?;
        let x = self.to_image_norm.forward(&x)?;
        self.mlp_norm.forward(&self.mlp.forward_residual(&x, &x)?)
    }
}
