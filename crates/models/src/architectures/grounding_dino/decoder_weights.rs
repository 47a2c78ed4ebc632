//! Builds the decoder from a checkpoint.

use super::config::SINE_BASE;
use super::decoder::{Decoder, DecoderLayer};
use super::weights::Taking;
use crate::ModelError;
use neurogauge_kernels::blocks::{Activation, CrossAttention, Perceptron, SinePositions};

impl Taking<'_> {
    pub(super) fn decoder(&mut self) -> Result<Decoder, ModelError> {
        let width = self.config.width;
        let n_layers = self.config.decoder.n_layers;
        let shares_boxes = self.config.shares_box_heads;
        let mut layers: Vec<DecoderLayer> = Vec::new();
        for index in 0..n_layers {
            let own = self.has_own("bbox_embed", ".layers.0.weight", index, shares_boxes);
            let boxes = match layers.first() {
                Some(first) if !own => first.boxes.clone(),
                _ => self.box_head(&format!("bbox_embed.{index}"))?,
            };
            layers.push(self.decoder_layer(index, boxes)?);
        }
        let name = "model.decoder.reference_points_head.layers";
        let positions = vec![
            self.checkpoint.linear(&format!("{name}.0"), 2 * width, width)?.then(Activation::Relu),
            self.square(&format!("{name}.1"))?,
        ];
        let shares = self.config.shares_class_heads;
        let own = self.has_own("class_embed", ".bias", n_layers - 1, shares);
        let head = if own { n_layers - 1 } else { 0 };
        Ok(Decoder {
            layers,
            sines: SinePositions::new(width / 2, SINE_BASE),
            positions: Perceptron { layers: positions },
            norm: self.norm("model.decoder.layer_norm")?,
            head: self.head(&format!("class_embed.{head}"))?,
        })
    }

    fn decoder_layer(&mut self, index: usize, boxes: Perceptron) -> Result<DecoderLayer, ModelError> {
        let layers = self.config.decoder;
        let name = format!("model.decoder.layers.{index}");
        let part = |part: &str| format!("{name}.{part}");
        Ok(DecoderLayer {
            among_queries: self.across(&part("self_attn"))?,
            among_queries_norm: self.norm(&part("self_attn_layer_norm"))?,
            to_text: self.across(&part("encoder_attn_text"))?,
            to_text_norm: self.norm(&part("encoder_attn_text_layer_norm"))?,
            to_image: self.deformable(&part("encoder_attn"), layers.n_heads, layers.n_points)?,
            to_image_norm: self.norm(&part("encoder_attn_layer_norm"))?,
            mlp: self.mlp(&name, layers.n_inner)?,
            mlp_norm: self.norm(&part("final_layer_norm"))?,
            boxes,
        })
    }

    fn across(&mut self, name: &str) -> Result<CrossAttention<2>, ModelError> {
        let maps = self.query_key_value(name)?;
        let output = self.square(&format!("{name}.out_proj"))?;
        let n_heads = self.config.decoder.n_heads;
        (self.checkpoint).arranged(|| CrossAttention::apart(maps, output, n_heads))
    }

    /// Does this decoder layer have its own head, or do all layers share the first one's? The `config.json` decides if
    /// there is one.
    fn has_own(&self, kind: &str, part: &str, index: usize, shared: bool) -> bool {
        self.checkpoint.holds(&format!("{kind}.{index}{part}")).unwrap_or(!shared)
    }
}
