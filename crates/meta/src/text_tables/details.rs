//! The tables after the overview: raters, further statistics, intervals and chance levels, differences.

use super::Scope;
use super::overview::{below, shown};
use super::{estimate, interval_notes, is_main, level, resampling};
use neurogauge::core::counted;
use neurogauge::report::{Cell, Table};
use neurogauge::stats::Icc;
use neurogauge::stats::meta::{MetaResult, MetricAgreement, Statistic, StatisticEstimate};

/// How well the raters agree with each other. If the survey is a table of means, the title says that there are no
/// single ratings.
pub(super) fn raters(result: &MetaResult, are_means: bool) -> Table {
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
        Err(reason) if agreement.icc_of_all_ratings.is_none() => {
            notes.push(format!("Intraclass correlations: {reason}"));
        }
        Err(reason) => notes.push(format!(
            "Model: one-way random effects, in which every item has other raters, because {reason}; {} are by {}.",
            counted(result.n_items * result.n_raters - result.n_missing_ratings, "rating"),
            counted(result.n_raters, "rater")
        )),
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
    let title = format!(
        "Agreement of {} on {} ({} missing)",
        match are_means {
            true => "raters (only their mean is known)".to_owned(),
            false => counted(result.n_raters, "rater"),
        },
        counted(result.n_items, "item"),
        counted(result.n_missing_ratings, "rating")
    );
    Table::of(title, rows)
        .columns(["", &format!("value [{}]", level(result)), "F", "df1", "df2", "p"], Vec::clone)
        .noted(notes)
}

/// Further statistics, which mostly agree with those of the main table.
pub(super) fn further(result: &MetaResult) -> Table {
    let own = |metric: &MetricAgreement| {
        let further = metric.statistics.iter().filter(|figure| !is_main(figure.statistic));
        (shown(metric), further.map(estimate).collect())
    };
    let below = below(result, Scope::All, |statistic| !is_main(statistic));
    let below = below.map(|(name, cells)| (name.to_owned(), cells));
    let rows: Vec<(String, Vec<Cell>)> = result.metrics.iter().map(own).chain(below).collect();
    let mut notes = vec![
        "Acc. over untied: of the pairs of items that people do not tie, the share that the metric \
         orders as they do. τ-23 is twice the accuracy at ε = 0, minus one. Differences and means \
         over groups stand in meta.csv and meta.json."
            .to_owned(),
    ];
    let figures = result.metrics.iter().flat_map(|metric| {
        let further = metric.statistics.iter().filter(|figure| !is_main(figure.statistic));
        further.map(|figure| (metric.name.as_str(), figure))
    });
    notes.extend(interval_notes(figures));
    let labels = Statistic::ALL.into_iter().filter(|&s| !is_main(s));
    Table::of(format!("Further statistics, value [{}]", level(result)), rows)
        .column("Metric", |row| Cell::text(&row.0))
        .columns(labels.map(|s| s.label().to_owned()), |row| row.1.clone())
        .noted(notes)
}

pub(super) fn intervals(result: &MetaResult, scope: Scope) -> Table {
    let rows: Vec<(&MetricAgreement, &StatisticEstimate)> = (result.metrics.iter())
        .flat_map(|metric| scope.estimates(metric).into_iter().map(move |figure| (metric, figure)))
        .filter(|(_, figure)| is_main(figure.statistic))
        .collect();
    let mut notes = vec![format!(
        "Intervals: {}. Chance: {} permutations of the human scores{}.",
        resampling(result, scope),
        result.options.permutations,
        match scope {
            Scope::All => "",
            Scope::Within(_) => " of each group",
        }
    )];
    notes.extend(interval_notes(rows.iter().map(|(metric, figure)| (metric.name.as_str(), *figure))));
    let has_fewer = |figure: &StatisticEstimate| figure.value.is_ok() && figure.n_undefined_resamples > 0;
    let n_fewer = rows.iter().filter(|(_, figure)| has_fewer(figure)).count();
    if n_fewer > 0 {
        notes.push(format!(
            "{n_fewer} intervals rest on fewer resamples: in the others the figure is undefined (counts in meta.json)."
        ));
    }
    Table::of(format!("Intervals and chance levels{}", scope.suffix(result)), rows)
        .column_of_groups("Metric", |(metric, _)| shown(metric))
        .column("Statistic", |(_, figure)| Cell::text(figure.statistic.label()))
        .column(format!("value [{}]", level(result)), |(_, figure)| estimate(*figure))
        .column("chance", |(_, figure)| Cell::number(figure.chance.mean))
        .column("its 95th percentile", |(_, figure)| Cell::number(figure.chance.percentile_95))
        .noted(notes)
}

pub(super) fn differences(result: &MetaResult, scope: Scope) -> Table {
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
        let n = difference.n_items;
        let main = scope.differences(difference).iter().filter(|figure| is_main(figure.statistic));
        notes.extend(interval_notes(main.clone().map(|figure| (pair.as_str(), figure))));
        rows.extend(main.map(|figure| {
            let statistic = figure.statistic.label().to_owned();
            (pair.clone(), statistic, estimate(figure), [figure.p_value, figure.p_holm], n)
        }));
        // Williams' test covers only all items together.
        match &difference.williams {
            _ if matches!(scope, Scope::Within(_)) => {}
            Ok(test) => {
                let p_values = [Some(test.p_value), Some(test.p_holm)];
                rows.push((pair, format!("Williams, t({})", test.df), Cell::number(test.t), p_values, n));
            }
            Err(reason) => notes.push(format!("{pair}, Williams' test: {reason}")),
        }
    }
    Table::of(format!("Differences between metrics{}", scope.suffix(result)), rows)
        .column_of_groups("Metrics", |row| row.0.clone())
        .column("Statistic", |row| Cell::text(&row.1))
        .column(format!("difference [{}]", level(result)), |row| row.2.clone())
        .column("p", |row| Cell::p_value(row.3[0]))
        .column("p, Holm", |row| Cell::p_value(row.3[1]))
        .column("n", |row| Cell::Count(row.4))
        .noted(notes)
}
