//! CLIP-FlanT5 (Lin et al. 2024): takes a picture and a question, and gives the probability of an answer.
//!
//! CLIP's image tower sees the picture as a square. The outputs of its last block but one, without the class token, go
//! through a perceptron and are placed among the vectors of the words that the encoder of a T5 gets. The decoder is
//! given the answer.

mod config;
mod network;
mod picture;
mod scorer;
#[cfg(test)]
pub(crate) mod tests;
mod weights;

pub use scorer::{AnswerScore, ClipFlanT5};

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "CLIP-FlanT5";
