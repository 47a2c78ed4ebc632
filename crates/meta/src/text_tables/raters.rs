//! How well the raters agree with each other.

use super::level;
use neurogauge::core::counted;
use neurogauge::report::{Cell, TextTable};
use neurogauge::stats::Icc;
use neurogauge::stats::meta::MetaResult;

/// The title says that there are no single ratings where the survey is a table of means.
pub(super) fn text_table(result: &MetaResult, are_means: bool) -> TextTable {
    let agreement = &result.agreement;
    let mut rows = Vec::new();
    let mut notes = vec!["Chance: 0.".to_owned()];
    let row = |icc: &Icc, label: String| {
        vec![
            Cell::text(label),
            Cell::estimate(icc.value, icc.interval),
            Cell::number(Some(icc.f).filter(|f| f.is_finite())),
            Cell::Number(icc.df1, 0),
            Cell::Number(icc.df2, 0),
            Cell::PValue(icc.p_value),
        ]
    };
    match &agreement.icc {
        Ok(table) => {
            rows.extend(table.forms.iter().map(|icc| row(icc, icc.form.label().to_owned())));
            if table.n_incomplete > 0 {
                notes.push(format!(
                    "Intraclass correlations: over the {} items that everyone rated ({} left out)",
                    table.n_items, table.n_incomplete
                ));
            }
        }
        Err(reason) => notes.push(format!("Intraclass correlations: {reason}")),
    }
    if let Some(forms) = &agreement.icc_of_all_ratings {
        rows.extend(forms.iter().map(|icc| row(icc, format!("{}, all ratings", icc.form.label()))));
        notes.push(
            "All ratings: one-way, over all items, however many ratings each has; k is the mean number of ratings of an item, corrected for \
             unequal numbers. Levels of raters count as disagreement."
                .to_owned(),
        );
    }
    for (name, alpha) in [
        ("Krippendorff's α, ordinal", &agreement.alpha_ordinal),
        ("Krippendorff's α, interval", &agreement.alpha_interval),
    ] {
        rows.push(vec![Cell::text(name), Cell::number(alpha)]);
        notes.extend(alpha.as_ref().err().map(|reason| format!("{name}: {reason}")));
    }
    TextTable {
        title: format!(
            "Agreement of {} on {} ({} missing)",
            match are_means {
                true => "raters (only their mean is known)".to_owned(),
                false => counted(result.n_raters, "rater"),
            },
            counted(result.n_items, "item"),
            counted(result.n_missing_ratings, "rating")
        ),
        headings: ["", &format!("value [{}]", level(result)), "F", "df1", "df2", "p"].map(str::to_owned).to_vec(),
        rows,
        notes,
    }
}
