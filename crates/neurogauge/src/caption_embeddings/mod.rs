//! Sentence embeddings of captions: computed once per text and model, kept in the run folder.

mod cache;
mod embeddings;
mod encoder;

pub(crate) use embeddings::{Embeddings, embed, embed_in_memory};
pub use encoder::{DEFAULT_ENCODER, STAND_IN_ENCODER};
pub(crate) use encoder::{check, check_instruction, identity};
