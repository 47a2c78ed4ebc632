//! How it is aligned.

use super::controls::{Balance, Control};
use crate::Error;
use neurogauge_alignment::{AuxiliaryReadouts, N_FOLDS, ReferenceOptions, SubspaceOptions};
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
    /// Which groups of trials the two views of every partition have in like numbers.
    pub balance: Balance,
    /// A rank for all fits behind references, instead of the selected ones.
    pub reference_rank: Option<usize>,
    /// Longest prefix of the reference whose coverage is reported.
    pub prefixes: usize,
    /// Draws of the null of each profile; 0 for none.
    pub null: usize,
    /// Whether rank and regularisation are selected anew in each draw.
    pub null_select: bool,
    /// What profiles are held against besides.
    pub controls: Vec<Control>,
    /// Ranks of the control with fixed ranks.
    pub fixed_ranks: Vec<usize>,
    /// Draws of random directions in each outer fold.
    pub random_draws: usize,
    /// Orders of the training responses in each outer fold. All sources and targets share them, so the accuracy over
    /// a single one is near 0 only within what that order happens to give.
    pub response_draws: usize,
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
            balance: Balance::None,
            reference_rank: None,
            prefixes: 20,
            null: 20,
            null_select: false,
            controls: Control::CHEAP.to_vec(),
            fixed_ranks: vec![2, 3],
            random_draws: 1,
            response_draws: 1,
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
        if self.reference_rank == Some(0) {
            return usage("reference_rank", 0, "at least 1");
        }
        let mut names = self.controls.clone();
        names.sort_unstable();
        if let Some(two) = names.windows(2).find(|two| two[0] == two[1]) {
            let reason = format!("controls names {} twice; name it once", two[0].name());
            return Err(Error::Usage(reason));
        }
        let fixed = &self.fixed_ranks;
        let ascending = fixed.windows(2).all(|two| two[0] < two[1]);
        if self.makes(Control::FixedRank) && (fixed.is_empty() || fixed[0] == 0 || !ascending) {
            return Err(Error::Usage(format!(
                "fixed_ranks is {fixed:?}; expected one rank or more, each at least 1, in ascending order; or                  leave `fixed-rank` out of `controls`"
            )));
        }
        for (control, option, draws) in [
            (Control::RandomDirections, "random_draws", self.random_draws),
            (
                Control::ResponsePermutation,
                "response_draws",
                self.response_draws,
            ),
        ] {
            if self.makes(control) && draws == 0 {
                let name = control.name();
                let expected = format!("at least 1; or leave `{name}` out of `controls`");
                return usage(option, 0, &expected);
            }
        }
        self.subspace
            .check()
            .map_err(|error| Error::Usage(error.to_string()))
    }

    /// Whether this control is made.
    pub fn makes(&self, control: Control) -> bool {
        self.controls.contains(&control)
    }

    /// Whether a control is made that puts another subspace, or another reference, in the place of a source's.
    pub(super) fn makes_subspaces(&self) -> bool {
        let others = [Control::DirectionPrediction, Control::AuxiliaryReadouts];
        self.controls
            .iter()
            .any(|control| !others.contains(control))
    }

    /// How intervals are drawn.
    pub(super) fn bootstrap(&self) -> BootstrapOptions {
        BootstrapOptions {
            resamples: self.resamples,
            seed: Seed(self.seed),
            ..BootstrapOptions::default()
        }
    }

    /// The options of the auxiliary readouts: the paper's higher ranks, and the run's regularisations.
    pub(super) fn auxiliary(&self) -> SubspaceOptions {
        SubspaceOptions {
            max_rank: AuxiliaryReadouts::options()
                .max_rank
                .max(self.subspace.max_rank),
            alphas: self.subspace.alphas.clone(),
        }
    }

    pub(super) fn reference(&self) -> ReferenceOptions {
        ReferenceOptions {
            subspace: self.subspace.clone(),
            fixed_rank: self.reference_rank,
        }
    }
}
