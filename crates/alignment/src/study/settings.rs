//! The options of an alignment.

use super::control::{Balance, Control};
use crate::{
    AlignmentError, AuxiliaryReadouts, N_FOLDS, NullP, ReferenceOptions, SubspaceOptions, Unit, UnitInterval,
    UnitIntervals,
};
use neurogauge_core::Seed;
use neurogauge_stats::BootstrapOptions;
use serde::{Deserialize, Serialize};

/// The most partitions, draws and prefixes: more would take months and fill the memory.
const MOST: usize = 100_000;

/// Every option that affects a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlignSettings {
    /// Seed of folds, partitions, nulls and resamples.
    pub seed: u64,
    pub outer_folds: usize,
    pub inner_folds: usize,
    /// Split-half partitions behind each reference.
    pub partitions: usize,
    /// The groups of trials that are balanced between the two views of every partition.
    pub balance: Balance,
    /// A rank for all fits behind references, instead of the selected ones.
    pub reference_rank: Option<usize>,
    /// Longest prefix of the reference whose coverage is reported.
    pub prefixes: usize,
    /// Draws of the null of each profile; 0 for none.
    pub null: usize,
    /// How p values are computed from the draws.
    pub null_p: NullP,
    /// Are rank and regularisation selected again in each draw? This shows what a source without information recovers.
    /// Otherwise they are those of the fit, which shows what the same number of the target's strongest dimensions
    /// recovers.
    pub null_select: bool,
    /// Controls that profiles are compared with.
    pub controls: Vec<Control>,
    /// Ranks of the control with fixed ranks.
    pub fixed_ranks: Vec<usize>,
    /// Draws of random directions in each outer fold.
    pub random_draws: usize,
    /// Orders of the training responses in each outer fold. All sources and targets share them, so with a single order,
    /// the accuracy is close to 0 only up to the chance effect of that order.
    pub response_draws: usize,
    /// Candidate ranks and regularisations.
    pub subspace: SubspaceOptions,
    /// Is every subject a source for the others?
    pub donors: bool,
    /// How the intervals of means are computed.
    pub interval: UnitInterval,
    /// Bootstrap resamples of target units, for percentile intervals.
    pub resamples: usize,
    /// The fewest subjects for an interval (target units for a single subject, and for percentiles): two or three say
    /// little about others.
    pub interval_units: usize,
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
            null_p: NullP::default(),
            null_select: true,
            controls: Control::CHEAP.to_vec(),
            fixed_ranks: vec![2, 3],
            random_draws: 1,
            response_draws: 1,
            subspace: SubspaceOptions::default(),
            donors: true,
            interval: UnitInterval::default(),
            resamples: 1000,
            interval_units: 5,
        }
    }
}

impl AlignSettings {
    pub fn check(&self) -> Result<(), AlignmentError> {
        let fixed = &self.fixed_ranks;
        let ascending = fixed.windows(2).all(|two| two[0] < two[1]);
        let is_fixed = fixed.first().is_some_and(|first| *first > 0) && ascending;
        let counted = |n: usize| (n.to_string(), (1..=MOST).contains(&n));
        let draws = |control, n: usize| (n.to_string(), n <= MOST && (n > 0 || !self.makes(control)));
        let options = [
            ("partitions", counted(self.partitions), "from 1 to 100000"),
            ("prefixes", counted(self.prefixes), "from 1 to 100000"),
            ("reference_rank", counted(self.reference_rank.unwrap_or(1)), "from 1 to 100000"),
            (
                "fixed_ranks",
                (format!("{fixed:?}"), is_fixed || !self.makes(Control::FixedRank)),
                "one rank or more, each at least 1, in ascending order; or leave `fixed-rank` out of `controls`",
            ),
            (
                "random_draws",
                draws(Control::RandomDirections, self.random_draws),
                "from 1 to 100000; or leave `random-directions` out of `controls`",
            ),
            (
                "response_draws",
                draws(Control::ResponsePermutation, self.response_draws),
                "from 1 to 100000; or leave `response-permutation` out of `controls`",
            ),
            (
                "null",
                (self.null.to_string(), self.null == 0 || (self.null_p.fewest_draws()..=MOST).contains(&self.null)),
                "0 for none, or at most 100000 draws, and at least 3 for Student's t (any number with `null_p = \"draws\"`)",
            ),
        ];
        for (option, (found, makes_sense), expected) in options {
            if !makes_sense {
                return Err(AlignmentError::option(option, found, expected));
            }
        }
        let mut names = self.controls.clone();
        names.sort_unstable();
        if let Some(two) = names.windows(2).find(|two| two[0] == two[1]) {
            let name = two[0].name();
            return Err(AlignmentError::Usage(format!("controls names {name} twice; name it once")));
        }
        self.subspace.check()
    }

    pub fn makes(&self, control: Control) -> bool {
        self.controls.contains(&control)
    }

    /// Are there controls that replace a source's subspace or its reference?
    pub fn makes_subspaces(&self) -> bool {
        let others = [
            Control::DirectionPrediction,
            Control::AuxiliaryReadouts,
            Control::Attribution,
            Control::BlockAblation,
        ];
        self.controls.iter().any(|control| !others.contains(control))
    }

    /// How intervals of means over entries of these target units are computed.
    pub fn intervals<'a>(&self, units: impl IntoIterator<Item = &'a Unit>) -> UnitIntervals<'a> {
        let options = BootstrapOptions {
            resamples: self.resamples,
            seed: Seed(self.seed),
            ..BootstrapOptions::default()
        };
        UnitIntervals::new(self.interval, options, self.interval_units, units)
    }

    /// The options of the auxiliary readouts: the paper's higher ranks, and the run's regularisations.
    pub fn auxiliary(&self) -> SubspaceOptions {
        SubspaceOptions {
            max_rank: AuxiliaryReadouts::options().max_rank.max(self.subspace.max_rank),
            alphas: self.subspace.alphas.clone(),
        }
    }

    pub(super) fn reference(&self) -> ReferenceOptions {
        ReferenceOptions {
            subspace: self.subspace.clone(),
            fixed_rank: self.reference_rank,
        }
    }

    /// Ids of the conventions (`docs/pages/conventions`) that affect the numbers.
    pub fn conventions(&self) -> Vec<&'static str> {
        let mut ids = CONVENTIONS.to_vec();
        let balanced = self.balance != Balance::None || self.makes(Control::BalancedPartitions);
        let subspaces =
            [Control::TargetPca, Control::RandomDirections, Control::FixedRank, Control::ResponsePermutation];
        let further = [
            ("recovery-balance", balanced),
            ("recovery-controls", subspaces.into_iter().any(|control| self.makes(control))),
            ("recovery-directions", self.makes(Control::DirectionPrediction)),
            ("recovery-auxiliary", self.makes(Control::AuxiliaryReadouts)),
            ("recovery-attribution", self.makes(Control::Attribution)),
            ("recovery-blocks", self.makes(Control::BlockAblation)),
        ];
        ids.extend(further.into_iter().filter(|(_, applies)| *applies).map(|(id, _)| id));
        ids
    }
}

/// The conventions of every run.
const CONVENTIONS: [&str; 10] = [
    "recovery-zscore",
    "recovery-folds",
    "recovery-selection",
    "recovery-rank",
    "recovery-readout",
    "recovery-reference",
    "recovery-profile",
    "recovery-null",
    "recovery-source",
    "recovery-aggregates",
];
