//! Pairwise accuracy within groups of items, at one tie threshold for all of them.

use crate::StatsError;
use crate::error::check_lengths;
use crate::grouped_pairs::{GroupedCalibration, GroupedPairs};
use crate::paired::check_paired;
use neurogauge_core::Undefined;

/// Pairwise accuracy with tie calibration, grouped: pairs are only formed within a group (the systems that decoded one
/// stimulus), accuracies are averaged over groups, and all groups share one ε.
///
/// - Shapes: `metric` and `human` hold one slice per group, with one score per item of it; higher
///   is better in both.
/// - Range: 0 to 1; higher is better. Groups have equal weight, regardless of their number of pairs.
/// - ε is 0 or a difference that occurs within a group; ties go to the smallest. Ties are decided as in the published
///   code: its running mean is updated pair by pair in floating point, in the order of differences (pairs of equal
///   difference in the order of groups and items), and so is ours, since otherwise ε could differ.
/// - Undefined: no group has a pair (`NoPairs`); a NaN or an infinity (`NonFinite`); within every
///   group all metric scores (`Constant`, side `Gt`) or all human ones (side `Recon`) are equal.
/// - Errors: samples of different lengths (of the numbers of groups, or within one), more pairs within groups than
///   memory can hold.
/// - Reference: `tau_optimization` with `acc_23` on matrices (mt-metrics-eval), under Python 3.11:
///   accuracy and ε exact. Use
///   [`TieCalibration`](crate::TieCalibration) for a single group.
pub fn calibrate_groups(
    metric: &[&[f64]],
    human: &[&[f64]],
) -> Result<Result<GroupedCalibration, Undefined>, StatsError> {
    check_lengths(metric.len(), human.len())?;
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let (mut scores, mut opinions) = (Vec::new(), Vec::new());
    for (metric, human) in metric.iter().zip(human) {
        match check_paired(metric, human)? {
            Ok((metric, human)) => {
                let start = scores.len() as u32;
                scores.extend(metric);
                opinions.extend(human);
                groups.push((start..scores.len() as u32).collect());
            }
            Err(reason @ Undefined::NonFinite(_)) => return Ok(Err(reason)),
            // Too small to have a pair.
            Err(_) => {}
        }
    }
    let best = GroupedPairs::new(&groups, &scores)?.best(&opinions, None);
    Ok(best.map(|best| GroupedCalibration {
        n_dropped: metric.len() - groups.len(),
        ..best
    }))
}
