//! The nouns of Neurogauge.
//!
//! The types that all other crates share: an [`Image`], the observations made from it ([`Detections`], [`Captions`],
//! [`SceneGraph`], [`Masks`], [`Features`]), the [`Outcome`] of comparing two of them, the [`MetricSpec`] that defines
//! how to read that outcome, the [`Estimate`] that summarises many outcomes, and the [`Provenance`] that makes a number
//! repeatable. No file is opened here and no model runs.

pub mod alike_names;
mod choice;
mod comparable_text;
pub mod details;
pub mod dimension;
pub mod element;
pub mod estimate;
pub mod fault;
pub mod finding;
pub mod hostile_text;
pub mod image;
pub mod in_words;
pub mod inputs;
pub mod inspection;
pub mod lexicon;
pub mod metric;
pub mod name_pattern;
pub mod observation;
pub mod option_values;
pub mod option_words;
pub mod outcome;
pub mod pair;
pub mod parallel;
pub mod progress;
pub mod provenance;
pub mod pseudonyms;
pub mod score;
pub mod seed;
pub mod shared_stems;
pub mod stimulus_id;
pub mod stopping;
pub mod synthetic;
pub mod words;
pub use choice::{Choice, Preference};
pub use comparable_text::comparable;
pub use details::{DetailEntry, DetailsByMetric, Explained, LevelDetails, MatchedBy, NamedLevel, PairDetails};
pub use dimension::Dimension;
pub use estimate::Estimate;
pub use fault::Fault;
pub use finding::{Finding, Severity};
pub use image::Image;
pub use in_words::{NAMES_SHOWN, byte_size, counted, first_names};
pub use inputs::{Input, InputPaths, Sides};
pub use lexicon::{Lexicon, PartOfSpeech};
pub use metric::{Direction, Group, MetricSpec};
pub use observation::{
    BackgroundElement, BoxXyxy, ByKind, Captions, Categorisation, CategoryNames, Detection, Detections, FeatureValue,
    Features, ForegroundObject, ImageSet, InstanceMask, LabelGroups, LabelList, Mask, MaskError, Masks,
    ObservationKind, Observed, Role, RowValues, SceneGraph,
};
pub use outcome::{Outcome, Side, Undefined, recorded};
pub use pair::{Pair, TakenFor, natural_cmp};
pub use progress::{Progress, Silent};
pub use provenance::{ModelIdentity, Provenance};
pub use score::ScoreTable;
pub use seed::Seed;
pub use stimulus_id::StimulusId;
