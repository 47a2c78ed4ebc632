//! Images to boxes with names and scores.

mod raw;

pub use raw::{PromptTokens, RawDetections};
