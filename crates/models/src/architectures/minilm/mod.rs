//! all-MiniLM-L6-v2 and its kind: a small BERT whose token vectors are averaged into one.

mod config;
mod encoder;
mod model;
mod weights;

pub(crate) use config::Config as BertConfig;
pub use encoder::MiniLm;
pub(crate) use model::Model as Bert;
pub(crate) use weights::part as bert;

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "MiniLM (BERT)";
