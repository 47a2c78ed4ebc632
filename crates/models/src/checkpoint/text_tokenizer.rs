//! Turns texts into token ids.

use crate::ModelError;
use neurogauge_formats::regular_file;
use std::ops::Range;
use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};

/// The tokenizer of a text model; it cuts texts at the model's own limit.
pub(crate) struct TextTokenizer {
    tokenizer: Tokenizer,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenizerNeeds {
    /// Number of vectors in the model's token table.
    pub(crate) vocab_size: usize,
    /// May the table have vectors that belong to no token?
    pub(crate) may_have_fewer_tokens: bool,
    /// Longer texts are cut to this many tokens.
    pub(crate) max_tokens: usize,
    /// Names of the tokens around a text.
    pub(crate) ends: &'static [&'static str],
}

impl TextTokenizer {
    /// Reads `tokenizer.json`. Its own truncation and padding (128 tokens for MiniLM) are replaced by the model's limit
    /// and by no padding.
    pub(crate) fn read(path: &Path, needs: &TokenizerNeeds) -> Result<Self, ModelError> {
        let mut tokenizer = open(path, needs.vocab_size, needs.may_have_fewer_tokens)?;
        let malformed = |reason| ModelError::malformed(path, reason);
        tokenizer
            .with_padding(None)
            .with_truncation(Some(TruncationParams {
                max_length: needs.max_tokens,
                ..TruncationParams::default()
            }))
            .map_err(|error| malformed(error.to_string()))?;
        let tokenizer = TextTokenizer { tokenizer };
        if tokenizer.ids(0, "")?.len() != needs.ends.len() {
            return Err(malformed(format!(
                "it puts no {} around a text, which the model needs",
                needs.ends.join(" and ")
            )));
        }
        Ok(tokenizer)
    }

    /// Reads the `tokenizer.json` of a model that only writes text, so the tokens added around an input do not matter.
    /// Its table of `vocab_size` vectors may have some that belong to no token.
    pub(crate) fn of_words(path: &Path, vocab_size: usize) -> Result<Self, ModelError> {
        let tokenizer = open(path, vocab_size, true)?;
        Ok(TextTokenizer { tokenizer })
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// The ids of text number `index`, including the tokens around it.
    pub(crate) fn ids(&self, index: usize, text: &str) -> Result<Vec<u32>, ModelError> {
        let encoding = self.tokenizer.encode_fast(text, true);
        Ok(encoding.map_err(|error| refused(index, text, &error.to_string()))?.get_ids().to_vec())
    }

    /// The ids, and the byte range of the text that each token covers; empty for the tokens around the text.
    pub(crate) fn pieces(&self, text: &str) -> Result<(Vec<u32>, Vec<Range<usize>>), ModelError> {
        let encoding = self.tokenizer.encode(text, true).map_err(|error| refused(0, text, &error.to_string()))?;
        let offsets = encoding.get_offsets().iter();
        let bytes = offsets.map(|&(start, end)| start..end).collect();
        Ok((encoding.get_ids().to_vec(), bytes))
    }

    /// Decodes ids without special tokens, as transformers' `decode(skip_special_tokens=True)` does: with the
    /// tokenizer's own decoder. If `joins_marks` (`clean_up_tokenization_spaces` in `tokenizer_config.json`),
    /// punctuation is then joined to the word before it.
    pub(crate) fn text(&self, ids: &[u32], joins_marks: bool) -> Result<String, ModelError> {
        let text = self.tokenizer.decode(ids, true);
        let text = text.map_err(|error| {
            ModelError::item(format_args!("the tokenizer makes no text of the ids {ids:?}: {error}"))
        })?;
        Ok(if joins_marks { joined(&text) } else { text })
    }
}

/// Reads `tokenizer.json`, whose vocabulary must have as many tokens as the model has vectors, or at most as many if
/// `may_have_fewer`.
fn open(path: &Path, vocab_size: usize, may_have_fewer: bool) -> Result<Tokenizer, ModelError> {
    let bytes = regular_file::read(path).map_err(|source| ModelError::io(path, "read", source))?;
    let tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| ModelError::malformed(path, error))?;
    let n_tokens = tokenizer.get_vocab_size(true);
    if n_tokens == vocab_size || (may_have_fewer && n_tokens < vocab_size) {
        return Ok(tokenizer);
    }
    let reason =
        format!("the vocabulary has {n_tokens} tokens, and the model {vocab_size}; the two are of different models");
    Err(ModelError::malformed(path, reason))
}

fn refused(index: usize, text: &str, reason: &str) -> ModelError {
    /// Enough of the text to recognise it, in characters.
    const SHOWN: usize = 60;
    let shown: String = text.chars().take(SHOWN).collect();
    ModelError::tokenize(index, &shown, reason)
}

/// Removes blanks around some punctuation and before some suffixes, in transformers' order.
fn joined(text: &str) -> String {
    const WITHOUT_BLANKS: [(&str, &str); 10] = [
        (" .", "."),
        (" ?", "?"),
        (" !", "!"),
        (" ,", ","),
        (" ' ", "'"),
        (" n't", "n't"),
        (" 'm", "'m"),
        (" 's", "'s"),
        (" 've", "'ve"),
        (" 're", "'re"),
    ];
    WITHOUT_BLANKS.iter().fold(text.to_owned(), |text, (with, without)| text.replace(with, without))
}

#[cfg(test)]
pub(crate) use tests::of_bert;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goldens::{golden, read};
    use std::path::PathBuf;

    fn named_by(variable: &str) -> PathBuf {
        std::env::var_os(variable)
            .unwrap_or_else(|| panic!("{variable} is not set: run `make test`"))
            .into()
    }

    fn tokenizer(file: &Path, vocab_size: usize, max_tokens: usize, ends: &'static [&'static str]) -> TextTokenizer {
        let needs = TokenizerNeeds {
            vocab_size,
            max_tokens,
            may_have_fewer_tokens: false,
            ends,
        };
        TextTokenizer::read(file, &needs).unwrap()
    }

    /// bert-base-uncased's tokenizer.
    pub(crate) fn of_bert(max_tokens: usize) -> TextTokenizer {
        let file = named_by("NEUROGAUGE_TEST_WEIGHTS").join("tokenizer.json");
        tokenizer(&file, 30_522, max_tokens, &["[CLS]", "[SEP]"])
    }

    #[test]
    fn token_ids_equal_those_of_transformers() {
        let tokenizer = of_bert(256);
        let golden = golden("../text_encoder");
        let captions: Vec<String> = read(&golden["captions"]);
        let expected: Vec<Vec<u32>> = read(&golden["token_ids"]);
        assert_eq!(captions.len(), expected.len());
        for (index, (caption, expected)) in captions.iter().zip(&expected).enumerate() {
            assert_eq!(tokenizer.ids(index, caption).unwrap(), *expected, "{caption:?}");
        }
    }

    #[test]
    fn texts_of_ids_equal_those_of_transformers() {
        let tokenizer = of_bert(512);
        for case in golden("caption_text").as_array().unwrap() {
            let ids: Vec<u32> = read(&case["ids"]);
            assert_eq!(tokenizer.text(&ids, false).unwrap(), case["text"]);
            assert_eq!(tokenizer.text(&ids, true).unwrap(), case["joined"]);
        }
    }

    /// Where OpenAI's own tokenizer gives other ids (mojibake, HTML), transformers' ids are expected.
    #[test]
    #[ignore = "needs CLIP's tokenizer.json: NEUROGAUGE_CLIP_TOKENIZER names it"]
    fn token_ids_of_clip_equal_those_of_transformers() {
        let file = named_by("NEUROGAUGE_CLIP_TOKENIZER");
        let tokenizer = tokenizer(&file, 49_408, 77, &["<|startoftext|>", "<|endoftext|>"]);
        for (index, case) in golden("clip_tokenizer")["cases"].as_array().unwrap().iter().enumerate() {
            let text = case["text"].as_str().unwrap();
            let expected = case.get("hugging_face").unwrap_or(&case["ids"]);
            let ids = tokenizer.ids(index, text).unwrap();
            assert_eq!(serde_json::json!(ids), *expected, "{text:?}");
        }
    }
}
