//! The tables made for reading.

use super::MetaRecord;
use neurogauge_core::Undefined;
use neurogauge_report::{Cell, Sheet};
use neurogauge_stats::meta::{
    HumanScore, IntervalMethod, MetaResult, MetricAgreement, Resampled, Statistic,
};

const DECIMALS: usize = 3;
/// Thresholds are on the scale of the metric, which may be small.
const EPSILON_DECIMALS: usize = 4;

pub(super) fn sheets(record: &MetaRecord) -> Vec<Sheet> {
    let result = &record.result;
    let mut sheets = vec![raters(result), overview(record), intervals(result)];
    if !result.differences.is_empty() {
        sheets.push(differences(result));
    }
    sheets
}

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

fn estimate(value: Option<f64>, ends: Option<(f64, f64)>) -> Cell {
    match (value, ends) {
        (Some(value), Some(ends)) => Cell::Estimate(value, ends, DECIMALS),
        (Some(value), None) => Cell::Number(value, DECIMALS),
        (None, _) => Cell::Missing,
    }
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value, DECIMALS))
}

fn headings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// `95% interval`.
fn level(result: &MetaResult) -> String {
    format!("{}% interval", result.options.bootstrap.level * 100.0)
}

fn raters(result: &MetaResult) -> Sheet {
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
    Sheet {
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

fn overview(record: &MetaRecord) -> Sheet {
    let result = &record.result;
    let statistics = Statistic::ALL.iter().map(|s| s.label());
    let names: Vec<&str> = ["Metric"]
        .into_iter()
        .chain(statistics)
        .chain(["ε", "n"])
        .collect();
    let mut rows: Vec<Vec<Cell>> = result
        .metrics
        .iter()
        .map(|metric| {
            let values = metric
                .statistics
                .iter()
                .map(|s| number(s.value.as_ref().ok().copied()));
            let epsilon = metric
                .epsilon
                .map_or(Cell::Missing, |e| Cell::Number(e, EPSILON_DECIMALS));
            let tail = [epsilon, Cell::Count(metric.n_items)];
            [text(shown(metric))]
                .into_iter()
                .chain(values)
                .chain(tail)
                .collect()
        })
        .collect();
    let ceilings = result.agreement.ceilings.iter();
    let ceilings = ceilings.map(|ceiling| number(ceiling.value.as_ref().ok().copied()));
    rows.push([text("(one rater)")].into_iter().chain(ceilings).collect());
    let mut notes = vec![
        match result.options.human_score {
            HumanScore::Mean => "Human score of an item: the mean of its ratings.".to_owned(),
            HumanScore::ZScore => format!(
                "Human score of an item: the mean of its ratings after each rater's were brought to \
                 mean 0 and standard deviation 1 ({} raters who rated everything alike left out).",
                result.n_raters_left_out
            ),
        },
        "Pairwise acc.: share of pairs of items that metric and people order alike or both tie, \
         where the metric ties scores that differ by at most ε, chosen to suit it best. (one rater): \
         each rater in turn as the metric, against the mean of all others; the mean over raters."
            .to_owned(),
    ];
    for metric in &result.metrics {
        notes.extend(undefined(metric));
    }
    notes.extend(
        record
            .warnings
            .iter()
            .map(|warning| format!("Warning: {warning}")),
    );
    Sheet {
        title: "Agreement of metrics with people".to_owned(),
        headings: headings(&names),
        rows,
        notes,
    }
}

/// Name and arrow.
fn shown(metric: &MetricAgreement) -> String {
    format!("{} {}", metric.name, metric.direction.arrow())
}

/// Why figures of a metric are missing, each reason once.
fn undefined(metric: &MetricAgreement) -> Vec<String> {
    let outcomes = metric.statistics.iter().map(|s| &s.value);
    let mut reasons: Vec<&Undefined> = outcomes.filter_map(|v| v.as_ref().err()).collect();
    reasons.dedup();
    reasons
        .iter()
        .map(|reason| format!("{}: {reason}", metric.name))
        .collect()
}

/// What was drawn, and how often.
fn resampling(result: &MetaResult) -> String {
    let drawn = match result.options.resampled {
        Resampled::Raters => "raters",
        Resampled::Items => "items",
        Resampled::Both => "raters and items",
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

fn intervals(result: &MetaResult) -> Sheet {
    let mut rows = Vec::new();
    let (mut outside, mut some_undefined) = (0, 0);
    for metric in &result.metrics {
        for (place, figure) in metric.statistics.iter().enumerate() {
            let value = figure.value.as_ref().ok().copied();
            if let (Some(value), Some((low, high))) = (value, figure.interval)
                && !(low..=high).contains(&value)
            {
                outside += 1;
            }
            some_undefined += usize::from(value.is_some() && figure.n_undefined_resamples > 0);
            rows.push(vec![
                text(if place == 0 {
                    shown(metric)
                } else {
                    String::new()
                }),
                text(figure.statistic.label()),
                estimate(value, figure.interval),
                number(figure.chance.mean),
                number(figure.chance.percentile_95),
            ]);
        }
    }
    let mut notes = vec![format!(
        "Intervals: {}. Chance: {} permutations of the human scores.",
        resampling(result),
        result.options.permutations
    )];
    if outside > 0 {
        notes.push(format!(
            "{outside} values lie outside their interval. Resampled raters are fewer distinct people, \
             whose mean is noisier, so agreement is lower in most resamples; resampled items pair with \
             their copies. Differences between metrics are hardly touched by this."
        ));
    }
    if some_undefined > 0 {
        notes.push(format!(
            "{some_undefined} intervals rest on fewer resamples: in the others the figure is undefined \
             (counts in meta.json)."
        ));
    }
    Sheet {
        title: "Intervals and chance levels".to_owned(),
        headings: headings(&[
            "Metric",
            "Statistic",
            &format!("value [{}]", level(result)),
            "chance",
            "its 95th percentile",
        ]),
        rows,
        notes,
    }
}

fn differences(result: &MetaResult) -> Sheet {
    let mut rows = Vec::new();
    let mut notes = vec![format!(
        "Differences: {}, both metrics in the same resamples; p two-sided, and after Holm's \
         correction (pairs of metrics: {}). Williams: test of the two Pearson correlations, \
         over items.",
        resampling(result),
        result.differences.len()
    )];
    for difference in &result.differences {
        let pair = format!("{} - {}", difference.minuend, difference.subtrahend);
        for (place, figure) in difference.statistics.iter().enumerate() {
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
    Sheet {
        title: "Differences between metrics".to_owned(),
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
