//! Compares scene graphs: words are matched first, then embeddings match the rest.

use super::Pairs;
use crate::Error;
use crate::observers::text_embeddings::Embeddings;
use crate::progress::Progress;
use neurogauge_core::{Lexicon, NamedLevel, Outcome, Pair, SceneGraph, Side, Undefined};
use neurogauge_metrics::decoding::basic_h::{
    BasicHOptions, BasicHScores, ElementDimensions, GraphMatches, basic_h_details, basic_h_scores, match_words,
};
use neurogauge_metrics::{BASIC_H, MetricError, cosine};
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

/// Scene graphs after their words are matched, with the embeddings that compare the rest.
pub(crate) struct MatchedGraphs<'a> {
    comparison: GraphComparison<'a>,
    matches: Vec<Result<(GraphMatches, ElementDimensions), Undefined>>,
    embeddings: Option<Embeddings>,
}

impl<'a> GraphComparison<'a> {
    /// Matches the words of every pair, then embeds the phrases that are left, all at once.
    pub(crate) fn matched(
        self,
        pairs: &[Pair],
        graphs_of: impl Fn(&Pair) -> ComparedGraphs + Sync,
    ) -> Result<MatchedGraphs<'a>, Error> {
        let first = pairs.first().map_or("", |pair| &pair.stem);
        let rules = self.options.rules().map_err(|source| self.failed(first, source))?;
        let pairs = Pairs::new(pairs, |_, pair| Ok(graphs_of(pair)));
        let matches = pairs.shown("matching scene graphs", self.progress).seen(|_, (gt, recon)| {
            let matches = match_words(&gt, &recon, self.lexicon, &rules);
            Ok((matches, ElementDimensions::of([&gt, &recon], self.lexicon)))
        })?;
        let embeddings = if self.options.needs_embeddings() {
            let known = matches.iter().flatten();
            let phrases = known.flat_map(|(matches, _)| matches.phrases_to_embed());
            Some((self.embed)(&phrases.collect::<BTreeSet<&str>>())?)
        } else {
            None
        };
        Ok(MatchedGraphs {
            comparison: self,
            matches,
            embeddings,
        })
    }

    fn failed(&self, stem: &str, source: MetricError) -> Error {
        Error::Metric {
            pair: stem.to_owned(),
            metric: self.metric,
            source,
        }
    }
}

impl MatchedGraphs<'_> {
    /// All parts of BASIC-H of the pair at a place.
    pub(crate) fn scores(&self, place: usize, pair: &Pair) -> Result<ExplainedGraphs, Error> {
        let (found, dimensions) = match &self.matches[place] {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason.clone())),
        };
        let embedded = |phrase: &str, side: Side| {
            self.embeddings.as_ref().and_then(|held| held.of(phrase)).ok_or(Undefined::Empty(side))
        };
        let similarity =
            |gt: &str, recon: &str| -> Outcome { cosine(embedded(gt, Side::Gt)?, embedded(recon, Side::Recon)?) };
        let scores = basic_h_scores(found, &similarity, self.comparison.options);
        let scores = scores.map_err(|source| self.comparison.failed(&pair.stem, source))?;
        let levels = basic_h_details(found, &scores, dimensions).into_iter();
        let levels = levels.map(|(level, details)| (BASIC_H, level, details)).collect();
        Ok(Ok((scores, levels)))
    }
}
