//! The pairs that all systems have, and their scores.

use super::SystemSubjects;
use crate::Error;
use crate::score::Run;
use neurogauge_core::{Outcome, ScoreTable, Undefined};
use neurogauge_stats::joined;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The unit of comparison: items if any run has items of several pairs.
pub(super) fn unit(runs: &[&Run]) -> &'static str {
    let mut units = runs.iter().map(|run| run.record.unit());
    units.find(|unit| *unit == "items").unwrap_or("pairs")
}

/// The reason of a value that a subject lacks because it has other pairs than the others.
pub(super) const NOT_IN_RUN: Undefined = Undefined::Because(Cow::Borrowed("not a pair of this subject"));

/// The stems that every run has or, if subjects are distinguished, that every system has for some subject. They are in
/// the order of the runs; differences are noted.
pub(super) fn shared_pairs(
    runs: &[&Run],
    systems: &[String],
    subjects: Option<&[SystemSubjects]>,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, Error> {
    let sets: Vec<HashSet<&str>> = runs.iter().map(|run| run.stems().iter().map(String::as_str).collect()).collect();
    // Groups of runs that are compared with each other pair by pair.
    let groups: Vec<Vec<usize>> = match subjects {
        Some([first, others @ ..]) if others.iter().all(|other| other.subjects == first.subjects) => {
            let of_subject =
                |place: usize| others.iter().map(move |other| other.runs[place]).chain([first.runs[place]]).collect();
            (0..first.runs.len()).map(of_subject).collect()
        }
        _ => vec![(0..runs.len()).collect()],
    };
    let is_shared = |stem: &&String| {
        let mut groups = groups.iter();
        let has = |run: &usize| sets[*run].contains(stem.as_str());
        groups.any(|group| group.iter().all(has))
    };
    let stems = runs.iter().flat_map(|run| run.stems());
    let mut known = HashSet::new();
    let stems = stems.filter(|stem| known.insert(stem.as_str())).filter(is_shared);
    let shared: Vec<String> = stems.cloned().collect();
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
        let own = run.stems().len();
        let mut left_out = run.stems().iter().filter(|stem| !in_all.contains(stem));
        let n_left_out = left_out.clone().count();
        if let Some(example) = left_out.next() {
            notes.push(format!(
                "{unit} differ: {system} has {own} {unit}; {n_left_out} of them are not in every run{} (for \
                 example {example}); only the {} shared {unit} are compared",
                if subjects.is_some() { " of the subject" } else { "" },
                shared.len()
            ));
        }
    }
    Ok(shared)
}

/// Describes a run by its first stem.
fn example(system: &str, run: &Run) -> String {
    match run.stems().first() {
        Some(stem) => format!("{system} has {stem:?}"),
        None => format!("{system} has none"),
    }
}

/// The stimulus of each of these pairs, or its cluster. All runs have the same images of a stimulus, so pairs that one
/// run takes together are taken together in all.
pub(super) fn shared_stimuli(runs: &[&Run], stems: &[String]) -> Vec<usize> {
    let of_runs = runs.iter().map(|run| run.record.clusters_of(stems));
    if runs.iter().any(|run| run.record.clusters.is_some()) {
        return joined(&of_runs.collect::<Vec<_>>());
    }
    let n_stimuli = |stimuli: &Vec<usize>| stimuli.iter().collect::<HashSet<_>>().len();
    of_runs.min_by_key(n_stimuli).unwrap_or_default()
}

/// The rows of these stems out of a table with its own; stems that the table lacks have no value. A table of just these
/// stems, or without columns, is not copied.
pub(super) fn restrict<'a>((scores, own): (&'a ScoreTable, &[String]), stems: &[String]) -> Cow<'a, ScoreTable> {
    if scores.columns.is_empty() || own == stems {
        return Cow::Borrowed(scores);
    }
    let pairs = own.iter().enumerate();
    let position: HashMap<&str, usize> = pairs.map(|(row, stem)| (stem.as_str(), row)).collect();
    let rows: Vec<Option<usize>> = stems.iter().map(|stem| position.get(stem.as_str()).copied()).collect();
    let at =
        |column: &[Outcome]| rows.iter().map(|row| row.map_or(Err(NOT_IN_RUN), |row| column[row].clone())).collect();
    let columns = scores.columns.iter();
    Cow::Owned(ScoreTable {
        pairs: stems.to_vec(),
        columns: columns.map(|(id, column)| (id.clone(), at(column))).collect(),
    })
}
