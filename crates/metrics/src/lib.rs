//! The metrics, one file each, and the registry that everything else reads; losses for training.

pub mod categories;
pub mod class_names;
mod cosine;
pub mod decoding;
mod error;
pub mod losses;
pub mod masks;
mod options;
mod registry;

pub use categories::Taxonomy;
pub use cosine::cosine;
pub use error::MetricError;
pub use options::{Options, PixelOptions, Proportions};
pub use registry::{
    AnyFunction, BASIC_H, BoxFunction, CaptionOfImage, CaptionWords, Compute, ConventionSection, DetectionFunction,
    Distractors, EmbeddingFunction, FeatureComparison, FeatureRows, GraphFunction, LISTS, METRICS, Metric,
    MetricDescription, PairFunction, STANDALONE_METRICS, ScoreFunction, SystemColumns, WordFunction, WordsOfPairs,
    convention, convention_sections, definition, details_of, find, in_order, list, papers_of, parts_among,
    system_columns_of,
};
