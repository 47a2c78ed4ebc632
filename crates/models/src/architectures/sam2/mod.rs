//! SAM 2 and SAM 2.1 (Ravi et al. 2024) for images: a mask for each box, or for each set of points.
//!
//! Hiera makes maps of the image at four scales (`trunk`, of `block`s), which the neck brings to one width
//! (`image_encoder`). Prompts become tokens (`prompt_encoder`). In a two-way transformer they and the image attend to
//! each other (`two_way`). Products of the tokens with the enlarged map give four masks (`mask_decoder`), and `choice`
//! selects one. The two versions have the same network for images; their weights differ.

mod block;
mod choice;
mod config;
mod image_encoder;
mod mask_decoder;
mod mask_decoder_weights;
mod model;
mod original_names;
mod prompt_encoder;
mod synthetic;
mod trunk;
mod two_way;
mod weights;

use crate::checkpoint::CheckpointFormats;
pub use model::Sam2;
pub use synthetic::SyntheticSam2;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "SAM 2";

static FORMATS: CheckpointFormats = CheckpointFormats {
    own: "transformers",
    own_mark: Some("mask_decoder.iou_token.weight"),
    others: &[original_names::ORIGINAL],
    own_settings: &[],
};
