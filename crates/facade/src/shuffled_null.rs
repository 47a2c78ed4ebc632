//! Chance levels from random pairings of stimuli and reconstructions (convention `shuffled-null`).

use crate::Error;
use neurogauge_core::counted;
use neurogauge_core::option_words::option;
use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct ShuffledNull(pub usize);

/// More pairings would take too long for what they could show.
const MOST: usize = 1000;
/// The score of a metric for reconstructions of other stimuli.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NullLevel {
    pub mean: f64,
    /// Its interval, over stimuli in both roles.
    pub interval: Option<(f64, f64)>,
}

impl ShuffledNull {
    /// The number of pairings of `shuffled` without a number.
    pub const USUAL: usize = 5;

    /// A note on these levels, each given with the label and the decimals of its metric.
    pub(crate) fn note<'a>(self, levels: impl Iterator<Item = (&'a str, usize, &'a NullLevel)>) -> Option<String> {
        let level = |(label, decimals, found): (&str, usize, &NullLevel)| {
            let interval = found.interval.map(|(low, high)| format!(" [{low:.decimals$}, {high:.decimals$}]"));
            format!("{label} {:.decimals$}{}", found.mean, interval.unwrap_or_default())
        };
        let levels: Vec<String> = levels.map(level).collect();
        (!levels.is_empty()).then(|| {
            format!(
                "chance of metrics without a known level: mean over {} of stimuli with reconstructions of others: {}",
                counted(self.0, "random pairing"),
                levels.join(", ")
            )
        })
    }

    /// Fails for runs whose pairs are parts of items.
    pub(crate) fn check(self, has_parts: bool) -> Result<(), Error> {
        match has_parts {
            false => Ok(()),
            true => Err(Error::Usage(format!(
                "{} is for pairs of single images; expected a run without {}",
                option("null", &self.to_string()),
                option("parts", "")
            ))),
        }
    }
}

impl FromStr for ShuffledNull {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pairings = match text.strip_prefix("shuffled") {
            Some("") => Some(Self::USUAL),
            Some(rest) => rest.strip_prefix('=').and_then(|n| n.parse().ok()),
            None => None,
        };
        let pairings = pairings.filter(|n| (1..=MOST).contains(n));
        pairings
            .map(ShuffledNull)
            .ok_or_else(|| format!("{text:?}: expected shuffled, or shuffled=N with N from 1 to {MOST}"))
    }
}

impl fmt::Display for ShuffledNull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shuffled={}", self.0)
    }
}
