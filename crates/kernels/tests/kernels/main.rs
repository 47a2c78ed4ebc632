//! Tests layers and searches by their public interface.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)]

mod attention_across;
mod attention_cross;
mod attention_grouped;
mod attention_pool;
mod attention_prefixed;
mod attention_turned;
mod causal_mask;
mod concatenation;
mod deformable_attention;
mod gated_mlp;
mod generation_ends;
mod generation_probabilities;
mod group_norm;
mod halving;
mod inverted_bottleneck;
mod latent_pool;
mod layer_norm;
mod made;
mod mlp;
mod neighbours;
mod perceptron;
mod pixels;
mod place_distance;
mod pooling;
mod rms_norm;
mod sequences;
mod sine_positions;
mod token_embedding;
mod weights;
mod wide_linear;
mod windows;
