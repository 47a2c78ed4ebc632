//! The interface of a dictionary of senses.

use std::collections::BTreeSet;

/// The four parts of speech that a dictionary of senses keeps apart (satellites are adjectives).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartOfSpeech {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

/// A dictionary of senses, as metrics of words need it. Reading its files is not its job.
pub trait Lexicon: Send + Sync {
    /// The base form of `word` as that part of speech ("men" as a noun: "man"); the word itself where
    /// the dictionary knows none.
    fn lemma(&self, word: &str, part: PartOfSpeech) -> String;

    /// Names of all lemmas that share a sense with `phrase`, over all its senses and all four parts of
    /// speech, as the dictionary writes them (underscores between words). Empty where it is unknown.
    fn synonyms(&self, phrase: &str) -> BTreeSet<String>;

    /// The semantic field of the most frequent sense of `phrase` as that part of speech, named as WordNet's
    /// lexicographer files ("kitchen" as a noun: `noun.artifact`); `None` where it is unknown.
    fn semantic_field(&self, _phrase: &str, _part: PartOfSpeech) -> Option<&'static str> {
        None
    }

    /// Names of the nouns that the most frequent sense of an adjective gives a value of ("red": "color"). Empty where
    /// it is unknown.
    fn attributes(&self, _adjective: &str) -> BTreeSet<String> {
        BTreeSet::new()
    }
}
