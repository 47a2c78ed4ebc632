//! Further statistics, which mostly agree with those of the main table.

use super::overview::{below, shown};
use super::scope::Scope;
use super::{estimate, interval_notes, is_main, level};
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::meta::{MetaResult, MetricAgreement, Statistic, StatisticEstimate};

pub(super) fn text_table(result: &MetaResult) -> TextTable {
    let own = |metric: &MetricAgreement| -> Vec<StatisticEstimate> {
        metric.statistics.iter().filter(|f| !is_main(f.statistic)).cloned().collect()
    };
    let metrics = result.metrics.iter();
    let rows = metrics.clone().map(|metric| (shown(metric), own(metric).iter().map(estimate).collect()));
    let below = below(result, Scope::All, |statistic| !is_main(statistic));
    let rows: Vec<(String, Vec<Cell>)> = rows.chain(below.map(|(name, cells)| (name.to_owned(), cells))).collect();
    let mut notes = vec![
        "Acc. over untied: of the pairs of items that people do not tie, the share that the metric \
         orders as they do. τ-23 is twice the accuracy at ε = 0, minus one. Differences and means \
         over groups stand in meta.csv and meta.json."
            .to_owned(),
    ];
    let figures: Vec<(&str, Vec<StatisticEstimate>)> =
        metrics.map(|metric| (metric.name.as_str(), own(metric))).collect();
    notes.extend(interval_notes(figures.iter().flat_map(|(name, own)| own.iter().map(|figure| (*name, figure)))));
    let labels = Statistic::ALL.into_iter().filter(|&s| !is_main(s));
    TextTable::of(format!("Further statistics, value [{}]", level(result)), rows)
        .column("Metric", |row| Cell::text(&row.0))
        .columns(labels.map(|s| s.label().to_owned()), |row| row.1.clone())
        .noted(notes)
}
