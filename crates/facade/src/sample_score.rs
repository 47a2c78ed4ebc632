//! The score of an item with several samples.

use neurogauge_core::option_words::option;
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// How samples combine into the score of an item (convention `samples`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, SerializeDisplay, DeserializeFromStr)]
pub enum SampleScore {
    #[default]
    Mean,
    /// The expected best score of this many samples drawn at random, as if somebody who knows the stimulus chose it.
    BestOf(usize),
}

impl SampleScore {
    pub fn is_mean(&self) -> bool {
        *self == SampleScore::Mean
    }
}

/// The samples that count for an item's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedSamples {
    /// The mean over all samples.
    All,
    /// The samples that a file names.
    Chosen,
    /// The expected best of this many samples.
    BestOf(usize),
}

impl CountedSamples {
    /// A note for tables on such scores; `None` for means over all samples.
    pub(crate) fn note(self) -> Option<String> {
        match self {
            CountedSamples::All => None,
            CountedSamples::Chosen => Some(format!(
                "each value is that of the chosen samples ({}), not the mean over all samples",
                option("chosen-samples", "FILE")
            )),
            CountedSamples::BestOf(k) => Some(format!(
                "each value is the expected best of {k} samples ({}), a choice that knows the stimulus: better than a decoder without it can \
                 reach",
                option("samples", &format!("best:{k}"))
            )),
        }
    }
}

impl fmt::Display for SampleScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleScore::Mean => f.write_str("mean"),
            SampleScore::BestOf(k) => write!(f, "best:{k}"),
        }
    }
}

impl FromStr for SampleScore {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = match text.split_once(':') {
            None if text == "mean" => Some(SampleScore::Mean),
            Some(("best", k)) => k.parse().ok().filter(|&k: &usize| k > 0).map(SampleScore::BestOf),
            _ => None,
        };
        found.ok_or_else(|| format!("{text:?}: expected mean or best:K with K of 1 or more"))
    }
}
