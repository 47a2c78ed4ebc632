//! T5, a transformer that reads one text and writes another.
//!
//! An encoder reads the whole text. A decoder writes token by token and attends to what it has written and to the
//! encoder's output. Positions enter as a bias that the distance of two tokens adds to their attention score.

mod config;
mod decoder;
mod encoder;
mod parser;
#[cfg(test)]
mod tests;
mod tokenizer;
mod weights;

pub(crate) use config::Config;
pub(crate) use decoder::TextDecoder;
pub(crate) use encoder::TextEncoder;
pub use parser::{ParsedGraph, ParserOptions, SceneGraphParser, SourceLimit};
pub(crate) use tokenizer::tokenizer;
pub(crate) use weights::{build, is_left_over, take};

/// Name of the architecture in messages.
pub(crate) const ARCHITECTURE: &str = "T5";
