//! The interface of a dictionary of senses.

use std::collections::BTreeSet;

/// The four parts of speech of a dictionary of senses (satellites count as adjectives).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartOfSpeech {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

/// A dictionary of senses for metrics of words. It does not read the dictionary's files.
pub trait Lexicon: Send + Sync {
    /// The base form of `word` as that part of speech ("men" as a noun: "man"); the word itself where
    /// the dictionary knows none.
    fn lemma(&self, word: &str, part: PartOfSpeech) -> String;

    /// Names of all lemmas that share a sense with `phrase`, over all its senses and all four parts of speech, as the
    /// dictionary writes them (underscores between words). Empty if it is unknown.
    fn synonyms(&self, phrase: &str) -> BTreeSet<String>;

    /// The semantic field of the most frequent sense of `phrase` as that part of speech, named as WordNet's
    /// lexicographer files ("kitchen" as a noun: `noun.artifact`); `None` if it is unknown.
    fn semantic_field(&self, _phrase: &str, _part: PartOfSpeech) -> Option<&'static str> {
        None
    }

    /// Names of the nouns that the most frequent sense of an adjective gives a value of ("red": "color"). Empty if it
    /// is unknown.
    fn attributes(&self, _adjective: &str) -> BTreeSet<String> {
        BTreeSet::new()
    }
}
