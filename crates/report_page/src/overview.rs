//! The summary that needs no script: problems first, then systems by metrics.

use crate::document::MetricEntry;
use crate::html::{self, escape, fixed};
use crate::inputs::{Inputs, System};
use crate::scores::{ScorePart, summary};
use neurogauge::core::{Estimate, Warning};
use neurogauge::report::figures::{Dot, IntervalPanel, Intervals, Level};
use neurogauge::stats::Verdict;
use neurogauge::{Error, FailedItem, RunRecord};

/// The most failed items that are named; the others are counted.
const NAMED: usize = 20;

/// The section's content.
pub(crate) fn section(inputs: &Inputs, scores: &ScorePart, warnings: &[Warning]) -> String {
    let mut out = problems(inputs, scores, warnings);
    out.push_str(&summary_table(inputs, scores));
    out.push_str(&notes(inputs));
    out.push_str(&undefined(inputs, scores));
    out
}

/// Items that failed, placeholders and warnings.
fn problems(inputs: &Inputs, scores: &ScorePart, warnings: &[Warning]) -> String {
    let mut lines = Vec::new();
    for system in &inputs.systems {
        for (what, items) in failed(&system.run.record) {
            let named = items.iter().take(NAMED);
            let named = named.map(|item| format!("{} {}: {}", item.role, item.stem, item.reason));
            let named: Vec<String> = named.collect();
            let more = match items.len().saturating_sub(NAMED) {
                0 => String::new(),
                n => format!("; and {n} more"),
            };
            lines.push(format!(
                "{}: {} without {what} ({}{more})",
                system.name,
                items.len(),
                named.join("; ")
            ));
        }
    }
    let placeholders: Vec<&str> = (scores.metrics.iter())
        .filter(|metric| metric.stand_in)
        .map(|metric| metric.label.as_str())
        .collect();
    if !placeholders.is_empty() {
        lines.push(format!(
            "† rests on a placeholder model, so the numbers mean nothing: {}",
            placeholders.join(", ")
        ));
    }
    for system in &inputs.systems {
        let known = &system.run.record.warnings;
        let of_system = known.iter().chain(&system.reopened.warnings);
        lines.extend(of_system.map(|warning| format!("{}: {warning}", system.name)));
    }
    lines.extend(warnings.iter().map(ToString::to_string));
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines
        .iter()
        .map(|line| format!("<li>{}</li>", escape(line)))
        .collect();
    format!("<div class=\"warnings\"><h3>To know first</h3><ul>{items}</ul></div>\n")
}

/// The failed items, by what they lack.
fn failed(record: &RunRecord) -> Vec<(&'static str, &[FailedItem])> {
    let mut failed = record.failed_items();
    failed.retain(|(_, items)| !items.is_empty());
    failed
}

/// The standing of a system among the others by a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Best,
    /// Not significantly different from the best in the paired test.
    Tied,
    /// With so few pairs, or so many differences, no difference from the best could be significant.
    NotDecidable,
    Other,
}

/// The estimate that the table shows: over the shared pairs, if there are several systems.
fn shown<'a>(inputs: &'a Inputs, system: usize, metric: &MetricEntry) -> Option<&'a Estimate> {
    match &inputs.comparison {
        Some(comparison) => {
            let mut metrics = comparison.metrics.iter();
            let (_, found) = metrics.find(|(known, _)| known.spec.id == metric.id)?;
            Some(&found.systems.get(system)?.estimate)
        }
        None => Some(&summary(&inputs.systems[system], metric.id)?.estimate),
    }
}

/// The standing of each system.
fn places(inputs: &Inputs, scores: &ScorePart, metric: &MetricEntry) -> Vec<Place> {
    let n = inputs.systems.len();
    let value = |system: usize| shown(inputs, system, metric)?.value.as_ref().ok().copied();
    let known = (0..n).filter_map(|system| Some((system, value(system)?)));
    let best = known.reduce(
        |best, other| match metric.direction.better(other.1, best.1) {
            true => other,
            false => best,
        },
    );
    // Metrics of placeholders have no best system.
    let (Some((best, best_value)), true) = (best, n > 1 && !metric.stand_in) else {
        return vec![Place::Other; n];
    };
    let verdict = |system: usize| {
        let found = scores.differences.iter().find(|difference| {
            let systems = [difference.a, difference.b];
            difference.metric == metric.id && systems.contains(&best) && systems.contains(&system)
        });
        found?.verdict
    };
    let place = |system: usize| match value(system) {
        Some(value) if system == best || value == best_value => Place::Best,
        Some(_) => match verdict(system) {
            Some(Verdict::NotShown) => Place::Tied,
            Some(Verdict::NotDecidable) => Place::NotDecidable,
            Some(Verdict::Different) | None => Place::Other,
        },
        None => Place::Other,
    };
    (0..n).map(place).collect()
}

fn summary_table(inputs: &Inputs, scores: &ScorePart) -> String {
    let has_chance = scores.metrics.iter().any(|metric| metric.chance.is_some());
    let mut heads = vec!["Metric".to_owned()];
    heads.extend(inputs.systems.iter().map(|system| escape(&system.name)));
    heads.extend(has_chance.then(|| "Chance".to_owned()));
    let mut rows = Vec::new();
    for metric in &scores.metrics {
        let mut row = vec![format!(
            "<a href=\"#view=distributions&amp;metric={}\">{}{}</a> {}<small>{}</small>",
            escape(metric.id),
            escape(&metric.label),
            metric.dagger(),
            metric.direction.arrow(),
            escape(metric.about)
        )];
        let places = places(inputs, scores, metric);
        for (system, place) in places.iter().enumerate() {
            row.push(cell(inputs, system, metric, *place));
        }
        row.extend(has_chance.then(|| {
            let chance = metric.chance.map(|chance| fixed(chance, metric.decimals));
            chance.unwrap_or_else(|| "–".to_owned())
        }));
        rows.push(row);
    }
    html::number_table(&caption(inputs), &heads, &rows)
}

fn caption(inputs: &Inputs) -> String {
    let n = inputs.stems.len();
    match &inputs.comparison {
        None => format!("Means over {n} pairs, with intervals"),
        Some(comparison) => {
            let alpha = ((1.0 - comparison.table.level) * 1e9).round() / 1e9;
            format!(
                "Means with intervals, over the pairs in which every system has a value (of {n}); best: the best mean; tied: the paired \
                 test does not tell it from the best (p > {alpha} after Holm's correction over the differences of the metric); not \
                 decidable: with so few pairs and so many systems the test could not, however far apart they were"
            )
        }
    }
}

fn cell(inputs: &Inputs, system: usize, metric: &MetricEntry, place: Place) -> String {
    let own = summary(&inputs.systems[system], metric.id);
    let Some(estimate) = shown(inputs, system, metric).or(own.map(|own| &own.estimate)) else {
        return "<span class=\"none\">not computed</span>".to_owned();
    };
    let mean = match &estimate.value {
        Ok(mean) => fixed(*mean, metric.decimals) + metric.dagger(),
        Err(reason) => {
            return format!(
                "<span class=\"none\">{}</span>",
                escape(&reason.to_string())
            );
        }
    };
    let mut small = Vec::new();
    small.extend(estimate.interval.map(|(low, high)| {
        let end = |value: f64| fixed(value, metric.decimals) + metric.dagger();
        format!("{} to {}", end(low), end(high))
    }));
    small.extend(match place {
        Place::Best => Some("best".to_owned()),
        Place::Tied => Some("tied".to_owned()),
        Place::NotDecidable => Some("not decidable".to_owned()),
        Place::Other => None,
    });
    small.push(format!("{} pairs", estimate.n));
    let mean = match place {
        Place::Best => format!("<b>{mean}</b>"),
        _ => mean,
    };
    format!("{mean}<small>{}</small>", escape(&small.join(" · ")))
}

fn notes(inputs: &Inputs) -> String {
    let notes = match &inputs.comparison {
        Some(comparison) => &comparison.table.notes,
        None => &inputs.systems[0].run.table.notes,
    };
    let notes = notes
        .iter()
        .map(|note| format!("<p>{}</p>\n", escape(note)));
    notes.collect()
}

/// Why pairs have no value, with counts.
fn undefined(inputs: &Inputs, scores: &ScorePart) -> String {
    let mut rows = Vec::new();
    for metric in &scores.metrics {
        let of_metric = |system: &System| -> Vec<Vec<String>> {
            let found = summary(system, metric.id).map(|found| found.reasons.as_slice());
            let reasons = found.unwrap_or_default().iter();
            let row = |(reason, n): &(String, usize)| {
                vec![
                    escape(&metric.label),
                    escape(&system.name),
                    escape(reason),
                    n.to_string(),
                ]
            };
            reasons.map(row).collect()
        };
        rows.extend(inputs.systems.iter().flat_map(of_metric));
    }
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["Metric", "System", "Reason", "Pairs"].map(str::to_owned);
    let table = html::word_table("Pairs without a value", &heads, &rows);
    format!("<h3>Pairs without a value</h3>\n{table}")
}

/// Means and intervals of all metrics as a figure, and a note on metrics that could not be drawn.
pub(crate) fn figure(inputs: &Inputs, scores: &ScorePart) -> Result<String, Error> {
    let panel = |metric: &MetricEntry| {
        let dot = |system: usize| {
            let estimate = shown(inputs, system, metric)?;
            Some(Dot {
                row: system,
                value: estimate.value.as_ref().ok().copied()?,
                interval: estimate.interval,
                ..Dot::default()
            })
        };
        let dots: Vec<Dot> = (0..inputs.systems.len()).filter_map(dot).collect();
        let levels = metric.chance.map(|value| Level {
            label: "chance".to_owned(),
            value,
        });
        (!dots.is_empty()).then(|| IntervalPanel {
            title: format!(
                "{}{} {}",
                metric.label,
                metric.dagger(),
                metric.direction.arrow()
            ),
            dots,
            levels: levels.into_iter().collect(),
            ..IntervalPanel::default()
        })
    };
    let panels: Vec<IntervalPanel> = scores.metrics.iter().filter_map(panel).collect();
    if panels.is_empty() {
        return Ok(String::new());
    }
    let figure = Intervals {
        title: "Means with intervals".to_owned(),
        rows: inputs.names(),
        panels,
        ..Intervals::default()
    };
    let about = "Means with intervals of every metric; the table of the overview has the numbers";
    Ok(html::figure(&figure.draw()?.svg(), about))
}
