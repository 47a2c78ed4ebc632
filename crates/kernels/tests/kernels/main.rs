//! Tests layers and searches by their public interface.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)]

mod activation;
mod attention_across;
mod attention_cross;
mod attention_grouped;
mod attention_pasts;
mod attention_pool;
mod attention_prefixed;
mod attention_self;
mod attention_turned;
mod concatenation;
mod convolution;
mod deformable_attention;
mod device;
mod gated_mlp;
mod generation;
mod generation_ends;
mod generation_probabilities;
mod group_norm;
mod halving;
mod inverted_bottleneck;
mod kernel_windows;
mod latent_pool;
mod layer_norm;
mod linear;
mod made;
mod mlp;
mod neighbours;
mod packed;
mod perceptron;
mod pixels;
mod place_distance;
mod pooling;
mod random;
mod rms_norm;
mod rotary;
mod score_biases;
mod sequences;
mod sine_positions;
mod softmax;
mod tensors;
mod token_embedding;
mod weights;
mod wide_linear;
mod windows;
