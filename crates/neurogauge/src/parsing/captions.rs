//! Parses the captions of one source.

use super::recipe::{GraphRecipe, obtain};
use crate::Error;
use crate::caption_sentences::CaptionSentences;
use crate::describing::Undescribed;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::{Captions, SceneGraph};
use neurogauge_language::SentenceSplitter;
use neurogauge_metrics::decoding::basic_h::{NoLexicon, NormaliseOptions, normalise};
use neurogauge_models::{LocalSceneGraphParser, ModelError, ParserOptions, SceneGraphParser};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Captions that are parsed between two saves.
const BATCH: usize = 32;

/// What the parser made of a caption: its sentences' graphs in one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ParsedCaption {
    graph: SceneGraph,
    /// Facts that were dropped, since they are not of three parts.
    n_malformed: usize,
}

/// The graphs of a source of captions.
pub(super) struct ParsedSource {
    /// One for each image, where there is one.
    pub(super) graphs: Vec<Option<SceneGraph>>,
    pub(super) without: Vec<Undescribed>,
    /// Captions that the model had to read.
    pub(super) n_read: usize,
    /// Facts that were dropped.
    pub(super) n_malformed: usize,
}

/// A parser that is loaded when the first caption needs it.
pub(crate) struct CaptionParser {
    pub(crate) recipe: GraphRecipe,
    splitter: SentenceSplitter,
    found: LocalSceneGraphParser,
    loaded: Option<SceneGraphParser>,
}

impl CaptionParser {
    /// Finds the weights of a parser, which are downloaded where that is allowed.
    pub(super) fn find(
        id: &str,
        options: ParserOptions,
        punkt: Option<&Path>,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let CaptionSentences { splitter, recipe } = CaptionSentences::of(punkt)?;
        let found = obtain(id, settings, progress)?;
        Ok(CaptionParser {
            recipe: GraphRecipe {
                model: found.identity().clone(),
                options,
                sentences: recipe,
            },
            splitter,
            found,
            loaded: None,
        })
    }

    /// The graphs of images with these captions; several captions of an image give one graph. What the journal has
    /// is not parsed again, and what is parsed is kept there.
    pub(super) fn parse(
        &mut self,
        role: &str,
        captions: &[(String, Captions)],
        journal: &mut Journal<ParsedCaption>,
        progress: &dyn Progress,
    ) -> Result<ParsedSource, Error> {
        let texts: HashSet<&str> = captions
            .iter()
            .flat_map(|(_, texts)| texts.0.iter().map(String::as_str))
            .collect();
        let mut missing: Vec<(&str, String)> = texts
            .iter()
            .map(|text| (*text, self.recipe.key(text)))
            .filter(|(_, key)| journal.get(key).is_none())
            .collect();
        missing.sort_unstable();
        let mut failures = HashMap::new();
        if !missing.is_empty() {
            let parser = match self.loaded.take() {
                Some(parser) => parser,
                None => self.found.load()?,
            };
            let done = (texts.len() - missing.len()) as u64;
            let stage = format!("{} {role}", self.recipe.model.id);
            progress.start(&stage, texts.len() as u64, done);
            let reading = Reading {
                parser: &parser,
                splitter: &self.splitter,
                options: &self.recipe.options,
            };
            let read = reading.read_all(&missing, journal, progress, &mut failures);
            progress.finish();
            self.loaded = Some(parser);
            read?;
        }
        let mut source = ParsedSource {
            graphs: Vec::with_capacity(captions.len()),
            without: Vec::new(),
            n_read: missing.len(),
            n_malformed: 0,
        };
        for (stem, texts) in captions {
            let failure = texts.0.iter().find_map(|text| failures.get(text.as_str()));
            if let Some(reason) = failure {
                progress.note(&format!("caption of {stem:?}: {reason}"));
                source.without.push(Undescribed {
                    role: role.to_owned(),
                    stem: stem.clone(),
                    reason: reason.clone(),
                });
            }
            let keys = texts.0.iter().map(|text| self.recipe.key(text));
            let known: Option<Vec<ParsedCaption>> = keys
                .map(|key| journal.get(&key)?.as_ref().ok().cloned())
                .collect();
            let known = known.filter(|known| !known.is_empty());
            source.n_malformed += known.iter().flatten().map(|c| c.n_malformed).sum::<usize>();
            source.graphs.push(known.map(|known| {
                let graphs: Vec<SceneGraph> = known.into_iter().map(|c| c.graph).collect();
                one_of(&graphs)
            }));
        }
        Ok(source)
    }
}

/// One graph of several, word for word: equally named objects are one, with the attributes of all.
fn one_of(graphs: &[SceneGraph]) -> SceneGraph {
    let as_written = NormaliseOptions {
        lemmas: false,
        drop_of: false,
        ..NormaliseOptions::default()
    };
    normalise(graphs, &NoLexicon, &as_written)
}

struct Reading<'a> {
    parser: &'a SceneGraphParser,
    splitter: &'a SentenceSplitter,
    options: &'a ParserOptions,
}

impl Reading<'_> {
    /// Parses texts that have these keys; why some could not be comes to `failures`.
    fn read_all(
        &self,
        texts: &[(&str, String)],
        journal: &mut Journal<ParsedCaption>,
        progress: &dyn Progress,
        failures: &mut HashMap<String, String>,
    ) -> Result<(), Error> {
        for batch in texts.chunks(BATCH) {
            let captions: Vec<&str> = batch.iter().map(|(text, _)| *text).collect();
            let mut entries = Vec::with_capacity(batch.len());
            for ((text, key), parsed) in batch.iter().zip(self.read(&captions)?) {
                match parsed {
                    Ok(parsed) => entries.push((key.clone(), Ok(parsed))),
                    Err(reason) => {
                        failures.insert((*text).to_owned(), reason);
                    }
                }
            }
            journal.record(entries)?;
            progress.advance(batch.len() as u64);
        }
        Ok(())
    }

    /// The graphs of a batch. Where the batch fails, each caption goes by itself, to find the one at fault.
    fn read(&self, captions: &[&str]) -> Result<Vec<Result<ParsedCaption, String>>, Error> {
        let sentences: Vec<Vec<&str>> = captions
            .iter()
            .map(|caption| self.splitter.split(caption).sentences)
            .collect();
        let flat: Vec<&str> = sentences.iter().flatten().copied().collect();
        match self.parser.parse(&flat, self.options, &|_| {}) {
            Ok(parsed) => {
                let mut parsed = parsed.into_iter();
                let of_captions = sentences.iter().map(|sentences| {
                    let of_caption = parsed.by_ref().take(sentences.len());
                    let (graphs, malformed): (Vec<SceneGraph>, Vec<usize>) = of_caption
                        .map(|parsed| (parsed.reading.graph, parsed.reading.n_malformed))
                        .unzip();
                    Ok(ParsedCaption {
                        graph: one_of(&graphs),
                        n_malformed: malformed.iter().sum(),
                    })
                });
                Ok(of_captions.collect())
            }
            Err(error) if !is_of_a_caption(&error) => Err(error.into()),
            Err(error) if captions.len() == 1 => Ok(vec![Err(error.to_string())]),
            Err(_) => {
                let alone = captions.chunks(1).map(|caption| self.read(caption));
                Ok(alone.collect::<Result<Vec<_>, Error>>()?.concat())
            }
        }
    }
}

/// Could another caption be parsed although this one cannot?
fn is_of_a_caption(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::Logits { .. } | ModelError::Tokenize { .. } | ModelError::Detokenize { .. }
    )
}
