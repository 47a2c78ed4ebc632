//! How it is aligned.

use crate::Error;
use neurogauge_alignment::{N_FOLDS, ReferenceOptions, SubspaceOptions};
use neurogauge_core::Seed;
use neurogauge_stats::BootstrapOptions;
use serde::{Deserialize, Serialize};

/// Every option that decides a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlignSettings {
    /// Seed of folds, partitions, nulls and resamples.
    pub seed: u64,
    /// Outer folds.
    pub outer_folds: usize,
    /// Inner folds.
    pub inner_folds: usize,
    /// Split-half partitions behind each reference.
    pub partitions: usize,
    /// Longest prefix of the reference whose coverage is reported.
    pub prefixes: usize,
    /// Draws of the null of each profile; 0 for none.
    pub null: usize,
    /// Whether rank and regularisation are selected anew in each draw.
    pub null_select: bool,
    /// Candidate ranks and regularisations.
    pub subspace: SubspaceOptions,
    /// Whether every subject is a source for the others.
    pub donors: bool,
    /// Bootstrap resamples of target units behind the intervals.
    pub resamples: usize,
}

impl Default for AlignSettings {
    fn default() -> Self {
        AlignSettings {
            seed: 42,
            outer_folds: N_FOLDS,
            inner_folds: N_FOLDS,
            partitions: 20,
            prefixes: 20,
            null: 20,
            null_select: false,
            subspace: SubspaceOptions::default(),
            donors: true,
            resamples: 1000,
        }
    }
}

impl AlignSettings {
    /// An error that names the option which makes no sense, if one does not.
    pub fn check(&self) -> Result<(), Error> {
        let usage = |option: &str, found: usize, expected: &str| {
            Err(Error::Usage(format!(
                "{option} is {found}; expected {expected}"
            )))
        };
        if self.partitions == 0 {
            return usage("partitions", 0, "at least 1");
        }
        if self.prefixes == 0 {
            return usage("prefixes", 0, "at least 1");
        }
        self.subspace
            .check()
            .map_err(|error| Error::Usage(error.to_string()))
    }

    /// How intervals are drawn.
    pub(super) fn bootstrap(&self) -> BootstrapOptions {
        BootstrapOptions {
            resamples: self.resamples,
            seed: Seed(self.seed),
            ..BootstrapOptions::default()
        }
    }

    pub(super) fn reference(&self) -> ReferenceOptions {
        ReferenceOptions {
            subspace: self.subspace.clone(),
            fixed_rank: None,
        }
    }
}
