//! Qwen2.5-VL (Bai et al. 2025): takes a picture and a question, and writes an answer.
//!
//! A tower reads a picture of any proportions, in patches. Most of its layers attend within windows, a few over the
//! whole picture. Four neighbouring patches become one token of the language model. A token's position has three parts
//! (time, row, column): a picture has one time and its own rows and columns, and for text the three are equal.

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
