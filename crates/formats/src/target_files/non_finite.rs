//! What to do with responses that are NaN or infinite.

use super::{TargetFiles, TargetResponses};
use crate::{FormatError, Problem};
use neurogauge_core::Finding;
use serde::{Deserialize, Serialize};

/// What to do about trials and voxels with responses that are NaN or infinite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonFinite {
    /// Fail; the error names the first one and the number of all.
    #[default]
    Refuse,
    /// Leave out the trials that have such responses.
    DropTrials,
    /// Leave out the voxels that have such responses.
    DropVoxels,
}

impl TargetResponses {
    /// Leaves out trials or voxels with responses that are not finite, and returns the trials that are kept.
    ///
    /// Voxels without a finite response in any trial are left out only by [`NonFinite::DropVoxels`]: they were not
    /// measured, and no single trial is at fault.
    ///
    /// # Errors
    /// The first such trial; a region without remaining voxels.
    pub fn leave_out_non_finite(&mut self, target: &TargetFiles, rule: NonFinite) -> Result<Vec<usize>, FormatError> {
        let (n_trials, n_voxels) = (self.responses.n_trials, self.responses.places.len());
        let everything = || Vec::from_iter(0..n_trials);
        let rows = || self.responses.values.chunks(n_voxels.max(1));
        let mut per_voxel = vec![0; n_voxels];
        for row in rows() {
            per_voxel.iter_mut().zip(row).for_each(|(n, value)| *n += usize::from(!value.is_finite()));
        }
        let is_hole =
            |(value, n): (&f64, &usize)| !value.is_finite() && (*n < n_trials || rule == NonFinite::DropVoxels);
        let per_trial = rows().map(|row| row.iter().zip(&per_voxel).filter(|one| is_hole(*one)).count());
        let per_trial: Vec<usize> = per_trial.collect();
        let Some(first) = per_trial.iter().position(|&n| n > 0) else {
            return Ok(everything());
        };
        let n_bad_trials = per_trial.iter().filter(|&&n| n > 0).count();
        let n_bad_voxels = per_voxel.iter().filter(|&&n| n > 0).count();
        let (path, in_file) = self.place_of(target, first);
        let place = format!("trial {in_file} (counted from 0)");
        let refused = |reason: String| Problem::invalid(&place, format!("{target}: {reason}")).at(path);
        let left_out = |n: usize, of: usize, what: &str| {
            let message = format!("{n} of {of} {what} have responses that are not finite, and are left out");
            Finding::warning("non_finite_left_out", target.to_string(), message)
                .on_evidence(format!("the first is in {place} of {}", path.display()))
        };
        match rule {
            NonFinite::Refuse => Err(refused(format!(
                "{} of {n_voxels} responses are NaN or infinite, and {} in {n_bad_trials} of {n_trials} trials in all; leave such trials \
                 out, or write `non_finite = \"drop-trials\"` (or \"drop-voxels\") at the top of the configuration, before its first \
                 [table]",
                per_trial[first],
                per_trial.iter().sum::<usize>(),
            ))),
            NonFinite::DropTrials => {
                let kept: Vec<usize> = (0..n_trials).filter(|&trial| per_trial[trial] == 0).collect();
                let finding = left_out(n_bad_trials, n_trials, "trials");
                let kept_rows = rows().zip(&per_trial).filter(|(_, n)| **n == 0);
                let values = kept_rows.flat_map(|(row, _)| row.iter().copied()).collect();
                self.responses.values = values;
                self.responses.n_trials = kept.len();
                self.responses.findings.push(finding);
                Ok(kept)
            }
            NonFinite::DropVoxels if n_bad_voxels == n_voxels => Err(refused(
                "no voxel is finite in every trial; `non_finite = \"drop-trials\"` leaves out trials instead"
                    .to_owned(),
            )),
            NonFinite::DropVoxels => {
                let finding = left_out(n_bad_voxels, n_voxels, "voxels");
                let of_row = |row: &[f64]| {
                    let kept = row.iter().zip(&per_voxel).filter(|(_, n)| **n == 0);
                    Vec::from_iter(kept.map(|(value, _)| *value))
                };
                let values = rows().flat_map(of_row).collect();
                self.responses.values = values;
                let mut counts = per_voxel.iter();
                self.responses.places.retain(|_| counts.next() == Some(&0));
                self.responses.findings.push(finding);
                Ok(everything())
            }
        }
    }
}
