//! all-MiniLM-L6-v2 and its kind: a small BERT whose token vectors are averaged into one.

mod config;
mod encoder;
mod model;
mod weights;

pub use encoder::MiniLm;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "MiniLM (BERT)";
