//! The public face of all-mpnet-base-v2 and other MPNets of sentence-transformers.

use super::load;
use super::variant::MPNET;
use crate::observers::text_encoding::SentenceEncoder;
use crate::{Arithmetic, ModelError};
use std::path::Path;

/// all-mpnet-base-v2, or another MPNet of sentence-transformers with mean pooling.
///
/// Each text is cut to 384 tokens (`<s>` and `</s>` included; `max_seq_length` in
/// `sentence_bert_config.json` says otherwise), its token vectors are averaged, and the mean is
/// brought to unit length, so that the dot product of two texts is their cosine similarity. An empty
/// text is legal: it consists of `<s>` and `</s>`.
///
/// Shapes: 768 features for all-mpnet-base-v2. Range: the cosine is in -1..1, higher is more alike.
///
/// The vector of a text is the same to the bit alone and in a list, and with any number of threads.
///
/// Reference: transformers 5.23.0 (`MPNetModel`) and sentence-transformers 6.2.0 (torch 2.15.0) with synthetic
/// checkpoints: every layer within 1e-4 of its standard deviation, vectors within 2e-6. The published weights
/// have not been run here.
///
/// ```no_run
/// use neurogauge_models::{Arithmetic, MpNet, TextEncoder};
/// let encoder = MpNet::load("weights/all-mpnet-base-v2".as_ref(), Arithmetic::default())?;
/// let vectors = encoder.encode(&["a brown dog", "a brown dog"], &|_| {})?;
/// assert_eq!(encoder.n_features(), 768);
/// let cosine: f32 = (0..768).map(|i| vectors[i] * vectors[768 + i]).sum();
/// assert!((cosine - 1.0).abs() < 1e-5);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct MpNet;

impl MpNet {
    /// Loads `config.json`, `tokenizer.json`, `model.safetensors` and, where it exists,
    /// `sentence_bert_config.json` from a folder; `1_Pooling/config.json` must not ask for another pooling.
    ///
    /// [`identity`](crate::TextEncoder::identity) is `mpnet-custom` with the SHA-256 of the weights: the published hash
    /// is not known here.
    ///
    /// Weights are rounded (`weight-precision`) and placed according to the arithmetic, which is part of the id.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else
    /// than this architecture, a tensor that is absent, superfluous or of another shape.
    pub fn load(dir: &Path, arithmetic: Arithmetic) -> Result<SentenceEncoder, ModelError> {
        load(dir, arithmetic, &MPNET)
    }
}
