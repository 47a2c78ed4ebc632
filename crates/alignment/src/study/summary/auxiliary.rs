//! How much of the accuracy of all features the selected subspace retains.

use super::Summarising;
use crate::study::control::Control;
use crate::study::unit_result::SourceResult;
use crate::{AlignmentError, AuxiliaryReadouts, Unit, UnitEntry, UnitEstimate};
use neurogauge_stats::mean;
use serde::Serialize;

/// Accuracies on the test chunk of readouts whose regularisation was selected on the reserved chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuxiliarySummary {
    pub sources: String,
    /// Selected rank, out of up to 32.
    pub rank: UnitEstimate,
    /// Accuracy from all features.
    pub full: UnitEstimate,
    /// Accuracy from the coordinates of the subspace.
    pub subspace: UnitEstimate,
    /// Accuracy from equally many principal components of the source.
    pub source_pca: UnitEstimate,
    /// Accuracy from the subspace divided by accuracy from all features, each averaged over folds; entries whose full
    /// accuracy is not positive are left out.
    pub retained: UnitEstimate,
}

impl Summarising<'_> {
    /// One summary for each group of sources; empty without that control.
    pub(super) fn auxiliary(&self) -> Result<Vec<AuxiliarySummary>, AlignmentError> {
        if !self.settings.makes(Control::AuxiliaryReadouts) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for group in self.groups() {
            let units = self.units.iter();
            let own: Vec<(&Unit, &SourceResult)> = units
                .flat_map(|unit| unit.sources.iter().map(|source| (&unit.unit, source)))
                .filter(|(_, source)| group.holds(&source.source, source.donor))
                .collect();
            let of = |value: &dyn Fn(&SourceResult) -> Option<f64>| {
                let own = own.iter();
                self.mean(own.filter_map(|(unit, source)| {
                    let name = (source.source.as_str(), source.donor);
                    Some(UnitEntry::of_source(unit, name, value(source)?))
                }))
            };
            found.push(AuxiliarySummary {
                rank: of(&|source| over_folds(source, |found| found.selection.rank as f64))?,
                full: of(&|source| over_folds(source, |found| found.full.test))?,
                subspace: of(&|source| over_folds(source, |found| found.subspace.test))?,
                source_pca: of(&|source| over_folds(source, |found| found.source_pca.test))?,
                retained: of(&|source| {
                    let full = over_folds(source, |found| found.full.test)?;
                    let kept = over_folds(source, |found| found.subspace.test)?;
                    (full > 0.0).then(|| kept / full)
                })?,
                sources: group.label,
            });
        }
        Ok(found)
    }
}

fn over_folds(source: &SourceResult, value: impl Fn(&AuxiliaryReadouts) -> f64) -> Option<f64> {
    let fits = source.fits.iter();
    mean(fits.filter_map(|fit| Some(value(fit.auxiliary.as_ref()?))))
}
