//! The runs of the systems under each configuration.

use crate::basic_config::BasicStudy;
use crate::config::StudyConfig;
use crate::scoring::{System, below, is_stand_in, of_system};
use crate::systems::SystemGroup;
use neurogauge::core::{Input, InputPaths, ObservationKind, Side};
use neurogauge::formats::{IoResult, json, recipe};
use neurogauge::metrics::list;
use neurogauge::{Error, GraphParser, Progress, Run, RunSettings, ScoreRequest, file_name, score};
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
    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().map(|(_, run)| run)
    }

    /// The runs of some of the systems.
    pub(crate) fn runs_of(&self, group: &SystemGroup<'_>) -> Vec<&Run> {
        group.places.iter().map(|&place| &self.runs[place].1).collect()
    }
}

/// Scores all systems under all configurations, then under the crossed ones. Finished runs are read back.
pub(crate) fn score_all(
    config: &StudyConfig,
    systems: &[System],
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Configured>, Error> {
    let Some(basic) = &config.basic else {
        return Ok(Vec::new());
    };
    let n = basic.configurations.len() + crossings(basic).len();
    let mut done: Vec<Configured> = Vec::with_capacity(n);
    let mut add = |name: String, is_crossed: bool, request: &RequestOf<'_>| {
        let folder = format!("basic/{:02}-{}", done.len() + 1, file_name(&name));
        let mut runs = Vec::with_capacity(systems.len());
        for (place, system) in systems.iter().enumerate() {
            progress.note(&format!("{}, BASIC {} of {n}: {name}", system.name, done.len() + 1));
            let path = format!("{folder}/{}", system.file_name);
            let settings = below(settings, &path);
            let run = request(&done, place).and_then(|request| score(&request, &settings, progress));
            runs.push((path, run.map_err(of_system(format!("{} with {name}", system.name)))?));
        }
        done.push(Configured { name, is_crossed, runs });
        Ok::<(), Error>(())
    };
    for configuration in &basic.configurations {
        add(configuration.name.clone(), false, &|_, place| {
            let system = &systems[place];
            configuration.request(&system.request(config), &system.name)
        })?;
    }
    for (a, b) in crossings(basic) {
        let [of_gt, of_recon] = [a, b].map(|place| basic.configurations[place].name.as_str());
        let name = format!("{of_gt} x {of_recon}");
        let marks = settings.out.join("basic/marks").join(file_name(&name));
        add(name, true, &|done, place| {
            let [gt, recon] = [a, b].map(|configured| &done[configured].runs[place].1);
            let marks = marks.join(&systems[place].file_name);
            crossed((of_gt, gt), (of_recon, recon), &marks)
        })?;
    }
    Ok(done)
}

/// Makes the request for the system at an index, given the finished configurations.
type RequestOf<'a> = dyn Fn(&[Configured], usize) -> Result<ScoreRequest, Error> + 'a;

/// Indices of the configurations that describe the stimuli and the reconstructions.
fn crossings(basic: &BasicStudy) -> Vec<(usize, usize)> {
    let place = |name: &String| basic.configurations.iter().position(|known| known.name == *name);
    let places: Vec<usize> = basic.cross.iter().filter_map(place).collect();
    places.iter().flat_map(|&a| places.iter().map(move |&b| (a, b))).filter(|(a, b)| a != b).collect()
}

/// Compares one run's words for the stimuli with another run's words for the reconstructions; everything else is as in
/// the first run.
fn crossed(
    (stimuli, of_gt): (&str, &Run),
    (reconstructions, of_recon): (&str, &Run),
    marks: &Path,
) -> Result<ScoreRequest, Error> {
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
        return Err(Error::Usage(format!(
            "basic.cross: {stimuli:?} and {reconstructions:?} do not both have scene graphs; give them, or let \
             score.graph_parser make them of captions"
        )));
    }
    let both = |id: &&str| [of_gt, of_recon].iter().all(|run| run.scores.column(id).is_some());
    let ids: Vec<&str> = list("basic_h_all").unwrap_or_default().iter().copied().filter(both).collect();
    let stand_ins: Vec<&str> = [(stimuli, of_gt), (reconstructions, of_recon)]
        .into_iter()
        .filter_map(|(name, run)| ids.iter().any(|id| is_stand_in(run, id)).then_some(name))
        .collect();
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
fn marked(folder: &Path, stand_ins: &[&str]) -> Result<PathBuf, Error> {
    for side in Side::BOTH {
        let side = folder.join(side.folder());
        std::fs::create_dir_all(&side).when("creating", &side)?;
    }
    let reason = format!("of {}, which rests on a placeholder model", stand_ins.join(" and "));
    let kind = ObservationKind::SceneGraphs.id();
    json::write(&folder.join(recipe::STAND_INS), &BTreeMap::from([(kind, reason)]))?;
    Ok(folder.to_owned())
}
