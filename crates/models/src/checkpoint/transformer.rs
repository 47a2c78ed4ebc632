//! Builds the blocks of transformers from the tensors of a checkpoint.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::{
    Activation, Linear, Mlp, SelfAttention, TransformerBlock, WideLinear, WideTransformerBlock, factors_of_first,
};

/// Output features that a thread computes at a time, in maps that are computed in parts.
const PART: usize = 128;

#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockShape {
    pub(crate) width: usize,
    pub(crate) n_heads: usize,
    /// Hidden width of the perceptron.
    pub(crate) n_inner: usize,
    pub(crate) activation: Activation,
    pub(crate) epsilon: f64,
}

/// A library's names of the parts of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockNames {
    pub(crate) attention_norm: &'static str,
    pub(crate) projections: Projections,
    /// The map after the attention.
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
    /// In one tensor, stacked by rows, in `in_proj_weight` and `in_proj_bias` of PyTorch's `MultiheadAttention` of this
    /// name.
    Fused(&'static str),
    /// As one map of this name, stacked by rows.
    Stacked(&'static str),
    StackedWithoutBiases(&'static str),
    /// As one map of the first name, stacked by rows. The other names are the biases of queries and values; keys have
    /// none.
    StackedKeysWithoutBias(&'static str, [&'static str; 2]),
    /// Separately: the names of the maps to queries, keys and values.
    Separate([&'static str; 3]),
    /// Separately, and keys have no bias.
    SeparateKeysWithoutBias([&'static str; 3]),
}

impl Checkpoint {
    /// The blocks `name.0`, `name.1` and so on.
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

    /// The map `map` of the block `name`. If `scale` names a tensor, its factors are multiplied into the map.
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

    /// The blocks `name.0`, `name.1` and so on, whose maps are computed in parts.
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
            // The scores' factor 1 / √head_width is applied to the weights once, so that no score needs it.
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

    /// Weight and bias of the block's maps to queries, keys and values.
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

    /// Used as the bias that the checkpoint does not have.
    fn zeros(&self, n: usize) -> Result<Tensor, ModelError> {
        self.arranged(|| self.placement().tensor(vec![0.0; n], n))
    }
}

/// Splits a stacked weight and bias into those of the three maps.
fn thirds(weight: &Tensor, bias: &Tensor) -> EngineResult<[(Tensor, Tensor); 3]> {
    let width = bias.dim(0)? / 3;
    let part = |index: usize| -> EngineResult<(Tensor, Tensor)> {
        let first = index * width;
        Ok((weight.narrow(0, first, width)?, bias.narrow(0, first, width)?))
    };
    Ok([part(0)?, part(1)?, part(2)?])
}
