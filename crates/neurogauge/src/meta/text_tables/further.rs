//! Statistics that say much the same as those of the main table.

use super::overview::shown;
use super::{estimate, headings, is_main, level, number, text};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::meta::{MetaResult, Statistic};

pub(super) fn text_table(result: &MetaResult) -> TextTable {
    let further: Vec<Statistic> = Statistic::ALL
        .into_iter()
        .filter(|&s| !is_main(s))
        .collect();
    let names: Vec<&str> = ["Metric"]
        .into_iter()
        .chain(further.iter().map(|s| s.label()))
        .collect();
    let of_metric = result.metrics.iter().map(|metric| {
        let figures = metric.statistics.iter();
        let figures = figures.filter(|figure| further.contains(&figure.statistic));
        let values = figures.map(|figure| estimate(figure.value.clone().ok(), figure.interval));
        [text(shown(metric))].into_iter().chain(values).collect()
    });
    let mut rows: Vec<Vec<Cell>> = of_metric.collect();
    let ceilings = result.agreement.ceilings.iter();
    let ceilings = ceilings.filter(|ceiling| further.contains(&ceiling.statistic));
    let ceilings = ceilings.map(|ceiling| number(ceiling.value.clone().ok()));
    rows.push([text("(one rater)")].into_iter().chain(ceilings).collect());
    TextTable {
        title: format!("Further statistics, value [{}]", level(result)),
        headings: headings(&names),
        rows,
        notes: vec![
            "Acc. over untied: of the pairs of items that people do not tie, the share that the \
             metric orders as they do. τ-23 is twice the accuracy at ε = 0, minus one. Their chance \
             levels, differences and means over groups stand in meta.csv and meta.json."
                .to_owned(),
        ],
    }
}
