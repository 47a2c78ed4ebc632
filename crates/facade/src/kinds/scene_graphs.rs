//! Scene graphs of captions, compared in base forms and without parts that are not compared.

use super::files::{FileKind, known};
use super::{CaptionKind, Needs, ObservedKind};
use crate::Error;
use crate::compute::{Computed, Context, GraphComparison, Pairs, content};
use crate::dataset::Opening;
use crate::observers::captions::DEFAULT_CAPTIONER;
use crate::observers::scene_graphs::DEFAULT_PARSER;
use crate::observers::text_embeddings::DEFAULT_PHRASE_ENCODER;
use crate::option_names::PARSER_T5;
use neurogauge_core::{Captions, Lexicon, ObservationKind, Pair, SceneGraph, Side, Sides, Undefined};
use neurogauge_formats::{FormatError, scene_graphs};
use neurogauge_metrics::decoding::basic_h::{NoLexicon, keep_nouns, normalise};
use neurogauge_metrics::{GraphFunction, Metric};
use std::collections::HashMap;
use std::path::Path;

pub(crate) struct SceneGraphKind;

impl FileKind for SceneGraphKind {
    const KIND: ObservationKind = ObservationKind::SceneGraphs;
    /// `None` for a caption that could not be parsed.
    type Entry = Option<SceneGraph>;

    fn read(path: &Path) -> Result<Vec<(String, Self::Entry)>, FormatError> {
        scene_graphs::read(path).map(known)
    }

    fn content(graph: &SceneGraph) -> Option<u64> {
        content(&[graph]).filter(|_| !graph.objects.is_empty())
    }

    /// Also opens the captions, and the language data for comparing graphs.
    fn open_for(_metric: Option<&Metric>, opening: &mut Opening<'_>) -> Result<(), Error> {
        let (kind, tools) = (ObservationKind::SceneGraphs, &opening.selection.graph_tools);
        if opening.opened[kind] {
            return Ok(());
        }
        if tools.needs_captions() {
            opening.kind(ObservationKind::Captions)?;
            opening.sentences()?;
        }
        opening.kind(kind)?;
        if let Some(folder) = &tools.tagger {
            opening.tagger(folder)?;
        }
        tools.wordnet.as_ref().map_or(Ok(()), |folder| opening.wordnet(folder))
    }

    fn needs(_metric: &Metric) -> Needs {
        Needs {
            instead: format!(", or captions of both sides and {PARSER_T5}"),
            models: vec![DEFAULT_CAPTIONER, DEFAULT_PARSER, DEFAULT_PHRASE_ENCODER],
            looks_words_up: true,
            options: " --set parser=t5 --captioner git_large_coco",
            ..Needs::of_file(ObservationKind::SceneGraphs)
        }
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        let metrics = context.functions::<GraphFunction>(ObservationKind::SceneGraphs);
        let (Some(graphs), Some((first, _))) = (Self::of(context.dataset), metrics.first()) else {
            return Ok(());
        };
        let options = &context.request.options.basic_h;
        let lexicon: &dyn Lexicon = match &context.dataset.resources.wordnet {
            Some(wordnet) => wordnet,
            None => &NoLexicon,
        };
        let captions = Sides::of(|side| Ok::<_, Error>(captions_of(side, context)))?;
        // The prepared graph of a side, or the reason why there is none.
        let prepared = |side: Side, place: usize| -> Result<SceneGraph, Undefined> {
            let (stem, graph) = &graphs.sides.side(side).0[place];
            let captions = captions.side(side).get(stem.as_str());
            let Some(graph) = graph else {
                return Err(match captions {
                    Some(_) => Undefined::NoSceneGraph(side),
                    None => Undefined::NoCaption(side),
                });
            };
            let graph = normalise(std::slice::from_ref(graph), lexicon, &options.normalise);
            let Some(filter) = &context.dataset.resources.noun_filter else {
                return Ok(graph);
            };
            let captions = captions.ok_or(Undefined::NoCaption(side))?;
            let lexicon = options.normalise.lemmas.then_some(lexicon);
            Ok(keep_nouns(graph, &filter.nouns(&captions.0, lexicon)))
        };
        let comparison = GraphComparison {
            metric: first,
            options,
            lexicon,
            embed: &|phrases| context.embed(phrases, &context.request.phrase_encoder, None),
            progress: context.progress,
        };
        let graphs_of = |pair: &Pair| Ok((prepared(Side::Gt, pair.gt)?, prepared(Side::Recon, pair.recon)?));
        let matched = comparison.matched(&graphs.pairs, graphs_of)?;
        let pairs = Pairs::new(&graphs.pairs, |place, pair| matched.scores(place, pair));
        let pick = |pick: &GraphFunction, _: &Pair, (scores, _): &_| Ok(pick(scores).into());
        let found = pairs.compared(&metrics, computed, pick, |_, (_, found)| found)?;
        let of_pairs = computed.details.iter_mut().zip(found);
        of_pairs.for_each(|(pair, found)| pair.add(found.unwrap_or_default()));
        Ok(())
    }
}

/// The captions of a side by stem.
fn captions_of<'a>(side: Side, context: &Context<'a>) -> HashMap<&'a str, &'a Captions> {
    let captions = CaptionKind::of(context.dataset).map_or(&[][..], |captions| &captions.sides.side(side).0);
    let known = captions.iter().filter(|(_, texts)| !texts.0.is_empty());
    known.map(|(stem, texts)| (stem.as_str(), texts)).collect()
}
