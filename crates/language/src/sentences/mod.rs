//! Splits texts into sentences.

mod boundaries;
mod decision;
mod own_parameters;
mod parameters;
mod pieces;
mod token;

use crate::LanguageError;
pub(crate) use own_parameters::is_starter;
pub use parameters::PunktParameters;
use std::path::Path;

/// The parameters that split a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentenceRules {
    /// Punkt with the parameters in a folder.
    Punkt,
    /// Punkt's procedure with the short lists of this crate.
    Own,
}

impl SentenceRules {
    /// The name in tables and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Punkt => "punkt",
            Self::Own => "own",
        }
    }
}

/// The sentences of a text, and the rules that split it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentences<'a> {
    /// In the text's order, without the spaces between them.
    pub sentences: Vec<&'a str>,
    pub rules: SentenceRules,
}

/// Splits English text into sentences by the decision procedure of Punkt (Kiss and Strunk, 2006).
///
/// Every ".", "?" and "!" before a space or a closing mark is a candidate. It ends a sentence unless its word is an
/// abbreviation, an initial or a number that the word after it continues; Punkt's parameters decide that
/// (abbreviations, pairs of words, words that begin sentences, and in which case a word was seen). Closing quotes and
/// brackets stay with the sentence they close. The parameters come from a folder
/// ([`with_parameters`](Self::with_parameters)), which gives the results of NLTK's `sent_tokenize`, or from a short
/// list in this crate ([`with_own_rules`](Self::with_own_rules)), which does not.
///
/// Convention: `sentences-punkt`.
///
/// Reference: `PunktSentenceTokenizer` of NLTK 3.10.4 with the same parameters, exactly.
#[derive(Debug, Clone)]
pub struct SentenceSplitter {
    parameters: PunktParameters,
    rules: SentenceRules,
}

impl SentenceSplitter {
    /// Splits by the parameters in `folder` (see [`PunktParameters::open`]).
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, LanguageError> {
        PunktParameters::open(folder).map(Self::with_parameters)
    }

    /// Splits by these parameters.
    pub fn with_parameters(parameters: PunktParameters) -> Self {
        Self {
            parameters,
            rules: SentenceRules::Punkt,
        }
    }

    /// Splits by this crate's abbreviations and words that begin sentences, for English.
    pub fn with_own_rules() -> Self {
        Self {
            parameters: PunktParameters::own(),
            rules: SentenceRules::Own,
        }
    }

    /// The sentences of `text`; empty if the text has only spaces.
    pub fn split<'a>(&self, text: &'a str) -> Sentences<'a> {
        Sentences {
            sentences: boundaries::sentences(text, &self.parameters).into_iter().map(|bytes| &text[bytes]).collect(),
            rules: self.rules,
        }
    }

    pub fn rules(&self) -> SentenceRules {
        self.rules
    }
}
