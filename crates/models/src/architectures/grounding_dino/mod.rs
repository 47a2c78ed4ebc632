//! Grounding DINO (Liu et al. 2023), and MM-Grounding-DINO (Zhao et al. 2024), whose contrastive heads have a scale
//! and a bias: boxes for the phrases of a prompt.
//!
//! A Swin Transformer makes maps of the image, and BERT makes vectors of the prompt's tokens (`text`). In the enhancer
//! both attend to each other (`fusion`) and to themselves (`enhancer`). Queries start from the boxes of the positions
//! that fit a token best (`selection`), and the decoder refines them. A query's logits are the products of its vector
//! with the tokens' vectors (`heads`).

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

/// The formats of its checkpoints. The layers ask for transformers' names, except that queries, keys and values share
/// one map and the backbone's parts have torchvision's names; both libraries number some parts in their own way.
static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "this program",
    own_mark: None,
    others: &[transformers_names::TRANSFORMERS, mmdet_names::MMDETECTION],
    own_settings: &[],
};
