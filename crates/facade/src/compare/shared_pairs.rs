//! The pairs that all systems have, and their scores.

use crate::Error;
use crate::score::Run;
use neurogauge_core::ScoreTable;
use neurogauge_stats::joined;
use std::collections::{HashMap, HashSet};

/// What is compared: items if those of any run have several pairs.
pub(super) fn unit(runs: &[&Run]) -> &'static str {
    let mut units = runs.iter().map(|run| run.record.unit());
    units.find(|unit| *unit == "items").unwrap_or("pairs")
}

/// The stems that every run has, in the order of the first; differences are noted.
pub(super) fn shared_pairs(
    runs: &[&Run],
    systems: &[String],
    notes: &mut Vec<String>,
) -> Result<Vec<String>, Error> {
    let sets: Vec<HashSet<&str>> = runs
        .iter()
        .map(|run| run.scores.pairs.iter().map(String::as_str).collect())
        .collect();
    let shared: Vec<String> = runs[0]
        .scores
        .pairs
        .iter()
        .filter(|stem| sets.iter().all(|set| set.contains(stem.as_str())))
        .cloned()
        .collect();
    if shared.is_empty() {
        return Err(Error::Usage(format!(
            "the runs share no {} ({}, {})",
            unit(runs).trim_end_matches('s'),
            example(&systems[0], runs[0]),
            example(&systems[1], runs[1])
        )));
    }
    let in_all: HashSet<&String> = shared.iter().collect();
    let unit = unit(runs);
    for (run, system) in runs.iter().zip(systems) {
        let own = run.scores.pairs.len();
        if own > shared.len() {
            let example = run.scores.pairs.iter().find(|stem| !in_all.contains(stem));
            notes.push(format!(
                "{unit} differ: {system} has {own} {unit}; {} of them are not in every run (for \
                 example {}); only the {} shared {unit} are compared",
                own - shared.len(),
                example.map_or("", String::as_str),
                shared.len()
            ));
        }
    }
    Ok(shared)
}

/// A run with the first of its stems.
fn example(system: &str, run: &Run) -> String {
    match run.scores.pairs.first() {
        Some(stem) => format!("{system} has {stem:?}"),
        None => format!("{system} has none"),
    }
}

/// The stimulus of each of these pairs, or its cluster. The images of a stimulus are the same in all runs, so what one run takes together is
/// taken together in all.
pub(super) fn shared_stimuli(runs: &[&Run], stems: &[String]) -> Vec<usize> {
    let of_runs = runs.iter().map(|run| run.record.clusters_of(stems));
    if runs.iter().any(|run| run.record.clusters.is_some()) {
        return joined(&of_runs.collect::<Vec<_>>());
    }
    let n_stimuli = |stimuli: &Vec<usize>| stimuli.iter().collect::<HashSet<_>>().len();
    of_runs.min_by_key(n_stimuli).unwrap_or_default()
}

/// The rows of these stems, which the table has.
pub(super) fn restrict(scores: &ScoreTable, stems: &[String]) -> ScoreTable {
    let position: HashMap<&str, usize> = scores
        .pairs
        .iter()
        .enumerate()
        .map(|(i, stem)| (stem.as_str(), i))
        .collect();
    let rows: Vec<usize> = stems
        .iter()
        .filter_map(|s| position.get(s.as_str()).copied())
        .collect();
    ScoreTable {
        pairs: stems.to_vec(),
        columns: scores
            .columns
            .iter()
            .map(|(id, column)| {
                (
                    id.clone(),
                    rows.iter().map(|&row| column[row].clone()).collect(),
                )
            })
            .collect(),
    }
}
