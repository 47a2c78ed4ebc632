//! Compares scene graphs: words are matched first, then embeddings match the rest.

use crate::Error;
use crate::observers::text_embeddings::Embeddings;
use crate::progress::Progress;
use neurogauge_core::{Lexicon, NamedLevel, Outcome, SceneGraph, Side, Undefined};
use neurogauge_metrics::decoding::basic_h::{
    BasicHOptions, BasicHScores, ElementDimensions, GraphMatches, basic_h_details, basic_h_scores, match_words,
};
use neurogauge_metrics::{BASIC_H, MetricError, cosine};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The graphs of a pair, prepared for comparison, or the reason why there are none.
pub(crate) type ComparedGraphs = Result<(SceneGraph, SceneGraph), Undefined>;

/// The parts of BASIC-H for a pair with what was matched, missed and invented, or the reason why there are none.
pub(crate) type ExplainedGraphs = Result<(BasicHScores, Vec<NamedLevel>), Undefined>;

/// The tools and options that compare graphs.
pub(crate) struct GraphComparison<'a> {
    /// The metric that errors name.
    pub(crate) metric: &'static str,
    pub(crate) options: &'a BasicHOptions,
    pub(crate) lexicon: &'a dyn Lexicon,
    pub(crate) embed: &'a (dyn Fn(&BTreeSet<&str>) -> Result<Embeddings, Error> + Sync),
    pub(crate) progress: &'a dyn Progress,
}

impl GraphComparison<'_> {
    /// All parts of BASIC-H of the pairs with these stems.
    pub(crate) fn scores(
        &self,
        stems: &[&str],
        graphs_of: &(dyn Fn(usize) -> ComparedGraphs + Sync),
    ) -> Result<Vec<ExplainedGraphs>, Error> {
        let metric = self.metric;
        let failed = |index: usize, source: MetricError| Error::Metric {
            pair: stems.get(index).map_or("", |stem| *stem).to_owned(),
            metric,
            source,
        };
        let options = self.options;
        let rules = options.rules().map_err(|source| failed(0, source))?;
        let n_pairs = stems.len();
        self.progress.start("matching scene graphs", n_pairs as u64, 0);
        let matches: Vec<Result<(GraphMatches, ElementDimensions), Undefined>> = (0..n_pairs)
            .into_par_iter()
            .map(|index| {
                let graphs = graphs_of(index);
                self.progress.advance(1);
                graphs.map(|(gt, recon)| {
                    let matches = match_words(&gt, &recon, self.lexicon, &rules);
                    (matches, ElementDimensions::of([&gt, &recon], self.lexicon))
                })
            })
            .collect();
        self.progress.finish();

        let embeddings = if options.needs_embeddings() {
            let known = matches.iter().flatten();
            let phrases = known.flat_map(|(matches, _)| matches.phrases_to_embed());
            Some((self.embed)(&phrases.collect::<BTreeSet<&str>>())?)
        } else {
            None
        };
        let embedded = |phrase: &str, side: Side| {
            embeddings.as_ref().and_then(|held| held.of(phrase)).ok_or(Undefined::Empty(side))
        };
        let similarity =
            |gt: &str, recon: &str| -> Outcome { cosine(embedded(gt, Side::Gt)?, embedded(recon, Side::Recon)?) };
        let scores = matches.into_par_iter().enumerate();
        let scores = scores.map(|(index, found)| match found {
            Ok((found, dimensions)) => {
                let scores = basic_h_scores(&found, &similarity, options).map_err(|source| failed(index, source))?;
                let levels = basic_h_details(&found, &scores, &dimensions).into_iter();
                let levels = levels.map(|(level, details)| (BASIC_H, level, details));
                Ok(Ok((scores, levels.collect())))
            }
            Err(reason) => Ok(Err(reason)),
        });
        scores.collect()
    }
}
