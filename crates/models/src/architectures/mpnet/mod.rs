//! all-mpnet-base-v2 and its kind: an encoder whose token vectors are averaged into one.
//!
//! Like BERT, but for positions that begin behind the padding token's, no token types, and a learned number for
//! every distance of two tokens that all layers add to their scores.

mod config;
mod encoder;
mod model;
#[cfg(test)]
mod tests;
mod weights;

pub use encoder::MpNet;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "MPNet";
/// The padding token, and its position: those of real tokens follow. No configuration changes it.
const PADDING: u32 = 1;
/// Number of buckets that distances fall into. In transformers no configuration changes it.
const N_BUCKETS: usize = 32;
/// From here on, all distances share a bucket.
const MAX_DISTANCE: usize = 128;
