//! The options of identification.

use super::draws::drawn_success;
use super::jackknife::Ways;
use super::rank_counts::RankCounts;
use crate::MetricError;
use neurogauge_core::{Outcome, Seed, Undefined};
use serde::{Deserialize, Serialize};

/// The side that is identified among the other (convention `identification-direction`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentificationDirection {
    /// Each reconstruction is compared with its own stimulus and other stimuli, as in MindEye2's evaluation.
    #[default]
    Reconstruction,
    /// Each stimulus is compared with its own reconstruction and other reconstructions, as in the text of the SEED
    /// paper.
    Stimulus,
}

/// How a distractor counts that is exactly as similar as the right image (convention `identification-ties`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// It counts as more similar.
    #[default]
    Lose,
    /// The right image and its equals are in random order, with equal probabilities.
    Half,
    /// It counts as less similar.
    Win,
}

/// Are pairs of the same stimulus distractors of each other (convention `identification-copies`)?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Copies {
    /// They are not distractors of each other.
    #[default]
    LeaveOut,
    /// They are distractors like any others, with which the right image ties.
    Keep,
}

impl Copies {
    /// Are copies kept? Records of runs contain this option only if they are left out.
    pub(crate) fn are_kept(&self) -> bool {
        *self == Copies::Keep
    }

    /// The value for a record without this option.
    pub(crate) fn if_absent() -> Copies {
        Copies::Keep
    }
}

/// How distractors are drawn from the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// None are drawn: the expectation over all draws, in closed form.
    #[default]
    Exact,
    /// A number of random draws for each pair.
    Seeded {
        trials: usize,
        /// Seed of the draws; each pair has a separate stream.
        seed: Seed,
    },
}

/// Options of [`identify`](super::identify).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentificationOptions {
    pub direction: IdentificationDirection,
    pub ties: Ties,
    /// Images to choose from, including the right one.
    pub n_way: usize,
    /// The right image must be among this number of the most similar.
    pub top_k: usize,
    pub draws: Draws,
    /// For two ways only: subtract 1 from the number of others that are less similar, as if the right image had been
    /// counted among them (convention `identification-own`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub subtract_own: bool,
}

impl Default for IdentificationOptions {
    fn default() -> Self {
        IdentificationOptions {
            direction: IdentificationDirection::default(),
            ties: Ties::default(),
            n_way: 2,
            top_k: 1,
            draws: Draws::default(),
            subtract_own: false,
        }
    }
}

impl IdentificationOptions {
    /// Is this the identification in the field's tables, regardless of the direction and ties?
    pub fn is_two_way(&self) -> bool {
        (self.n_way, self.top_k) == (2, 1)
    }

    /// The probability of success for unrelated images.
    pub fn chance(&self) -> f64 {
        self.top_k as f64 / self.n_way as f64
    }

    /// Fails if a pool of `n_others` is too small for these options. An empty pool is not an error: it makes everything
    /// undefined.
    pub(in crate::decoding) fn check(&self, n_others: usize) -> Result<(), MetricError> {
        let invalid = |option, found: String, expected| Err(MetricError::option(option, found, expected));
        if self.n_way < 2 {
            return invalid("the number of ways", self.n_way.to_string(), "at least 2: the own one and an other");
        }
        if self.top_k == 0 || self.top_k >= self.n_way {
            let expected = "at least 1 and fewer than there are ways, or everything is identified";
            return invalid("top k", self.top_k.to_string(), expected);
        }
        if n_others > 0 && self.n_way > n_others + 1 {
            let found = format!("{} with {n_others} others to draw from", self.n_way);
            let expected = "at most one more than there are others";
            return invalid("the number of ways", found, expected);
        }
        if self.subtract_own && (!self.is_two_way() || self.draws != Draws::Exact) {
            let found = format!("{} ways, top {}, {:?}", self.n_way, self.top_k, self.draws);
            let expected = "two ways, top 1, exact: no released code does it elsewhere";
            return invalid("subtracting the own one", found, expected);
        }
        match self.draws {
            Draws::Seeded { trials: 0, .. } => invalid("the number of draws", "0".to_owned(), "at least 1"),
            _ => Ok(()),
        }
    }

    /// What [`subtract_own`](Self::subtract_own) subtracts from every value: 1 / `n_others`, or nothing.
    pub fn too_low_by(&self, n_others: usize) -> f64 {
        match self.subtract_own && n_others > 0 {
            true => 1.0 / n_others as f64,
            false => 0.0,
        }
    }

    /// How a pair is identified among others, as an expectation over all draws.
    pub(super) fn ways(&self) -> Ways {
        Ways {
            n_way: self.n_way,
            top_k: self.top_k,
            ties: self.ties,
        }
    }

    /// The outcome of pair number `pair`, whose similarity to its right image is `own`.
    pub(in crate::decoding) fn outcome(&self, pair: usize, own: f64, others: &[f64]) -> Outcome {
        if others.is_empty() {
            return Err(Undefined::EmptyPool);
        }
        Ok(match self.draws {
            Draws::Exact => {
                let counts = RankCounts::of(own, others);
                counts.success(self.n_way, self.top_k, self.ties) - self.too_low_by(counts.n_others)
            }
            Draws::Seeded { trials, seed } => {
                drawn_success(self, trials, &mut seed.stream(draw_stream(pair)), own, others)
            }
        })
    }
}

/// The random stream of a pair, separate from those of the bootstrap's resamples.
fn draw_stream(pair: usize) -> u64 {
    (1 << 40) + pair as u64
}
