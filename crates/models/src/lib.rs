//! Pretrained models for Neurogauge: what one image or one text is to a model.
//!
//! The inference engine stays inside this crate: no type of it is in any public signature, so it can
//! be exchanged without a change anywhere else. Inside, `blocks` holds the layers that several
//! architectures share, each written once, and every architecture has a folder of its own
//! (`config`, `model`, `weights`, and the preprocessing of its input).
//!
//! - [`registry`]: the models that are known by name, to the byte.
//! - [`weights`]: finding, downloading and verifying their files.
//! - [`torch_random`]: the weights that models have before they are trained.
//! - [`TextEncoder`]: texts to vectors; [`minilm`], [`mpnet`], [`qwen3`] and [`ClipText`] are the
//!   real ones.
//! - [`Captioner`]: images to sentences; [`Git`] and [`Blip2`] are the real ones.
//! - [`GroundingDino`]: images and a prompt to boxes and how well they fit its words.
//! - [`detection`]: images to boxes with names and scores.
//! - [`SceneGraphParser`]: sentences to scene graphs.
//! - [`ImageModel`]: images to vectors, prepared by [`preprocess`], on a device ([`DeviceChoice`]).
//! - [`Lpips`]: how different two images look.
//! - [`stand_in`]: models without weights, for demonstrations.

mod alexnet;
mod architectures;
mod blip2;
mod blocks;
mod caption_decoder;
mod caption_writer;
mod captioner;
mod captioners;
mod checkpoint;
mod checkpoint_layers;
mod checkpoint_transformer;
mod classifier;
mod clip;
mod config_json;
mod convnext;
pub mod detection;
mod device;
mod efficientnet;
mod error;
mod generation;
mod git;
#[cfg(test)]
mod goldens;
mod grounding_dino;
pub mod image_model;
mod image_models;
mod inception;
mod json_file;
mod layouts;
mod located;
mod lpips;
pub mod minilm;
pub mod mpnet;
pub mod preprocess;
pub mod qwen3;
pub mod registry;
mod resnet;
mod scene_graph_parser;
mod sentence_encoder;
pub mod stand_in;
mod swin;
mod synthetic_captioner;
mod t5;
mod taps;
mod text_batches;
mod text_encoder;
mod text_tokenizer;
mod top_k;
pub mod torch_random;
mod vgg;
mod vision_model;
mod vit;
pub mod weights;

pub use architectures::{
    SyntheticModel, synthetic_file_model, synthetic_model, synthetic_model_on,
};
pub use blip2::Blip2;
pub use captioner::{CaptionOptions, Captioner};
pub use captioners::{LocalCaptioner, STAND_IN_CAPTIONER};
pub use clip::ClipText;
pub use device::DeviceChoice;
pub use error::ModelError;
pub use generation::{EarlyStopping, GenerationOptions};
pub use git::Git;
pub use grounding_dino::{GroundingDino, SyntheticGroundingDino};
pub use image_model::{FeatureMatrix, ImageModel, LayerRequest, Pooling};
pub use image_models::{LocalImageModel, STAND_IN_IMAGE_MODEL, load_image_model};
pub use lpips::{LPIPS_TAPS, Lpips, LpipsDistance, LpipsHeads, LpipsNet};
pub use minilm::MiniLm;
pub use mpnet::MpNet;
pub use preprocess::{ImagePreset, Preprocessing};
pub use qwen3::Qwen3Embedding;
pub use registry::{MODELS, ModelEntry, ModelFile, find};
pub use scene_graph_parser::{
    LocalSceneGraphParser, ParsedGraph, ParserOptions, SceneGraphParser, SourceLimit, graph_text,
};
pub use sentence_encoder::SentenceEncoder;
pub use stand_in::{ColourBoxes, ColourWords, HashedWords, MeanColours};
pub use synthetic_captioner::SyntheticCaptioner;
pub use text_encoder::TextEncoder;
pub use weights::{DownloadProgress, WeightOptions, WeightPrecision};
