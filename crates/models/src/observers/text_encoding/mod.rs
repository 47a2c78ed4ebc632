//! Text encoding: the trait of text encoders and their common code.

mod batches;
mod sentence_encoder;

pub(crate) use batches::{text_batches, unit_vectors};
pub use sentence_encoder::SentenceEncoder;
pub(crate) use sentence_encoder::{SentenceModel, TokenPooling, TokenVectors, weights_in};

use crate::ModelError;
use neurogauge_core::ModelIdentity;

/// A model that turns texts into vectors of unit length.
///
/// Texts are given unchanged; the encoder does its own cleaning, casing and truncation. The vector of
/// a text does not depend on the other texts of the call, nor on the number of threads.
pub trait TextEncoder: Send + Sync {
    /// Identifies the model and its weights.
    fn identity(&self) -> &ModelIdentity;

    /// Length of a vector.
    fn n_features(&self) -> usize;

    /// The vectors of `texts`: a row-major matrix of shape (`texts.len()`, [`n_features`]), rows in
    /// the order of the texts.
    ///
    /// `progress` is called from several threads with the number of texts finished since the last
    /// call; the numbers add up to `texts.len()`.
    ///
    /// [`n_features`]: Self::n_features
    fn encode(&self, texts: &[&str], progress: &(dyn Fn(usize) + Sync)) -> Result<Vec<f32>, ModelError>;
}
