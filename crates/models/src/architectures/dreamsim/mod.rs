//! DreamSim (Fu et al. 2023): the embeddings of one or three vision transformers, adapted to human judgements of
//! similarity by LoRA.
//!
//! The files are read from the package's own folder: a checkpoint for each transformer, and a folder with the adapter.
//! The adapter's changes are added to the weights when they are read.

mod files;
mod forms;
mod model;

pub(crate) use forms::Form;
pub(crate) use model::DreamSim;

/// The architecture's name in messages.
const ARCHITECTURE: &str = "DreamSim";
