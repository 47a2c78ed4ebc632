//! BASIC-H and its parts, computed from scene graphs.

use crate::arrays::check_pairs;
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, details, scored};
use crate::work;
use neurogauge::core::SceneGraph;
use neurogauge::formats::parser_words::of_json;
use neurogauge::metrics::{GraphFunction, find};
use neurogauge::{Input, RunSettings, ScoreRequest, score_scene_graphs};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Metrics of scene graphs for each pair, with details; graphs are JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "two sides, what compares them and where that lies")]
pub(crate) fn scene_graphs<'py>(
    py: Python<'py>,
    metrics: Vec<String>,
    reference: Vec<String>,
    reconstruction: Vec<String>,
    options: &str,
    encoder: String,
    wordnet: Option<PathBuf>,
    weights: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Vec<Scored<'py>>, String)> {
    let picks = metrics.iter().map(|metric| part(metric)).collect::<Result<Vec<_>, Failure>>()?;
    let request = ScoreRequest {
        inputs: wordnet.map(|folder| (Input::WordNet, folder)).into_iter().collect(),
        options: options::read(options)?,
        phrase_encoder: encoder,
        ..ScoreRequest::default()
    };
    let settings = RunSettings {
        weights,
        allow_download: true,
        ..RunSettings::default()
    };
    check_pairs("scene graphs", reference.len(), reconstruction.len())?;
    let reference = parse(&reference, "reference")?;
    let reconstruction = parse(&reconstruction, "reconstruction")?;
    let scores = work::run(py, progress, |work| {
        let pairs: Vec<_> = reference.iter().zip(&reconstruction).collect();
        Ok(score_scene_graphs(&pairs, &request, &settings, work)?)
    })?;
    let column = |pick: GraphFunction| {
        let of_pairs = scores.iter();
        let values = of_pairs.map(|scores| match scores {
            Ok((scores, _)) => pick(scores),
            Err(reason) => Err(reason.clone()),
        });
        values.collect::<Vec<_>>()
    };
    let columns = picks.into_iter().map(|pick| scored(py, &column(pick))).collect();
    let behind = scores.into_iter().map(|scores| scores.map_or_else(|_| Vec::new(), |(_, found)| found));
    Ok((columns, details(behind.collect())?))
}

fn part(metric: &str) -> Result<GraphFunction, Failure> {
    let found = find(metric).and_then(|found| found.compute.function());
    found.ok_or_else(|| Failure::Usage(format!("{metric:?} is not a metric of scene graphs")))
}

fn parse(graphs: &[String], side: &str) -> Result<Vec<SceneGraph>, Failure> {
    let graph = |(index, json): (usize, &String)| {
        serde_json::from_str(json).map_err(|error| {
            Failure::Data(format!(
                "{side}[{index}]: {}; expected {{\"objects\": [name, ...], \"attributes\": {{name: [word, ...]}}, \
                 \"relations\": [[subject, predicate, object], ...]}}",
                of_json(&error)
            ))
        })
    };
    graphs.iter().enumerate().map(graph).collect()
}
