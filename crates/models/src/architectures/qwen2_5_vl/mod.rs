//! Qwen2.5-VL (Bai et al. 2025): a picture and a question in, an answer out.
//!
//! A tower looks at a picture of any proportions, in patches. Most of its layers see windows only, a few the whole.
//! Four neighbouring patches become one token of the language model, whose positions of tokens are threefold (time,
//! row, column): a picture has one time and its own rows and columns, and a text has three equal positions.

mod answerer;
mod block;
mod config;
mod decoder;
mod picture;
#[cfg(test)]
mod tests;
mod tower;
mod weights;

pub use answerer::Qwen25Vl;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "Qwen2.5-VL";
