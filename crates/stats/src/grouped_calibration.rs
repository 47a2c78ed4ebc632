//! Pairwise accuracy within groups of items, at one tie threshold for all of them.

use crate::StatsError;
use crate::paired::{check_paired, is_constant};
use neurogauge_core::{Side, Undefined};
use serde::{Deserialize, Serialize};

/// What [`calibrate_groups`] found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GroupedCalibration {
    /// Mean over groups of the pairwise accuracy at `epsilon`.
    pub accuracy: f64,
    /// The metric ties two items if their scores differ by no more than this.
    pub epsilon: f64,
    /// Mean over groups of the pairwise accuracy at 0.
    pub uncalibrated: f64,
    /// Number of groups with at least one pair.
    pub n_groups: usize,
    /// Number of groups of fewer than two items, which say nothing.
    pub n_dropped: usize,
}

/// Pairwise accuracy with tie calibration, grouped: pairs are formed within a group only (the
/// systems that decoded one stimulus), accuracies are averaged over groups, and one ε serves all.
///
/// - Shapes: `metric` and `human` hold one slice per group, with one score per item of it; higher
///   is better in both.
/// - Range: 0 to 1; higher is better. Groups count alike, however many pairs they have.
/// - ε is 0 or a difference that occurs within a group; among equally good ones the smallest. Equal
///   is meant as the published code computes it: its running mean is updated pair by pair in
///   floating point, in the order of differences (pairs of equal difference in the order of groups
///   and items), and so is ours, or ε could differ.
/// - Undefined: no group has a pair (`NoPairs`); a NaN or an infinity (`NonFinite`); within every
///   group all metric scores (`Constant`, side `Gt`) or all human ones (side `Recon`) are equal.
/// - Errors: [`StatsError::LengthMismatch`] (of the numbers of groups, or within one).
/// - Reference: `tau_optimization` with `acc_23` on matrices (mt-metrics-eval), under Python 3.11:
///   accuracy and ε exact. Use
///   [`TieCalibration`](crate::TieCalibration) for a single group.
///
/// ```
/// use neurogauge_stats::calibrate_groups;
/// let metric = [&[0.1, 0.5, 0.55][..], &[0.2, 0.9]];
/// let human = [&[1.0, 3.0, 3.0][..], &[2.0, 4.0]];
/// let found = calibrate_groups(&metric, &human).unwrap().unwrap();
/// assert_eq!((found.accuracy, found.epsilon), (1.0, 0.55 - 0.5));
/// assert_eq!(found.uncalibrated, (2.0 / 3.0 + 1.0) / 2.0);
/// ```
pub fn calibrate_groups(
    metric: &[&[f64]],
    human: &[&[f64]],
) -> Result<Result<GroupedCalibration, Undefined>, StatsError> {
    if metric.len() != human.len() {
        return Err(StatsError::LengthMismatch {
            x: metric.len(),
            y: human.len(),
        });
    }
    let mut groups = Vec::new();
    for (metric, human) in metric.iter().zip(human) {
        match check_paired(metric, human)? {
            Ok(pair) => groups.push(pair),
            Err(reason @ Undefined::NonFinite(_)) => return Ok(Err(reason)),
            // Too small to hold a pair.
            Err(_) => {}
        }
    }
    if groups.is_empty() {
        return Ok(Err(Undefined::NoPairs));
    }
    if groups.iter().all(|(metric, _)| is_constant(metric)) {
        return Ok(Err(Undefined::Constant(Side::Gt)));
    }
    if groups.iter().all(|(_, human)| is_constant(human)) {
        return Ok(Err(Undefined::Constant(Side::Recon)));
    }

    let mut pairs: Vec<Pair> = groups
        .iter()
        .enumerate()
        .flat_map(|(group, (metric, human))| pairs_within(group, metric, human))
        .collect();
    // Stable: the order of groups and items decides between equal differences.
    pairs.sort_by(|a, b| a.difference.total_cmp(&b.difference));
    let best = search(&pairs, groups.len());
    Ok(Ok(GroupedCalibration {
        n_dropped: metric.len() - groups.len(),
        ..best
    }))
}

/// Two items of one group.
struct Pair {
    group: usize,
    difference: f64,
    /// Metric and people order it alike or both tie it.
    right: bool,
    /// People tie it, so that it is right once the metric does.
    tied_by_people: bool,
}

fn pairs_within(group: usize, metric: &[f64], human: &[f64]) -> Vec<Pair> {
    let pair = |i: usize, j: usize| Pair {
        group,
        difference: (metric[i] - metric[j]).abs(),
        right: metric[i].partial_cmp(&metric[j]) == human[i].partial_cmp(&human[j]),
        tied_by_people: human[i] == human[j],
    };
    (0..metric.len())
        .flat_map(|i| (i + 1..metric.len()).map(move |j| pair(i, j)))
        .collect()
}

/// Numbers of right pairs and of all pairs.
#[derive(Clone, Default)]
struct Tally {
    right: u64,
    pairs: u64,
}

impl Tally {
    fn accuracy(&self) -> f64 {
        self.right as f64 / self.pairs as f64
    }
}

fn search(pairs: &[Pair], n_groups: usize) -> GroupedCalibration {
    let mut tallies = vec![Tally::default(); n_groups];
    for pair in pairs {
        tallies[pair.group].pairs += 1;
        tallies[pair.group].right += u64::from(pair.right);
    }
    let mut total = tallies.iter().fold(0.0, |sum, t| sum + t.accuracy());
    let uncalibrated = total / n_groups as f64;
    let mut best = GroupedCalibration {
        accuracy: uncalibrated,
        epsilon: 0.0,
        uncalibrated,
        n_groups,
        n_dropped: 0,
    };
    for tied in pairs.chunk_by(|a, b| a.difference == b.difference) {
        for pair in tied {
            let tally = &mut tallies[pair.group];
            total -= tally.accuracy();
            tally.right -= u64::from(pair.right);
            tally.right += u64::from(pair.tied_by_people);
            total += tally.accuracy();
        }
        let (accuracy, epsilon) = (total / n_groups as f64, tied[0].difference);
        // Pairs that the metric ties by itself are part of the accuracy at zero.
        if accuracy > best.accuracy || epsilon == 0.0 {
            best.accuracy = accuracy;
            best.epsilon = epsilon;
        }
    }
    best
}
