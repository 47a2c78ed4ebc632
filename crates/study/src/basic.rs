//! The systems under each configuration of BASIC: their runs, every part of a score with ranks, the levels, single
//! stimuli, and how similarly two configurations rank the systems.

use crate::config::StudyConfig;
use crate::runs::{Job, System, is_stand_in, of_system};
use crate::shown_metrics::label as name_of;
use crate::systems::{SystemGroup, by_stimuli, estimate, meaning, means, options, table_of};
use itertools::Itertools;
use neurogauge::core::{Estimate, Input, InputPaths, ObservationKind, Side, Undefined};
use neurogauge::formats::{IoResult, json as json_file, recipe};
use neurogauge::metrics::list;
use neurogauge::report::{MetricColumn, SystemTable, marked};
use neurogauge::stats::kendall_tau_b;
use neurogauge::{CompareOptions, Error, GraphParser, Run, ScoreRequest, file_name};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// The systems under a configuration, over their shared pairs as in `neurogauge compare`.
struct Standings {
    name: String,
    is_crossed: bool,
    table: SystemTable,
}

/// A system's value and rank by a metric, where 1 is best; no rank for a single system, or one without a value.
type Standing<'a> = (&'a Estimate, Option<f64>);

impl Standings {
    fn find(&self, id: &str) -> Option<&MetricColumn> {
        self.table.columns.iter().find(|column| column.id == id)
    }

    fn of<'a>(&'a self, id: &str, system: &str) -> Option<Standing<'a>> {
        let place = self.table.columns.iter().position(|column| column.id == id)?;
        let row = self.table.rows.iter().find(|row| row.system == system)?;
        let rank = row.rank.as_ref().and_then(|ranks| ranks[place]);
        Some((&row.estimates[place], rank.map(|own| own.rank)))
    }

    /// The name, with a dagger if any of these metrics uses a placeholder model.
    fn marked(&self, ids: &[&str]) -> String {
        marked(&self.name, ids.iter().filter_map(|id| self.find(id)).any(|column| column.stand_in))
    }
}

/// A standing as exhibits read it.
fn shown((mean, rank): Standing<'_>) -> Value {
    let decimals = usize::from(rank.is_some_and(|rank| rank.fract() != 0.0));
    json!({"mean": estimate(mean), "rank": {"value": rank, "decimals": decimals}})
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
        // Run by run.
        let run_by_run = CompareOptions {
            subjects: None,
            ..options(config)
        };
        let standings = |name: &str, is_crossed: bool, runs: &[&Run]| {
            Ok::<_, Error>(Standings {
                name: name.to_owned(),
                is_crossed,
                table: table_of(&group, runs, &run_by_run)?,
            })
        };
        let of_configuration = configured.iter().map(|one| standings(&one.name, one.is_crossed, &one.runs_of(&group)));
        let all = of_configuration.collect::<Result<Vec<_>, Error>>()?;
        let of_score = |(id, parts): (&str, &[&str])| {
            let with = all.iter().filter(|own| own.find(id).is_some()).collect_vec();
            (!with.is_empty()).then(|| score(&group, (id, parts), &with))
        };
        let of_scores = scores().into_iter().filter_map(of_score).collect_vec();
        agreements.extend(of_scores.iter().map(|score| score["rankings"].clone()).filter(|own| !own.is_null()));
        // The systems' own runs, or the first configuration if those do not have BASIC.
        let own = group.runs();
        let is_basic = |run: &Run| scores().into_iter().any(|(id, _)| run.scores.column(id).is_some());
        let (name, runs) = match configured.first() {
            Some(first) if !own.iter().all(|run| is_basic(run)) => (first.name.as_str(), first.runs_of(&group)),
            _ => (AS_SCORED, own),
        };
        let mut of_group = json!({
            "about": group.about(), "suffix": group.suffix, "names": group.names, "configuration": name, "scores": of_scores,
            "levels": by_level(&group.names, &standings(name, false, &runs)?),
            "grid": grid(&group, &runs, (&basic.stimuli, config.examples.n))?,
        });
        if name != AS_SCORED {
            of_group["means"] = json!(means(config, group.systems.iter().copied().zip(runs.iter().copied()))?);
            of_group["meaning"] = meaning(&table_of(&group, &runs, &options(config))?);
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

/// Each configuration with all parts of the score, and the score and rank, of each system.
fn score(group: &SystemGroup<'_>, (id, parts): (&str, &[&str]), all: &[&Standings]) -> Value {
    let ids = parts.iter().copied().filter(|id| all.iter().any(|own| own.find(id).is_some())).collect_vec();
    let of_configuration = all.iter().map(|own| {
        let systems = group.systems.iter().map(|system| {
            let value = |id: &&str| own.of(id, &system.name)?.0.value.as_ref().ok().copied();
            let standing = own.of(id, &system.name).map(shown);
            let values = ids.iter().map(value).collect_vec();
            json!({"system": system.name, "published": system.published, "values": values, "standing": standing})
        });
        let reason = |name: &String| own.of(id, name)?.0.value.as_ref().err().map(ToString::to_string);
        json!({
            "configuration": own.name, "shown": own.marked(&[id]), "shown_with_parts": own.marked(&ids),
            "systems": systems.collect_vec(), "without": group.names.iter().filter_map(reason).take(1).collect_vec(),
        })
    });
    json!({
        "id": id, "label": name_of(id), "configurations": of_configuration.collect_vec(),
        "parts": ids.iter().map(|id| name_of(id)).collect_vec(),
        "is_crossed": all.iter().any(|own| own.is_crossed), "rankings": rankings(&group.names, id, all),
    })
}

/// Kendall's tau-b between the rankings of every two configurations by a score; null if fewer than two rank all systems.
fn rankings(names: &[String], id: &str, all: &[&Standings]) -> Value {
    let ranks = |own: &Standings| names.iter().map(|name| own.of(id, name)?.1).collect::<Option<Vec<f64>>>();
    let (ranked, unranked): (Vec<_>, Vec<_>) =
        all.iter().map(|own| (*own, ranks(own))).partition(|own| own.1.is_some());
    if ranked.len() < 2 {
        return Value::Null;
    }
    let mut notes = unranked
        .iter()
        .map(|(own, _)| format!("{} is left out: a system has no mean.", own.name))
        .collect_vec();
    let mut values = vec![vec![None; ranked.len()]; ranked.len()];
    for (a, b) in (0..ranked.len()).flat_map(|a| (0..=a).map(move |b| (a, b))) {
        let [(first, x), (second, y)] = [&ranked[a], &ranked[b]];
        let [x, y] = [x, y].map(|ranks| ranks.as_deref().unwrap_or_default());
        // Ranks increase from best to worst on both sides, so this tau equals the tau of the means.
        let tau = kendall_tau_b(x, y).unwrap_or_else(|error| Err(Undefined::Because(error.to_string().into())));
        notes.extend(tau.as_ref().err().map(|reason| format!("{}, {}: {reason}", first.name, second.name)));
        values[a][b] = tau.ok();
        values[b][a] = values[a][b];
    }
    let shown = ranked.iter().map(|(own, _)| own.marked(&[id])).collect_vec();
    let (configurations, ranks): (Vec<&str>, Vec<_>) = ranked.iter().map(|(own, ranks)| (&*own.name, ranks)).unzip();
    json!({
        "metric": id, "systems": names, "configurations": configurations, "ranks": ranks, "kendall_tau_b": values,
        "names": shown, "notes": notes, "n_systems": names.len(),
    })
}

/// Value and rank of each system by each metric, whose `level` is its short name.
fn by_level(names: &[String], standings: &Standings) -> Value {
    let row = |(name, column): (&String, &MetricColumn)| {
        let short = column.label.trim_start_matches("BASIC ").trim_end_matches(" IoU").trim_end_matches(" F1");
        let mut row = shown(standings.of(&column.id, name)?);
        row["system"] = json!(name);
        row["metric"] = json!(column.id);
        row["level"] = json!(marked(short, column.stand_in));
        Some(row)
    };
    names.iter().cartesian_product(&standings.table.columns).filter_map(row).collect()
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
    let shown = if asked.is_empty() {
        pairs.into_iter().take(n).collect_vec()
    } else {
        asked.iter().collect_vec()
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
    let mut inputs = InputPaths::default();
    for tool in [Input::WordNet, Input::Punkt, Input::Tagger] {
        inputs.set(tool, request.inputs.get(tool).map(Path::to_owned));
    }
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
