//! The public face of all-MiniLM-L6-v2 and other BERTs of sentence-transformers.

use super::load;
use super::variant::MINILM;
use crate::observers::text_encoding::SentenceEncoder;
use crate::{Arithmetic, ModelError};
use std::path::Path;

/// all-MiniLM-L6-v2, or another BERT of sentence-transformers with mean pooling.
///
/// Each text is cut to 256 tokens (`[CLS]` and `[SEP]` included; `max_seq_length` in
/// `sentence_bert_config.json` says otherwise), its token vectors are averaged, and the mean is
/// brought to unit length, so that the dot product of two texts is their cosine similarity. An empty
/// text is legal: it consists of `[CLS]` and `[SEP]`.
///
/// Shapes: 384 features for all-MiniLM-L6-v2. Range: the cosine is in -1..1, higher is more alike.
/// Chance level: two COCO-like captions of different images have 0.13 on average (90% of them between
/// -0.05 and 0.40).
///
/// The vector of a text is the same to the bit alone and in a list, and with any number of threads.
///
/// Reference: sentence-transformers 6.2.0 (torch 2.15.0) within 1e-6; that is the package that
/// published the model.
///
/// ```no_run
/// use neurogauge_models::{Arithmetic, MiniLm, TextEncoder};
/// let encoder = MiniLm::load("weights/all-MiniLM-L6-v2".as_ref(), Arithmetic::default())?;
/// let captions = [
///     "A group of people walking across a snow covered field.",
///     "A person riding skis on a snowy surface.",
/// ];
/// let vectors = encoder.encode(&captions, &|_| {})?;
/// let cosine: f32 = (0..384).map(|i| vectors[i] * vectors[384 + i]).sum();
/// assert!((cosine - 0.324_355).abs() < 1e-5);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct MiniLm;

impl MiniLm {
    /// Loads `config.json`, `tokenizer.json`, `model.safetensors` and, where it exists,
    /// `sentence_bert_config.json` from a folder; `1_Pooling/config.json` must not ask for another pooling.
    ///
    /// The weights need not be the published ones; [`identity`](crate::TextEncoder::identity) tells whether they are
    /// (`minilm-custom` if not).
    ///
    /// Weights are rounded (`weight-precision`) and placed according to the arithmetic, which is part of the id.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else
    /// than this architecture, a tensor that is absent, superfluous or of another shape.
    pub fn load(dir: &Path, arithmetic: Arithmetic) -> Result<SentenceEncoder, ModelError> {
        load(dir, arithmetic, &MINILM)
    }
}
