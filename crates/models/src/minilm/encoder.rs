//! The text encoder that the rest of Neurogauge sees.

use super::ARCHITECTURE;
use super::config::{Config, max_tokens};
use super::model::Model;
use super::weights::build;
use crate::blocks::Sequences;
use crate::checkpoint::Checkpoint;
use crate::registry::MODELS;
use crate::text_batches::unit_vectors;
use crate::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::weights::hash_file;
use crate::{ModelError, TextEncoder};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// all-MiniLM-L6-v2, or another BERT of sentence-transformers with mean pooling.
///
/// Each text is cut to 256 tokens (`[CLS]` and `[SEP]` included; `max_seq_length` in
/// `sentence_bert_config.json` says otherwise), its token vectors are averaged, and the mean is
/// brought to unit length, so that the dot product of two texts is their cosine similarity. An empty
/// text is legal: it consists of `[CLS]` and `[SEP]`.
///
/// Shapes: 384 features for all-MiniLM-L6-v2. Range: the cosine lies in -1..1, higher is more alike.
/// Chance level: two COCO-like captions of different images have 0.13 on average (90% of them between
/// -0.05 and 0.40).
///
/// The vector of a text is the same to the bit alone and in a list, and with any number of threads.
///
/// Reference: sentence-transformers 6.2.0 (torch 2.15.0) within 1e-6; that is the package that
/// published the model.
///
/// ```no_run
/// use neurogauge_models::{MiniLm, TextEncoder};
/// let encoder = MiniLm::load("weights/all-MiniLM-L6-v2".as_ref())?;
/// let captions = [
///     "A group of people walking across a snow covered field.",
///     "A person riding skis on a snowy surface.",
/// ];
/// let vectors = encoder.encode(&captions, &|_| {})?;
/// let cosine: f32 = (0..384).map(|i| vectors[i] * vectors[384 + i]).sum();
/// assert!((cosine - 0.324_355).abs() < 1e-5);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct MiniLm {
    identity: ModelIdentity,
    n_features: usize,
    tokenizer: TextTokenizer,
    model: Model,
}

impl MiniLm {
    /// Loads `config.json`, `tokenizer.json`, `model.safetensors` and, where it exists,
    /// `sentence_bert_config.json` from a folder.
    ///
    /// The weights need not be the published ones; [`TextEncoder::identity`] says whether they are
    /// (`minilm-custom` where they are not).
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else
    /// than this architecture, a tensor that is absent, superfluous or of another shape.
    pub fn load(dir: &Path) -> Result<Self, ModelError> {
        let config = Config::read(&dir.join("config.json"))?;
        let max_tokens = max_tokens(&dir.join("sentence_bert_config.json"), &config)?;
        let needs = TokenizerNeeds {
            vocab_size: config.vocab_size,
            max_tokens,
            may_have_fewer_tokens: false,
            ends: &["[CLS]", "[SEP]"],
        };
        let path = dir.join("model.safetensors");
        let (hashed, tokenizer) = rayon::join(
            || hash_file(&path),
            || TextTokenizer::read(&dir.join("tokenizer.json"), &needs),
        );
        let (_, sha256) = hashed?;
        let tokenizer = tokenizer?;
        let model = build(Checkpoint::open(&path, ARCHITECTURE)?, &config)?;
        Ok(MiniLm {
            identity: identity(sha256),
            n_features: config.hidden_size,
            tokenizer,
            model,
        })
    }

    fn sentence_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Vec<f32>, ModelError> {
        self.model
            .sentence_vectors(ids, sequences)
            .map_err(|error| ModelError::Engine {
                architecture: ARCHITECTURE,
                operation: "the forward pass",
                reason: error.to_string(),
            })
    }
}

impl TextEncoder for MiniLm {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn encode(
        &self,
        texts: &[&str],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<f32>, ModelError> {
        unit_vectors(
            texts,
            self.n_features,
            |index, text| self.tokenizer.ids(index, text),
            |ids, sequences| self.sentence_vectors(ids, sequences),
            progress,
        )
    }
}

fn identity(sha256: String) -> ModelIdentity {
    let published = MODELS
        .iter()
        .find(|entry| entry.weights().sha256.full() == Some(sha256.as_str()));
    match published {
        Some(entry) => entry.identity(sha256),
        None => ModelIdentity {
            id: "minilm-custom".to_owned(),
            revision: String::new(),
            sha256,
            stand_in: false,
        },
    }
}
