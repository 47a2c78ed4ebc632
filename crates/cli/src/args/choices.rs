//! Choices among a few words.

use super::*;

pub(crate) use neurogauge::align::{Balance, NullP, SimulatedSize, UnitInterval};
pub(crate) use neurogauge::core::image::{Arithmetic, Filter};
pub(crate) use neurogauge::core::pair::{OnMissingPart, PairsOf};
pub(crate) use neurogauge::core::words::{choice, word_of};
pub(crate) use neurogauge::formats::detections::BoxUnits;
pub(crate) use neurogauge::metrics::Proportions;
pub(crate) use neurogauge::metrics::decoding::basic_h::{Assignment, Containment, NegativeCosines, SoftMatching};
pub(crate) use neurogauge::metrics::decoding::basic_l::{
    BinaryBackground, CategoriesFrom, EmptySide, InstanceMatching, InstanceNames, MaskResize,
};
pub(crate) use neurogauge::metrics::decoding::cap_sim::References;
pub(crate) use neurogauge::metrics::decoding::identification::{Copies, IdentificationDirection, Ties};
pub(crate) use neurogauge::metrics::decoding::near_miss::{CategorySet, ReconCategories};
pub(crate) use neurogauge::metrics::decoding::objects::Variant;
pub(crate) use neurogauge::metrics::decoding::ssim_flavours::SsimFlavour;
pub(crate) use neurogauge::metrics::decoding::vlm_objects::VlmNames;
pub(crate) use neurogauge::models::ImagePreset;
pub(crate) use neurogauge::models::detection::PromptNames;
pub(crate) use neurogauge::stats::combination::Scaling;
pub(crate) use neurogauge::stats::meta::HumanScore;
pub(crate) use neurogauge::stats::{MeanInterval, PairedTest, Similarity};
pub(crate) use neurogauge::{HolmFamily, MaskPrompts, OddFrames, OnFailure, ScorePreset};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImageModelsArg {
    Own,
    #[value(name = "placeholder", alias = "stand-in")]
    #[serde(rename = "placeholder", alias = "stand-in")]
    Placeholder,
}

#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScoreOrder {
    AsListed,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Switch {
    On,
    Off,
}

impl From<Switch> for bool {
    fn from(switch: Switch) -> bool {
        switch == Switch::On
    }
}

/// How a table is printed that has these forms only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableOrJson {
    #[default]
    Table,
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Layout {
    Official,
}
