//! The systems under each configuration of BASIC: their runs, every part of a score with ranks, the levels, single
//! stimuli, and how similarly two configurations rank the systems.

use crate::config::StudyConfig;
use crate::runs::{Job, System, is_stand_in, of_system};
use crate::shown::label as name_of;
use crate::systems::{SystemGroup, by_stimuli, means, options, standings, table_of};
use itertools::Itertools;
use neurogauge::core::{Input, InputPaths, ObservationKind, Side, Undefined};
use neurogauge::formats::{IoResult, json as json_file, recipe};
use neurogauge::metrics::list;
use neurogauge::report::{SystemTable, marked};
use neurogauge::stats::kendall_tau_b;
use neurogauge::{Error, GraphParser, Run, ScoreRequest, file_name};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The systems' own runs, listed among the configurations.
const AS_SCORED: &str = "as scored";

/// The scores of BASIC.
const SCORES: [&str; 3] = ["basic_h", "basic_l", "basic"];

/// What exhibits of BASIC read of each group of systems that share their stimuli; `None` without a configuration.
pub(crate) fn record(
    config: &StudyConfig,
    systems: &[System],
    configured: &[Configured],
) -> Result<Option<Value>, Error> {
    let Some(basic) = &config.basic else {
        return Ok(None);
    };
    let mut run_by_run = options(config);
    run_by_run.subjects = None;
    let (mut agreements, mut groups) = (Vec::new(), Vec::new());
    for group in by_stimuli(systems) {
        let in_order = |runs: &[&Run]| {
            let mut table = table_of(&group, runs, &run_by_run)?;
            table.rows.sort_by_key(|row| group.names.iter().position(|name| *name == row.system));
            Ok::<_, Error>(table)
        };
        let all = configured.iter().map(|one| Ok((one, in_order(&one.runs_of(&group))?)));
        let all = all.collect::<Result<Vec<_>, Error>>()?;
        let configurations = all.iter().map(|(one, table)| {
            let runs = group.places.iter().map(|&place| &one.runs[place].0).collect_vec();
            json!({"configuration": one.name, "is_crossed": one.is_crossed, "runs": runs, "standings": standings(table)})
        });
        let is_scored = |id: &&str| all.iter().any(|(_, table)| column(table, id).is_some());
        let score = |id| json!({"id": id, "label": name_of(id), "rankings": rankings(&group.names, id, &all)});
        let scores = SCORES.into_iter().filter(is_scored).map(score).collect_vec();
        agreements.extend(scores.iter().map(|score| score["rankings"].clone()).filter(|own| !own.is_null()));
        // The systems' own runs, or the first configuration if those do not have BASIC.
        let own = group.runs();
        let is_basic = |run: &Run| SCORES.iter().any(|id| run.scores.column(id).is_some());
        let (name, runs) = match configured.first() {
            Some(first) if !own.iter().all(|run| is_basic(run)) => (first.name.as_str(), first.runs_of(&group)),
            _ => (AS_SCORED, own),
        };
        let mut of_group = json!({
            "about": group.about(), "suffix": group.suffix, "names": group.names, "configuration": name, "scores": scores,
            "configurations": configurations.collect_vec(),
            "levels": standings(&in_order(&runs)?),
            "grid": grid(&group, &runs, (&basic.stimuli, config.examples.n))?,
        });
        if name != AS_SCORED {
            of_group["means"] = json!(means(config, group.systems.iter().copied().zip(runs.iter().copied()))?);
            let table = table_of(&group, &runs, &options(config))?;
            (of_group["standings"], of_group["unit"]) = (standings(&table), json!(table.unit));
        }
        groups.push(of_group);
    }
    Ok(Some(json!({"rankings": agreements, "groups": groups})))
}

/// The place of a metric among the columns of a table.
fn column(table: &SystemTable, id: &str) -> Option<usize> {
    table.columns.iter().position(|column| column.id == id)
}

/// Kendall's tau-b between the rankings of every two configurations by a score; null if fewer than two rank all systems.
fn rankings(names: &[String], id: &str, all: &[(&Configured, SystemTable)]) -> Value {
    let with = all.iter().filter_map(|(own, table)| Some((&own.name, column(table, id)?, table)));
    let ranks = |place: usize, table: &SystemTable| {
        let rank = |name: &String| table.rows.iter().find(|row| row.system == *name)?.rank.as_ref()?[place];
        names.iter().map(|name| Some(rank(name)?.rank)).collect::<Option<Vec<f64>>>()
    };
    let (mut ranked, mut notes) = (Vec::new(), Vec::new());
    for (name, place, table) in with {
        match ranks(place, table) {
            Some(ranks) => ranked.push((name, marked(name, table.columns[place].stand_in), ranks)),
            None => notes.push(format!("{name} is left out: a system has no mean.")),
        }
    }
    if ranked.len() < 2 {
        return Value::Null;
    }
    let mut values = vec![vec![None; ranked.len()]; ranked.len()];
    for (a, b) in (0..ranked.len()).flat_map(|a| (0..=a).map(move |b| (a, b))) {
        let [(first, _, x), (second, _, y)] = [&ranked[a], &ranked[b]];
        // Ranks increase from best to worst on both sides, so this tau equals the tau of the means.
        let tau = kendall_tau_b(x, y).unwrap_or_else(|error| Err(Undefined::Because(error.to_string().into())));
        notes.extend(tau.as_ref().err().map(|reason| format!("{first}, {second}: {reason}")));
        values[a][b] = tau.ok();
        values[b][a] = values[a][b];
    }
    let (configurations, shown, ranks): (Vec<_>, Vec<_>, Vec<_>) = ranked.into_iter().multiunzip();
    json!({
        "metric": id, "systems": names, "configurations": configurations, "ranks": ranks, "kendall_tau_b": values,
        "names": shown, "notes": notes, "n_systems": names.len(),
    })
}

/// A row for each requested stimulus, or for the first `n`, with each system's most comprehensive score (BASIC, Figs. 4
/// and S2); null if they have none in common.
fn grid(group: &SystemGroup<'_>, runs: &[&Run], (asked, n): (&[String], usize)) -> Result<Value, Error> {
    let has = |id: &&str| runs.iter().all(|run| run.scores.column(id).is_some());
    let (Some(score), Some(first)) = (["basic", "basic_h", "basic_l"].into_iter().find(has), runs.first()) else {
        return Ok(Value::Null);
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
    let row = |stem: &String| {
        let value = |run: &&Run| {
            let place = run.scores.pairs.iter().position(|pair| pair == stem)?;
            run.scores.column(score)?[place].as_ref().ok().copied()
        };
        json!({"pair": stem, "values": runs.iter().map(value).collect_vec()})
    };
    let shown = match asked {
        [] => pairs.into_iter().take(n).collect_vec(),
        asked => asked.iter().collect_vec(),
    };
    Ok(json!({"score": name_of(score), "rows": shown.into_iter().map(row).collect_vec()}))
}

/// All systems under one configuration.
#[derive(Debug)]
pub(crate) struct Configured {
    name: String,
    /// Does it combine two configurations, one for each side?
    is_crossed: bool,
    /// For each system: the run's path relative to the study's folder, and the run.
    pub(crate) runs: Vec<(String, Run)>,
}

impl Configured {
    /// The runs of some of the systems.
    fn runs_of(&self, group: &SystemGroup<'_>) -> Vec<&Run> {
        group.places.iter().map(|&place| &self.runs[place].1).collect()
    }
}

impl Job<'_> {
    /// Scores all systems under all configurations of BASIC, then under the crossed ones.
    pub(crate) fn configured(&self, systems: &[System]) -> Result<Vec<Configured>, Error> {
        let Some(basic) = &self.config.basic else {
            return Ok(Vec::new());
        };
        let all = &basic.configurations;
        let crossed_ones = basic.cross.iter().filter_map(|name| all.iter().position(|known| known.name == *name));
        let crossings = crossed_ones.clone().cartesian_product(crossed_ones).filter(|(a, b)| a != b);
        let wanted = (0..all.len()).map(|own| (own, own)).chain(crossings).collect_vec();
        let mut done: Vec<Configured> = Vec::with_capacity(wanted.len());
        for (number, &(a, b)) in (1..).zip(&wanted) {
            let name = [a, b].iter().map(|place| &all[*place].name).dedup().join(" x ");
            let run = |(place, system): (usize, &System)| {
                self.progress.note(&format!("{}, BASIC {number} of {}: {name}", system.name, wanted.len()));
                let request = if a == b {
                    all[a].request(&system.request(self.config), &system.name)
                } else {
                    let marks = self.settings.out.join("basic/marks").join(file_name(&name)).join(&system.file_name);
                    crossed([&done[a], &done[b]], place, &marks)
                };
                let path = format!("basic/{number:02}-{}/{}", file_name(&name), system.file_name);
                let run = request.and_then(|request| self.score(&request, &path));
                Ok((path, run.map_err(of_system(format!("{} with {name}", system.name)))?))
            };
            let runs = systems.iter().enumerate().map(run).collect::<Result<_, Error>>()?;
            let is_crossed = a != b;
            done.push(Configured { name, is_crossed, runs });
        }
        Ok(done)
    }
}

/// Compares the words of one configuration's run of a system for the stimuli with those of another's for the
/// reconstructions; everything else is as in the first.
fn crossed(configured: [&Configured; 2], place: usize, marks: &Path) -> Result<ScoreRequest, Error> {
    let [of_gt, of_recon] = configured.map(|own| &own.runs[place].1);
    let mut request = of_gt.record.request.clone();
    let tools = [Input::WordNet, Input::Punkt, Input::Tagger].into_iter();
    let tools = tools.filter_map(|tool| Some((tool, request.inputs.get(tool)?.to_owned())));
    let mut inputs: InputPaths = tools.collect();
    for kind in [ObservationKind::Captions, ObservationKind::SceneGraphs] {
        if let (Some(gt), Some(recon)) = (of_gt.observed_files(kind)?, of_recon.observed_files(kind)?) {
            inputs.set(Input::Of(Side::Gt, kind), Some(gt.gt));
            inputs.set(Input::Of(Side::Recon, kind), Some(recon.recon));
        }
    }
    if inputs.given(ObservationKind::SceneGraphs).next().is_none() {
        let [stimuli, reconstructions] = configured.map(|own| &own.name);
        return Err(Error::Usage(format!(
            "basic.cross: {stimuli:?} and {reconstructions:?} do not both have scene graphs; give them, or let \
             score.graph_parser make them of captions"
        )));
    }
    let both = |id: &&str| [of_gt, of_recon].iter().all(|run| run.scores.column(id).is_some());
    let ids = list("basic_h_all").unwrap_or_default().iter().copied().filter(both).collect_vec();
    let is_placeholder = |own: &&&Configured| ids.iter().any(|id| is_stand_in(&own.runs[place].1, id));
    let stand_ins = configured.iter().filter(is_placeholder).map(|own| &own.name).join(" and ");
    if !stand_ins.is_empty() {
        inputs.set(Input::Observations, Some(placeholder_marks(marks, &stand_ins)?));
    }
    request.inputs = inputs;
    request.metrics = Some(ids.into_iter().map(str::to_owned).collect());
    request.graph_parser = GraphParser::File;
    (request.captioner, request.detector, request.segmenter) = (None, None, None);
    Ok(request)
}

/// A folder without observations, which only records that scene graphs are placeholders.
fn placeholder_marks(folder: &Path, stand_ins: &str) -> Result<PathBuf, Error> {
    for side in Side::BOTH {
        let side = folder.join(side.folder());
        std::fs::create_dir_all(&side).when("creating", &side)?;
    }
    let reason = format!("of {stand_ins}, which rests on a placeholder model");
    let kind = ObservationKind::SceneGraphs.id();
    json_file::write(&folder.join(recipe::STAND_INS), &BTreeMap::from([(kind, reason)]))?;
    Ok(folder.to_owned())
}
