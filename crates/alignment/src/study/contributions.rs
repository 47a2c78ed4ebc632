//! One line for each block of each source and target unit, over outer folds.

use super::{AlignSettings, FitResult, UnitResult};
use crate::{AlignmentError, BlockFit, NullSummary, Profile, Unit, shapley_values};
use neurogauge_stats::mean;
use serde::Serialize;

/// The contribution of a source's block to the recovery of a target unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contribution {
    pub source: String,
    pub block: usize,
    pub unit: Unit,
    /// What all blocks recover together.
    pub whole: Recovery,
    /// What the block recovers alone.
    pub alone: Recovery,
    /// What is lost without it: the recovery of all blocks minus that of all others.
    pub loss: Recovery,
    /// Its Shapley value of the recovered variance; `None` for a source of many blocks.
    pub shapley: Option<f64>,
    /// The recovered variance of all blocks compared with that after the rows of this one were permuted; `None` without
    /// draws.
    pub null: Option<NullSummary>,
}

/// What a fit recovers along the first directions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Recovery {
    /// The recovered variance, r |r| of predicted and measured test responses, averaged over directions by their
    /// weight.
    pub variance: f64,
    pub profile_mean: f64,
}

/// The contributions of all blocks, unit by unit; empty without fits of blocks. A source without such a fit in some
/// fold is left out.
pub fn contributions(units: &[UnitResult], settings: &AlignSettings) -> Result<Vec<Contribution>, AlignmentError> {
    let mut found = Vec::new();
    for unit in units {
        for source in unit.sources.iter().filter(|source| !source.donor) {
            let folds = Folds {
                fits: &source.fits,
                unit,
                k: settings.main_length(),
            };
            let Some(n_blocks) = folds.n_blocks() else {
                continue;
            };
            let all: Vec<usize> = (0..n_blocks).collect();
            let Some(whole) = folds.of(&all)? else {
                continue;
            };
            let shapley = folds.shapley(n_blocks);
            for &block in &all {
                let others: Vec<usize> = all.iter().copied().filter(|own| *own != block).collect();
                let (Some(alone), Some(without)) = (folds.of(&[block])?, folds.of(&others)?) else {
                    continue;
                };
                let draws = folds.null(block);
                found.push(Contribution {
                    source: source.source.clone(),
                    block,
                    unit: unit.unit.clone(),
                    whole,
                    alone,
                    loss: Recovery {
                        variance: whole.variance - without.variance,
                        profile_mean: whole.profile_mean - without.profile_mean,
                    },
                    shapley: shapley.as_ref().map(|values| values[block]),
                    null: (!draws.is_empty())
                        .then(|| NullSummary::new(whole.variance, &draws, settings.null_p))
                        .transpose()?,
                });
            }
        }
    }
    Ok(found)
}

/// The folds of one source and target unit.
struct Folds<'a> {
    fits: &'a [FitResult],
    unit: &'a UnitResult,
    k: usize,
}

impl<'a> Folds<'a> {
    /// The number of blocks; `None` if a fold has no fits of blocks.
    fn n_blocks(&self) -> Option<usize> {
        let folds = self.fits.iter();
        let n = folds.map(|fit| Some(fit.blocks.as_ref()?.null.len()));
        n.collect::<Option<Vec<usize>>>()?.first().copied()
    }

    /// The fit that `of` selects, in each fold.
    fn each(&self, of: impl Fn(&'a FitResult) -> Option<&'a BlockFit>) -> Option<Vec<&'a BlockFit>> {
        self.fits.iter().map(of).collect()
    }

    fn of(&self, blocks: &[usize]) -> Result<Option<Recovery>, AlignmentError> {
        let Some(fits) = self.each(|fit| fit.blocks.as_ref()?.of(blocks)) else {
            return Ok(None);
        };
        let profiles: Vec<_> = fits.iter().map(|fit| fit.profile.clone()).collect();
        let profile_mean = Profile::of_folds(&profiles)?.mean(self.k)?;
        Ok(self.variance(&fits).map(|variance| Recovery { variance, profile_mean }))
    }

    /// The recovered variance, averaged over folds; `None` without weights.
    fn variance(&self, fits: &[&BlockFit]) -> Option<f64> {
        let folds = fits.iter().zip(&self.unit.references);
        let of_fold = |(fit, reference): (&&BlockFit, &super::ReferenceResult)| {
            let both = || fit.recovered().zip(&reference.weights).take(self.k);
            let total: f64 = both().map(|(_, weight)| weight).sum();
            let sum: f64 = both().map(|(recovered, weight)| recovered * weight).sum();
            (total > 0.0).then(|| sum / total)
        };
        mean(folds.map(of_fold).collect::<Option<Vec<f64>>>()?)
    }

    /// The Shapley values; `None` if some set of blocks has no fit.
    fn shapley(&self, n_blocks: usize) -> Option<Vec<f64>> {
        let sets = self.fits.first()?.blocks.as_ref()?.fits.len();
        if n_blocks >= usize::BITS as usize || sets + 1 < 1 << n_blocks {
            return None;
        }
        let value = |blocks: &[usize]| {
            let fits = self.each(|fit| fit.blocks.as_ref()?.of(blocks));
            fits.and_then(|fits| self.variance(&fits)).unwrap_or(0.0)
        };
        Some(shapley_values(n_blocks, value))
    }

    /// The recovered variance in each draw in which the rows of a block are permuted.
    fn null(&self, block: usize) -> Vec<f64> {
        let n_draws = self.fits.iter().filter_map(|fit| {
            let null = &fit.blocks.as_ref()?.null;
            Some(null.get(block)?.len())
        });
        let draws = 0..n_draws.min().unwrap_or(0);
        draws
            .filter_map(|draw| {
                let fits = self.each(|fit| fit.blocks.as_ref()?.null.get(block)?.get(draw))?;
                self.variance(&fits)
            })
            .collect()
    }
}
