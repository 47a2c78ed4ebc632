//! One line with the values of each metric.

use super::Scope;
use super::{is_main, population};
use crate::record::{DAGGER, DAGGER_NOTE};
use crate::{DirectionFrom, MetaRecord};
use neurogauge::core::{Finding, NAMES_SHOWN, Undefined};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::{Figure, HumanScore, MetaResult, MetricAgreement, Statistic};
use neurogauge::stats::summation::sum;

/// Thresholds are on the metric's scale, which may be small.
const EPSILON_DECIMALS: usize = 4;

pub(super) fn text_table(record: &MetaRecord) -> Table {
    let result = &record.result;
    let mut notes = vec![
        match result.options.human_score {
            _ if record.choices.is_some() => "Human score of an item: its Bradley-Terry strength.".to_owned(),
            HumanScore::Mean => "Human score of an item: the mean of its ratings.".to_owned(),
            HumanScore::ZScore => format!(
                "Human score of an item: the mean of its ratings after each rater's were brought to \
                 mean 0 and standard deviation 1 ({} raters who rated everything alike left out).",
                result.n_raters_left_out
            ),
        },
        "Pairwise acc.: share of pairs of items that metric and people order alike or both tie, \
         where the metric ties scores that differ by at most ε, chosen to suit it best. (ceiling): what a \
         metric would reach that gives the true quality, since the human scores are noisy themselves. \
         (one rater): each rater in turn as the metric, against the mean of all others; the mean over \
         raters, whose equal ratings are ties; no ceiling. \
         (chance): with the human scores in a random order; the mean over metrics."
            .to_owned(),
    ];
    notes.push(population(result));
    let composites = record.metrics.iter().filter(|role| role.direction_from == DirectionFrom::Composite);
    notes.extend(composites.map(|role| format!("{}: {}.", role.name, role.source)));
    for metric in &result.metrics {
        notes.extend(undefined(metric, Scope::All));
    }
    notes.extend(raters_left_out(record));
    let is_marked = result.metrics.iter().map(|metric| &metric.name).any(|name| name.ends_with(DAGGER));
    notes.extend(is_marked.then(|| DAGGER_NOTE.to_owned()));
    notes.extend(record.findings.iter().filter(|found| found.is_shown()).map(Finding::below_table));
    let title = "Agreement of metrics with people".to_owned();
    of_scope(title, result, Scope::All, ("n", &|metric| metric.n_items), notes)
}

pub(super) fn within(result: &MetaResult, scope: Scope) -> Table {
    let mut notes = vec![
        "Each figure is computed within each group and averaged over the groups in which it has a \
         value; one ε serves all groups."
            .to_owned(),
    ];
    for metric in &result.metrics {
        notes.extend(undefined(metric, scope));
        notes.extend(left_out(metric, scope));
    }
    let title = format!("Agreement of metrics with people{}, mean over groups", scope.suffix(result));
    let n_groups = |metric: &MetricAgreement| match scope {
        Scope::All => 1,
        Scope::Within(g) => metric.grouped[g].n_groups,
    };
    of_scope(title, result, scope, ("groups", &n_groups), notes)
}

/// Raters who are not compared with the others, with the reason if it fits on a line.
fn raters_left_out(record: &MetaRecord) -> Option<String> {
    let without = &record.result.agreement.raters_left_out;
    let named: Vec<String> = without
        .iter()
        .take(NAMES_SHOWN)
        .map(|w| format!("{} ({})", record.raters[w.rater], w.reason))
        .collect();
    let more = match without.len().saturating_sub(NAMES_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more, named in meta.json"),
    };
    (!named.is_empty()).then(|| format!("(one rater): without {}{more}", named.join(", ")))
}

/// One line for each metric; the ceiling, the agreement of one rater with the others, and chance follow.
fn of_scope(
    title: String,
    result: &MetaResult,
    scope: Scope,
    (counted, count): (&str, &dyn Fn(&MetricAgreement) -> usize),
    notes: Vec<String>,
) -> Table {
    let epsilon =
        |metric: &MetricAgreement| scope.epsilon(metric).map_or(Cell::Missing, |e| Cell::Number(e, EPSILON_DECIMALS));
    let metrics = result.metrics.iter().map(|metric| {
        let figures = scope.estimates(metric).into_iter().filter(|figure| is_main(figure.statistic));
        let cells = figures.map(|figure| Cell::number(&figure.value)).collect();
        (shown(metric), cells, epsilon(metric), Cell::Count(count(metric)))
    });
    let below = below(result, scope, is_main);
    let below = below.map(|(name, cells)| (name.to_owned(), cells, Cell::Missing, Cell::Missing));
    let mains = Statistic::MAIN.into_iter();
    Table::of(title, metrics.chain(below))
        .column("Metric", |row| Cell::text(&row.0))
        .columns(mains.map(|s| s.label().to_owned()), |row| row.1.clone())
        .column("ε", |row| row.2.clone())
        .column(counted, |row| row.3.clone())
        .noted(notes)
}

/// The ceiling, the agreement of one rater with the others, and the chance level.
pub(super) fn below(
    result: &MetaResult,
    scope: Scope,
    is_shown: fn(Statistic) -> bool,
) -> impl Iterator<Item = (&'static str, Vec<Cell>)> {
    fn cells<F: Figure>(figures: &[F], is_shown: fn(Statistic) -> bool) -> Vec<Cell> {
        let shown = figures.iter().filter(|figure| is_shown(figure.statistic()));
        shown.map(|figure| Cell::number(figure.value())).collect()
    }
    let ceilings = cells(scope.ceilings(result), is_shown);
    let one_rater = cells(scope.one_rater(result), is_shown);
    let chances = (0..Statistic::ALL.len()).filter(|&s| is_shown(Statistic::ALL[s])).map(|s| {
        let of_metrics = result.metrics.iter().filter_map(|metric| scope.estimates(metric)[s].chance.mean);
        let of_metrics: Vec<f64> = of_metrics.collect();
        let mean = sum(&of_metrics) / of_metrics.len() as f64;
        Cell::number((!of_metrics.is_empty()).then_some(mean))
    });
    [("(ceiling)", ceilings), ("(one rater)", one_rater), ("(chance)", chances.collect())].into_iter()
}

/// The metric's name, followed by its arrow.
pub(super) fn shown(metric: &MetricAgreement) -> String {
    format!("{} {}", metric.name, metric.direction.arrow())
}

/// The distinct reasons why values of a metric are missing.
fn undefined(metric: &MetricAgreement, scope: Scope) -> Vec<String> {
    let figures = scope.estimates(metric);
    let outcomes = figures.iter().map(|figure| &figure.value);
    let mut reasons: Vec<&Undefined> = outcomes.filter_map(|v| v.as_ref().err()).collect();
    reasons.dedup();
    reasons.iter().map(|reason| format!("{}: {reason}", metric.name)).collect()
}

/// The number of groups without a value, if others have one.
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
