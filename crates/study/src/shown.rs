//! Which metrics the tables show, and their names; and the systems and surveys for which the papers print values. The
//! program cannot know whose reconstructions are in a folder, so the configuration says it: `published` of a system names
//! the row in the papers' tables, and `published` of ratings names the survey.

use crate::config::StudyConfig;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::core::{Group, ScoreTable};
use neurogauge::metrics::{Compute, find, list, parts_among};
use neurogauge_exhibits::Paper;
use serde_json::Value;

/// The metrics of the SEED paper's tables, after the eight of the field.
const OF_SEED: [&str; 5] = ["object_f1", "cap_sim", "seed", "snm", "sdm"];

/// The composite whose parts and choices are examined.
pub(crate) const COMPOSITE: &str = "seed";

/// A registry metric's name in tables; other metrics keep their name.
pub(crate) fn label(name: &str) -> String {
    find(name).map_or(name, |metric| metric.spec.label).to_owned()
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
        None => list("nsd8").unwrap_or_default().iter().chain(&OF_SEED).copied().collect(),
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

/// The papers whose systems and surveys are known, and of which a study makes tables and figures by default.
const PAPERS: [&str; 3] = ["seed", "seed-v1", "basic"];

pub(crate) fn papers(config: &StudyConfig) -> Result<Vec<Paper>, Error> {
    match config.papers.as_slice() {
        [] => PAPERS.iter().map(|name| Paper::built_in(name).cloned()).collect(),
        named => named.iter().map(|name| Paper::named(name)).collect(),
    }
}

/// The systems of all papers, without duplicates.
pub(crate) fn systems() -> Vec<&'static str> {
    let means = |paper: &'static Paper| paper.published("systems").iter().chain(paper.published("trained"));
    Paper::all().iter().flat_map(means).filter_map(|row| row["system"].as_str()).unique().collect()
}

/// The surveys for which a paper prints how well metrics agree with people, by their ids.
pub(crate) fn surveys() -> impl Iterator<Item = (&'static str, &'static Value)> {
    let rows = Paper::all().iter().flat_map(|paper| paper.published("surveys"));
    rows.filter_map(|survey| Some((survey["id"].as_str()?, survey)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The field of the row in which all these fields have these words.
    fn cell<'a>(paper: &str, file: &str, by: &[(&str, &str)], field: &str) -> Option<&'a str> {
        let rows = Paper::built_in(paper).unwrap().published(file);
        rows.iter().find(|row| by.iter().all(|(name, words)| row[*name] == **words))?[field].as_str()
    }

    fn agreement(paper: &str, survey: &str, place: &str, metric: &str) -> [Option<&'static str>; 3] {
        let by = [("survey", survey), ("place", place), ("metric", metric)];
        ["calibrated_accuracy", "kendall_tau_b", "pearson"].map(|statistic| cell(paper, "agreement", &by, statistic))
    }

    #[test]
    fn values_are_those_that_the_papers_print() {
        let nsd = |place: &str, metric: &str| agreement("seed", "seed-nsd", place, metric);
        assert_eq!(nsd("Table 1", "seed"), [Some("0.810"), Some("0.621"), Some("0.813")]);
        assert_eq!(nsd("Table 4", "number"), [Some("0.747"), Some("0.493"), Some("0.648")]);
        assert_eq!(nsd("Table 5", "vqa_score, GIT captions"), [Some("0.717"), Some("0.434"), Some("0.574")]);
        let god = |place: &str, metric: &str| agreement("seed", "seed-god", place, metric);
        assert_eq!(god("Table 2", "ssim"), [Some("0.492"), Some("-0.013"), Some("-0.103")]);
        assert_eq!(god("Table 1", "seed"), [None; 3]);
        let v1 = |place: &str, metric: &str| agreement("seed-v1", "seed-nsd", place, metric);
        assert_eq!(v1("Table 1", "cap_sim, BLIP captions"), [Some("0.735"), Some("0.471"), Some("0.670")]);
        assert_eq!(v1("Table 5", "object_f1+cap_sim"), [Some("0.784"), Some("0.569"), Some("0.774")]);
        // The paper prints two values of Pearson's r for Cap-Sim.
        assert_eq!([nsd("Table 1", "cap_sim")[2], nsd("Table 5", "cap_sim")[2]], [Some("0.666"), Some("0.683")]);
        for (paper, file, system, metric, printed) in [
            ("seed", "systems", "MindEye2", "inception", Some("0.951")),
            ("seed", "systems", "BrainGuard", "sdm", Some("0.092")),
            ("seed", "systems", "mine", "sdm", None),
            ("seed-v1", "systems", "MindEye2", "ssim", Some("0.380")),
            ("seed-v1", "trained", "UniBrain, reproduced", "pixcorr", Some("0.138")),
            ("seed-v1", "trained", "UniBrain, reproduced with hinge loss", "seed", Some("0.387")),
            ("basic", "systems", "MindEye2", "inception", Some("0.954")),
            ("basic", "systems", "MindEye2", "part_ap", Some("0.1103")),
            ("basic", "systems", "NeuroVLA", "basic_h", Some("0.4788")),
            ("basic", "systems", "NeuroVLA", "salient_iou", None),
            ("basic", "systems", "EEG2Video", "basic_l", Some("0.2054")),
            ("basic", "systems", "NeuroClips", "mask_matching_ratio", Some("0.687")),
        ] {
            assert_eq!(cell(paper, file, &[("system", system)], metric), printed, "{paper} {system} {metric}");
        }
        let counts = [("seed", "systems"), ("seed-v1", "trained"), ("seed-v1", "systems"), ("basic", "systems")];
        let counts = counts.map(|(paper, file)| Paper::built_in(paper).unwrap().published(file).len());
        assert_eq!(counts, [5, 6, 4, 23]);
        assert_eq!(systems().len(), 29);
        assert_eq!(surveys().count(), 2);
    }

    #[test]
    fn every_printed_cell_is_a_number_of_a_metric() {
        let is_key = |name: &str| ["system", "dataset", "place", "configuration"].contains(&name);
        for (paper, file) in [
            ("seed", "systems"),
            ("seed-v1", "trained"),
            ("seed-v1", "systems"),
            ("basic", "systems"),
            ("basic", "configurations"),
        ] {
            for row in Paper::built_in(paper).unwrap().published(file) {
                for (name, printed) in row.as_object().unwrap().iter().filter(|(name, _)| !is_key(name)) {
                    assert!(find(name).is_some(), "{name}");
                    assert!(printed.is_null() || printed.as_str().unwrap().parse::<f64>().is_ok(), "{row}");
                }
            }
        }
    }

    /// The scores of BASIC can be computed from the parts printed beside them.
    #[test]
    fn parts_of_basic_give_its_scores() {
        let h = [("basic_object_f1", 0.4), ("basic_attribute_f1", 0.4), ("basic_relation_f1", 0.2)];
        let l = [("salient_iou", 0.3), ("semantic_iou", 0.25), ("instance_iou", 0.25), ("part_iou", 0.2)];
        let mut n_with_parts = [[0, 0], [0, 0]];
        for (n_of_file, file) in n_with_parts.iter_mut().zip(["systems", "configurations"]) {
            for row in Paper::built_in("basic").unwrap().published(file) {
                let value = |id: &str| row[id].as_str()?.parse::<f64>().ok();
                for (n, (score, parts)) in n_of_file.iter_mut().zip([("basic_h", &h[..]), ("basic_l", &l[..])]) {
                    let weighted = |(id, weight): &(&str, f64)| Some(weight * value(id)?);
                    let Some(sum) = parts.iter().map(weighted).sum::<Option<f64>>() else {
                        continue;
                    };
                    *n += 1;
                    assert!((sum - value(score).unwrap()).abs() < 1.1e-4, "{row}: {sum}");
                }
            }
        }
        assert_eq!(n_with_parts, [[23, 19], [72, 41]]);
    }

    /// Table S11 prints the values of Table S10 where both sides have one model.
    #[test]
    fn values_of_table_s11_are_in_the_order_of_table_s10() {
        let rows = Paper::built_in("basic").unwrap().published("configurations");
        let mut n_compared = 0;
        for row in rows.iter().filter(|row| row["place"] == "Table S10") {
            let is_same = |own: &&Value| {
                own["place"] == "Table S11"
                    && own["configuration"] == row["configuration"]
                    && own["system"] == row["system"]
            };
            for own in rows.iter().filter(is_same) {
                let value = |of: &Value| of["basic_h"].as_str().unwrap().parse::<f64>().unwrap();
                assert!((value(row) - value(own)).abs() < 1.1e-4, "{row} {own}");
                n_compared += 1;
            }
        }
        assert!(n_compared >= 25, "{n_compared}");
    }
}
