//! Score reconstructions of what a brain saw: dataset in, run folder out.
//!
//! [`score`] opens the inputs, computes what is asked for and writes a run folder; [`perceive`] makes
//! features of images and keeps them; [`compare`] sets finished runs side by side; [`meta::meta`] holds
//! metrics against human ratings; [`retrieval::retrieval`] looks for images by what the brain says of
//! them; [`brainhub`] scores captions and boxes decoded from brains; [`align`] asks which response dimensions of a brain a source recovers; [`demo`] draws a small dataset whose truth is known and scores it.

pub mod align;
pub mod brainhub;
mod caption_embeddings;
mod captioning;
mod coco;
mod compare;
mod compare_figures;
mod compute;
mod dataset;
pub mod demo;
mod error;
mod export;
mod figure_files;
mod in_memory;
mod journal;
mod locate;
mod lpips;
mod mask_overlays;
pub mod meta;
mod perceive;
mod pool_input;
mod pool_notes;
mod progress;
mod request;
pub mod retrieval;
mod run_folder;
mod run_record;
mod scene_graph_tools;
mod score;
mod selection;
mod shown_image;
mod summary;

pub use caption_embeddings::{DEFAULT_ENCODER, DownloadBar, STAND_IN_ENCODER};
pub use captioning::{
    CaptionRecipe, CaptionRequest, CaptionerChoice, PerceivedCaptions, Uncaptioned, caption,
};
pub use coco::coco_summary;
pub use compare::{NamedDifference, SystemComparison, compare};
pub use dataset::InputRecord;
pub use error::{Error, Fault};
pub use figure_files::NamedPicture;
pub use in_memory::{embed_texts, score_scene_graphs};
pub use perceive::{
    FeatureRecipe, LoadedImageModel, ModelLayers, PerceiveRequest, PerceivedMatrix,
    PerceptionOptions, perceive,
};
pub use progress::{Progress, Silent};
pub use request::{GraphParser, InputPaths, RunSettings, ScoreRequest};
pub use run_folder::RunFolder;
pub use run_record::{MetricRecord, PoolRecord, RunRecord};
pub use scene_graph_tools::DEFAULT_PHRASE_ENCODER;
pub use score::{Run, load_run, repeat, score};
pub use summary::MetricSummary;

/// The crates that the facade is made of.
pub use {
    neurogauge_alignment as alignment, neurogauge_core as core, neurogauge_formats as formats,
    neurogauge_language as language, neurogauge_metrics as metrics, neurogauge_models as models,
    neurogauge_report as report, neurogauge_stats as stats,
};
