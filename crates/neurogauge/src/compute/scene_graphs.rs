//! Metrics of the captions' scene graphs: by their words first, then what is left by its embeddings.

use super::{Columns, Context, of_kind, transpose};
use crate::Error;
use crate::caption_embeddings::{Embeddings, embed};
use crate::progress::Progress;
use crate::selection::Selection;
use neurogauge_core::{Lexicon, Outcome, SceneGraph, Side, Undefined};
use neurogauge_language::WordNet;
use neurogauge_metrics::decoding::basic_h::{
    BasicHOptions, BasicHScores, GraphMatches, NoLexicon, basic_h_scores, match_words, normalise,
};
use neurogauge_metrics::{Compute, MetricError, cosine};
use rayon::prelude::*;
use std::collections::BTreeSet;

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let metrics = of_kind(selection, |compute| match compute {
        Compute::SceneGraphs(pick) => Some(*pick),
        _ => None,
    });
    let (Some(graphs), Some((first, _))) = (&context.dataset.scene_graphs, metrics.first()) else {
        return Ok(Columns::new());
    };
    let pairs: Vec<GraphPair<'_>> = graphs
        .pairs
        .iter()
        .map(|pair| GraphPair {
            stem: pair.stem.clone(),
            gt: &graphs.sides.gt[pair.gt].1,
            recon: &graphs.sides.recon[pair.recon].1,
        })
        .collect();
    let embed_phrases = |phrases: &BTreeSet<&str>| {
        embed(
            phrases,
            &context.request.phrase_encoder,
            &context.folder.caption_embeddings_dir(),
            context.settings,
            context.progress,
        )
    };
    let comparison = GraphComparison {
        metric: first,
        options: &context.request.options.basic_h,
        wordnet: context.dataset.wordnet.as_ref(),
        embed: &embed_phrases,
        progress: context.progress,
    };
    let rows = comparison.scores(&pairs)?;
    let rows = rows
        .iter()
        .map(|scores| metrics.iter().map(|(_, pick)| pick(scores)).collect());
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    Ok(transpose(&ids, rows.collect()))
}

/// The graphs of a pair.
pub(crate) struct GraphPair<'a> {
    pub(crate) stem: String,
    pub(crate) gt: &'a SceneGraph,
    pub(crate) recon: &'a SceneGraph,
}

/// What graphs are compared by.
pub(crate) struct GraphComparison<'a> {
    /// Named where something is wrong.
    pub(crate) metric: &'static str,
    pub(crate) options: &'a BasicHOptions,
    pub(crate) wordnet: Option<&'a WordNet>,
    pub(crate) embed: &'a (dyn Fn(&BTreeSet<&str>) -> Result<Embeddings, Error> + Sync),
    pub(crate) progress: &'a dyn Progress,
}

impl GraphComparison<'_> {
    /// All parts of BASIC-H of each pair.
    pub(crate) fn scores(&self, pairs: &[GraphPair<'_>]) -> Result<Vec<BasicHScores>, Error> {
        let metric = self.metric;
        let failed = |pair: Option<&GraphPair<'_>>, source: MetricError| Error::Metric {
            pair: pair.map(|pair| pair.stem.clone()).unwrap_or_default(),
            metric,
            source,
        };
        let options = self.options;
        let rules = options.rules();
        let rules = rules.map_err(|source| failed(pairs.first(), source))?;
        let lexicon: &dyn Lexicon = match self.wordnet {
            Some(wordnet) => wordnet,
            None => &NoLexicon,
        };

        let n_pairs = pairs.len() as u64;
        self.progress.start("matching scene graphs", n_pairs, 0);
        let normal = |graph: &SceneGraph| {
            normalise(std::slice::from_ref(graph), lexicon, &options.normalise)
        };
        let matches: Vec<GraphMatches> = pairs
            .par_iter()
            .map(|pair| {
                let found = match_words(&normal(pair.gt), &normal(pair.recon), lexicon, &rules);
                self.progress.advance(1);
                found
            })
            .collect();
        self.progress.finish();

        let embeddings = if options.needs_embeddings() {
            let phrases = matches.iter().flat_map(GraphMatches::phrases_to_embed);
            Some((self.embed)(&phrases.collect::<BTreeSet<&str>>())?)
        } else {
            None
        };
        let embedded = |phrase: &str, side: Side| {
            let found = embeddings.as_ref().and_then(|held| held.of(phrase));
            found.ok_or(Undefined::Empty(side))
        };
        let similarity = |gt: &str, recon: &str| -> Outcome {
            cosine(embedded(gt, Side::Gt)?, embedded(recon, Side::Recon)?)
        };
        let scores = matches.par_iter().zip(pairs).map(|(found, pair)| {
            basic_h_scores(found, &similarity, options).map_err(|source| failed(Some(pair), source))
        });
        scores.collect()
    }
}
