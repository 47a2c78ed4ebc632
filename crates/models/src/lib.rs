//! Pretrained models for Neurogauge. They turn images and texts into features, captions, detections and scene graphs.
//!
//! The inference engine stays inside this crate: no type of it is in any public signature, so it can
//! be exchanged without a change anywhere else. The crate has seven parts:
//!
//! - `architectures`: one folder for each network (`config`, `model`, `weights`).
//! - `observers`: what a model does for the rest of Neurogauge, whichever network it is: describe an image by a vector, by
//!   a sentence, by boxes or by masks, turn a text into a vector or a scene graph, say how different two images look.
//! - `checkpoint`: the files of a model, from the registry and the download to the tensors of its layers.
//! - `blocks`: the layers that several architectures share, each written once, and the devices that they run on.
//! - `generation`: greedy and beam search for all models that write texts.
//! - [`chat`]: models behind a server that speaks the chat protocol.
//! - [`published_values`]: what others published of published weights, and the self-test that holds models against it.
//!
//! Items that other crates use are re-exported here:
//!
//! - [`registry`]: the models that are known by name, to the byte.
//! - [`weights`]: finding, downloading and verifying their files.
//! - [`torch_random`]: the weights that models have before they are trained.
//! - [`TextEncoder`]: texts to vectors; [`MiniLm`], [`MpNet`], [`Qwen3Embedding`] and [`ClipText`] are the
//!   real ones.
//! - [`Captioner`]: images to sentences; [`Git`] and [`Blip2`] are the real ones.
//! - [`answering`]: pictures and questions to answers, or to how probable yes is; [`Qwen25Vl`] does both, [`ClipFlanT5`] the second.
//! - [`GroundingDino`]: images and a prompt to boxes and how well they fit its words.
//! - [`YoloWorld`]: images and names to boxes.
//! - [`detection`]: images to boxes with names and scores.
//! - [`segmentation`]: images and boxes or points to masks; [`Sam2`] is the real one.
//! - [`SceneGraphParser`]: sentences to scene graphs.
//! - [`ImageModel`]: images to vectors, prepared by [`preprocess`], on a device ([`DeviceChoice`]).
//! - [`Lpips`]: how different two images look.
//! - [`stand_in`]: placeholder models without weights, for demonstrations.
//! - [`speed`]: how long products take on this processor.

mod architectures;
mod blocks;
mod checkpoint;
mod error;
mod generation;
#[cfg(test)]
mod goldens;
mod http;
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
pub use architectures::yolo_world::{SyntheticYoloWorld, YoloWorld};
pub use architectures::{
    SyntheticModel, synthetic_file_model, synthetic_model, synthetic_model_on,
};
pub use blocks::device::DeviceChoice;
pub use blocks::speed;
pub use checkpoint::model_files::{Local, ModelKind, WeightSource, current_id};
pub use checkpoint::registry::{self, MODELS, ModelEntry, ModelFile, find};
pub use checkpoint::torch_random;
pub use checkpoint::weight_memory::WeightMemory;
pub use checkpoint::weights::{self, Arithmetic, DownloadProgress, WeightOptions, WeightPrecision};
pub use error::ModelError;
pub use generation::{EarlyStopping, GenerationOptions};
pub use observers::captioning::{
    CaptionOptions, Captioner, CaptionerMemory, Captioning, LocalCaptioner, NetworkCaptioner,
    PLACEHOLDER_CAPTIONER, SyntheticCaptioner,
};
pub use observers::detection;
pub use observers::image_features::{
    FeatureMatrix, FeatureRecipe, ImageFeatures, ImageModel, LayerRequest, LocalImageModel,
    ModelLayers, PLACEHOLDER_IMAGE_MODEL, Pooling, load_image_model, model_of_family,
};
pub use observers::local_vlm;
pub use observers::placeholders::{
    self as stand_in, BoxMasks, ColourBoxes, ColourWords, HashedWords, MeanColours,
};
pub use observers::preprocess::{self, ImagePreset, Preprocessing};
pub use observers::scene_graph_parsing::{
    LocalSceneGraphParser, ParsedGraph, ParserOptions, SceneGraphParser, SceneGraphParsing,
    SourceLimit, graph_text,
};
pub use observers::segmentation;
pub use observers::text_encoding::{
    LocalTextEncoder, PLACEHOLDER_TEXT_ENCODER, SentenceEncoder, TextEncoder, TextEncoding,
};
