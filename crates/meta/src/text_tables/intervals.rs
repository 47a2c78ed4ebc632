//! Intervals and chance levels.

use super::overview::shown;
use super::scope::Scope;
use super::{estimate, interval_notes, is_main, level, resampling};
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::meta::MetaResult;

pub(super) fn text_table(result: &MetaResult, scope: Scope) -> TextTable {
    let mut rows = Vec::new();
    let mut some_undefined = 0;
    for metric in &result.metrics {
        for (place, figure) in scope.estimates(metric).into_iter().filter(|f| is_main(f.statistic)).enumerate() {
            some_undefined += usize::from(figure.value.is_ok() && figure.n_undefined_resamples > 0);
            rows.push((metric, place == 0, figure));
        }
    }
    let mut notes = vec![format!(
        "Intervals: {}. Chance: {} permutations of the human scores{}.",
        resampling(result, scope),
        result.options.permutations,
        match scope {
            Scope::All => "",
            Scope::Within(_) => " of each group",
        }
    )];
    notes.extend(interval_notes(rows.iter().map(|(metric, _, figure)| (metric.name.as_str(), *figure))));
    if some_undefined > 0 {
        notes.push(format!(
            "{some_undefined} intervals rest on fewer resamples: in the others the figure is undefined \
             (counts in meta.json)."
        ));
    }
    TextTable::of(format!("Intervals and chance levels{}", scope.suffix(result)), rows)
        .column("Metric", |(metric, is_first, _)| Cell::text(if *is_first { shown(metric) } else { String::new() }))
        .column("Statistic", |(.., figure)| Cell::text(figure.statistic.label()))
        .column(format!("value [{}]", level(result)), |(.., figure)| estimate(*figure))
        .column("chance", |(.., figure)| Cell::number(figure.chance.mean))
        .column("its 95th percentile", |(.., figure)| Cell::number(figure.chance.percentile_95))
        .noted(notes)
}
