//! How well the raters agree with each other.

use super::{estimate, headings, level, number, text};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::meta::MetaResult;

pub(super) fn text_table(result: &MetaResult) -> TextTable {
    let agreement = &result.agreement;
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    match &agreement.icc {
        Ok(table) => {
            for icc in &table.forms {
                let f = icc.f.is_finite().then_some(icc.f);
                rows.push(vec![
                    text(icc.form.label()),
                    estimate(Some(icc.value), icc.interval),
                    number(f),
                    Cell::Number(icc.df1, 0),
                    Cell::Number(icc.df2, 0),
                    Cell::PValue(icc.p_value),
                ]);
            }
            if table.n_incomplete > 0 {
                notes.push(format!(
                    "Intraclass correlations: over the {} items that everyone rated ({} left out)",
                    table.n_items, table.n_incomplete
                ));
            }
        }
        Err(reason) => notes.push(format!("Intraclass correlations: {reason}")),
    }
    for (name, alpha) in [
        ("Krippendorff's α, ordinal", &agreement.alpha_ordinal),
        ("Krippendorff's α, interval", &agreement.alpha_interval),
    ] {
        rows.push(vec![text(name), number(alpha.as_ref().ok().copied())]);
        notes.extend(
            alpha
                .as_ref()
                .err()
                .map(|reason| format!("{name}: {reason}")),
        );
    }
    TextTable {
        title: format!(
            "Agreement of {} raters on {} items ({} ratings missing)",
            result.n_raters, result.n_items, result.n_missing_ratings
        ),
        headings: headings(&[
            "",
            &format!("value [{}]", level(result)),
            "F",
            "df1",
            "df2",
            "p",
        ]),
        rows,
        notes,
    }
}
