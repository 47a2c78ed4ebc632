//! Reference spectra over all target units.

use super::Summarising;
use crate::study::unit_result::ReferenceResult;
use crate::{AlignmentError, UnitEntry, UnitEstimate};
use neurogauge_stats::mean;
use serde::Serialize;

/// References over all target units and folds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReferenceSummary {
    pub effective_rank: UnitEstimate,
    pub consensus_rank: UnitEstimate,
    /// For m partitions, mean coverage, purity and rank ratio.
    pub convergence: Vec<(usize, [f64; 3])>,
}

impl Summarising<'_> {
    pub(super) fn references(&self) -> Result<ReferenceSummary, AlignmentError> {
        let all = || self.units.iter().flat_map(|unit| &unit.references);
        let counts = all()
            .next()
            .map_or_else(Vec::new, |reference| reference.convergence.iter().map(|(m, _)| *m).collect());
        let convergence = counts.into_iter().filter_map(|m: usize| {
            let at = || {
                all().filter_map(move |reference| {
                    reference.convergence.iter().find(|(n, _)| *n == m).map(|(_, found)| *found)
                })
            };
            let coverage = mean(at().filter_map(|found| found.coverage))?;
            let purity = mean(at().filter_map(|found| found.purity))?;
            Some((m, [coverage, purity, mean(at().filter_map(|found| found.rank_ratio))?]))
        });
        Ok(ReferenceSummary {
            effective_rank: self.of_references(&|reference| reference.effective_rank)?,
            consensus_rank: self.of_references(&ReferenceResult::rank_of_consensus)?,
            convergence: convergence.collect(),
        })
    }

    /// A quantity of every fold's reference.
    pub(super) fn of_references(
        &self,
        value: &dyn Fn(&ReferenceResult) -> Option<f64>,
    ) -> Result<UnitEstimate, AlignmentError> {
        let entries = self.units.iter().flat_map(|unit| {
            let values = unit.references.iter().filter_map(value);
            values.map(|value| UnitEntry::new(&unit.unit, value))
        });
        self.mean(entries)
    }
}
