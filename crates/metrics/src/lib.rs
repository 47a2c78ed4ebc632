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

/// Parts that are public only for this crate's tests; they may change at any time.
#[doc(hidden)]
pub mod internals {
    use crate::decoding::ssim;

    pub use crate::decoding::basic_h::synonyms::is_part;
    pub use crate::decoding::objects::{grid::official_threshold, slots::Slots, weights::box_weight};
    pub use crate::registry::{definition::without_links, papers::all_papers};

    pub const SSIM_WEIGHTS: [f64; ssim::WINDOW_PX / 2 + 1] = ssim::GAUSSIAN;

    /// SSIM of two grey images; `read_rows` writes one row of both.
    pub fn ssim_of_rows(width: usize, height: usize, read_rows: impl FnMut(usize, &mut [f64], &mut [f64])) -> f64 {
        ssim::mean_of_map(width, height, read_rows, ssim::similarity_row, None)
    }
}
