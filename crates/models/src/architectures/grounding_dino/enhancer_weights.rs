//! Builds the enhancer's layers from a checkpoint.

use super::enhancer::{EnhancerLayer, TextLayer, VisionLayer};
use super::fusion::{Fusion, FusionSide};
use super::weights::Taking;
use crate::ModelError;
use neurogauge_kernels::blocks::Linear;

impl Taking<'_> {
    pub(super) fn enhancer_layer(&mut self, name: &str) -> Result<EnhancerLayer, ModelError> {
        Ok(EnhancerLayer {
            fusion: self.fusion(&format!("{name}.fusion_layer"))?,
            text: self.text_layer(&format!("{name}.text_enhancer_layer"))?,
            vision: self.vision_layer(&format!("{name}.deformable_layer"))?,
        })
    }

    fn fusion(&mut self, name: &str) -> Result<Fusion, ModelError> {
        let (inner, n_heads) = (self.config.encoder.n_inner / 2, self.config.encoder.n_heads / 2);
        // The scores' factor is applied to the weights once, so that no score needs it.
        let scale = 1.0 / ((inner / n_heads) as f64).sqrt();
        Ok(Fusion {
            vision: self.fusion_side(name, "vision", inner, scale)?,
            text: self.fusion_side(name, "text", inner, 1.0)?,
            width: inner,
            n_heads,
        })
    }

    fn fusion_side(&mut self, name: &str, side: &str, inner: usize, scale: f64) -> Result<FusionSide, ModelError> {
        let width = self.config.width;
        let norm = self.norm(&format!("{name}.layer_norm_{side}"))?;
        let checkpoint = &mut *self.checkpoint;
        let shared = checkpoint.shares_rows();
        let attention = format!("{name}.attn");
        let scored = checkpoint.weight_and_bias(&format!("{attention}.{side}_proj"), width, inner)?;
        let value = checkpoint.weight_and_bias(&format!("{attention}.values_{side}_proj"), width, inner)?;
        let output = checkpoint.weight_and_bias(&format!("{attention}.out_{side}_proj"), inner, width)?;
        let gain = checkpoint.take(&format!("{name}.{side}_param"), &[width])?;
        checkpoint.arranged(|| {
            Ok(FusionSide {
                norm,
                projection: Linear::fused_scaling_first(&[scored, value], scale)?.shared(shared),
                output: Linear::scaled(&output.0, &output.1, &gain)?.shared(shared),
            })
        })
    }

    fn text_layer(&mut self, name: &str) -> Result<TextLayer, ModelError> {
        let n_heads = self.config.encoder.n_heads / 2;
        let [query, key, value] = self.query_key_value(&format!("{name}.self_attn"))?;
        let scale = 1.0 / ((self.config.width / n_heads) as f64).sqrt();
        let shared = self.checkpoint.shares_rows();
        let (query_key, value) = self.checkpoint.arranged(|| {
            Ok((
                Linear::fused_scaling_first(&[query, key], scale)?.shared(shared),
                Linear::new(&value.0, &value.1)?.shared(shared),
            ))
        })?;
        Ok(TextLayer {
            query_key,
            value,
            output: self.square(&format!("{name}.self_attn.out_proj"))?,
            n_heads,
            attention_norm: self.norm(&format!("{name}.layer_norm_before"))?,
            mlp: self.mlp(name, self.config.encoder.n_inner / 2)?,
            mlp_norm: self.norm(&format!("{name}.layer_norm_after"))?,
        })
    }

    fn vision_layer(&mut self, name: &str) -> Result<VisionLayer, ModelError> {
        let layers = self.config.encoder;
        Ok(VisionLayer {
            attention: self.deformable(&format!("{name}.self_attn"), layers.n_heads, layers.n_points)?,
            attention_norm: self.norm(&format!("{name}.self_attn_layer_norm"))?,
            mlp: self.mlp(name, layers.n_inner)?,
            mlp_norm: self.norm(&format!("{name}.final_layer_norm"))?,
        })
    }
}
