//! From texts to token ids.

use super::config::Config;
use crate::ModelError;
use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};

/// The WordPiece tokenizer of a BERT, cutting texts at the model's own limit.
pub(crate) struct TextTokenizer {
    tokenizer: Tokenizer,
}

impl TextTokenizer {
    /// Reads `tokenizer.json`. Its own truncation and padding (128 tokens in the published file) are
    /// replaced: truncation by `max_tokens`, padding by none.
    pub(crate) fn read(
        path: &Path,
        config: &Config,
        max_tokens: usize,
    ) -> Result<Self, ModelError> {
        let malformed = |reason: String| ModelError::MalformedFile {
            path: path.to_owned(),
            reason,
        };
        let bytes = std::fs::read(path).map_err(|source| ModelError::Io {
            path: path.to_owned(),
            action: "read",
            source,
        })?;
        let mut tokenizer =
            Tokenizer::from_bytes(bytes).map_err(|error| malformed(error.to_string()))?;
        let n_tokens = tokenizer.get_vocab_size(true);
        if n_tokens != config.vocab_size {
            return Err(malformed(format!(
                "the vocabulary has {n_tokens} tokens, and config.json says {}; \
                 the two files are of different models",
                config.vocab_size
            )));
        }
        tokenizer
            .with_padding(None)
            .with_truncation(Some(TruncationParams {
                max_length: max_tokens,
                ..TruncationParams::default()
            }))
            .map_err(|error| malformed(error.to_string()))?;
        let tokenizer = TextTokenizer { tokenizer };
        if tokenizer.ids(0, "")?.is_empty() {
            return Err(malformed(
                "it puts no [CLS] and [SEP] around a text; the model needs both".to_owned(),
            ));
        }
        Ok(tokenizer)
    }

    /// The ids of text number `index`, `[CLS]` first and `[SEP]` last.
    pub(crate) fn ids(&self, index: usize, text: &str) -> Result<Vec<u32>, ModelError> {
        /// Enough of the text to recognise it by.
        const SHOWN: usize = 60;
        let encoding =
            self.tokenizer
                .encode_fast(text, true)
                .map_err(|error| ModelError::Tokenize {
                    index,
                    text: text.chars().take(SHOWN).collect(),
                    reason: error.to_string(),
                })?;
        Ok(encoding.get_ids().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn token_ids_equal_those_of_transformers() {
        let dir: PathBuf = std::env::var_os("NEUROGAUGE_TEST_WEIGHTS")
            .expect("NEUROGAUGE_TEST_WEIGHTS is not set: run `make test`")
            .into();
        let config = Config::read(&dir.join("config.json")).unwrap();
        let path = dir.join("tokenizer.json");
        let tokenizer = TextTokenizer::read(&path, &config, 256).unwrap();

        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../reference/golden/text_encoder.json"
        );
        let golden: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path).expect(path)).unwrap();
        let captions: Vec<String> = serde_json::from_value(golden["captions"].clone()).unwrap();
        let expected: Vec<Vec<u32>> = serde_json::from_value(golden["token_ids"].clone()).unwrap();
        assert_eq!(captions.len(), expected.len());
        for (index, (caption, expected)) in captions.iter().zip(&expected).enumerate() {
            assert_eq!(
                tokenizer.ids(index, caption).unwrap(),
                *expected,
                "{caption:?}"
            );
        }
    }
}
