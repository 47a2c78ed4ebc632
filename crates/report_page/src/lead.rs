//! The first sentences of a page: what was compared, and what came out of it.

use crate::html::escape;
use crate::inputs::Inputs;
use crate::standings::{Row, Standing, rows_over_subjects};
use neurogauge::SystemComparison;
use neurogauge::core::Direction;

/// The most systems that are named; more are counted.
const NAMED: usize = 6;

/// Both sentences: of the runs, or of systems by the mean over their subjects.
pub(crate) fn lead<'a>(
    inputs: &'a Inputs,
    over_subjects: Option<&'a SystemComparison>,
    rows: &[Row<'a>],
) -> String {
    let answer = match over_subjects {
        Some(found) => answer(
            &found.systems,
            &rows_over_subjects(found, rows),
            Some(found),
        ),
        None => answer(&inputs.names(), rows, inputs.comparison.as_ref()),
    };
    let answer = match answer.is_empty() {
        true => String::new(),
        false => format!("<p class=\"answer\">{answer}</p>\n"),
    };
    format!(
        "<p class=\"lead\">{}</p>\n{answer}",
        compared(inputs, over_subjects, rows)
    )
}

/// What was compared.
fn compared(inputs: &Inputs, over_subjects: Option<&SystemComparison>, rows: &[Row<'_>]) -> String {
    let n = inputs.stems.len();
    let names = match over_subjects.and_then(|found| found.subjects.as_ref()) {
        Some(systems) => (systems.iter())
            .map(|own| format!("{} (mean of {} subjects)", own.system, own.subjects.len()))
            .collect(),
        None => inputs.names(),
    };
    let systems = match names.as_slice() {
        [name] => escape(name),
        names if names.len() > NAMED => format!("{} systems", names.len()),
        names => format!("{} systems, {}", names.len(), listed(names)),
    };
    let n_placeholders = rows.iter().filter(|row| row.metric.stand_in).count();
    let metrics = match rows.len() {
        1 => "one metric".to_owned(),
        n => format!("{n} metrics"),
    };
    let mut out = format!(
        "Reconstructions of {n} {} by {systems}, each compared with its stimulus by {metrics}.",
        if n == 1 { "stimulus" } else { "stimuli" }
    );
    if n_placeholders > 0 && n_placeholders < rows.len() {
        out.push_str(&format!(
            " {n_placeholders} of them rest on placeholder models (†), mean nothing and are not drawn."
        ));
    }
    out
}

/// Names in a sentence: `a, b and c`.
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| escape(name)).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What came out of it.
fn answer(names: &[String], rows: &[Row<'_>], tested: Option<&SystemComparison>) -> String {
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| !row.metric.stand_in).collect();
    if rows.is_empty() {
        return "Every metric rests on a placeholder model (†): the numbers show that the pipeline runs and mean nothing else."
            .to_owned();
    }
    match names {
        [name] => above_chance(name, &rows),
        names => best(names, &rows, &tested.map_or_else(String::new, test_words)),
    }
}

/// Of a single system: by how many metrics it is above chance.
fn above_chance(name: &str, rows: &[&Row<'_>]) -> String {
    let is_above = |row: &&Row<'_>| {
        let ((low, high), chance) = (row.systems[0].0?.interval?, row.metric.chance?);
        Some(match row.metric.direction {
            Direction::Higher => low > chance,
            Direction::Lower => high < chance,
        })
    };
    let known: Vec<bool> = rows.iter().filter_map(is_above).collect();
    let n_above = known.iter().filter(|above| **above).count();
    match known.len() {
        0 => String::new(),
        n => format!(
            "<b>{}</b> is better than chance by {n_above} of the {n} metrics whose chance level is known.",
            escape(name)
        ),
    }
}

/// When a system is called better than another one.
pub(crate) fn test_words(found: &SystemComparison) -> String {
    let alpha = ((1.0 - found.table.level) * 1e9).round() / 1e9;
    format!("p ≤ {alpha} after Holm's correction {}", found.correction())
}

/// Of several systems: which is shown to be better than all others by how many of the metrics that are tested.
fn best(names: &[String], rows: &[&Row<'_>], test: &str) -> String {
    let is_tested = |row: &&&Row<'_>| row.count(Standing::Other) < row.systems.len();
    let rows: Vec<&Row<'_>> = rows.iter().filter(is_tested).copied().collect();
    let n = rows.len();
    let is_best = |row: &&&Row<'_>, system: usize| row.systems[system].1 == Standing::Best;
    let mut wins: Vec<(usize, usize)> = (0..names.len())
        .map(|system| {
            (
                rows.iter().filter(|row| is_best(row, system)).count(),
                system,
            )
        })
        .filter(|(n, _)| *n > 0)
        .collect();
    wins.sort_by_key(|&(n, system)| (std::cmp::Reverse(n), system));
    let wins: Vec<String> = (wins.iter())
        .map(|&(won, system)| {
            let name = escape(&names[system]);
            let others = match names {
                [one, other] => escape(if system == 0 { other } else { one }),
                _ => "every other system".to_owned(),
            };
            format!(
                "<b>{name}</b> is better than {others} by {won} of {n} {}",
                metrics(n)
            )
        })
        .collect();
    let n_open = rows
        .iter()
        .filter(|row| row.count(Standing::NotDecidable) > 0);
    let n_open = n_open.count();
    let is_tied =
        |row: &&&Row<'_>| row.count(Standing::NotDecidable) == 0 && row.count(Standing::Tied) > 0;
    let n_tied = rows.iter().filter(is_tied).count();
    let mut sentences = Vec::new();
    let test = escape(test);
    sentences.extend((!wins.is_empty()).then(|| format!("{} ({test}).", wins.join(", "))));
    sentences.extend((n_tied > 0).then(|| {
        format!(
            "By {n_tied} {} no system is shown to be the best{}.",
            metrics(n_tied),
            if wins.is_empty() {
                format!(" ({test})")
            } else {
                String::new()
            }
        )
    }));
    sentences.extend((n_open > 0).then(|| {
        format!(
            "By {n_open} {} there are too few pairs to decide which is best.",
            metrics(n_open)
        )
    }));
    sentences.join(" ")
}

fn metrics(n: usize) -> &'static str {
    if n == 1 { "metric" } else { "metrics" }
}
