//! Grounding DINO (Liu et al. 2023), and MM-Grounding-DINO (Zhao et al. 2024), whose contrastive heads have a scale
//! and a bias: boxes for the phrases of a prompt.
//!
//! A Swin Transformer makes maps of the image, and BERT makes vectors of the prompt's tokens (`text`). In the enhancer
//! both attend to each other (`fusion`) and to themselves (`enhancer`). The places that fit a token best become the
//! boxes that queries start from (`selection`), which the decoder refines. A query's logits are the products of its
//! vector with those of the tokens (`heads`).

mod backbone_config;
mod config;
mod config_file;
mod decoder;
mod decoder_weights;
mod detector;
mod enhancer;
mod enhancer_weights;
mod fusion;
mod heads;
mod mmdet_config;
mod mmdet_names;
mod network;
mod phrases;
mod places;
mod selection;
mod synthetic;
mod transformers_names;
mod weights;

use crate::checkpoint::CheckpointFormats;
pub use detector::GroundingDino;
pub use synthetic::SyntheticGroundingDino;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "Grounding DINO";

/// Of its checkpoints. The names that the layers ask for are transformers', with maps to queries, keys and values in
/// one, the backbone's parts as torchvision calls them, and numbers that only one of the libraries has.
static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "this program",
    own_mark: None,
    others: &[transformers_names::TRANSFORMERS, mmdet_names::MMDETECTION],
    own_settings: &[],
};
