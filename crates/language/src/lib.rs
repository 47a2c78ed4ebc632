//! Words and sentences, as metrics of captions need them.
//!
//! - [`WordNet`]: lemmas and synonyms from a WordNet directory.
//! - [`SentenceSplitter`]: splits a text into sentences by Punkt, with given parameters or with ours.
//! - [`word_tokens`]: words of a sentence.
//! - [`ptb_caption_words`]: words of a caption, as BLEU, ROUGE-L and CIDEr count them.
//! - [`rouge_words`]: words as ROUGE-1, -2 and -L (F1) count them. [`porter_stem`]: the stem of a word.
//! - [`PerceptronTagger`]: the part of speech of each word, with weights that the user supplies. [`NounFilter`]: uses
//!   it to find the nouns of captions.

mod characters;
mod error;
mod mapped_file;
mod noun_filter;
mod patterns;
mod porter;
mod ptb_tokens;
mod resource;
mod rouge_words;
mod sentences;
mod tagger;
mod wordnet;
mod words;

pub use error::LanguageError;
pub use noun_filter::NounFilter;
pub use porter::porter_stem;
pub use ptb_tokens::ptb_caption_words;
pub use rouge_words::rouge_words;
pub use sentences::{PunktParameters, SentenceRules, SentenceSplitter, Sentences};
pub use tagger::{PerceptronTagger, is_noun_tag};
pub use wordnet::{Synset, WordNet};
pub use words::{word_tokens, word_tokens_of_text};
