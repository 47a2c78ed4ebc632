//! The runs of the systems under each configuration of BASIC.

use crate::runs::{Job, System, is_stand_in, of_system};
use crate::systems::SystemGroup;
use itertools::Itertools;
use neurogauge::core::{Input, InputPaths, ObservationKind, Side};
use neurogauge::formats::{IoResult, json, recipe};
use neurogauge::metrics::list;
use neurogauge::{Error, GraphParser, Run, ScoreRequest, file_name};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All systems under one configuration.
#[derive(Debug)]
pub(crate) struct Configured {
    pub(crate) name: String,
    /// Does it combine two configurations, one for each side?
    pub(crate) is_crossed: bool,
    /// For each system: the run's path relative to the study's folder, and the run.
    pub(crate) runs: Vec<(String, Run)>,
}

impl Configured {
    /// The runs of some of the systems.
    pub(crate) fn runs_of(&self, group: &SystemGroup<'_>) -> Vec<&Run> {
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
        inputs.set(Input::Observations, Some(marked(marks, &stand_ins)?));
    }
    request.inputs = inputs;
    request.metrics = Some(ids.into_iter().map(str::to_owned).collect());
    request.graph_parser = GraphParser::File;
    (request.captioner, request.detector, request.segmenter) = (None, None, None);
    Ok(request)
}

/// A folder without observations, which only records that scene graphs are placeholders.
fn marked(folder: &Path, stand_ins: &str) -> Result<PathBuf, Error> {
    for side in Side::BOTH {
        let side = folder.join(side.folder());
        std::fs::create_dir_all(&side).when("creating", &side)?;
    }
    let reason = format!("of {stand_ins}, which rests on a placeholder model");
    let kind = ObservationKind::SceneGraphs.id();
    json::write(&folder.join(recipe::STAND_INS), &BTreeMap::from([(kind, reason)]))?;
    Ok(folder.to_owned())
}
