//! Each metric's figures on a line.

use super::scope::Scope;
use super::{headings, is_main, number, text};
use crate::meta::MetaRecord;
use neurogauge_core::Undefined;
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::meta::{HumanScore, MetaResult, MetricAgreement, Statistic};

/// Thresholds are on the scale of the metric, which may be small.
const EPSILON_DECIMALS: usize = 4;

pub(super) fn text_table(record: &MetaRecord) -> TextTable {
    let result = &record.result;
    let mut notes = vec![
        match result.options.human_score {
            HumanScore::Mean => "Human score of an item: the mean of its ratings.".to_owned(),
            HumanScore::ZScore => format!(
                "Human score of an item: the mean of its ratings after each rater's were brought to \
                 mean 0 and standard deviation 1 ({} raters who rated everything alike left out).",
                result.n_raters_left_out
            ),
        },
        "Pairwise acc.: share of pairs of items that metric and people order alike or both tie, \
         where the metric ties scores that differ by at most ε, chosen to suit it best. (one rater): \
         each rater in turn as the metric, against the mean of all others; the mean over raters."
            .to_owned(),
    ];
    for metric in &result.metrics {
        notes.extend(undefined(metric, Scope::All));
    }
    notes.extend(without_ceiling(record));
    let warnings = record.warnings.iter();
    notes.extend(warnings.map(|warning| format!("Warning: {warning}")));
    TextTable {
        title: "Agreement of metrics with people".to_owned(),
        headings: names("n"),
        rows: rows(result, Scope::All, |metric| metric.n_items),
        notes,
    }
}

/// The same within groups.
pub(super) fn within(result: &MetaResult, scope: Scope) -> TextTable {
    let mut notes = vec![
        "Each figure is computed within each group and averaged over the groups in which it has a \
         value; one ε serves all groups."
            .to_owned(),
    ];
    for metric in &result.metrics {
        notes.extend(undefined(metric, scope));
        notes.extend(left_out(metric, scope));
    }
    TextTable {
        title: format!(
            "Agreement of metrics with people{}, mean over groups",
            scope.suffix(result)
        ),
        headings: names("groups"),
        rows: rows(result, scope, |metric| match scope {
            Scope::All => 1,
            Scope::Within(g) => metric.grouped[g].n_groups,
        }),
        notes,
    }
}

/// Raters who count for no ceiling, with the reason, as far as a line is the place for it.
fn without_ceiling(record: &MetaRecord) -> Option<String> {
    const N_NAMED: usize = 5;
    let without = &record.result.agreement.without_ceiling;
    let named: Vec<String> = without
        .iter()
        .take(N_NAMED)
        .map(|w| format!("{} ({})", record.raters[w.rater], w.reason))
        .collect();
    let more = match without.len().saturating_sub(N_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more, named in meta.json"),
    };
    (!named.is_empty()).then(|| format!("(one rater): without {}{more}", named.join(", ")))
}

/// Headings, the last of which is `count`.
fn names(count: &str) -> Vec<String> {
    let statistics = Statistic::MAIN.iter().map(|s| s.label());
    let names = ["Metric"].into_iter().chain(statistics);
    headings(&names.chain(["ε", count]).collect::<Vec<&str>>())
}

fn rows(
    result: &MetaResult,
    scope: Scope,
    count: impl Fn(&MetricAgreement) -> usize,
) -> Vec<Vec<Cell>> {
    let of_metric = |metric: &MetricAgreement| {
        let figures = scope.estimates(metric).into_iter();
        let figures = figures.filter(|figure| is_main(figure.statistic));
        let values = figures.map(|figure| number(figure.value.as_ref().ok().copied()));
        let epsilon = scope.epsilon(metric);
        let epsilon = epsilon.map_or(Cell::Missing, |e| Cell::Number(e, EPSILON_DECIMALS));
        let tail = [epsilon, Cell::Count(count(metric))];
        [text(shown(metric))]
            .into_iter()
            .chain(values)
            .chain(tail)
            .collect()
    };
    let mut rows: Vec<Vec<Cell>> = result.metrics.iter().map(of_metric).collect();
    let ceilings = scope.ceilings(result).iter();
    let ceilings = ceilings.filter(|ceiling| is_main(ceiling.statistic));
    let ceilings = ceilings.map(|ceiling| number(ceiling.value.as_ref().ok().copied()));
    rows.push([text("(one rater)")].into_iter().chain(ceilings).collect());
    rows
}

/// Name and arrow.
pub(super) fn shown(metric: &MetricAgreement) -> String {
    format!("{} {}", metric.name, metric.direction.arrow())
}

/// Why figures of a metric are missing, each reason once.
fn undefined(metric: &MetricAgreement, scope: Scope) -> Vec<String> {
    let figures = scope.estimates(metric);
    let outcomes = figures.iter().map(|figure| &figure.value);
    let mut reasons: Vec<&Undefined> = outcomes.filter_map(|v| v.as_ref().err()).collect();
    reasons.dedup();
    reasons
        .iter()
        .map(|reason| format!("{}: {reason}", metric.name))
        .collect()
}

/// How many groups have no value, where some have.
fn left_out(metric: &MetricAgreement, scope: Scope) -> Option<String> {
    let Scope::Within(g) = scope else { return None };
    let grouped = &metric.grouped[g];
    let figures = grouped.statistics.iter();
    let left_out: Vec<String> = figures
        .filter(|figure| is_main(figure.estimate.statistic))
        .filter(|figure| figure.estimate.value.is_ok() && figure.n_groups_left_out > 0)
        .map(|figure| {
            let label = figure.estimate.statistic.label();
            format!("{label} {}", figure.n_groups_left_out)
        })
        .collect();
    (!left_out.is_empty()).then(|| {
        format!(
            "{}: of {} groups, left out because the figure is undefined there: {}",
            metric.name,
            grouped.n_groups,
            left_out.join(", ")
        )
    })
}
