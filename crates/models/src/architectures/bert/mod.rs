//! BERT and MPNet as encoders of sentences: post-norm transformers whose token vectors are averaged into one.
//!
//! They share one implementation; a [`Variant`] holds the differences. Grounding DINO reads its prompts with the same
//! BERT.

mod config;
mod minilm;
mod model;
mod mpnet;
#[cfg(test)]
mod mpnet_tests;
mod variant;
mod weights;

pub(crate) use config::Config as BertConfig;
pub use minilm::MiniLm;
pub(crate) use model::Model as Bert;
pub use mpnet::MpNet;
pub(crate) use variant::{MINILM, MPNET, Variant};
pub(crate) use weights::part as bert;

use crate::observers::text_encoding::{SentenceEncoder, SentenceModel, TokenPooling, weights_in};
use crate::{Arithmetic, ModelError};
use config::Config;
use neurogauge_core::ModelIdentity;
use std::path::Path;

fn load(dir: &Path, arithmetic: Arithmetic, variant: &'static Variant) -> Result<SentenceEncoder, ModelError> {
    let (weights, identity) = weights_in(dir, arithmetic, variant.custom_id)?;
    of_file(&weights, identity, variant)
}

/// Loads the encoder from a weights file of any name; the other files are beside it.
pub(crate) fn of_file(
    weights: &Path,
    identity: ModelIdentity,
    variant: &'static Variant,
) -> Result<SentenceEncoder, ModelError> {
    let config = Config::read(&weights.with_file_name("config.json"), variant)?;
    let described = SentenceModel {
        architecture: variant.architecture,
        ends: variant.ends,
        may_have_fewer_tokens: false,
        pooling: TokenPooling::Mean,
        usual_max_tokens: variant.usual_max_tokens,
        n_positions: config.n_positions(variant),
        vocab_size: config.vocab_size,
        n_features: config.hidden_size,
    };
    let build = |checkpoint| weights::build(checkpoint, &config, variant);
    SentenceEncoder::load(weights, identity, &described, build)
}
