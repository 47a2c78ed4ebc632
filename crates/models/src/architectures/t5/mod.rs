//! T5, a transformer that reads one text and writes another.
//!
//! An encoder looks at the whole text, a decoder writes token by token and looks at what it has written and at
//! the encoder's output. Positions enter through what distances add to the scores of attention.

mod config;
mod decoder;
mod encoder;
#[cfg(test)]
mod tests;
mod weights;

pub(crate) use config::Config;
pub(crate) use decoder::TextDecoder;
pub(crate) use encoder::TextEncoder;
pub(crate) use weights::build;

/// Name of the architecture in messages.
pub(crate) const ARCHITECTURE: &str = "T5";
