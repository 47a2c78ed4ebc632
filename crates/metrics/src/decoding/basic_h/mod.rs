//! BASIC-H: objects, attributes and relations that two captions share.

mod details;
mod dimension_scores;
mod dimensions;
mod matching;
mod normalise;
mod nouns;
mod options;
mod scores;
mod subcaptions;
pub(crate) mod synonyms;

pub use details::basic_h_details;
pub use dimension_scores::{DimensionScores, dimension_counts, dimension_f1_values, dimension_scores};
pub use dimensions::{ElementDimensions, ElementKind, dimension};
pub use matching::{GraphMatches, Match, Matches, match_words};
pub use normalise::normalise;
pub use nouns::keep_nouns;
pub use options::{
    Assignment, BasicHOptions, BasicPreset, Containment, NegativeCosines, NormaliseOptions, Rules, SoftMatching,
};
pub use scores::{BasicHScores, ElementScores, Matched, Nearest, basic_h, basic_h_scores};
pub use subcaptions::Subcaptions;

use neurogauge_core::{Lexicon, PartOfSpeech};
use std::collections::BTreeSet;

/// An empty dictionary: every word is its own base form and has no synonyms. It is used if neither `lemmas` nor
/// `synonyms` is requested.
#[derive(Debug, Clone, Copy)]
pub struct NoLexicon;

impl Lexicon for NoLexicon {
    fn lemma(&self, word: &str, _: PartOfSpeech) -> String {
        word.to_owned()
    }

    fn synonyms(&self, _: &str) -> BTreeSet<String> {
        BTreeSet::new()
    }
}
