//! Models for callers whose texts and graphs are in memory. Nothing is written.

use crate::compute::{ExplainedGraphs, GraphComparison, Pairs};
use crate::observers::text_embeddings::embed;
use crate::scene_graph_tools::GraphTools;
use crate::{Error, Progress, RunSettings, ScoreRequest};
use neurogauge_core::{Lexicon, Pair, SceneGraph};
use neurogauge_language::WordNet;
use neurogauge_metrics::decoding::basic_h::{NoLexicon, normalise};
use std::collections::BTreeSet;

/// Sentence embeddings of texts: the number of features, and a row for each text. They are bit-identical to those that
/// [`score`](crate::score()) compares.
///
/// # Errors
/// [`Error::Model`] for an unknown encoder, or weights that are missing or broken.
pub fn embed_texts(
    texts: &[&str],
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<(usize, Vec<f32>), Error> {
    let distinct: BTreeSet<&str> = texts.iter().copied().collect();
    let embeddings = embed(&distinct, encoder, None, None, settings, progress)?;
    let values = texts.iter().filter_map(|text| embeddings.of(text)).flatten().copied().collect();
    Ok((embeddings.n_features(), values))
}

/// All parts of BASIC-H for pairs of scene graphs (stimulus, reconstruction), including what was matched, missed and
/// invented. Options, WordNet and the phrase encoder come from the request.
///
/// # Errors
/// [`Error::Usage`] if WordNet or an encoder is needed but missing; errors of options and models. Errors name a pair by
/// its position.
pub fn score_scene_graphs(
    pairs: &[(&SceneGraph, &SceneGraph)],
    request: &ScoreRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<ExplainedGraphs>, Error> {
    let tools = GraphTools::find(request, false)?;
    if let Some(lacking) = tools.lacking {
        return Err(Error::Usage(format!("scene graphs are compared with {lacking}")));
    }
    let wordnet = tools.wordnet.map(WordNet::open).transpose()?;
    let lexicon: &dyn Lexicon = match &wordnet {
        Some(wordnet) => wordnet,
        None => &NoLexicon,
    };
    let options = &request.options.basic_h;
    let normal = |graph: &SceneGraph| normalise(std::slice::from_ref(graph), lexicon, &options.normalise);
    let comparison = GraphComparison {
        metric: "basic_h",
        options,
        lexicon,
        embed: &|phrases| {
            let encoder = &request.phrase_encoder;
            embed(phrases, encoder, None, None, settings, progress)
        },
        progress,
    };
    let places: Vec<Pair> = (0..pairs.len()).map(|place| Pair::at(place.to_string(), place)).collect();
    let matched = comparison.matched(&places, |pair| {
        let (gt, recon) = pairs[pair.gt];
        Ok((normal(gt), normal(recon)))
    })?;
    Pairs::new(&places, |place, pair| matched.scores(place, pair)).seen(|_, scores| Ok(scores))
}
