//! Layers that several architectures share, on the engine's tensors.
//!
//! Matrix products, including convolutions, use weights that are packed once, when a model is loaded, and the kernels
//! in `kernel`. What follows a product (bias, residual, activation) is applied while its tile is in the first-level
//! cache. Maps are laid out as (image, row, column, channel), so a 1 x 1 convolution is a plain matrix product, and a
//! kernel's row of taps is contiguous in memory. Layers run on one thread; images run side by side on several.
//! Sequences of different lengths are concatenated ([`Sequences`]), so there is no padding.
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
pub mod device;
mod distance_bias;
mod embedding;
mod gated_mlp;
pub(crate) mod gelu;
mod group_norm;
pub mod halving;
mod inverted_bottleneck;
pub(crate) mod kernel;
mod latent_pool;
mod layer_norm;
mod linear;
mod maps;
mod memory;
mod mlp;
mod neighbours;
pub(crate) mod packed;
mod perceptron;
pub mod place_distance;
mod pooling;
mod products;
mod rms_norm;
mod rotary;
mod sequences;
mod shared_rows;
mod sine_positions;
pub mod slices;
pub(crate) mod softmax;
pub mod speed;
mod squeeze_excite;
mod sum;
pub(crate) mod tensors;
mod token_embedding;
mod transformer;
mod weights;
mod wide_linear;
mod wide_transformer;
mod windows;

pub use activation::Activation;
pub use attention::{
    CrossAttention, GroupedAttention, GroupedHeads, NoBias, Pasts, PrefixedTexts, Prefixes, ScoreBias, SelfAttention,
    SourcePasts, TokenColumns, attend_across, attend_grouped, attend_rows, attend_to_pasts, score_stride, turn_rows,
};
pub use attention_pool::AttentionPool;
pub use causal_mask::CausalMask;
pub use concatenation::Concatenation;
pub use convolution::Convolution;
pub use deformable_attention::{DeformableAttention, References, Samples};
pub use depthwise::DepthwiseConvolution;
pub use distance_bias::DistanceBias;
pub use embedding::Embedding;
pub use gated_mlp::GatedMlp;
pub use group_norm::GroupNorm;
pub use inverted_bottleneck::{InvertedBottleneck, Scratch};
pub use latent_pool::LatentPool;
pub use layer_norm::LayerNorm;
pub use linear::{Linear, factors_of_first};
pub use maps::Window;
pub use memory::hold_in_f32;
pub use memory::may_be_halved;
pub use mlp::Mlp;
pub use neighbours::neighbours;
pub use perceptron::Perceptron;
pub use pooling::{Pool, adaptive_average_pool, average_pool, global_average_pool, max_pool};
pub use products::{Products, bf16_products};
pub use rms_norm::RmsNorm;
pub use rotary::{Pairs, Rotary, Turns};
pub use sequences::{Arrangement, Sequences};
pub use shared_rows::pass_of;
pub use sine_positions::SinePositions;
pub use softmax::log_softmax;
pub use squeeze_excite::SqueezeExcite;
pub use sum::sum;
pub use tensors::{beside, host_values, in_main_memory};
pub use token_embedding::TokenEmbedding;
pub use transformer::TransformerBlock;
pub use weights::{add_product, round_to_bf16, round_to_f16, scaled_rows, transposed};
pub use wide_linear::{AffineMap, WideLinear};
pub use wide_transformer::{Norms, WideTransformerBlock};
pub use windows::{Seam, Shift, Windows};
