//! The nouns of captions, by which CAPTURE filters objects.

use crate::{PerceptronTagger, SentenceSplitter, is_noun_tag, word_tokens_of_text};
use neurogauge_core::{Lexicon, PartOfSpeech};
use std::collections::BTreeSet;

/// A tagger, and the sentence splitter that runs before it (convention `noun-filter`).
#[derive(Debug)]
pub struct NounFilter {
    pub tagger: PerceptronTagger,
    /// Runs first, since words are found within sentences.
    pub splitter: SentenceSplitter,
}

impl NounFilter {
    /// The nouns of an image's captions, in base form if there is a `lexicon`. The words of a caption are tagged as one
    /// sequence, not sentence by sentence.
    pub fn nouns(&self, captions: &[String], lexicon: Option<&dyn Lexicon>) -> BTreeSet<String> {
        let mut nouns = BTreeSet::new();
        for caption in captions {
            let words = word_tokens_of_text(caption, &self.splitter);
            let tags = self.tagger.tag(&words);
            let of_caption = words.iter().zip(tags).filter(|(_, tag)| is_noun_tag(tag));
            nouns.extend(of_caption.map(|(word, _)| match lexicon {
                Some(lexicon) => lexicon.lemma(word, PartOfSpeech::Noun),
                None => word.clone(),
            }));
        }
        nouns
    }
}
