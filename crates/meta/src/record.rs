//! `meta.json`: the results, and everything that is needed to repeat them.

use super::join::STAND_IN;
use super::{ChoiceRecord, ClassAnalysis, MetaRequest, MetricRole, WorstCases};
use neurogauge::Provenance;
use neurogauge::core::Finding;
use neurogauge::formats::ratings::TABLE_OF_MEANS;
use neurogauge::stats::combination::CombinationResult;
use neurogauge::stats::meta::MetaResult;
use serde::Serialize;

/// The mark after results that depend on a placeholder model.
pub(super) const DAGGER: char = '†';
/// The note on that mark.
pub(super) const DAGGER_NOTE: &str = "† rests on a placeholder model: its numbers mean nothing.";

/// Increased when the layout of `meta.json` changes.
pub(super) const SCHEMA: u32 = 1;

/// The content of `meta.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetaRecord {
    /// The program and the files that it read: `human`, `metrics` (for a run, its `scores.parquet`), `classes`.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: MetaRequest,
    /// Ids of the raters, in the order of every list over raters.
    pub raters: Vec<String>,
    /// The role of each metric, in the order of the result.
    pub metrics: Vec<MetricRole>,
    pub findings: Vec<Finding>,
    pub result: MetaResult,
    /// How metrics agree with people's choices, for choices in place of ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<ChoiceRecord>,
    /// Averages of metrics, best subsets, weights and contributions, if requested.
    pub combinations: Option<CombinationResult>,
    /// The items that metrics and people rank most differently, if requested.
    pub worst_cases: Option<WorstCases>,
    /// Pairs of the same and of different class, if labels were given.
    pub classes: Option<ClassAnalysis>,
}

impl MetaRecord {
    /// Does a metric depend on a placeholder model?
    pub(crate) fn is_stand_in(&self, name: &str) -> bool {
        self.findings.iter().any(|warning| warning.code == STAND_IN && warning.subject == name)
    }

    /// Is each item's rating a single mean?
    pub(crate) fn is_of_means(&self) -> bool {
        self.findings.iter().any(|finding| finding.code == TABLE_OF_MEANS)
    }

    /// The record as shown in readable tables, with a dagger after the names of such metrics.
    pub(crate) fn marked(&self) -> MetaRecord {
        let mut marked = self.clone();
        let mark = |name: &mut String| {
            if self.is_stand_in(name) {
                name.push(DAGGER);
            }
        };
        let result = &mut marked.result;
        result.metrics.iter_mut().for_each(|metric| mark(&mut metric.name));
        for difference in &mut result.differences {
            mark(&mut difference.minuend);
            mark(&mut difference.subtrahend);
        }
        if let Some(found) = &mut marked.choices {
            found.agreement.metrics.iter_mut().for_each(|share| mark(&mut share.name));
            for difference in &mut found.agreement.differences {
                mark(&mut difference.minuend);
                mark(&mut difference.subtrahend);
            }
        }
        if let Some(found) = &mut marked.combinations {
            self.mark_combinations(found);
        }
        let classes = marked.classes.iter_mut();
        classes.flat_map(|classes| &mut classes.metrics).for_each(|metric| mark(&mut metric.metric));
        let worst_cases = marked.worst_cases.iter_mut();
        worst_cases.flat_map(|found| &mut found.metrics).for_each(|metric| mark(&mut metric.metric));
        marked
    }

    /// Adds a dagger to every metric, subset and composite that depends on a placeholder, and to all parts of such a
    /// composite, since the number of a part is a difference of two composites.
    fn mark_combinations(&self, found: &mut CombinationResult) {
        let mark = |name: &mut String| {
            if self.is_stand_in(name) {
                name.push(DAGGER);
            }
        };
        found.averages.labels.iter_mut().for_each(mark);
        for cell in &mut found.averages.cells {
            mark(&mut cell.first);
            mark(&mut cell.second);
        }
        let subsets = &mut found.subsets;
        for subset in subsets.sizes.iter_mut().chain([&mut subsets.overall]) {
            subset.metrics.iter_mut().for_each(mark);
        }
        found.weights.weights.iter_mut().flatten().for_each(|weight| mark(&mut weight.metric));
        for composite in &mut found.composites {
            if composite.parts.iter().any(|part| self.is_stand_in(part)) {
                composite.name.push(DAGGER);
                composite.contributions.iter_mut().for_each(|part| part.part.push(DAGGER));
            }
            composite.parts.iter_mut().for_each(mark);
        }
    }
}
