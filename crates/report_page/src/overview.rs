//! The first screen, which needs no script: what was compared, what went wrong, pictures, means as a figure and as a
//! table.

use crate::document::MetricEntry;
use crate::html::{self, escape, fixed};
use crate::inputs::{Inputs, System};
use crate::lead::{lead, test_words};
use crate::scores::{ScorePart, summary};
use crate::standings::{Row, Standing, rows};
use crate::thumbnails::Thumbnails;
use crate::{dots, strip};
use neurogauge::core::{Estimate, Finding};
use neurogauge::report::figures::{Dot, IntervalPanel, Intervals, Level};
use neurogauge::{Error, FailedItem, RunRecord, SystemComparison};
use std::collections::BTreeMap;

/// The most failed items that are named; the others are counted.
const NAMED: usize = 20;
/// Notes on problems that are seen without opening the others.
const OPEN: usize = 3;

/// The section's content.
pub(crate) fn section(
    (inputs, over_subjects): (&Inputs, Option<&SystemComparison>),
    scores: &ScorePart,
    thumbnails: &Thumbnails,
    findings: &[Finding],
) -> String {
    let rows = rows(inputs, scores);
    [
        lead(inputs, over_subjects, &rows),
        problems(inputs, scores, findings),
        pictures(&strip::section(inputs, scores, thumbnails), &dots::figure(inputs, &rows)),
        summary_table(inputs, &rows),
        notes(inputs),
        undefined(inputs, scores),
    ]
    .concat()
}

/// The strip and the figure, side by side where there is room.
fn pictures(strip: &str, dots: &str) -> String {
    let parts = [strip, dots].map(|part| match part.is_empty() {
        true => String::new(),
        false => format!("<div>{part}</div>\n"),
    });
    format!("<div class=\"first\">{}</div>\n", parts.concat())
}

/// Items that failed, placeholders and warnings.
fn problems(inputs: &Inputs, scores: &ScorePart, findings: &[Finding]) -> String {
    let mut lines = Vec::new();
    for system in &inputs.systems {
        for (what, items) in failed(&system.run.record) {
            let named = items.iter().take(NAMED).map(|item| format!("{} {}: {}", item.role, item.stem, item.reason));
            let named: Vec<String> = named.collect();
            let more = match items.len().saturating_sub(NAMED) {
                0 => String::new(),
                n => format!("; and {n} more"),
            };
            lines.push(format!("{}: {} without {what} ({}{more})", system.name, items.len(), named.join("; ")));
        }
    }
    let placeholders: Vec<&str> = (scores.metrics.iter())
        .filter(|metric| metric.stand_in)
        .map(|metric| metric.label.as_str())
        .collect();
    if !placeholders.is_empty() {
        lines.push(format!("† rests on a placeholder model, so the numbers mean nothing: {}", placeholders.join(", ")));
    }
    for system in &inputs.systems {
        let known = &system.run.record.findings;
        let of_system = known.iter().chain(&system.reopened.findings);
        lines.extend(of_system.map(|warning| format!("{}: {warning}", system.name)));
    }
    lines.extend(findings.iter().map(ToString::to_string));
    if lines.is_empty() {
        return String::new();
    }
    let items = |lines: &[String]| -> String {
        let items = lines.iter().map(|line| format!("<li>{}</li>", escape(line)));
        format!("<ul>{}</ul>", items.collect::<String>())
    };
    let (first, others) = lines.split_at(lines.len().min(OPEN));
    let others = match others.len() {
        0 => String::new(),
        n => format!("<details><summary>{n} more</summary>{}</details>", items(others)),
    };
    format!("<div class=\"warnings\"><h3>To know first</h3>{}{others}</div>\n", items(first))
}

/// The failed items, by what they lack.
fn failed(record: &RunRecord) -> Vec<(&'static str, &[FailedItem])> {
    let mut failed = record.failed_items();
    failed.retain(|(_, items)| !items.is_empty());
    failed
}

fn summary_table(inputs: &Inputs, rows: &[Row<'_>]) -> String {
    let has_chance = rows.iter().any(|row| row.metric.chance.is_some());
    let mut heads = vec!["Metric".to_owned()];
    heads.extend(inputs.systems.iter().map(|system| escape(&system.name)));
    heads.extend(has_chance.then(|| "Chance".to_owned()));
    let decimals = rows.iter().map(|row| row.metric.decimals).max().unwrap_or(0);
    let n_pairs = usual_number(rows);
    let row = |row: &Row<'_>| {
        let metric = row.metric;
        let mut cells = vec![format!(
            "<a href=\"#view=distributions&amp;metric={}\">{}{}</a> {}<small>{}</small>",
            escape(metric.id),
            escape(&metric.label),
            metric.dagger(),
            metric.direction.arrow(),
            escape(metric.about)
        )];
        let estimates = row.systems.iter();
        cells.extend(estimates.map(|(estimate, standing)| cell(metric, *estimate, *standing, (decimals, n_pairs))));
        cells.extend(
            has_chance.then(|| metric.chance.map(|chance| aligned(chance, metric, decimals)).unwrap_or_default()),
        );
        cells
    };
    let body: Vec<Vec<String>> = rows.iter().map(row).collect();
    let table = html::number_table(&caption(inputs, n_pairs), &heads, &body);
    format!("<h3>The numbers</h3>\n{table}")
}

/// The number of pairs behind most means.
fn usual_number(rows: &[Row<'_>]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let estimates = rows.iter().flat_map(|row| &row.systems);
    for estimate in estimates.filter_map(|(estimate, _)| *estimate) {
        *counts.entry(estimate.n).or_default() += 1;
    }
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
                test_words(comparison)
            )
        }
    }
}

/// A number whose point is below the points of the others: figure spaces fill the decimals that it lacks, and a dagger
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
) -> String {
    let Some(estimate) = estimate else {
        return "<span class=\"none\">not computed</span>".to_owned();
    };
    let dagger = match metric.stand_in {
        true => "<span class=\"dagger\">†</span>",
        false => "",
    };
    let mean = match &estimate.value {
        Ok(mean) => aligned(*mean, metric, decimals) + dagger,
        Err(reason) => {
            return format!("<span class=\"none\">{}</span>", escape(&reason.to_string()));
        }
    };
    let mut small = Vec::new();
    small.extend(estimate.interval.map(|(low, high)| {
        let end = |value: f64| fixed(value, metric.decimals) + metric.dagger();
        format!("{} to {}", end(low), end(high))
    }));
    small.extend(standing.word().map(str::to_owned));
    small.extend((estimate.n != n_pairs).then(|| format!("{} pairs", estimate.n)));
    let mean = match standing {
        Standing::Best => format!("<b>{mean}</b>"),
        _ => mean,
    };
    match small.is_empty() {
        true => mean,
        false => {
            // Lines break between them only.
            let small = small.iter().map(|part| format!("<span class=\"ends\">{}</span>", escape(part)));
            let small: Vec<String> = small.collect();
            format!("{mean}<small>{}</small>", small.join(" · "))
        }
    }
}

fn notes(inputs: &Inputs) -> String {
    inputs.notes.iter().map(|note| format!("<p class=\"quiet\">{}</p>\n", escape(note))).collect()
}

/// Why pairs have no value, with counts.
fn undefined(inputs: &Inputs, scores: &ScorePart) -> String {
    let mut rows = Vec::new();
    for metric in &scores.metrics {
        let of_metric = |system: &System| -> Vec<Vec<String>> {
            let found = summary(system, metric.id).map(|found| found.reasons.as_slice());
            let reasons = found.unwrap_or_default().iter();
            let row = |(reason, n): &(String, usize)| {
                vec![escape(&metric.label), escape(&system.name), escape(reason), n.to_string()]
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

/// Means and intervals of all metrics on axes of their own, as a figure; nothing that rests on a placeholder is drawn.
pub(crate) fn figure(inputs: &Inputs, scores: &ScorePart) -> Result<String, Error> {
    let rows = rows(inputs, scores);
    let panel = |row: &Row<'_>| {
        let metric = row.metric;
        let dot = |system: usize| {
            Some(Dot {
                row: system,
                value: row.mean(system)?,
                interval: row.systems[system].0?.interval,
                ..Dot::default()
            })
        };
        let dots: Vec<Dot> = (0..inputs.systems.len()).filter_map(dot).collect();
        let levels = metric.chance.map(|value| Level {
            label: "chance".to_owned(),
            value,
        });
        (!dots.is_empty()).then(|| IntervalPanel {
            title: format!("{} {}", metric.label, metric.direction.arrow()),
            dots,
            levels: levels.into_iter().collect(),
            ..IntervalPanel::default()
        })
    };
    let drawn = rows.iter().filter(|row| !row.metric.stand_in);
    let panels: Vec<IntervalPanel> = drawn.filter_map(panel).collect();
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
