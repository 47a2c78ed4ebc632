//! DreamSim (Fu et al. 2023): the embeddings of one or three vision transformers, adapted to human judgements of
//! similarity by LoRA.
//!
//! The package's files are read as it leaves them in its folder: a checkpoint for each transformer, and the folder of
//! the adapter. What the adapter changes is added to the weights when they are read.

mod files;
mod forms;
mod model;

pub(crate) use forms::Form;
pub(crate) use model::DreamSim;

/// Its name in messages.
const ARCHITECTURE: &str = "DreamSim";
