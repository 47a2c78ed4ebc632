//! Score images decoded from brain responses: a dataset in, a run folder out.
//!
//! [`score`] opens the inputs, computes the requested metrics and writes a run folder; [`perceive`] makes features,
//! captions and detections from images and scene graphs from captions, and stores them; [`compare`] compares finished
//! runs; [`align`] measures which response dimensions of a brain a source recovers.

pub mod align;
mod averaged_trials;
mod caption_sentences;
mod caption_words;
mod clusters;
mod coco;
mod compare;
mod compute;
mod conventions;
mod dataset;
mod error;
mod execute;
mod explain;
mod feature_opener;
mod figure_files;
mod foreground;
mod in_memory;
mod input_check;
mod interval_notes;
mod kinds;
mod level_masks;
mod lpips;
mod mask_overlays;
mod memory_forecast;
mod model_sets;
mod model_weights;
mod observations;
pub mod observers;
mod odd_frames;
mod option_names;
mod pair_views;
mod pairing;
mod perceive;
pub mod plan;
mod pool_report;
mod presets;
mod protocol;
mod request;
mod results;
mod run_folder;
mod run_record;
mod sample_score;
mod scene_graph_tools;
mod score;
mod selected;
mod selection;
mod settings;
mod shared_names;
mod shuffled_null;
mod store;
mod stored_rows;
mod summary;
mod time_forecast;
mod toml_file;
mod word_or_file;
pub mod work;

pub use averaged_trials::{images_with_trials, other_images};
pub use caption_sentences::SentenceRecipe;
pub use caption_words::{CaptionTools, ReferencesAndCaption, dictionary_of};
pub use clusters::{ClusterChoice, ClusterRecord};
pub use coco::{CocoSummaries, coco_summary};
pub use compare::{
    CompareOptions, CompareRecord, CompareRequest, ComparedDimension, ComparedDimensions, Differences, Equivalence,
    HolmFamily, NamedDifference, SameDirection, SubjectDifference, SystemComparison, SystemStanding, SystemSubjects,
    compare, compare_runs, have_dimensions,
};
pub use compute::{empty_by_details, nothing_seen};
pub use conventions::{
    Convention, Setting, Topic, answer_of_section, conventions, described_conventions, find_convention, of_section,
    presets_of, presets_that_set, reason_of_section, topics,
};
pub use error::Error;
pub use execute::{AnsweredBy, FailedItem, PerceivedLayout, ShardDone, StepOutcome, StepResult};
pub use explain::{ExplainedMetric, Explanation, Supposition, explain};
pub use feature_opener::{FeatureChoice, FeatureOpener, OpenedFeatures};
pub use figure_files::{
    Drawn, FigureOf, Figures, NamedPicture, file_name, is_drawn, is_sheet, remove_others, two_decimals,
};
pub use in_memory::{embed_texts, score_scene_graphs};
pub use input_check::{InputCheck, SideCheck, check};
pub use kinds::{Needs, needs_of};
pub use level_masks::{LevelMasks, PairMasks};
pub use lpips::LoadedLpips;
pub use memory_forecast::MemoryForecast;
pub use model_sets::models_of;
pub use model_weights::DownloadBar;
pub use neurogauge_core::in_words::duration;
pub use neurogauge_core::name_pattern::{StimulusPattern, SubjectPattern};
pub use neurogauge_core::{Fault, Input, InputPaths, Progress, Silent};
pub use neurogauge_formats::input_record::InputRecord;
pub use neurogauge_formats::store::{ContentKey, KeyPrefix};
pub use neurogauge_models::ModelLayers;
pub use observers::captions::{CaptionRecipe, CaptionerChoice, DEFAULT_CAPTIONER};
pub use observers::detections::{DEFAULT_DETECTOR, DetectionRecipe, DetectorChoice};
pub use observers::features::{FeatureRecipe, LoadedImageModel, PerceptionOptions};
pub use observers::masks::{DEFAULT_MASK_DETECTOR, MaskChoice, MaskPrompts, MaskRecipe};
pub use observers::scene_graphs::{DEFAULT_PARSER, GraphRecipe};
pub use observers::text_embeddings::{DEFAULT_ENCODER, DEFAULT_PHRASE_ENCODER, PLACEHOLDER_ENCODER};
pub use observers::vlm::{AnswerRecipe, VLM_KINDS, VLM_SERVER_VARIABLE, VlmChoice};
pub use odd_frames::OddFrames;
pub use pair_views::PairViews;
pub use pairing::{NamesIn, pair_images, pair_names};
pub use perceive::{ParserChoice, PerceiveRequest, perceive};
pub use plan::{DryRun, plan_score};
pub use presets::{RELEASED, ReleasedCode, ScorePreset};
pub use protocol::{KnownInput, Protocol, RunProtocol, SameBy, ids_sha256};
pub use request::{GraphParser, OwnRegion, ScoreRequest, label_list};
pub use results::{LocalPaths, Provenance, Report, ResultFiles};
pub use run_folder::RunFolder;
pub use run_record::{AveragedIdentification, MetricRecord, PartsRecord, PoolRecord, RunRecord};
pub use sample_score::SampleScore;
pub use scene_graph_tools::{WORDNET_VARIABLE, installed_wordnet};
pub use score::{PartImages, Reopened, Run, load_run, repeat, score};
pub use selection::unknown_metric;
pub use settings::{CustomObserver, ModelChoices, ModelOverrides, OnFailure, RunSettings, Shard};
pub use shuffled_null::{NullLevel, ShuffledNull};
pub use store::{CachePart, ObservationCache};
pub use stored_rows::StoredRows;
pub use summary::{MetricSummary, population};
pub use time_forecast::TimeForecast;
pub use toml_file::{TomlEntry, read_toml, toml_entries, toml_from_str, toml_settings};
pub use word_or_file::WordOrFile;

pub(crate) use neurogauge_core::progress;

/// The crates on which the facade is built.
pub use {
    neurogauge_alignment as alignment, neurogauge_core as core, neurogauge_formats as formats,
    neurogauge_language as language, neurogauge_metrics as metrics, neurogauge_models as models,
    neurogauge_report as report, neurogauge_stats as stats,
};
