//! Whether directions with higher coverage are also predicted better.

use super::Summarising;
use crate::study::control::Control;
use crate::{AlignmentError, quartile_contrast};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{mean, pearson};
use serde::Serialize;

/// Directions of all units and folds, for some sources. This is descriptive: directions, folds and sources are not an
/// independent sample.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DirectionSummary {
    pub sources: String,
    pub n: usize,
    /// Pearson's r of DirCov and direction-wise prediction, or the reason why there is none.
    #[serde(with = "neurogauge_core::recorded")]
    pub pearson: Outcome,
    /// Mean prediction in the highest quarter of DirCov minus that in the lowest; `None` without a direction.
    pub high_less_low: Option<f64>,
    /// For each direction by its rank in its reference: mean DirCov and mean prediction.
    pub by_rank: Vec<[f64; 2]>,
}

impl Summarising<'_> {
    /// One summary for each group of sources; empty without that control.
    pub(super) fn directions(&self) -> Result<Vec<DirectionSummary>, AlignmentError> {
        if !self.settings.makes(Control::DirectionPrediction) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for group in self.groups() {
            let sources = self.units.iter().flat_map(|unit| &unit.sources);
            let own = sources.filter(|source| group.holds(&source.source, source.donor));
            let mut by_rank: Vec<Vec<(f64, f64)>> = Vec::new();
            for fit in own.flat_map(|source| &source.fits) {
                let (Ok(profile), Some(predicted)) = (&fit.profile, &fit.prediction) else {
                    continue;
                };
                let both = profile.directional.iter().zip(predicted);
                for (rank, (&covered, &predicted)) in both.enumerate() {
                    if by_rank.len() == rank {
                        by_rank.push(Vec::new());
                    }
                    by_rank[rank].push((covered, predicted));
                }
            }
            let (covered, predicted): (Vec<f64>, Vec<f64>) = by_rank.iter().flatten().copied().unzip();
            let means = by_rank.iter().filter_map(|both| {
                let covered = mean(both.iter().map(|both| both.0))?;
                Some([covered, mean(both.iter().map(|both| both.1))?])
            });
            found.push(DirectionSummary {
                sources: group.label,
                n: covered.len(),
                pearson: pearson(&covered, &predicted).unwrap_or(Err(Undefined::TooFewItems)),
                high_less_low: (!covered.is_empty()).then(|| quartile_contrast(&covered, &predicted)).transpose()?,
                by_rank: means.collect(),
            });
        }
        Ok(found)
    }
}
