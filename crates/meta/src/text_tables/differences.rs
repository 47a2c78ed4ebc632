//! Differences between metrics.

use super::scope::Scope;
use super::{estimate, interval_notes, is_main, level, resampling};
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::meta::MetaResult;

pub(super) fn text_table(result: &MetaResult, scope: Scope) -> TextTable {
    let mut rows = Vec::new();
    let mut notes = vec![format!(
        "Differences: {}, paired; chance: 0. p two-sided, and after Holm's correction (pairs of \
         metrics: {}).",
        resampling(result, scope),
        result.differences.len()
    )];
    if matches!(scope, Scope::All) {
        notes.push("Williams: test of the two Pearson correlations, over items.".to_owned());
    }
    for difference in &result.differences {
        let pair = format!("{} - {}", difference.minuend, difference.subtrahend);
        let figures = scope.differences(difference).iter();
        let own = figures.clone().filter(|f| is_main(f.statistic));
        notes.extend(interval_notes(own.map(|figure| (pair.as_str(), figure))));
        for (place, figure) in figures.filter(|f| is_main(f.statistic)).enumerate() {
            let of = if place == 0 { pair.clone() } else { String::new() };
            let value = estimate(figure);
            let statistic = figure.statistic.label().to_owned();
            rows.push((of, statistic, value, [figure.p_value, figure.p_holm], difference.n_items));
        }
        // Differences are over all items only.
        if matches!(scope, Scope::Within(_)) {
            continue;
        }
        match &difference.williams {
            Ok(test) => rows.push((
                String::new(),
                format!("Williams, t({})", test.df),
                Cell::number(test.t),
                [Some(test.p_value), Some(test.p_holm)],
                difference.n_items,
            )),
            Err(reason) => notes.push(format!("{pair}, Williams' test: {reason}")),
        }
    }
    TextTable::of(format!("Differences between metrics{}", scope.suffix(result)), rows)
        .column("Metrics", |row| Cell::text(&row.0))
        .column("Statistic", |row| Cell::text(&row.1))
        .column(format!("difference [{}]", level(result)), |row| row.2.clone())
        .column("p", |row| Cell::p_value(row.3[0]))
        .column("p, Holm", |row| Cell::p_value(row.3[1]))
        .column("n", |row| Cell::Count(row.4))
        .noted(notes)
}
