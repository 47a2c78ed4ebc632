//! The tokenizer beside a T5's weights.

use super::Config;
use crate::ModelError;
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use std::path::Path;

/// Reads `tokenizer.json`, which ends every text with the end token of the configuration.
pub(crate) fn tokenizer(weights: &Path, config: &Config) -> Result<TextTokenizer, ModelError> {
    let path = weights.with_file_name("tokenizer.json");
    let pieces = weights.with_file_name("spiece.model");
    if !path.exists() && pieces.exists() {
        return Err(ModelError::other(format_args!(
            "{} is missing: the tokenizer is there as spiece.model only, which is not read here. Take tokenizer.json from the same \
             place, or write it with Python: transformers.AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)",
            path.display()
        )));
    }
    let needs = TokenizerNeeds {
        vocab_size: config.vocab_size,
        may_have_fewer_tokens: true,
        max_tokens: usize::MAX,
        ends: &["</s>"],
    };
    let tokenizer = TextTokenizer::read(&path, &needs)?;
    if tokenizer.ids(0, "")? == [config.eos_token_id] {
        return Ok(tokenizer);
    }
    Err(ModelError::malformed(
        path,
        format!(
            "it does not end a text with token {}, as config.json says; the two are of different models",
            config.eos_token_id
        ),
    ))
}
