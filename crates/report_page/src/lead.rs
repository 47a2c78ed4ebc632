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
        Some(found) => answer(&found.systems, &rows_over_subjects(found, rows)),
        None => answer(&inputs.names(), rows),
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
fn answer(names: &[String], rows: &[Row<'_>]) -> String {
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| !row.metric.stand_in).collect();
    if rows.is_empty() {
        return "Every metric rests on a placeholder model (†): the numbers show that the pipeline runs and mean nothing else."
            .to_owned();
    }
    match names {
        [name] => above_chance(name, &rows),
        names => best(names, &rows),
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

/// Of several systems: which is best by how many of the metrics that compare them.
fn best(names: &[String], rows: &[&Row<'_>]) -> String {
    let compared = rows.iter().filter(|row| row.count(Standing::Best) > 0);
    let rows: Vec<&Row<'_>> = compared.copied().collect();
    let n = rows.len();
    let alone = |row: &Row<'_>, system: usize| {
        row.systems[system].1 == Standing::Best
            && row.count(Standing::Other) + 1 == row.systems.len()
    };
    let mut wins: Vec<(usize, usize)> = (0..names.len())
        .map(|system| (rows.iter().filter(|row| alone(row, system)).count(), system))
        .filter(|(n, _)| *n > 0)
        .collect();
    wins.sort_by_key(|&(n, system)| (std::cmp::Reverse(n), system));
    let wins: Vec<String> = (wins.iter())
        .map(|&(won, system)| {
            let name = escape(&names[system]);
            format!("<b>{name}</b> is best by {won} of {n} {}", metrics(n))
        })
        .collect();
    let n_open = rows
        .iter()
        .filter(|row| row.count(Standing::NotDecidable) > 0);
    let n_open = n_open.count();
    let is_tied = |row: &&&Row<'_>| {
        row.count(Standing::NotDecidable) == 0
            && row.count(Standing::Best) + row.count(Standing::Tied) > 1
    };
    let n_tied = rows.iter().filter(is_tied).count();
    let mut sentences = Vec::new();
    sentences.extend((!wins.is_empty()).then(|| wins.join(", ") + "."));
    sentences.extend((n_tied > 0).then(|| {
        format!(
            "By {n_tied} {} the test cannot tell the best from another system.",
            metrics(n_tied)
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
