//! The scope of a table: all items, or within the groups of one grouping.

use neurogauge::stats::meta::{
    Ceiling, MetaResult, MetricAgreement, MetricDifference, OneRater, StatisticDifference, StatisticEstimate,
};

#[derive(Clone, Copy)]
pub(super) enum Scope {
    All,
    /// Within the groups of the grouping at this position.
    Within(usize),
}

impl Scope {
    pub(super) fn groupings(result: &MetaResult) -> impl Iterator<Item = Scope> + use<> {
        (0..result.agreement.grouped.len()).map(Scope::Within)
    }

    /// ` within system`, or nothing.
    pub(super) fn suffix(self, result: &MetaResult) -> String {
        match self {
            Scope::All => String::new(),
            Scope::Within(g) => format!(" within {}", result.agreement.grouped[g].grouping),
        }
    }

    pub(super) fn ceilings(self, result: &MetaResult) -> &[Ceiling] {
        match self {
            Scope::All => &result.agreement.ceilings,
            Scope::Within(g) => &result.agreement.grouped[g].ceilings,
        }
    }

    pub(super) fn one_rater(self, result: &MetaResult) -> &[OneRater] {
        match self {
            Scope::All => &result.agreement.one_rater,
            Scope::Within(g) => &result.agreement.grouped[g].one_rater,
        }
    }

    pub(super) fn estimates(self, metric: &MetricAgreement) -> Vec<&StatisticEstimate> {
        match self {
            Scope::All => metric.statistics.iter().collect(),
            Scope::Within(g) => metric.grouped[g].statistics.iter().map(|figure| &figure.estimate).collect(),
        }
    }

    pub(super) fn differences(self, pair: &MetricDifference) -> &[StatisticDifference] {
        match self {
            Scope::All => &pair.statistics,
            Scope::Within(g) => &pair.grouped[g].statistics,
        }
    }

    pub(super) fn epsilon(self, metric: &MetricAgreement) -> Option<f64> {
        match self {
            Scope::All => metric.epsilon,
            Scope::Within(g) => metric.grouped[g].epsilon,
        }
    }
}
