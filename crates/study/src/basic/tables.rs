//! Configurations by systems: every part of a score with ranks, the score alone, and the similarity of rankings.

use super::Configured;
use super::standings::{Standing, Standings, rankings};
use crate::config::{StudyConfig, StudySystem};
use crate::rows::{headings, needs};
use crate::scoring::System;
use crate::shown_metrics::label as name_of;
use crate::systems::{SystemGroup, by_stimuli, meaning, means, table_of};
use itertools::Itertools;
use neurogauge::metrics::{Metric, list};
use neurogauge::report::marked;
use neurogauge::{Error, Run};
use serde_json::{Value, json};

/// The systems' own runs, listed among the configurations.
const AS_SCORED: &str = "as scored";

/// The scores of BASIC with their parts.
fn scores() -> [(&'static str, &'static [&'static str]); 3] {
    let parts = |name| list(name).unwrap_or_default();
    [
        ("basic_h", parts("basic_h_all")),
        ("basic_l", parts("basic_l_all")),
        ("basic", &["basic_l", "basic_h", "basic"]),
    ]
}

/// What exhibits of BASIC read, for each group of systems that share their stimuli; `None` if the study does not
/// configure it.
pub(crate) fn record(
    config: &StudyConfig,
    systems: &[System],
    configured: &[Configured],
) -> Result<Option<Value>, Error> {
    let Some(basic) = &config.basic else {
        return Ok(None);
    };
    let (mut agreements, mut groups) = (Vec::new(), Vec::new());
    for group in by_stimuli(systems) {
        let standings =
            |name: (&str, bool), runs: Vec<&Run>| Standings::of(name, &group.names, &runs, &config.score.bootstrap);
        let of_configuration = configured.iter().map(|one| standings((&one.name, one.is_crossed), one.runs_of(&group)));
        let found = of_configuration.collect::<Result<Vec<_>, Error>>()?;
        let mut of_scores = Vec::new();
        for (id, parts) in scores() {
            let with: Vec<&Standings> = found.iter().filter(|s| s.find(id).is_some()).collect();
            if with.is_empty() {
                continue;
            }
            let mut of_score = score(&group, (id, parts), &with, &config.systems);
            match rankings(&group.names, id, &with) {
                Ok((agreement, rows)) => {
                    of_score["rankings"] = rows;
                    agreements.push(agreement);
                }
                Err(needed) => of_score["rankings"] = json!({"needs": needed}),
            }
            of_scores.push(of_score);
        }
        // The systems' own runs, or the first configuration if those do not have BASIC.
        let own = group.runs();
        let is_basic = |run: &Run| scores().into_iter().any(|(id, _)| run.scores.column(id).is_some());
        let (name, runs) = match configured.first() {
            Some(first) if !own.iter().all(|run| is_basic(run)) => (first.name.as_str(), first.runs_of(&group)),
            _ => (AS_SCORED, own),
        };
        let mut of_group = json!({
            "about": group.about(), "suffix": group.suffix, "columns": headings(&group.names), "configuration": name, "scores": of_scores,
            "levels": by_level(&group, &standings((name, false), runs.clone())?)?,
            "grid": grid(&group, &runs, (&basic.stimuli, config.examples.n))?,
        });
        if name != AS_SCORED {
            let named = group.places.iter().map(|&place| &config.systems[place]).zip(runs.iter().copied());
            of_group["means"] = json!(means(config, named)?);
            of_group["meaning"] = meaning(&table_of(&group, &runs, config)?)?;
        }
        groups.push(of_group);
    }
    let runs = configured.iter().flat_map(|one| {
        one.runs.iter().zip(systems).map(|((place, run), system)| {
            json!({
                "configuration": one.name, "system": system.name, "run": place, "fingerprint": run.record.fingerprint,
                "stand_in": run.record.metrics.iter().any(|metric| metric.stand_in),
            })
        })
    });
    Ok(Some(json!({"runs": runs.collect_vec(), "rankings": agreements, "groups": groups})))
}

/// A row for each configuration and system with all parts of the score, and one for each configuration with the score
/// and rank of each system.
fn score(
    group: &SystemGroup<'_>,
    (id, parts): (&str, &[&str]),
    found: &[&Standings],
    systems: &[StudySystem],
) -> Value {
    let there = |id: &&str| found.iter().any(|standings| standings.find(id).is_some());
    let ids: Vec<&str> = parts.iter().copied().filter(there).collect();
    let label = |id: &&str| found.iter().find_map(|standings| Some(standings.find(id)?.0.spec.label));
    let detailed = found.iter().flat_map(|standings| {
        let marked = standings.marked(&ids);
        let ids = &ids;
        group.names.iter().enumerate().map(move |(place, system)| {
            let of = |id: &str| Some(&standings.find(id)?.1[place]);
            let values = ids.iter().map(|id| of(id)?.estimate.value.as_ref().ok().copied()).collect_vec();
            json!({
                "shown": marked, "configuration": standings.name, "system": system, "values": values,
                "published": systems[group.places[place]].published,
                "standing": of(id).map(|standing| standing.value(system)),
            })
        })
    });
    let by_system = found.iter().filter_map(|standings| {
        let all = group.names.iter().zip(standings.find(id)?.1).map(|(name, own)| own.value(name)).collect_vec();
        Some(json!({"shown": standings.marked(&[id]), "standings": all}))
    });
    let without = found.iter().filter_map(|standings| {
        let reason = standings.find(id)?.1.iter().find_map(|standing| standing.estimate.value.as_ref().err())?;
        Some(format!("{}: {reason}", standings.name))
    });
    json!({
        "id": id, "label": label(&id), "parts": headings(ids.iter().filter_map(label)), "columns": with_ranks(&group.names), "detailed": detailed.collect_vec(),
        "ids": ids, "by_system": by_system.collect_vec(), "is_crossed": found.iter().any(|standings| standings.is_crossed),
        "without": without.collect_vec(),
    })
}

/// From structure to words, then the combined scores.
const LEVELS: [&str; 11] = [
    "salient_iou",
    "binary_iou",
    "semantic_iou",
    "instance_iou",
    "part_iou",
    "basic_object_f1",
    "basic_attribute_f1",
    "basic_relation_f1",
    "basic_l",
    "basic_h",
    "basic",
];

/// A row for each system, with value and rank at each available level.
fn by_level(group: &SystemGroup<'_>, standings: &Standings) -> Result<Value, Error> {
    let found = LEVELS.iter().filter_map(|id| standings.find(id)).collect_vec();
    if found.is_empty() {
        return needs("levels of BASIC");
    }
    let label = |(metric, all): &(&Metric, &[Standing])| {
        let short = metric.spec.label.trim_start_matches("BASIC ").trim_end_matches(" IoU").trim_end_matches(" F1");
        marked(short, all.iter().any(|standing| standing.stand_in))
    };
    let labels = found.iter().map(label).collect_vec();
    let row = |(place, name): (usize, &String)| {
        let all = labels.iter().zip(&found).map(|(label, (_, all))| all[place].value(label));
        json!({"shown": name, "standings": all.collect_vec()})
    };
    Ok(json!({"columns": with_ranks(&labels), "rows": group.names.iter().enumerate().map(row).collect_vec()}))
}

/// For each group, a column of means and one of ranks.
fn with_ranks(groups: &[String]) -> Vec<Value> {
    let both = |(at, group): (usize, &String)| {
        [("mean", group.clone()), ("rank", format!("{group} rank"))]
            .map(|(of, name)| json!({"name": name, "at": at, "of": of}))
    };
    groups.iter().enumerate().flat_map(both).collect()
}

/// A row for each requested stimulus, or for the first `n`, with each system's most comprehensive score (BASIC, Figs. 4
/// and S2).
fn grid(group: &SystemGroup<'_>, runs: &[&Run], (asked, n): (&[String], usize)) -> Result<Value, Error> {
    let has = |id: &&str| runs.iter().all(|run| run.scores.column(id).is_some());
    let (Some(score), Some(first)) = (["basic", "basic_h", "basic_l"].into_iter().find(has), runs.first()) else {
        return needs("a score of BASIC that all systems have");
    };
    let shared = |stem: &&String| runs.iter().all(|run| run.scores.pairs.contains(stem));
    let pairs = first.scores.pairs.iter().filter(shared).collect_vec();
    if let Some(unknown) = asked.iter().find(|stem| !pairs.contains(stem)) {
        return Err(Error::Usage(format!(
            "basic.stimuli: {unknown:?} is no stimulus of all of {}; the first is {:?}",
            group.about(),
            pairs.first().map_or("", |pair| pair.as_str())
        )));
    }
    let stems = if asked.is_empty() {
        pairs.into_iter().take(n).collect()
    } else {
        asked.iter().collect_vec()
    };
    let value = |run: &&Run, stem: &str| {
        let place = run.scores.pairs.iter().position(|pair| pair == stem)?;
        run.scores.column(score)?[place].as_ref().ok().copied()
    };
    let row = |stem: &String| {
        let values = runs.iter().map(|run| value(run, stem)).collect_vec();
        let of_system = group.names.iter().zip(&values).map(|(name, value)| match value {
            Some(value) => format!("{name}: {} {value:.3}", name_of(score)),
            None => format!("{name}: no {}", name_of(score)),
        });
        let lines = [stem.clone()].into_iter().chain(of_system).collect_vec();
        json!({"pair": stem, "values": values, "lines": lines})
    };
    Ok(json!({"score": name_of(score), "rows": stems.into_iter().map(row).collect_vec()}))
}
