//! Decides which metrics the tables show, and their names.

use crate::config::StudyConfig;
use itertools::Itertools;
use neurogauge::core::{Group, ScoreTable};
use neurogauge::metrics::{Compute, find, list, parts_among};

/// The metrics of the SEED paper's tables, after the eight of the field.
const OF_SEED: [&str; 5] = ["object_f1", "cap_sim", "seed", "snm", "sdm"];

/// The composite whose parts and choices are examined.
pub(crate) const COMPOSITE: &str = "seed";

/// A registry metric's name in tables; other metrics keep their name.
pub(crate) fn label(name: &str) -> String {
    find(name).map_or(name, |metric| metric.spec.label).to_owned()
}

pub(crate) fn existing() -> &'static [&'static str] {
    list("nsd8").unwrap_or_default()
}

/// The parts of the composite in a run with these scores.
pub(crate) fn parts(scores: &ScoreTable) -> Vec<&'static str> {
    match find(COMPOSITE).map(|metric| metric.compute) {
        Some(Compute::Scores { from, .. }) => parts_among(from, |id| scores.column(id).is_some()),
        _ => Vec::new(),
    }
}

pub(crate) fn is_composite(name: &str) -> bool {
    find(name).is_some_and(|metric| matches!(metric.compute, Compute::Scores { .. }))
}

/// The requested ids, or those of the paper's tables. Lists are expanded, and parts come before their average.
pub(crate) fn asked(config: &StudyConfig) -> Vec<&str> {
    let names: Vec<&str> = match &config.score.metrics {
        Some(names) => names.iter().map(String::as_str).collect(),
        None => existing().iter().chain(&OF_SEED).copied().collect(),
    };
    let members = names.iter().flat_map(|name| list(name).map_or_else(|| vec![*name], <[_]>::to_vec));
    members.flat_map(with_parts).unique().collect()
}

/// The requested metrics that any of these systems has; if they have none of them, empty, which shows all.
pub(crate) fn shown_of(config: &StudyConfig, systems: &[&ScoreTable]) -> Vec<String> {
    let is_scored = |id: &&str| systems.iter().any(|scores| scores.column(id).is_some());
    asked(config).into_iter().filter(is_scored).map(str::to_owned).collect()
}

/// A metric after all that it is made of.
fn with_parts(id: &str) -> Vec<&str> {
    let mut ids = Vec::new();
    if let Some(Compute::Scores { from, .. }) = find(id).map(|metric| metric.compute) {
        let both = from.iter().copied().interleave(parts_among(from, |_| true));
        ids.extend(both.flat_map(with_parts));
    }
    ids.push(id);
    ids
}

/// The metrics of a run that are compared with people, in the order of its scores: the requested ones except rates of
/// failures, or all if it has none of these.
pub(crate) fn held_against_people(config: &StudyConfig, scores: &ScoreTable) -> Vec<String> {
    let asked = asked(config);
    let is_failure = |id: &str| find(id).is_some_and(|metric| metric.spec.group == Group::Failure);
    let ids: Vec<String> = scores.columns.iter().map(|(id, _)| id.clone()).collect();
    let is_shown = |id: &&String| asked.contains(&id.as_str()) && !is_failure(id);
    let shown: Vec<String> = ids.iter().filter(is_shown).cloned().collect();
    if shown.is_empty() { ids } else { shown }
}
