//! Scene graphs prepared for comparison: in base forms, without parts that are not compared.

use crate::dataset::{Dataset, Paired, StemGraphs};
use neurogauge_core::{Captions, Lexicon, SceneGraph, Side, Sides, Undefined};
use neurogauge_metrics::decoding::basic_h::{NormaliseOptions, keep_nouns, normalise};
use std::collections::HashMap;

/// The graphs of both sides, with the captions and options that decide how each is prepared.
pub(super) struct ComparableGraphs<'a> {
    dataset: &'a Dataset,
    graphs: &'a Paired<StemGraphs>,
    /// By stem.
    captions: Sides<HashMap<&'a str, &'a Captions>>,
    lexicon: &'a dyn Lexicon,
    options: &'a NormaliseOptions,
}

impl<'a> ComparableGraphs<'a> {
    pub(super) fn of(
        dataset: &'a Dataset,
        graphs: &'a Paired<StemGraphs>,
        lexicon: &'a dyn Lexicon,
        options: &'a NormaliseOptions,
    ) -> Self {
        let by_stem = |side: Side| {
            let captions = dataset.captions.as_ref();
            let of_side = captions.map_or(&[][..], |captions| captions.sides.side(side));
            let known = of_side.iter().filter(|(_, texts)| !texts.0.is_empty());
            known.map(|(stem, texts)| (stem.as_str(), texts)).collect()
        };
        ComparableGraphs {
            dataset,
            graphs,
            captions: Sides {
                gt: by_stem(Side::Gt),
                recon: by_stem(Side::Recon),
            },
            lexicon,
            options,
        }
    }

    /// The graph at a position of a side, or why there is none.
    pub(super) fn get(&self, side: Side, place: usize) -> Result<SceneGraph, Undefined> {
        let (stem, graph) = &self.graphs.sides.side(side)[place];
        let captions = self.captions.side(side).get(stem.as_str());
        let Some(graph) = graph else {
            return Err(match captions {
                Some(_) => Undefined::NoSceneGraph(side),
                None => Undefined::NoCaption(side),
            });
        };
        let graph = normalise(std::slice::from_ref(graph), self.lexicon, self.options);
        let Some(filter) = &self.dataset.noun_filter else {
            return Ok(graph);
        };
        let captions = captions.ok_or(Undefined::NoCaption(side))?;
        let lexicon = self.options.lemmas.then_some(self.lexicon);
        Ok(keep_nouns(graph, &filter.nouns(&captions.0, lexicon)))
    }
}
