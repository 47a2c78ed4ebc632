//! Choices among a few words.

use super::*;
use serde::Serialize;

pub(crate) use neurogauge::align::{Balance, NullP, SimulatedSize, UnitInterval};
pub(crate) use neurogauge::core::pair::{OnMissingPart, PairsOf};
pub(crate) use neurogauge::core::words::{choice, word_of};
pub(crate) use neurogauge::metrics::decoding::identification::{Copies, Ties};
pub(crate) use neurogauge::stats::combination::Scaling;
pub(crate) use neurogauge::stats::meta::HumanScore;
pub(crate) use neurogauge::stats::{MeanInterval, PairedTest, Similarity};
pub(crate) use neurogauge::{HolmFamily, OnFailure, ScorePreset};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImageModelsArg {
    #[default]
    Own,
    #[value(name = "placeholder", alias = "stand-in")]
    #[serde(rename = "placeholder", alias = "stand-in")]
    Placeholder,
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
