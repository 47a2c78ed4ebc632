//! Builds the network's layers from the tensors of a checkpoint.

use super::config::{Config, EPSILON, Kind, N_GROUPS, SINE_BASE};
use super::heads::ContrastiveHead;
use super::network::{Network, Projection, ProjectionMap};
use super::selection::QuerySelection;
use crate::ModelError;
use crate::architectures::bert::{MINILM, bert};
use crate::architectures::swin::FeatureMaps;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::Projections;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{
    Activation, DeformableAttention, LayerNorm, Linear, Mlp, Perceptron, Samples, SinePositions,
};

/// Prefix of the backbone's tensors, which have torchvision's names.
pub(super) const BACKBONE: &str = "model.backbone.conv_encoder.model.";
/// Prefix of BERT's tensors, which have BERT's own names.
pub(super) const TEXT: &str = "model.text_backbone.";

/// Builds the whole network; the caller decides which tensors may be left over.
pub(super) fn build(checkpoint: &mut Checkpoint, config: &Config) -> Result<Network, ModelError> {
    let mut take = Taking { checkpoint, config };
    let width = config.width;
    let projections = take.projections()?;
    let enhancer = (0..config.encoder.n_layers)
        .map(|index| take.enhancer_layer(&format!("model.encoder.layers.{index}")))
        .collect::<Result<Vec<_>, ModelError>>()?;
    let selection = take.selection()?;
    let decoder = take.decoder()?;
    let checkpoint = take.checkpoint;
    let levels = checkpoint.take_values("model.level_embed", &[config.n_levels, width])?;
    let queries = "model.query_position_embeddings.weight";
    Ok(Network {
        backbone: FeatureMaps::build(checkpoint, BACKBONE, &config.backbone)?,
        projections,
        sines: SinePositions::new(width / 2, config.position_base),
        levels,
        text: bert(checkpoint, TEXT, &config.text, &MINILM)?,
        text_projection: checkpoint.linear("model.text_projection", config.text.hidden_size, width)?,
        text_sines: SinePositions::new(width, SINE_BASE),
        enhancer,
        selection,
        queries: checkpoint.take(queries, &[config.n_queries, width])?,
        decoder,
    })
}

/// May this tensor be left over? These are heads that only training uses, copies of heads under another name,
/// embeddings of training noise, index tables, and the backbone's norm for classification.
pub(super) fn is_left_over(name: &str) -> bool {
    let heads = [
        "bbox_embed.",
        "class_embed.",
        "model.decoder.bbox_embed.",
        "model.decoder.class_embed.",
        "bbox_head.",
        "dn_query_generator.",
        "model.backbone.conv_encoder.model.swin.layernorm.",
    ];
    heads.iter().any(|head| name.starts_with(head))
        || name.ends_with("relative_position_index")
        || name.ends_with("embeddings.position_ids")
        || name.contains(".body.model.pooler.")
        || name.starts_with(&format!("{TEXT}pooler."))
}

/// Takes layers that several parts use, by their names.
pub(super) struct Taking<'a> {
    pub(super) checkpoint: &'a mut Checkpoint,
    pub(super) config: &'a Config,
}

impl Taking<'_> {
    pub(super) fn norm(&mut self, name: &str) -> Result<LayerNorm, ModelError> {
        self.checkpoint.layer_norm(name, self.config.width, EPSILON)
    }

    /// An affine map from the checkpoint's width to the same width.
    pub(super) fn square(&mut self, name: &str) -> Result<Linear, ModelError> {
        let width = self.config.width;
        self.checkpoint.linear(name, width, width)
    }

    /// First the projections of the backbone's maps, then the layers that make additional maps.
    fn projections(&mut self) -> Result<Vec<Projection>, ModelError> {
        let width = self.config.width;
        let channels: Vec<usize> = self.config.backbone.channels().collect();
        let mut projections = Vec::new();
        for level in 0..self.config.n_levels {
            let name = format!("model.input_proj_vision.{level}");
            let (map, norm) = match channels.get(level) {
                Some(&n_in) => {
                    let map = self.checkpoint.linear_of_point(&format!("{name}.0"), n_in, width)?;
                    (ProjectionMap::Places(map), format!("{name}.1"))
                }
                None => {
                    let extra = level - channels.len();
                    let last = channels.last().copied().unwrap_or(width);
                    let n_in = if extra == 0 { last } else { width };
                    let kernel = Kernel::square(n_in, width, 3, 2, 1);
                    let name = format!("{name}.extra.{extra}");
                    let map = self.checkpoint.convolution(&format!("{name}.0"), kernel)?;
                    (ProjectionMap::Halving(map), format!("{name}.1"))
                }
            };
            let norm = self.checkpoint.group_norm(&norm, width, N_GROUPS, EPSILON)?;
            projections.push(Projection { map, norm });
        }
        Ok(projections)
    }

    fn selection(&mut self) -> Result<QuerySelection, ModelError> {
        // mmdetection stores the selection's heads after those of the decoder layers.
        let last = self.config.decoder.n_layers;
        Ok(QuerySelection {
            map: self.square("model.enc_output")?,
            norm: self.norm("model.enc_output_norm")?,
            head: self.head(&format!("model.encoder_output_class_embed.{last}"))?,
            boxes: self.box_head(&format!("model.encoder_output_bbox_embed.{last}"))?,
        })
    }

    pub(super) fn mlp(&mut self, name: &str, n_inner: usize) -> Result<Mlp, ModelError> {
        let width = self.config.width;
        let expand = (self.checkpoint).linear(&format!("{name}.fc1"), width, n_inner)?;
        let contract = (self.checkpoint).linear(&format!("{name}.fc2"), n_inner, width)?;
        Ok(Mlp::new(expand, Activation::Relu, contract))
    }

    /// Weight and bias of the maps to queries, keys and values.
    pub(super) fn query_key_value(&mut self, name: &str) -> Result<[(Tensor, Tensor); 3], ModelError> {
        self.checkpoint.projections(name, Projections::Stacked("qkv"), self.config.width)
    }

    pub(super) fn deformable(
        &mut self,
        name: &str,
        n_heads: usize,
        n_points: usize,
    ) -> Result<DeformableAttention, ModelError> {
        let (width, n_levels) = (self.config.width, self.config.n_levels);
        let n_samples = n_heads * n_levels * n_points;
        let (offsets, weights) = ("sampling_offsets", "attention_weights");
        let offsets = (self.checkpoint).weight_and_bias(&format!("{name}.{offsets}"), width, 2 * n_samples)?;
        let weights = (self.checkpoint).weight_and_bias(&format!("{name}.{weights}"), width, n_samples)?;
        let value = self.square(&format!("{name}.value_proj"))?;
        let output = self.square(&format!("{name}.output_proj"))?;
        let samples = Samples {
            n_heads,
            n_levels,
            n_points,
        };
        (self.checkpoint).arranged(|| DeformableAttention::new(offsets, weights, value, output, samples))
    }

    pub(super) fn head(&mut self, name: &str) -> Result<ContrastiveHead, ModelError> {
        Ok(match self.config.kind {
            Kind::Original => ContrastiveHead::Product,
            Kind::MmDetection => {
                let bias = self.checkpoint.take_values(&format!("{name}.bias"), &[])?;
                ContrastiveHead::Scaled {
                    bias: bias.first().copied().unwrap_or(0.0),
                }
            }
        })
    }

    /// The perceptron that gives the four numbers of a box.
    pub(super) fn box_head(&mut self, name: &str) -> Result<Perceptron, ModelError> {
        let width = self.config.width;
        let mut layers = Vec::new();
        for (index, n_out) in [width, width, 4].into_iter().enumerate() {
            let layer = (self.checkpoint).linear(&format!("{name}.layers.{index}"), width, n_out)?;
            let inner = n_out == width && index < 2;
            layers.push(if inner { layer.then(Activation::Relu) } else { layer });
        }
        Ok(Perceptron { layers })
    }
}
