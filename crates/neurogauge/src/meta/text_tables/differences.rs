//! Differences between metrics.

use super::scope::Scope;
use super::{DECIMALS, estimate, headings, is_main, level, resampling, text};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::meta::MetaResult;

pub(super) fn text_table(result: &MetaResult, scope: Scope) -> TextTable {
    let mut rows = Vec::new();
    let mut notes = vec![format!(
        "Differences: {}, both metrics in the same resamples; p two-sided, and after Holm's \
         correction (pairs of metrics: {}).",
        resampling(result, scope),
        result.differences.len()
    )];
    if matches!(scope, Scope::All) {
        notes.push("Williams: test of the two Pearson correlations, over items.".to_owned());
    }
    for difference in &result.differences {
        let pair = format!("{} - {}", difference.minuend, difference.subtrahend);
        let figures = scope.differences(difference).iter();
        for (place, figure) in figures.filter(|f| is_main(f.statistic)).enumerate() {
            rows.push(vec![
                text(if place == 0 {
                    pair.clone()
                } else {
                    String::new()
                }),
                text(figure.statistic.label()),
                estimate(figure.value.as_ref().ok().copied(), figure.interval),
                figure.p_value.map_or(Cell::Missing, Cell::PValue),
                figure.p_holm.map_or(Cell::Missing, Cell::PValue),
                Cell::Count(difference.n_items),
            ]);
        }
        // Over all items, whatever the groups.
        if matches!(scope, Scope::Within(_)) {
            continue;
        }
        match &difference.williams {
            Ok(test) => rows.push(vec![
                text(""),
                text(format!("Williams, t({})", test.df)),
                Cell::Number(test.t, DECIMALS),
                Cell::PValue(test.p_value),
                Cell::PValue(test.p_holm),
                Cell::Count(difference.n_items),
            ]),
            Err(reason) => notes.push(format!("{pair}, Williams' test: {reason}")),
        }
    }
    TextTable {
        title: format!("Differences between metrics{}", scope.suffix(result)),
        headings: headings(&[
            "Metrics",
            "Statistic",
            &format!("difference [{}]", level(result)),
            "p",
            "p, Holm",
            "n",
        ]),
        rows,
        notes,
    }
}
