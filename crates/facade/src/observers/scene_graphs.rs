//! The scene-graph parser, which turns captions into graphs, sentence by sentence.

use super::{About, Observer};
use crate::Error;
use crate::caption_sentences::{CaptionSentences, SentenceRecipe};
use crate::execute::{
    Found, SourceItems, StepContext, StepInputs, StepMemory, StepObserver, StepResult, Texts, prefix, recipe_json,
};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::{ImageSet, ModelIdentity, ObservationKind, Role, SceneGraph};
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::scene_graphs;
use neurogauge_formats::store::Store;
use neurogauge_language::{SentenceSplitter, WordNet};
use neurogauge_metrics::decoding::basic_h::{NoLexicon, NormaliseOptions, Subcaptions, normalise};
use neurogauge_models::{DeviceChoice, LocalSceneGraphParser, ModelError, ParserOptions, SceneGraphParser};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The parser that `--set parser=t5` selects.
pub const DEFAULT_PARSER: &str = "factual_t5";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphRecipe {
    pub model: ModelIdentity,
    pub options: ParserOptions,
    pub sentences: SentenceRecipe,
    /// Were sub-captions parsed too (convention `parsed-captions`)?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sub_captions: bool,
}

/// The parser's result for a caption: the merged graphs of its sentences, in the parser's words. Base forms are looked
/// up when graphs are written or compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ParsedCaption {
    graph: SceneGraph,
    /// Number of facts that were dropped because they do not have three parts.
    n_malformed: usize,
}

/// A parser whose weights are on this machine.
pub(crate) struct GraphObserver {
    recipe: GraphRecipe,
    splitter: SentenceSplitter,
    found: LocalSceneGraphParser,
    /// The WordNet used to write graphs in base forms, and its SHA-256.
    wordnet: Option<(WordNet, String)>,
}

/// The recipe recorded for graphs that are written in base forms.
#[derive(Serialize)]
struct WrittenRecipe<'a> {
    #[serde(flatten)]
    recipe: &'a GraphRecipe,
    /// SHA-256 of WordNet's files, if words were written in their base forms.
    wordnet_sha256: Option<&'a str>,
}

impl GraphObserver {
    /// Finds the weights of a parser; missing ones are downloaded if allowed.
    pub(crate) fn find(
        id: &str,
        options: ParserOptions,
        punkt: Option<&Path>,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let sentences = CaptionSentences::of(punkt)?;
        let found: LocalSceneGraphParser = obtain(id, settings, progress).map_err(|error| match error {
            ModelError::WeightsNotFound { .. } | ModelError::Download { .. } => Error::ParserWeights { source: error },
            other => other.into(),
        })?;
        Ok(GraphObserver {
            recipe: GraphRecipe {
                model: found.identity().clone(),
                options,
                sentences: sentences.recipe,
                sub_captions: false,
            },
            splitter: sentences.splitter,
            found,
            wordnet: None,
        })
    }

    pub(crate) fn with_subcaptions(mut self, sub_captions: bool) -> Self {
        self.recipe.sub_captions = sub_captions;
        self
    }

    /// Writes graphs in the base forms of WordNet, without attributes that end in " of".
    pub(crate) fn in_base_forms(mut self, folder: &Path) -> Result<Self, Error> {
        let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES)?;
        self.wordnet = Some((WordNet::open(folder)?, record.sha256));
        Ok(self)
    }

    /// The parser's graphs of these texts, each with the number of dropped facts.
    fn parse(&self, parser: &SceneGraphParser, texts: &[&str]) -> Result<Vec<(SceneGraph, usize)>, ModelError> {
        let parsed = parser.parse(texts, &self.recipe.options, &|_| {})?;
        let read = parsed.into_iter().map(|parsed| parsed.reading);
        Ok(read.map(|read| (read.graph, read.n_malformed)).collect())
    }
}

impl Observer for GraphObserver {
    type Item = String;
    type Recipe = GraphRecipe;
    type Model = SceneGraphParser;
    type Input = Vec<String>;
    type Output = ParsedCaption;

    const ABOUT: About = About::of("scene_graph", "0.1.0", ObservationKind::SceneGraphs, 32);

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &GraphRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<SceneGraphParser>, Error> {
        Ok(Box::new(self.found.load()?))
    }

    fn prepare(&self, caption: String) -> Result<Vec<String>, ModelError> {
        Ok(self.splitter.split(&caption).sentences.into_iter().map(str::to_owned).collect())
    }

    fn observe(
        &self,
        parser: &SceneGraphParser,
        captions: &[Vec<String>],
        _progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<ParsedCaption>, ModelError> {
        let sentences: Vec<&str> = captions.iter().flatten().map(String::as_str).collect();
        let mut parsed = self.parse(parser, &sentences)?.into_iter();
        let of_captions = captions.iter().map(|sentences| {
            let (graphs, malformed): (Vec<SceneGraph>, Vec<usize>) = parsed.by_ref().take(sentences.len()).unzip();
            (graphs, malformed.iter().sum())
        });
        let of_captions: Vec<(Vec<SceneGraph>, usize)> = of_captions.collect();
        if !self.recipe.sub_captions {
            let merged = of_captions.iter().map(|(graphs, n_malformed)| ParsedCaption {
                graph: one_of(graphs),
                n_malformed: *n_malformed,
            });
            return Ok(merged.collect());
        }
        let sub_captions = captions.iter().zip(&of_captions).map(|(sentences, (graphs, _))| {
            let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
            Subcaptions::of(&sentences, graphs)
        });
        let sub_captions: Vec<Subcaptions> = sub_captions.collect();
        let texts: Vec<&str> = sub_captions.iter().flat_map(Subcaptions::texts).map(String::as_str).collect();
        let mut parsed = self.parse(parser, &texts)?.into_iter();
        let bound = sub_captions.iter().zip(&of_captions).map(|(sub_captions, (graphs, n_malformed))| {
            let own = parsed.by_ref().take(sub_captions.texts().len());
            let (parsed, malformed): (Vec<SceneGraph>, Vec<usize>) = own.unzip();
            ParsedCaption {
                graph: sub_captions.bind(graphs, &parsed),
                n_malformed: n_malformed + malformed.iter().sum::<usize>(),
            }
        });
        Ok(bound.collect())
    }
}

impl StepObserver for GraphObserver {
    fn memory(&self, _inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let id = &self.recipe.model.id;
        let weights = self.found.weight_memory(DeviceChoice::of(&self.recipe.model))?;
        Ok(weights.map(|weights| StepMemory::of_large_network(id, weights, 0, Self::ABOUT.batch)))
    }

    fn written_recipe(&self) -> Result<serde_json::Value, Error> {
        let written = WrittenRecipe {
            recipe: &self.recipe,
            wordnet_sha256: self.wordnet.as_ref().map(|(_, sha256)| sha256.as_str()),
        };
        recipe_json(&self.recipe.model, &written)
    }

    /// Distinct texts; several captions of an image give one graph. A shard has the captions of its images.
    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, String>>, Error> {
        let Some(captions) = step.inputs.captions(of) else {
            return Ok(None);
        };
        let of_shard = step.settings.shard.map_or(0..captions.len(), |shard| shard.items(captions.len()));
        let captions = &captions[of_shard];
        let texts: BTreeSet<&str> = captions.iter().flat_map(|(_, texts)| &texts.0).map(String::as_str).collect();
        let texts: Vec<&str> = texts.into_iter().collect();
        let prefix = prefix(self)?;
        let stems = captions.iter().map(|(stem, own)| {
            (stem.as_str(), own.0.iter().filter_map(|text| texts.binary_search(&text.as_str()).ok()).collect())
        });
        Ok(Some(SourceItems {
            keys: texts.iter().map(|text| prefix.key(&[text])).collect(),
            noun: "caption of",
            role: Role::new(of, ObservationKind::Captions).to_string(),
            stems: stems.collect(),
            images: None,
            items: Box::new(Texts(texts)),
        }))
    }

    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<ParsedCaption> + Send>, Error> {
        step.journal(Self::ABOUT.makes, &self.recipe.model.id)
    }

    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error> {
        let mut graphs = Vec::with_capacity(found.source.stems.len());
        for place in 0..found.source.stems.len() {
            let Some(parsed) = found.results(place)?.filter(|parsed| !parsed.is_empty()) else {
                continue;
            };
            made.n_malformed += parsed.iter().map(|caption| caption.n_malformed).sum::<usize>();
            let mut graph = one_of(&parsed.into_iter().map(|caption| caption.graph).collect::<Vec<_>>());
            if let Some((wordnet, _)) = &self.wordnet {
                graph = normalise(&[graph], wordnet, &NormaliseOptions::default());
            }
            graphs.push((found.stem(place).to_owned(), graph));
        }
        match found.file(made) {
            Some(path) => Ok(scene_graphs::write_json(&path, &graphs)?),
            None => Ok(()),
        }
    }

    fn finish(&self, made: &mut StepResult) {
        made.sentence_rules = Some(self.recipe.sentences.rules.clone());
    }
}

/// Merges several graphs: objects with equal names become one, with the attributes of all.
fn one_of(graphs: &[SceneGraph]) -> SceneGraph {
    let as_written = NormaliseOptions {
        lemmas: false,
        drop_of: false,
        ..NormaliseOptions::default()
    };
    normalise(graphs, &NoLexicon, &as_written)
}
