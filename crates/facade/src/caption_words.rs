//! Metrics of the words of captions: captions are split as each metric requires, and compared.

use crate::Error;
use crate::caption_sentences::CaptionSentences;
use crate::scene_graph_tools::installed_wordnet;
use neurogauge_core::option_words::option;
use neurogauge_core::parallel;
use neurogauge_core::{Lexicon, Outcome};
use neurogauge_language::{
    SentenceSplitter, WordNet, porter_stem, ptb_caption_words, rouge_words, word_tokens_of_text,
};
use neurogauge_metrics::decoding::basic_h::NoLexicon;
use neurogauge_metrics::{CaptionWords, Metric, WordFunction, WordsOfPairs};
use std::path::{Path, PathBuf};

/// WordNet's folder for a metric that looks words up: the given one, or the installed one.
///
/// # Errors
/// There is no dictionary; the error says what is needed.
pub fn dictionary_of(metric: &Metric, given: Option<&Path>) -> Result<Option<PathBuf>, String> {
    let words = metric.compute.function::<WordFunction>().map(|function| function.words);
    if words != Some(CaptionWords::Nltk) {
        return Ok(None);
    }
    let installed = || installed_wordnet().ok();
    let folder = given.map(Path::to_owned).or_else(installed);
    let lacking = || format!("{} needs {}", metric.spec.id, no_dictionary());
    folder.map(Some).ok_or_else(lacking)
}

/// Says what a metric that looks words up needs if there is no dictionary.
pub(crate) fn no_dictionary() -> String {
    format!(
        "WordNet 3.0 (apt install wordnet-base, on Debian and Ubuntu; or its folder of index.noun, data.noun and so on with {})",
        option("wordnet", "DIR")
    )
}

/// The references of a caption, and the caption.
pub type ReferencesAndCaption<'a> = (Vec<&'a str>, &'a str);

/// Splits and compares captions.
#[derive(Debug)]
pub struct CaptionTools<'a> {
    /// The dictionary of synonyms, for METEOR.
    pub wordnet: Option<&'a WordNet>,
    /// Are words stemmed for ROUGE as F1?
    pub rouge_stemming: bool,
    splitter: SentenceSplitter,
}

impl<'a> CaptionTools<'a> {
    /// Sentences are split with Punkt's parameters in a folder, or by our own rules.
    pub fn new(wordnet: Option<&'a WordNet>, rouge_stemming: bool, punkt: Option<&Path>) -> Result<Self, Error> {
        Ok(CaptionTools {
            wordnet,
            rouge_stemming,
            splitter: CaptionSentences::of(punkt)?.splitter,
        })
    }

    /// One outcome for each pair; empty for metrics that do not compare words of captions.
    pub fn scores(&self, metric: &Metric, pairs: &[ReferencesAndCaption<'_>]) -> Vec<Outcome> {
        let function = metric.compute.function::<WordFunction>();
        function.map_or(Vec::new(), |function| self.scores_and_shares(&function, pairs, None, |_| None).0)
    }

    /// One outcome for each pair and, for a metric of all captions together, what each pair adds to the system's value.
    /// If pairs are parts of items, `documents` says which have references that no earlier part of their item has, and
    /// `weights` gives the weight of each, from its score.
    pub(crate) fn scores_and_shares(
        &self,
        function: &WordFunction,
        pairs: &[ReferencesAndCaption<'_>],
        documents: Option<&[bool]>,
        weights: impl FnOnce(&[Outcome]) -> Option<Vec<f64>>,
    ) -> (Vec<Outcome>, Option<Vec<Outcome>>) {
        let split = |text: &str| match function.words {
            CaptionWords::Coco => ptb_caption_words(text),
            CaptionWords::Nltk => word_tokens_of_text(text, &self.splitter),
            CaptionWords::Rouge => rouge_words(text, self.rouge_stemming),
        };
        let of_pair = |(references, caption): &ReferencesAndCaption<'_>| {
            let references: Vec<Vec<String>> = references.iter().map(|text| split(text)).collect();
            (references, split(caption))
        };
        let (references, captions): (Vec<_>, Vec<_>) = parallel::map_each(pairs, of_pair).into_iter().unzip();
        let lexicon: &dyn Lexicon = match self.wordnet {
            Some(wordnet) => wordnet,
            None => &NoLexicon,
        };
        let words = WordsOfPairs {
            references: &references,
            captions: &captions,
            stem: porter_stem,
            lexicon,
            documents,
            weights: None,
        };
        let scores = (function.compare)(&words);
        let shares = function.of_all.map(|of_all| {
            let weights = weights(&scores);
            of_all(&WordsOfPairs {
                weights: weights.as_deref(),
                ..words
            })
        });
        (scores, shares)
    }
}
