//! Layers that several architectures share, each written once, on the engine's tensors.
//!
//! Matrix products, convolutions among them, are computed with weights that are packed once, when a
//! model is loaded, by the kernels in `kernel`, and what follows a product (bias, residual, activation)
//! is done while its tile is in the first-level cache. Maps are laid out (image, row, column, channel):
//! so a 1 x 1 convolution is a plain matrix product, and a kernel's row of taps is one run of
//! memory. Layers run on one thread; images run side by side on several. Sequences of different
//! lengths are laid end to end ([`Sequences`]), so that there is no padding to compute, to mask, or to
//! depend on.
//!
//! Every row of a result is computed in an order of operations that depends neither on the number of
//! rows nor on the number of threads.
//!
//! All this holds for weights in main memory in f32. Otherwise the same layers are computed by the engine's own
//! operations (`tensors`).

mod activation;
mod attention;
mod attention_pool;
mod causal_mask;
mod concatenation;
mod convolution;
mod deformable_attention;
mod depthwise;
pub(crate) mod device;
mod distance_bias;
mod embedding;
mod gated_mlp;
mod gelu;
mod group_norm;
pub(crate) mod halving;
mod inverted_bottleneck;
mod kernel;
mod latent_pool;
mod layer_norm;
mod linear;
mod maps;
mod memory;
mod mlp;
mod neighbours;
mod packed;
mod perceptron;
mod pooling;
mod products;
mod rms_norm;
mod rotary;
mod sequences;
mod shared_rows;
mod sine_positions;
pub(crate) mod slices;
mod softmax;
pub mod speed;
mod squeeze_excite;
mod tensors;
mod token_embedding;
mod transformer;
mod wide_linear;
mod wide_transformer;
mod windows;

pub(crate) use activation::Activation;
pub(crate) use attention::{
    CrossAttention, GroupedAttention, GroupedHeads, NoBias, Pasts, PrefixedTexts, Prefixes,
    ScoreBias, SelfAttention, SourcePasts, TokenColumns, attend_across, attend_grouped,
    attend_rows, attend_to_pasts, score_stride, turn_rows,
};
pub(crate) use attention_pool::AttentionPool;
pub(crate) use causal_mask::CausalMask;
pub(crate) use concatenation::Concatenation;
pub(crate) use convolution::Convolution;
pub(crate) use deformable_attention::{DeformableAttention, References, Samples};
pub(crate) use depthwise::DepthwiseConvolution;
pub(crate) use distance_bias::DistanceBias;
pub(crate) use embedding::Embedding;
pub(crate) use gated_mlp::GatedMlp;
pub(crate) use group_norm::GroupNorm;
pub(crate) use inverted_bottleneck::{InvertedBottleneck, Scratch};
pub(crate) use latent_pool::LatentPool;
pub(crate) use layer_norm::LayerNorm;
pub(crate) use linear::{Linear, factors_of_first};
pub(crate) use maps::Window;
pub use memory::hold_in_f32;
pub(crate) use memory::may_be_halved;
pub(crate) use mlp::Mlp;
pub(crate) use neighbours::neighbours;
pub(crate) use perceptron::Perceptron;
pub(crate) use pooling::{
    Pool, adaptive_average_pool, average_pool, global_average_pool, max_pool,
};
pub(crate) use products::Products;
pub(crate) use rms_norm::RmsNorm;
pub(crate) use rotary::{Pairs, Rotary, Turns};
pub(crate) use sequences::{Arrangement, Sequences};
pub(crate) use shared_rows::pass_of;
pub(crate) use sine_positions::SinePositions;
pub(crate) use softmax::log_softmax;
pub(crate) use squeeze_excite::SqueezeExcite;
pub(crate) use tensors::{beside, host_values, in_main_memory};
pub(crate) use token_embedding::TokenEmbedding;
pub(crate) use transformer::TransformerBlock;
pub(crate) use wide_linear::{AffineMap, WideLinear};
pub(crate) use wide_transformer::{Norms, WideTransformerBlock};
pub(crate) use windows::{Seam, Shift, Windows};
