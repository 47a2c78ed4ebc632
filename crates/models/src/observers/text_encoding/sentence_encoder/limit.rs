//! The number of tokens that a text is cut to.

use crate::ModelError;
use crate::checkpoint::config_json::{Refusal, read_json};
use serde::Deserialize;
use std::path::Path;

/// The field of `sentence_bert_config.json` that is used.
#[derive(Debug, Clone, Deserialize)]
struct SentenceConfig {
    max_seq_length: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TokenLimit {
    pub(super) architecture: &'static str,
    /// The limit if there is no file.
    pub(super) usual: usize,
    /// Number of positions that the model has.
    pub(super) most: usize,
}

/// Maximum number of tokens in a text, including those around it. The model's own limit applies if the file exists, not
/// the one in `tokenizer.json`, which is left over from training.
pub(super) fn max_tokens(path: &Path, limit: TokenLimit) -> Result<usize, ModelError> {
    let found = if path.exists() {
        read_json::<SentenceConfig>(path)?.max_seq_length
    } else {
        limit.usual.min(limit.most)
    };
    if (3..=limit.most).contains(&found) {
        return Ok(found);
    }
    let architecture = limit.architecture;
    Err(Refusal { path, architecture }.of("max_seq_length", &found, &format!("3 to {}", limit.most)))
}
