//! The public face of Qwen3 Embedding: loads a folder as a text encoder.

use super::config::Config;
use super::weights::build;
use super::{ARCHITECTURE, END};
use crate::checkpoint::config_json::ConfigJson;
use crate::observers::text_encoding::{SentenceEncoder, SentenceModel, TokenPooling, weights_in};
use crate::{Arithmetic, ModelError};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// Qwen3-Embedding-0.6B, or another Qwen3 of sentence-transformers with last-token pooling (4B, 8B).
///
/// Each text is cut to 8192 tokens (`max_seq_length` in `sentence_bert_config.json` says otherwise), including the
/// final `<|endoftext|>` from `tokenizer.json`; the vector of that token is normalised to unit length, so that the dot
/// product of two texts is their cosine similarity. An empty text is legal: it consists of `<|endoftext|>`. Texts are
/// read unchanged; for a search query or a comparison under a task, put an instruction before the text
/// ([`instructed`]). There is no padding.
///
/// Shapes: 1024 features for Qwen3-Embedding-0.6B. Range: the cosine is in -1..1, higher is more alike.
///
/// Conventions: `qwen3-embedding`, `text-instruction`.
///
/// Reference: transformers 5.23.0 (`Qwen3Model`) and sentence-transformers 6.2.0 (torch 2.15.0) with synthetic
/// checkpoints: every layer within 1e-4 of its standard deviation, vectors within 2e-6. The published weights
/// have not been run here.
///
/// ```no_run
/// use neurogauge_models::{Arithmetic, Qwen3Embedding, TextEncoder};
/// let encoder = Qwen3Embedding::load("weights/Qwen3-Embedding-0.6B".as_ref(), Arithmetic::default())?;
/// let vectors = encoder.encode(&["a brown dog", "a brown dog"], &|_| {})?;
/// assert_eq!(encoder.n_features(), 1024);
/// let cosine: f32 = (0..1024).map(|i| vectors[i] * vectors[1024 + i]).sum();
/// assert!((cosine - 1.0).abs() < 1e-5);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct Qwen3Embedding;

impl Qwen3Embedding {
    /// Loads `config.json`, `tokenizer.json`, `model.safetensors` and, where it exists, `sentence_bert_config.json`
    /// from a folder; `1_Pooling/config.json` must not ask for another pooling. Tensors may have the names of
    /// `Qwen3Model` or, with the prefix `model.`, of `Qwen3ForCausalLM`, whose output map is ignored.
    ///
    /// [`identity`](crate::TextEncoder::identity) is `qwen3-embedding-custom` with the SHA-256 of the weights: the
    /// published hash is not known here.
    ///
    /// Weights are rounded (`weight-precision`) and placed according to the arithmetic, which is part of the id.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else
    /// than this architecture, a tokenizer that does not put `<|endoftext|>` behind a text, a tensor that is absent,
    /// superfluous or of another shape.
    pub fn load(dir: &Path, arithmetic: Arithmetic) -> Result<SentenceEncoder, ModelError> {
        let (weights, identity) = weights_in(dir, arithmetic, "qwen3-embedding-custom")?;
        Self::of_file(&weights, identity)
    }

    /// Loads weights from a file of any name; the other files are beside it.
    pub(crate) fn of_file(weights: &Path, identity: ModelIdentity) -> Result<SentenceEncoder, ModelError> {
        /// The authors' own code cuts texts at this length.
        const MAX_TOKENS: usize = 8192;
        let config = Config::read(&weights.with_file_name("config.json"))?;
        let described = SentenceModel {
            architecture: ARCHITECTURE,
            ends: &[END],
            // The larger models pad their token tables.
            may_have_fewer_tokens: true,
            pooling: TokenPooling::Last,
            usual_max_tokens: MAX_TOKENS,
            n_positions: config.max_position_embeddings,
            vocab_size: config.vocab_size,
            n_features: config.hidden_size,
        };
        let build = |checkpoint| build(checkpoint, &config);
        SentenceEncoder::load(weights, identity, &described, build)
    }
}

/// Puts an instruction before a text, in the form that Qwen3 Embedding was trained with (`text-instruction`).
///
/// ```
/// use neurogauge_models::qwen3::instructed;
/// assert_eq!(
///     instructed("Retrieve semantically similar text", "a dog"),
///     "Instruct: Retrieve semantically similar text\nQuery:a dog"
/// );
/// ```
pub fn instructed(instruction: &str, text: &str) -> String {
    format!("Instruct: {instruction}\nQuery:{text}")
}
