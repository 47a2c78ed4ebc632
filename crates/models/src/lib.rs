//! Pretrained models for Neurogauge. They turn images and texts into features, captions, detections and scene graphs.
//!
//! The inference engine stays inside this crate and the kernels below it: no public signature here uses its types, so
//! it can be exchanged without changes elsewhere. Each part may use those below it:
//!
//! - [`published_values`]: values that others published for published weights, and the self-test that compares models
//!   with them.
//! - [`vlm`]: models that are asked here or behind a server with the chat protocol.
//! - `known`: models by their ids: where their weights are, and which architecture loads them.
//! - `architectures`: one folder for each network (`config`, `model`, `weights`).
//! - `observers`: what a model does for the rest of Neurogauge, whichever network it is: describe an image by a vector,
//!   by a sentence, by boxes or by masks, turn a text into a vector or a scene graph, measure how different two images
//!   look.
//! - `network`: what all networks that see images share: layers, and how their outputs are asked for.
//! - `checkpoint`: the files of a model, from the registry and the download to the tensors of its layers.
//!
//! Items that other crates use are re-exported here:
//!
//! - [`registry`]: the models that are known by name, to the byte.
//! - [`weights`]: finding, downloading and verifying their files.
//! - [`torch_random`]: the weights that models have before they are trained.
//! - [`TextEncoder`]: texts to vectors; [`MiniLm`], [`MpNet`], [`Qwen3Embedding`] and [`ClipText`] are the
//!   real ones.
//! - [`Captioner`]: images to sentences; [`Git`] and [`Blip2`] are the real ones.
//! - [`local_vlm`]: pictures and questions to answers, or to the probability of yes; [`Qwen25Vl`] does both,
//!   [`ClipFlanT5`] the second.
//! - [`GroundingDino`]: images and a prompt to boxes, and how well they fit its words.
//! - [`YoloWorld`]: images and names to boxes.
//! - [`detection`]: images to boxes with names and scores.
//! - [`segmentation`]: images and boxes or points to masks; [`Sam2`] is the real one.
//! - [`SceneGraphParser`]: sentences to scene graphs.
//! - [`ImageModel`]: images to vectors, prepared by [`preprocess`], on a device ([`DeviceChoice`]).
//! - [`Lpips`]: how different two images look.
//! - [`stand_in`]: placeholder models without weights, for demonstrations.
//! - [`speed`]: how long products take on this processor.

mod architectures;
mod checkpoint;
mod error;
#[cfg(test)]
mod goldens;
mod http;
mod known;
mod nearest;
mod network;
mod observers;
pub mod published_values;
pub mod vlm;

pub use architectures::bert::{MiniLm, MpNet};
pub use architectures::blip2::Blip2;
pub use architectures::clip::ClipText;
pub use architectures::clip_t5::{AnswerScore, ClipFlanT5};
pub use architectures::git::Git;
pub use architectures::grounding_dino::{GroundingDino, SyntheticGroundingDino};
pub use architectures::lpips::{LPIPS_LAYERS, Lpips, LpipsDistance, LpipsHeads, LpipsNet};
pub use architectures::qwen2_5_vl::Qwen25Vl;
pub use architectures::qwen3::{self, Qwen3Embedding};
pub use architectures::sam2::{Sam2, SyntheticSam2};
pub use architectures::t5::{ParsedGraph, ParserOptions, SceneGraphParser, SourceLimit};
pub use architectures::yolo_world::{SyntheticYoloWorld, YoloWorld};
pub use architectures::{
    SyntheticCaptioner, SyntheticModel, synthetic_file_model, synthetic_model, synthetic_model_on,
};
pub use checkpoint::model_files::{Local, ModelKind, WeightSource};
pub use checkpoint::registry::{self, MODELS, ModelEntry, ModelFile, find, operations};
pub use checkpoint::torch_random;
pub use checkpoint::weight_memory::WeightMemory;
pub use checkpoint::weights::{self, Arithmetic, DownloadProgress, WeightOptions, WeightPrecision};
pub use error::ModelError;
pub use known::captioning::{Captioning, LocalCaptioner, PLACEHOLDER_CAPTIONER};
pub use known::image_features::{ImageFeatures, LocalImageModel, PLACEHOLDER_IMAGE_MODEL};
pub use known::scene_graph_parsing::{LocalSceneGraphParser, SceneGraphParsing};
pub use known::text_encoding::{LocalTextEncoder, PLACEHOLDER_TEXT_ENCODER, TextEncoding};
pub use known::{detection, local_vlm, placeholders, segmentation};
pub use network::{FeatureMatrix, ImageModel, LayerRequest, Pooling};
pub use neurogauge_kernels::generation::{EarlyStopping, GenerationOptions};
pub use neurogauge_kernels::{DeviceChoice, KernelError, speed};
pub use observers::captioning::{CaptionOptions, Captioner, CaptionerMemory, NetworkCaptioner};
pub use observers::image_features::{FeatureRecipe, ModelLayers, model_of_family};
pub use observers::placeholders::{self as stand_in, BoxMasks, ColourBoxes, ColourWords, HashedWords, MeanColours};
pub use observers::preprocess::{self, ImagePreset, Preprocessing};
pub use observers::scene_graph_parsing::graph_text;
pub use observers::text_encoding::{SentenceEncoder, TextEncoder};
