//! The first screen, which needs no script: what was compared, what went wrong, pictures, and means as a figure and as
//! a table.

use crate::document::{MetricEntry, ScorePart};
use crate::html::{self, fixed};
use crate::inputs::Inputs;
use crate::lead::lead;
use crate::scores::summary;
use crate::standings::{MetricRow, rows, word};
use crate::thumbnails::Thumbnails;
use crate::{dots, strip};
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::core::{Estimate, Finding};
use neurogauge::{SystemComparison, SystemStanding as Standing};

/// At most this many failed items are named; the others are counted.
const NAMED: usize = 20;
/// Number of notes on problems that are visible without opening the list.
const OPEN: usize = 3;

pub(crate) fn section(
    (inputs, over_subjects): (&Inputs, Option<&SystemComparison>),
    scores: &ScorePart,
    thumbnails: &Thumbnails,
    findings: &[Finding],
) -> Markup {
    let rows = rows(inputs, scores);
    html! {
        (lead(inputs, over_subjects, &rows))
        (problems(inputs, scores, findings))
        // Side by side if there is enough width.
        div.first {
            @for part in [strip::section(inputs, scores, thumbnails), dots::figure(inputs, &rows)] {
                @if !part.0.is_empty() { div { (part) } }
            }
        }
        (summary_table(inputs, &rows))
        @for note in &inputs.notes { p.quiet { (note) } }
        (undefined(inputs, scores))
    }
}

/// Failed items, placeholders and warnings.
fn problems(inputs: &Inputs, scores: &ScorePart, findings: &[Finding]) -> Markup {
    let mut lines = Vec::new();
    for system in &inputs.systems {
        for (what, items) in system.run.record.failed_items() {
            if items.is_empty() {
                continue;
            }
            let named = items.iter().take(NAMED);
            let named = named.map(|item| format!("{} {}: {}", item.role, item.stem, item.reason)).join("; ");
            let more = match items.len().saturating_sub(NAMED) {
                0 => String::new(),
                n => format!("; and {n} more"),
            };
            lines.push(format!("{}: {} without {what} ({named}{more})", system.name, items.len()));
        }
    }
    let placeholders = scores.metrics.iter().filter(|metric| metric.stand_in).map(|metric| &metric.label).join(", ");
    if !placeholders.is_empty() {
        lines.push(format!("† rests on a placeholder model, so the numbers mean nothing: {placeholders}"));
    }
    for system in &inputs.systems {
        let of_system = system.run.record.findings.iter().chain(&system.reopened.findings);
        lines.extend(of_system.filter(|found| found.is_shown()).map(|warning| format!("{}: {warning}", system.name)));
    }
    lines.extend(findings.iter().map(ToString::to_string));
    let (first, others) = lines.split_at(lines.len().min(OPEN));
    html! {
        @if !lines.is_empty() {
            div.warnings {
                h3 { "To know first" }
                ul { @for line in first { li { (line) } } }
                @if !others.is_empty() {
                    details {
                        summary { (others.len()) " more" }
                        ul { @for line in others { li { (line) } } }
                    }
                }
            }
        }
    }
}

fn summary_table(inputs: &Inputs, rows: &[MetricRow<'_>]) -> Markup {
    let has_chance = rows.iter().any(|row| row.metric.chance.is_some());
    let mut heads = vec!["Metric".to_owned()];
    heads.extend(inputs.names());
    heads.extend(has_chance.then(|| "Chance".to_owned()));
    let decimals = rows.iter().map(|row| row.metric.decimals).max().unwrap_or(0);
    let n_pairs = usual_number(rows);
    let row = |row: &MetricRow<'_>| {
        let metric = row.metric;
        let mut cells = vec![html! {
            a href={ "#view=distributions&metric=" (metric.id) } { (metric.label) (metric.dagger()) }
            " " (metric.direction.arrow())
            small { (metric.about) }
        }];
        let of_system = |&(estimate, standing)| cell(metric, estimate, standing, (decimals, n_pairs));
        cells.extend(row.systems.iter().map(of_system));
        let chance = metric.chance.map_or(String::new(), |chance| aligned(chance, metric, decimals));
        cells.extend(has_chance.then(|| html! { (chance) }));
        cells
    };
    let body: Vec<Vec<Markup>> = rows.iter().map(row).collect();
    html! { h3 { "The numbers" } (html::table("numbers", &caption(inputs, n_pairs), &heads, &body)) }
}

fn usual_number(rows: &[MetricRow<'_>]) -> usize {
    let estimates = rows.iter().flat_map(|row| &row.systems).filter_map(|(estimate, _)| *estimate);
    let counts = estimates.map(|estimate| estimate.n).counts();
    counts.into_iter().max_by_key(|&(n, count)| (count, n)).map_or(0, |(n, _)| n)
}

fn caption(inputs: &Inputs, n_pairs: usize) -> String {
    let n = inputs.stems.len();
    let over = match n_pairs == n {
        true => format!("all {n} pairs"),
        false => format!("{n_pairs} of {n} pairs"),
    };
    match &inputs.comparison {
        None => format!("Means over {over} with intervals, unless a cell says otherwise"),
        Some(comparison) => {
            format!(
                "Means over {over} with intervals, unless a cell says otherwise; only pairs in which every system has a value count. Best: \
                 better than every other system ({}). Tied: the best mean and those that the paired test does not tell from it. Not \
                 decidable: with so few pairs and so many differences the test could not, however far apart they were",
                comparison.test_words()
            )
        }
    }
}

/// A number whose decimal point is below those of other numbers: figure spaces replace missing decimals, and a dagger
/// hangs beside it.
fn aligned(value: f64, metric: &MetricEntry, decimals: usize) -> String {
    let missing = decimals - metric.decimals;
    let spaces = "\u{2007}".repeat(missing + usize::from(metric.decimals == 0 && missing > 0));
    fixed(value, metric.decimals) + &spaces
}

fn cell(
    metric: &MetricEntry,
    estimate: Option<&Estimate>,
    standing: Standing,
    (decimals, n_pairs): (usize, usize),
) -> Markup {
    let Some(estimate) = estimate else {
        return html! { span.none { "not computed" } };
    };
    let mean = match &estimate.value {
        Ok(mean) => html! { (aligned(*mean, metric, decimals)) @if metric.stand_in { span.dagger { "†" } } },
        Err(reason) => return html! { span.none { (reason.to_string()) } },
    };
    let mut small = Vec::new();
    small.extend(estimate.interval.map(|(low, high)| {
        let end = |value: f64| fixed(value, metric.decimals) + metric.dagger();
        format!("{} to {}", end(low), end(high))
    }));
    small.extend(word(standing).map(str::to_owned));
    small.extend((estimate.n != n_pairs).then(|| format!("{} pairs", estimate.n)));
    html! {
        @if standing == Standing::Best { b { (mean) } } @else { (mean) }
        @if !small.is_empty() {
            // Lines may break only between these parts.
            small {
                @for (place, part) in small.iter().enumerate() {
                    @if place > 0 { " · " }
                    span.ends { (part) }
                }
            }
        }
    }
}

/// Why pairs have no value, with counts.
fn undefined(inputs: &Inputs, scores: &ScorePart) -> Markup {
    let mut rows = Vec::new();
    for (metric, system) in scores.metrics.iter().cartesian_product(&inputs.systems) {
        for (reason, n) in summary(system, metric.id).map_or(&[][..], |found| &found.reasons) {
            rows.push(vec![metric.label.clone(), system.name.clone(), reason.clone(), n.to_string()]);
        }
    }
    html! {
        @if !rows.is_empty() {
            h3 { "Pairs without a value" }
            (html::table("words", "Pairs without a value", &["Metric", "System", "Reason", "Pairs"], &rows))
        }
    }
}
