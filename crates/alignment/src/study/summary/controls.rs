//! The recovery of subspaces that replace the selected ones.

use super::Summarising;
use super::pairs::Correlations;
use super::source_group::SourceGroup;
use crate::study::control::{Baseline, Control};
use crate::study::control_scores::ControlScore;
use crate::{AlignmentError, UnitEntry, UnitEstimate};
use neurogauge_stats::mean;
use serde::Serialize;

/// One control over all target units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControlSummary {
    /// The subspace; `selected` is the sources' own, with which the others are compared.
    pub control: Baseline,
    /// The sources: `other subjects`, `pretrained models`, `untrained models`, or a model's name. `None` for a control
    /// of the target alone.
    pub sources: Option<String>,
    pub rank: UnitEstimate,
    /// Prediction accuracy; undefined without a prediction.
    pub accuracy: UnitEstimate,
    pub profile_mean: UnitEstimate,
    pub full_ref_cov: UnitEstimate,
    /// ProfileMean divided by the median donor's, under the same control for fixed ranks and balanced partitions.
    pub brain_ref_score: UnitEstimate,
    /// Mean TopKCov for k = 1, 2, ...
    pub curve: Vec<f64>,
}

/// The effect of balancing partitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BalancedSummary {
    /// tr(R R') / (|R| |R'|) for the two references of a unit and fold.
    pub soft: UnitEstimate,
    /// The share of the run's consensus that the consensus of balanced partitions contains.
    pub hard: UnitEstimate,
    /// ProfileMean against balanced references minus ProfileMean against the run's references, over entries.
    pub shift: UnitEstimate,
    /// Correlations of the two ProfileMeans over entries.
    pub profile_means: Correlations,
}

impl Summarising<'_> {
    /// Controls of the target alone come first, then each control for every group of sources.
    pub(super) fn control_summaries(&self) -> Result<Vec<ControlSummary>, AlignmentError> {
        let mut baselines: Vec<(bool, Baseline)> =
            self.controls.iter().map(|entry| (entry.source.is_some(), entry.baseline)).collect();
        baselines.sort_unstable();
        baselines.dedup();
        let groups = self.groups();
        let mut found = Vec::new();
        for (of_sources, baseline) in baselines {
            if of_sources {
                for group in &groups {
                    found.push(self.control(baseline, Some(group))?);
                }
            } else {
                found.push(self.control(baseline, None)?);
            }
        }
        Ok(found)
    }

    fn control(&self, baseline: Baseline, group: Option<&SourceGroup<'_>>) -> Result<ControlSummary, AlignmentError> {
        let is_own = |entry: &&ControlScore| match (group, &entry.source) {
            (Some(group), Some(source)) => group.holds(source, entry.donor),
            (None, None) => true,
            _ => false,
        };
        let own = || self.controls.iter().filter(move |entry| entry.baseline == baseline).filter(is_own);
        let of = |value: &dyn Fn(&ControlScore) -> Option<f64>| {
            self.mean(own().filter_map(|entry| Some(of_control(entry, value(entry)?))))
        };
        let curve = (0..self.settings.prefixes).filter_map(|k| {
            let profiles = own().filter_map(|entry| entry.profile.as_ref().ok());
            mean(profiles.filter_map(|profile| profile.top_k.get(k).copied()))
        });
        Ok(ControlSummary {
            control: baseline,
            sources: group.map(|group| group.label.clone()),
            rank: of(&|entry| Some(entry.rank))?,
            accuracy: of(&|entry| entry.accuracy)?,
            profile_mean: of(&|entry| entry.profile_mean)?,
            full_ref_cov: of(&|entry| Some(entry.profile.as_ref().ok()?.full))?,
            brain_ref_score: of(&|entry| entry.brain_ref_score)?,
            curve: curve.collect(),
        })
    }

    /// The effect of balancing; `None` without balanced partitions.
    pub(super) fn balanced(&self) -> Result<Option<BalancedSummary>, AlignmentError> {
        if !self.settings.makes(Control::BalancedPartitions) {
            return Ok(None);
        }
        let of = |baseline: Baseline| self.controls.iter().filter(move |entry| entry.baseline == baseline);
        let mut pairs: Vec<(&ControlScore, f64, f64)> = Vec::new();
        for balanced in of(Baseline::BalancedPartitions) {
            let same = |entry: &&ControlScore| {
                entry.unit == balanced.unit && entry.donor == balanced.donor && entry.source == balanced.source
            };
            let mean = of(Baseline::Selected).find(same).and_then(|e| e.profile_mean);
            let both = mean.zip(balanced.profile_mean);
            pairs.extend(both.map(|(own, other)| (balanced, own, other)));
        }
        let (own, other): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(_, a, b)| (*a, *b)).unzip();
        Ok(Some(BalancedSummary {
            soft: self.of_references(&|reference| Some(reference.balanced?.soft))?,
            hard: self.of_references(&|reference| Some(reference.balanced?.hard))?,
            shift: self.mean(pairs.iter().map(|&(entry, own, other)| of_control(entry, other - own)))?,
            profile_means: Correlations::new(&own, &other),
        }))
    }
}

/// A value of a control, for a source and a target unit, or for the target alone.
fn of_control(control: &ControlScore, value: f64) -> UnitEntry<'_> {
    let name = control.source.as_deref().unwrap_or_default();
    UnitEntry::of_source(&control.unit, (name, control.donor), value)
}
