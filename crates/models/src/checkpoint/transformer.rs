//! Blocks of transformers from the tensors of a checkpoint.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::{
    Activation, Linear, Mlp, SelfAttention, TransformerBlock, WideLinear, WideTransformerBlock, factors_of_first,
};

/// Features of the output that a thread computes at a time, in maps that run in parts.
const PART: usize = 128;

/// The numbers that shape a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockShape {
    pub(crate) width: usize,
    pub(crate) n_heads: usize,
    /// Width inside the perceptron.
    pub(crate) n_inner: usize,
    pub(crate) activation: Activation,
    /// In the norms.
    pub(crate) epsilon: f64,
}

/// A library's names of the parts of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockNames {
    pub(crate) attention_norm: &'static str,
    pub(crate) projections: Projections,
    /// The map behind the attention.
    pub(crate) output: &'static str,
    pub(crate) mlp_norm: &'static str,
    pub(crate) expand: &'static str,
    pub(crate) contract: &'static str,
    /// The factors of the attention's and the perceptron's outputs, feature by feature, before they are added to their
    /// input ("layer scale").
    pub(crate) scales: Option<[&'static str; 2]>,
}

impl BlockNames {
    /// transformers' names in a BERT.
    pub(crate) const BERT: BlockNames = BlockNames {
        attention_norm: "attention.output.LayerNorm",
        projections: Projections::Separate(["attention.self.query", "attention.self.key", "attention.self.value"]),
        output: "attention.output.dense",
        mlp_norm: "output.LayerNorm",
        expand: "intermediate.dense",
        contract: "output.dense",
        scales: None,
    };

    /// transformers' names in a tower of CLIP or SigLIP.
    pub(crate) const CLIP: BlockNames = BlockNames {
        attention_norm: "layer_norm1",
        projections: Projections::Separate(["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]),
        output: "self_attn.out_proj",
        mlp_norm: "layer_norm2",
        expand: "mlp.fc1",
        contract: "mlp.fc2",
        scales: None,
    };
}

/// How the maps to queries, keys and values are stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Projections {
    /// As PyTorch's `MultiheadAttention` of this name does: one below the other, in `in_proj_weight` and
    /// `in_proj_bias`.
    Fused(&'static str),
    /// As one map of this name, one below the other.
    Stacked(&'static str),
    StackedWithoutBiases(&'static str),
    /// With the biases of queries and of values under these names; keys have none.
    StackedKeysWithoutBias(&'static str, [&'static str; 2]),
    /// Each separately: the names of the maps to queries, keys and values.
    Separate([&'static str; 3]),
    /// Each separately, and keys have no bias.
    SeparateKeysWithoutBias([&'static str; 3]),
}

impl Checkpoint {
    /// The blocks called `name.0`, `name.1` and so on.
    pub(crate) fn transformer_blocks(
        &mut self,
        name: &str,
        n_blocks: usize,
        names: &BlockNames,
        shape: BlockShape,
    ) -> Result<Vec<TransformerBlock>, ModelError> {
        (0..n_blocks)
            .map(|index| self.transformer_block(&format!("{name}.{index}"), names, shape))
            .collect()
    }

    /// The block called `name`.
    pub(crate) fn transformer_block(
        &mut self,
        name: &str,
        names: &BlockNames,
        shape: BlockShape,
    ) -> Result<TransformerBlock, ModelError> {
        let BlockShape {
            width,
            n_inner,
            epsilon,
            ..
        } = shape;
        let part = |part: &str| format!("{name}.{part}");
        let attention_norm = self.layer_norm(&part(names.attention_norm), width, epsilon)?;
        let projections = self.projections(name, names.projections, width)?;
        let [attention_scale, mlp_scale] = names.scales.map_or([None; 2], |scales| scales.map(Some));
        let output = self.scaled_linear(name, names.output, [width, width], attention_scale)?;
        let attention = self.arranged(|| SelfAttention::new(projections, output, shape.n_heads))?;
        let mlp_norm = self.layer_norm(&part(names.mlp_norm), width, epsilon)?;
        let expand = self.linear(&part(names.expand), width, n_inner)?;
        let contract = self.scaled_linear(name, names.contract, [n_inner, width], mlp_scale)?;
        Ok(TransformerBlock {
            attention_norm,
            attention,
            mlp_norm,
            mlp: Mlp::new(expand, shape.activation, contract),
        })
    }

    /// The map called `map` of the block called `name`. Its outputs are multiplied by the tensor called `scale`, if
    /// there is one: the factors become part of the map.
    fn scaled_linear(
        &mut self,
        name: &str,
        map: &str,
        [n_in, n_out]: [usize; 2],
        scale: Option<&str>,
    ) -> Result<Linear, ModelError> {
        let map = format!("{name}.{map}");
        let Some(scale) = scale else {
            return self.linear(&map, n_in, n_out);
        };
        let (weight, bias) = self.weight_and_bias(&map, n_in, n_out)?;
        let scale = self.take(&format!("{name}.{scale}"), &[n_out])?;
        self.arranged(|| Ok(Linear::scaled(&weight, &bias, &scale)?.shared(self.shares_rows())))
    }

    /// The blocks called `name.0`, `name.1` and so on, of maps that run in parts.
    pub(crate) fn wide_transformer_blocks(
        &mut self,
        name: &str,
        n_blocks: usize,
        names: &BlockNames,
        shape: BlockShape,
    ) -> Result<Vec<WideTransformerBlock>, ModelError> {
        (0..n_blocks)
            .map(|index| self.wide_transformer_block(&format!("{name}.{index}"), names, shape))
            .collect()
    }

    fn wide_transformer_block(
        &mut self,
        name: &str,
        names: &BlockNames,
        shape: BlockShape,
    ) -> Result<WideTransformerBlock, ModelError> {
        let BlockShape {
            width,
            n_inner,
            epsilon,
            ..
        } = shape;
        let part = |part: &str| format!("{name}.{part}");
        let [query, key, value] = self.projections(name, names.projections, width)?;
        let scale = 1.0 / ((width / shape.n_heads) as f64).sqrt();
        let query_key_value = self.arranged(|| {
            let weight = Tensor::cat(&[&query.0, &key.0, &value.0], 0)?;
            let bias = Tensor::cat(&[&query.1, &key.1, &value.1], 0)?;
            // The scores' factor 1 / √head_width, once here instead of for every score.
            let factors = factors_of_first(&bias, width, scale)?;
            WideLinear::scaled_in_parts(&weight, &bias, &factors, PART)
        })?;
        let mut linear = |name: &str, n_in, n_out| self.wide_linear_in_parts(&part(name), n_in, n_out, PART);
        let attention_output = linear(names.output, width, width)?;
        let expand = linear(names.expand, width, n_inner)?.then(shape.activation);
        let contract = linear(names.contract, n_inner, width)?;
        Ok(WideTransformerBlock {
            attention_norm: self.layer_norm(&part(names.attention_norm), width, epsilon)?,
            query_key_value,
            attention_output,
            mlp_norm: self.layer_norm(&part(names.mlp_norm), width, epsilon)?,
            expand,
            contract,
        })
    }

    /// The maps to queries, keys and values of the block called `name`: weight and bias each.
    pub(crate) fn projections(
        &mut self,
        name: &str,
        projections: Projections,
        width: usize,
    ) -> Result<[(Tensor, Tensor); 3], ModelError> {
        let part = |part: &str| format!("{name}.{part}");
        match projections {
            Projections::Fused(attention) => {
                let tensor = |part: &str| format!("{name}.{attention}.in_proj_{part}");
                let weight = self.take(&tensor("weight"), &[3 * width, width])?;
                let bias = self.take(&tensor("bias"), &[3 * width])?;
                self.arranged(|| thirds(&weight, &bias))
            }
            Projections::Stacked(map) => {
                let (weight, bias) = self.weight_and_bias(&part(map), width, 3 * width)?;
                self.arranged(|| thirds(&weight, &bias))
            }
            Projections::StackedWithoutBiases(map) => {
                let weight = self.take(&format!("{}.weight", part(map)), &[3 * width, width])?;
                let bias = self.zeros(3 * width)?;
                self.arranged(|| thirds(&weight, &bias))
            }
            Projections::StackedKeysWithoutBias(map, [query, value]) => {
                let weight = self.take(&format!("{}.weight", part(map)), &[3 * width, width])?;
                let query = self.take(&part(query), &[width])?;
                let value = self.take(&part(value), &[width])?;
                let key = self.zeros(width)?;
                self.arranged(|| thirds(&weight, &Tensor::cat(&[query, key, value], 0)?))
            }
            Projections::Separate(maps) => {
                let [query, key, value] = maps.map(|map| self.weight_and_bias(&part(map), width, width));
                Ok([query?, key?, value?])
            }
            Projections::SeparateKeysWithoutBias([query, key, value]) => Ok([
                self.weight_and_bias(&part(query), width, width)?,
                (self.take(&format!("{}.weight", part(key)), &[width, width])?, self.zeros(width)?),
                self.weight_and_bias(&part(value), width, width)?,
            ]),
        }
    }

    /// Stands in for a bias that the checkpoint does not have.
    fn zeros(&self, n: usize) -> Result<Tensor, ModelError> {
        self.arranged(|| self.placement().tensor(vec![0.0; n], n))
    }
}

/// Weight and bias of each of three maps, which are one below the other.
fn thirds(weight: &Tensor, bias: &Tensor) -> EngineResult<[(Tensor, Tensor); 3]> {
    let width = bias.dim(0)? / 3;
    let part = |index: usize| -> EngineResult<(Tensor, Tensor)> {
        let first = index * width;
        Ok((weight.narrow(0, first, width)?, bias.narrow(0, first, width)?))
    };
    Ok([part(0)?, part(1)?, part(2)?])
}
