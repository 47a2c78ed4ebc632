//! The configuration of a network from the shapes of an mmdetection checkpoint, for files without a `config.json`.

use super::config::Config;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use serde_json::{Value, json};
use std::path::Path;

/// The same in all of mmdetection's configurations; it does not show in tensor shapes.
const N_HEADS: usize = 8;
/// Width of an attention head of BERT.
const TEXT_HEAD_WIDTH: usize = 64;
const TEXT: &str = "language_model.language_backbone.body.model";

impl Config {
    /// Reads the configuration of mmdetection's file at `path` off its tensors; numbers of heads are the published
    /// ones. A missing tensor is reported by the code that reads it.
    pub(super) fn of_mmdetection(checkpoint: &Checkpoint, path: &Path) -> Result<Self, ModelError> {
        let shapes = Shapes { checkpoint };
        let (encoder, decoder) = (shapes.half("encoder"), shapes.half("decoder"));
        let points = |attention: &str| {
            let n_weights = shapes.axis(&format!("{attention}.attention_weights.bias"), 0);
            n_weights / (N_HEADS * shapes.axis("level_embed", 0)).max(1)
        };
        let kind = if shapes.has("bbox_head.cls_branches.0.bias") {
            "mm-grounding-dino"
        } else {
            "grounding-dino"
        };
        let config = json!({
            "model_type": kind,
            "backbone_config": shapes.backbone(),
            "text_config": shapes.text(),
            "d_model": shapes.axis("level_embed", 1),
            "num_queries": shapes.axis("query_embedding.weight", 0),
            "num_feature_levels": shapes.axis("level_embed", 0),
            "encoder_layers": encoder.0,
            "encoder_ffn_dim": encoder.1,
            "encoder_attention_heads": N_HEADS,
            "encoder_n_points": points("encoder.layers.0.self_attn"),
            "decoder_layers": decoder.0,
            "decoder_ffn_dim": decoder.1,
            "decoder_attention_heads": N_HEADS,
            "decoder_n_points": points("decoder.layers.0.cross_attn"),
            "decoder_bbox_embed_share": false,
            "decoder_cls_embed_share": false,
        });
        Config::from_value(config, path)
    }
}

struct Shapes<'a> {
    checkpoint: &'a Checkpoint,
}

impl Shapes<'_> {
    fn has(&self, name: &str) -> bool {
        self.checkpoint.shape_of(name).is_some()
    }

    /// Length of a tensor's axis; 1 if the tensor has no such axis.
    fn axis(&self, name: &str, axis: usize) -> usize {
        let shape = self.checkpoint.shape_of(name);
        shape.and_then(|shape| shape.get(axis).copied()).unwrap_or(1)
    }

    /// Counts the tensors named for 0, 1, ...
    fn count(&self, name: impl Fn(usize) -> String) -> usize {
        (0..).take_while(|&index| self.has(&name(index))).count()
    }

    /// Number of layers, and hidden width of their perceptrons.
    fn half(&self, half: &str) -> (usize, usize) {
        let n_layers = self.count(|index| format!("{half}.layers.{index}.norms.0.weight"));
        (n_layers, self.axis(&format!("{half}.layers.0.ffn.layers.0.0.bias"), 0))
    }

    fn backbone(&self) -> Value {
        let table = |stage: usize, block: usize| {
            format!("backbone.stages.{stage}.blocks.{block}.attn.w_msa.relative_position_bias_table")
        };
        let n_stages = self.count(|stage| table(stage, 0));
        let depth = |stage: usize| self.count(|block| table(stage, block));
        let has_norm = |stage: &usize| self.has(&format!("backbone.norm{stage}.weight"));
        let outputs = (0..n_stages).filter(has_norm).map(|stage| stage + 1);
        json!({
            "embed_dim": self.axis("backbone.patch_embed.projection.weight", 0),
            "depths": (0..n_stages).map(depth).collect::<Vec<_>>(),
            "num_heads":
                (0..n_stages).map(|stage| self.axis(&table(stage, 0), 1)).collect::<Vec<_>>(),
            // The table has a row for each difference of two positions: (2 window - 1)² rows.
            "window_size": self.axis(&table(0, 0), 0).isqrt().div_ceil(2),
            "out_indices": outputs.collect::<Vec<_>>(),
        })
    }

    fn text(&self) -> Value {
        let name = |part: &str| format!("{TEXT}.{part}");
        let words = name("embeddings.word_embeddings.weight");
        let positions = name("embeddings.position_embeddings.weight");
        let expand = name("encoder.layer.0.intermediate.dense.weight");
        let layer = |index: usize| name(&format!("encoder.layer.{index}.output.dense.weight"));
        json!({
            "vocab_size": self.axis(&words, 0),
            "hidden_size": self.axis(&words, 1),
            "num_hidden_layers": self.count(layer),
            "num_attention_heads": (self.axis(&words, 1) / TEXT_HEAD_WIDTH).max(1),
            "intermediate_size": self.axis(&expand, 0),
            "max_position_embeddings": self.axis(&positions, 0),
        })
    }
}
