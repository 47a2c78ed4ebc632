//! Parses the captions of both sides of a run.

use super::captions::CaptionParser;
use super::recipe::DEFAULT_PARSER;
use crate::Error;
use crate::dataset::{Dataset, Paired, StemGraphs};
use crate::describing::{self, Undescribed};
use crate::journal::Journal;
use crate::observations::{Input, Located, Sides};
use crate::progress::Progress;
use crate::request::{GraphParser, RunSettings, ScoreRequest};
use crate::run_folder::RunFolder;
use neurogauge_core::{ObservationKind, SceneGraph, Side};
use neurogauge_formats::scene_graphs;

/// The parser of a run, if it has one: what makes scene graphs of its captions instead of files that are given.
pub(crate) fn choose(
    request: &ScoreRequest,
    located: &mut Located,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Option<CaptionParser>, Error> {
    let GraphParser::T5(options) = request.graph_parser else {
        return Ok(None);
    };
    let inputs = &request.inputs;
    if let Some(path) = inputs.given(ObservationKind::SceneGraphs).next() {
        return Err(Error::Usage(format!(
            "--parser t5 parses captions, and there are scene graphs already ({}); leave one of them away",
            path.display()
        )));
    }
    if !located.has(ObservationKind::Captions) {
        return Err(Error::Usage(
            "--parser t5 needs captions of both sides (captions.json in --observations, or --gt-captions and \
             --recon-captions), or images of both sides (--gt, --recon) and --captioner MODEL; graphs may come \
             from files as well: --parser file"
                .into(),
        ));
    }
    let punkt = inputs.get(Input::Punkt);
    let parser = CaptionParser::find(DEFAULT_PARSER, options, punkt, settings, progress)?;
    located.observe(ObservationKind::SceneGraphs);
    Ok(Some(parser))
}

/// Parses the captions of both sides, adds the graphs to the data and keeps them in the run folder.
pub(crate) fn parse_inputs(
    mut parser: CaptionParser,
    dataset: &mut Dataset,
    folder: &RunFolder,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Undescribed>, Error> {
    let Some(captions) = &dataset.captions else {
        return Ok(Vec::new());
    };
    let id = &parser.recipe.model.id;
    let journal_path = describing::journal_path("scene_graphs", id, folder, settings)?;
    let mut journal = Journal::open(&journal_path)?;
    let mut without = Vec::new();
    let mut n_malformed = 0;
    let mut parse = |side: Side| -> Result<StemGraphs, Error> {
        let of_side = captions.sides.side(side);
        let role = format!("{}/captions", side.folder());
        let parsed = parser.parse(&role, of_side, &mut journal, progress)?;
        without.extend(parsed.without);
        n_malformed += parsed.n_malformed;
        let stems = of_side.iter().map(|(stem, _)| stem.clone());
        let graphs: StemGraphs = stems.zip(parsed.graphs).collect();
        let known: Vec<(String, SceneGraph)> = graphs
            .iter()
            .filter_map(|(stem, graph)| Some((stem.clone(), graph.clone()?)))
            .collect();
        scene_graphs::write_json(&folder.scene_graphs_path(side), &known)?;
        Ok(graphs)
    };
    let sides = Sides {
        gt: parse(Side::Gt)?,
        recon: parse(Side::Recon)?,
    };
    if n_malformed > 0 {
        progress.note(&format!(
            "{n_malformed} facts that the parser wrote are not of three parts and do not count"
        ));
    }
    let pairs = captions.pairs.clone();
    dataset.scene_graphs = Some(Paired { sides, pairs });
    Ok(without)
}
