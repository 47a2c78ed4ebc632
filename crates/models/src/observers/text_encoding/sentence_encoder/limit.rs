//! The number of tokens that a text is cut to.

use crate::ModelError;
use crate::checkpoint::config_json::{Refusal, read_json};
use serde::Deserialize;
use std::path::Path;

/// The fields of `sentence_bert_config.json` that matter.
#[derive(Debug, Clone, Deserialize)]
struct SentenceConfig {
    max_seq_length: usize,
}

/// An architecture's limits on the number of tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenLimit {
    pub(super) architecture: &'static str,
    /// Without a file.
    pub(super) usual: usize,
    /// The number of positions that the model has.
    pub(super) most: usize,
}

/// Number of tokens, those around it included, that a text is cut to: the model's own limit, where the
/// file exists, and not the one in `tokenizer.json`, which is left over from training.
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
