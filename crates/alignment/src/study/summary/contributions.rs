//! The contributions of each source's blocks.

use super::Summarising;
use crate::study::{Contribution, contributions};
use crate::{AlignmentError, UnitEntry, UnitEstimate};
use serde::Serialize;

/// A block of a source over all target units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContributionSummary {
    pub source: String,
    pub block: String,
    /// The recovered variance of all blocks together.
    pub whole: UnitEstimate,
    pub alone: UnitEstimate,
    /// The recovered variance lost without it.
    pub loss: UnitEstimate,
    /// Its Shapley value; these sum to `whole`. Undefined for a source of many blocks.
    pub shapley: UnitEstimate,
    /// ProfileMean of the block alone.
    pub profile_mean_alone: UnitEstimate,
    /// ProfileMean lost without it.
    pub profile_mean_loss: UnitEstimate,
    /// The mean loss after the block's rows are permuted; undefined without draws.
    pub null_loss: UnitEstimate,
    /// Number of target units in which p is at most 0.05.
    pub n_significant: usize,
}

impl Summarising<'_> {
    /// Source by source, block by block; empty without that control.
    pub(super) fn contributions(&self) -> Result<Vec<ContributionSummary>, AlignmentError> {
        let all = contributions(self.units, self.settings)?;
        let mut found = Vec::new();
        for source in self.sources {
            let names = self.blocks.get(&source.name).into_iter().flatten();
            for (block, name) in names.enumerate() {
                let own = all.iter();
                let own = own.filter(|own| own.source == source.name && own.block == block);
                let own: Vec<&Contribution> = own.collect();
                if own.is_empty() {
                    continue;
                }
                let of = |value: &dyn Fn(&Contribution) -> Option<f64>| {
                    let entries = own.iter();
                    self.mean(entries.filter_map(|own| Some(UnitEntry::new(&own.unit, value(own)?))))
                };
                let null_loss = |own: &Contribution| {
                    let without = own.whole.variance - own.loss.variance;
                    Some(own.null?.mean - without)
                };
                found.push(ContributionSummary {
                    source: source.name.clone(),
                    block: name.clone(),
                    whole: of(&|own| Some(own.whole.variance))?,
                    alone: of(&|own| Some(own.alone.variance))?,
                    loss: of(&|own| Some(own.loss.variance))?,
                    shapley: of(&|own| own.shapley)?,
                    profile_mean_alone: of(&|own| Some(own.alone.profile_mean))?,
                    profile_mean_loss: of(&|own| Some(own.loss.profile_mean))?,
                    null_loss: of(&null_loss)?,
                    n_significant: (own.iter()).filter(|own| own.null.is_some_and(|null| null.p <= 0.05)).count(),
                });
            }
        }
        Ok(found)
    }
}
