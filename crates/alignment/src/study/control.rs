//! Controls that recovery profiles are compared with, besides their null.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A control that a run can make (Appendices D and E).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Leading principal components of the target's own training responses: 1, 2 and as many as the rank of the
    /// reference's consensus.
    TargetPca,
    /// Random directions of the target's response space, as many as the rank of the consensus.
    RandomDirections,
    /// Every source's subspace at fixed ranks instead of the selected one.
    FixedRank,
    /// Direction-wise held-out prediction, in addition to coverage.
    DirectionPrediction,
    /// Every source fitted to responses in another order, with a separate selection.
    ResponsePermutation,
    /// Readouts from all features, from the subspace and from source components, selected on the reserved chunk.
    AuxiliaryReadouts,
    /// The reference from partitions that are balanced over sessions and runs, and every profile against it.
    BalancedPartitions,
    /// The features of every source that carry each of the first directions.
    Attribution,
    /// Every source with several blocks (layers), fitted with some of its blocks only.
    BlockAblation,
}

impl Control {
    pub const ALL: [Control; 9] = [
        Control::TargetPca,
        Control::RandomDirections,
        Control::FixedRank,
        Control::DirectionPrediction,
        Control::ResponsePermutation,
        Control::AuxiliaryReadouts,
        Control::BalancedPartitions,
        Control::Attribution,
        Control::BlockAblation,
    ];
    /// The default controls of a run: together a few hundredths of its time.
    pub const CHEAP: [Control; 4] =
        [Control::TargetPca, Control::RandomDirections, Control::FixedRank, Control::DirectionPrediction];

    pub fn name(self) -> &'static str {
        match self {
            Control::TargetPca => "target-pca",
            Control::RandomDirections => "random-directions",
            Control::FixedRank => "fixed-rank",
            Control::DirectionPrediction => "direction-prediction",
            Control::ResponsePermutation => "response-permutation",
            Control::AuxiliaryReadouts => "auxiliary-readouts",
            Control::BalancedPartitions => "balanced-partitions",
            Control::Attribution => "attribution",
            Control::BlockAblation => "block-ablation",
        }
    }
}

/// The groups of trials that are balanced between the two views of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// No balance: repeats are halved at random.
    #[default]
    None,
    Sessions,
    /// Sessions, and runs within sessions.
    SessionsAndRuns,
}

/// A subspace that replaces a source's selected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Baseline {
    /// No replacement: the source's own subspace, for comparison.
    Selected,
    /// This many principal components of the target.
    TargetPca(usize),
    /// As many principal components as the rank of the reference's consensus.
    TargetPcaMatched,
    /// As many random directions as the rank of the consensus.
    RandomDirections,
    /// The source's subspace at this rank.
    FixedRank(usize),
    /// The subspace of a source fitted to permuted responses.
    ResponsePermutation,
    /// The source's own subspace, against the reference from balanced partitions.
    BalancedPartitions,
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Baseline::Selected => f.write_str("selected"),
            Baseline::TargetPca(rank) => write!(f, "target-pca-{rank}"),
            Baseline::TargetPcaMatched => f.write_str("target-pca-matched"),
            Baseline::RandomDirections => f.write_str("random-directions"),
            Baseline::FixedRank(rank) => write!(f, "fixed-rank-{rank}"),
            Baseline::ResponsePermutation => f.write_str("response-permutation"),
            Baseline::BalancedPartitions => f.write_str("balanced-partitions"),
        }
    }
}

impl From<Baseline> for String {
    fn from(baseline: Baseline) -> String {
        baseline.to_string()
    }
}

impl TryFrom<String> for Baseline {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let rank = |start: &str| name.strip_prefix(start)?.parse().ok();
        Ok(match name.as_str() {
            "selected" => Baseline::Selected,
            "target-pca-matched" => Baseline::TargetPcaMatched,
            "random-directions" => Baseline::RandomDirections,
            "response-permutation" => Baseline::ResponsePermutation,
            "balanced-partitions" => Baseline::BalancedPartitions,
            _ => match (rank("target-pca-"), rank("fixed-rank-")) {
                (Some(rank), _) => Baseline::TargetPca(rank),
                (_, Some(rank)) => Baseline::FixedRank(rank),
                _ => return Err(format!("{name:?} is no control")),
            },
        })
    }
}
