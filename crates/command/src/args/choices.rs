//! Choices among a few words.

use super::*;

pub(crate) use neurogauge::align::{Balance, NullP, SimulatedSize, UnitInterval};
pub(crate) use neurogauge::core::pair::{OnMissingPart, PairsOf};
pub(crate) use neurogauge::core::words::{choice, word_of};
pub(crate) use neurogauge::stats::combination::Scaling;
pub(crate) use neurogauge::stats::meta::HumanScore;
pub(crate) use neurogauge::stats::{MeanInterval, PairedTest, Similarity};
pub(crate) use neurogauge::{HolmFamily, OnFailure, ScorePreset};

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
