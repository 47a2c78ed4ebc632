//! Statistics that say much the same as those of the main table.

use super::overview::shown;
use super::{is_main, level};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::meta::{MetaResult, Statistic};

pub(super) fn text_table(result: &MetaResult) -> TextTable {
    let further = || Statistic::ALL.into_iter().filter(|&s| !is_main(s));
    let metrics = result.metrics.iter().map(Some);
    let title = format!("Further statistics, value [{}]", level(result));
    TextTable::of(title, metrics.chain([None]))
        .column("Metric", |row| Cell::text(row.map_or("(one rater)".to_owned(), shown)))
        .columns(further().map(|s| s.label().to_owned()), |row| match row {
            Some(metric) => {
                let figures = metric.statistics.iter().filter(|f| !is_main(f.statistic));
                figures.map(|f| Cell::estimate(&f.value, f.interval)).collect::<Vec<Cell>>()
            }
            None => {
                let figures = result.agreement.ceilings.iter();
                let figures = figures.filter(|ceiling| !is_main(ceiling.statistic));
                figures.map(|ceiling| Cell::number(&ceiling.value)).collect()
            }
        })
        .noted(vec![
            "Acc. over untied: of the pairs of items that people do not tie, the share that the \
             metric orders as they do. τ-23 is twice the accuracy at ε = 0, minus one. Their chance \
             levels, differences and means over groups stand in meta.csv and meta.json."
                .to_owned(),
        ])
}
