//! Words and sentences, as metrics of captions need them.
//!
//! - [`WordNet`]: lemmas and synonyms from a WordNet directory.

mod error;
mod mapped_file;
mod wordnet;

pub use error::LanguageError;
pub use wordnet::{Synset, WordNet};
