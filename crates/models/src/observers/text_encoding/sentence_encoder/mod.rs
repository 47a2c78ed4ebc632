//! What the encoders of sentence-transformers share: a folder of files, a tokenizer, batches, pooling, and
//! normalisation to unit length.

mod limit;
mod pooling;

use crate::checkpoint::Checkpoint;
use crate::checkpoint::registry::MODELS;
use crate::checkpoint::registry::{LIMIT, POOLING};
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::checkpoint::weights::hash_file;
use crate::observers::text_encoding::{text_batches, unit_vectors};
use crate::{Arithmetic, ModelError, TextEncoder};
use candle_core::{Result as EngineResult, Tensor};
use limit::{TokenLimit, max_tokens};
use neurogauge_core::ModelIdentity;
use neurogauge_kernels::blocks::Sequences;
use neurogauge_kernels::blocks::device::Batches;
use pooling::pooled;
use std::path::{Path, PathBuf};

pub(crate) use pooling::TokenPooling;

/// A transformer that gives each token of a text a vector.
pub(crate) trait TokenVectors: Send + Sync {
    /// The vector of every token, shape (`n_tokens`, `n_features`), of concatenated sequences.
    fn token_vectors(&self, ids: &[u32], sequences: &Sequences) -> EngineResult<Tensor>;
}

/// Facts about an architecture and one of its configurations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SentenceModel {
    /// The architecture's name in messages.
    pub(crate) architecture: &'static str,
    /// Names of the tokens around a text.
    pub(crate) ends: &'static [&'static str],
    /// May the token table have vectors that belong to no token?
    pub(crate) may_have_fewer_tokens: bool,
    /// How the vectors of tokens become one.
    pub(crate) pooling: TokenPooling,
    /// Maximum number of tokens in a text, unless a file sets another.
    pub(crate) usual_max_tokens: usize,
    pub(crate) n_positions: usize,
    pub(crate) vocab_size: usize,
    pub(crate) n_features: usize,
}

/// An encoder of sentences: what [`MiniLm`](crate::MiniLm), [`MpNet`](crate::MpNet) and
/// [`Qwen3Embedding`](crate::Qwen3Embedding) load.
///
/// The vector of a text is the same to the bit alone and in a list, and with any number of threads.
pub struct SentenceEncoder {
    identity: ModelIdentity,
    architecture: &'static str,
    pooling: TokenPooling,
    n_features: usize,
    tokenizer: TextTokenizer,
    at_once: Batches,
    model: Box<dyn TokenVectors>,
}

impl SentenceEncoder {
    /// Loads the checkpoint in the file `weights`, and from its folder `tokenizer.json` and, where they exist,
    /// `sentence_bert_config.json` and `1_Pooling/config.json`. `identity` identifies the weights, their precision and
    /// their device.
    pub(crate) fn load<M: TokenVectors + 'static>(
        weights: &Path,
        identity: ModelIdentity,
        described: &SentenceModel,
        build: impl FnOnce(Checkpoint) -> Result<M, ModelError>,
    ) -> Result<Self, ModelError> {
        let beside = |name: &str| weights.with_file_name(name);
        let pooling = described.pooling;
        pooling.check(&beside(POOLING), described.architecture)?;
        let limit = TokenLimit {
            architecture: described.architecture,
            usual: described.usual_max_tokens,
            most: described.n_positions,
        };
        let needs = TokenizerNeeds {
            vocab_size: described.vocab_size,
            max_tokens: max_tokens(&beside(LIMIT), limit)?,
            may_have_fewer_tokens: described.may_have_fewer_tokens,
            ends: described.ends,
        };
        let tokenizer = TextTokenizer::read(&beside("tokenizer.json"), &needs)?;
        // The vector at the last token represents the text.
        let last = |text: &str| Ok::<_, ModelError>(tokenizer.ids(0, text)?.last().copied());
        if pooling == TokenPooling::Last && last("a")? != last("")? {
            return Err(ModelError::malformed(
                beside("tokenizer.json"),
                format!(
                    "it does not put {} behind a text, where the model's vector is read; take the file that is \
                     published with these weights",
                    described.ends.join(" and ")
                ),
            ));
        }
        let arithmetic = Arithmetic::of(&identity);
        let checkpoint = Checkpoint::open(weights, described.architecture, arithmetic)?;
        let at_once = text_batches(checkpoint.placement());
        let model = build(checkpoint)?;
        Ok(SentenceEncoder {
            identity,
            architecture: described.architecture,
            pooling,
            n_features: described.n_features,
            tokenizer,
            at_once,
            model: Box::new(model),
        })
    }

    /// The vector of a text before it is normalised.
    pub(crate) fn before_norm(&self, text: &str) -> Result<Vec<f32>, ModelError> {
        let ids = self.tokenizer.ids(0, text)?;
        self.sentence_vectors(&ids, &Sequences::new([ids.len()]))
    }

    fn sentence_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Vec<f32>, ModelError> {
        self.model
            .token_vectors(ids, sequences)
            .and_then(|tokens| pooled(&tokens, sequences, self.pooling))
            .map_err(ModelError::engine(self.architecture, "the forward pass"))
    }
}

impl TextEncoder for SentenceEncoder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn encode(&self, texts: &[&str], progress: &(dyn Fn(usize) + Sync)) -> Result<Vec<f32>, ModelError> {
        unit_vectors(
            texts,
            self.n_features,
            self.at_once,
            |index, text| self.tokenizer.ids(index, text),
            |ids, sequences| self.sentence_vectors(ids, sequences),
            progress,
        )
    }
}

/// The weights in a folder, and their identity: the published one, or `custom_id` for other weights.
pub(crate) fn weights_in(
    dir: &Path,
    arithmetic: Arithmetic,
    custom_id: &str,
) -> Result<(PathBuf, ModelIdentity), ModelError> {
    let weights = dir.join("model.safetensors");
    let (_, sha256) = hash_file(&weights)?;
    let published = MODELS.iter().find(|entry| entry.weights().sha256.full() == Some(sha256.as_str()));
    let identity = match published {
        Some(entry) => entry.identity(sha256),
        None => ModelIdentity {
            id: custom_id.to_owned(),
            revision: String::new(),
            sha256,
            stand_in: false,
        },
    };
    Ok((weights, arithmetic.marked(identity)))
}
