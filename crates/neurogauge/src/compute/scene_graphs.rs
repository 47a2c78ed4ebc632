//! Metrics of the captions' scene graphs: by their words first, then what is left by its embeddings.

use super::comparable_graphs::ComparableGraphs;
use super::{Columns, Context, of_kind, transpose};
use crate::Error;
use crate::caption_embeddings::embed;
use crate::selection::Selection;
use neurogauge_core::{Lexicon, Outcome, Side, Undefined};
use neurogauge_metrics::decoding::basic_h::{GraphMatches, NoLexicon, basic_h_scores, match_words};
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
    let failed = |pair: &str, source: MetricError| Error::Metric {
        pair: pair.to_owned(),
        metric: first,
        source,
    };
    let options = &context.request.options.basic_h;
    let stem = |index: usize| {
        graphs
            .pairs
            .get(index)
            .map_or("", |pair| pair.stem.as_str())
    };
    let rules = options.rules().map_err(|source| failed(stem(0), source))?;
    let lexicon: &dyn Lexicon = match &context.dataset.wordnet {
        Some(wordnet) => wordnet,
        None => &NoLexicon,
    };

    let n_pairs = graphs.pairs.len() as u64;
    context.progress.start("matching scene graphs", n_pairs, 0);
    let comparable = ComparableGraphs::of(context.dataset, graphs, lexicon, &options.normalise);
    let matches: Vec<Result<GraphMatches, Undefined>> = graphs
        .pairs
        .par_iter()
        .map(|pair| {
            let sides = comparable
                .get(Side::Gt, pair.gt)
                .and_then(|gt| Ok((gt, comparable.get(Side::Recon, pair.recon)?)));
            context.progress.advance(1);
            sides.map(|(gt, recon)| match_words(&gt, &recon, lexicon, &rules))
        })
        .collect();
    context.progress.finish();

    let embeddings = if options.needs_embeddings() {
        let known = matches.iter().flatten();
        let phrases = known.flat_map(GraphMatches::phrases_to_embed);
        Some(embed(
            &phrases.collect::<BTreeSet<&str>>(),
            &context.request.phrase_encoder,
            None,
            &context.folder.caption_embeddings_dir(),
            context.settings,
            context.progress,
        )?)
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
    let rows = matches
        .par_iter()
        .enumerate()
        .map(|(index, found)| {
            let found = match found {
                Ok(found) => found,
                Err(reason) => return Ok(vec![Err(reason.clone()); metrics.len()]),
            };
            let scores = basic_h_scores(found, &similarity, options)
                .map_err(|source| failed(stem(index), source))?;
            Ok(metrics.iter().map(|(_, pick)| pick(&scores)).collect())
        })
        .collect::<Result<Vec<Vec<Outcome>>, Error>>()?;
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    Ok(transpose(&ids, rows))
}
