//! The tables made for reading.

mod differences;
mod further;
mod intervals;
mod overview;
mod raters;
mod scope;

use super::MetaRecord;
use neurogauge_report::TextTable;
use neurogauge_stats::meta::{IntervalMethod, MetaResult, Resampled, Statistic};
use scope::Scope;

pub(super) fn text_tables(record: &MetaRecord) -> Vec<TextTable> {
    let result = &record.result;
    let mut tables = vec![raters::text_table(result), overview::text_table(record)];
    let groupings = || Scope::groupings(result);
    tables.extend(groupings().map(|scope| overview::within(result, scope)));
    tables.push(further::text_table(result));
    for scope in [Scope::All].into_iter().chain(groupings()) {
        tables.push(intervals::text_table(result, scope));
    }
    if !result.differences.is_empty() {
        for scope in [Scope::All].into_iter().chain(groupings()) {
            tables.push(differences::text_table(result, scope));
        }
    }
    tables
}

/// The statistics of the main tables; the others have one of their own, and all of them stand in
/// the files.
fn is_main(statistic: Statistic) -> bool {
    Statistic::MAIN.contains(&statistic)
}

/// `95% interval`.
fn level(result: &MetaResult) -> String {
    format!("{}% interval", result.options.bootstrap.level * 100.0)
}

/// What was drawn, and how often.
fn resampling(result: &MetaResult, scope: Scope) -> String {
    let drawn = match (result.options.resampled, scope) {
        (Resampled::Raters, _) => "raters",
        (Resampled::Items, Scope::All) => "items",
        (Resampled::Both, Scope::All) => "raters and items",
        (Resampled::Items, Scope::Within(_)) => "groups",
        (Resampled::Both, Scope::Within(_)) => "raters and groups",
    };
    let method = match result.options.interval {
        IntervalMethod::Percentile => "percentile",
        IntervalMethod::Bca => "BCa",
    };
    let bootstrap = &result.options.bootstrap;
    format!(
        "{method} bootstrap over {drawn}, {} resamples, seed {}",
        bootstrap.resamples, bootstrap.seed.0
    )
}
