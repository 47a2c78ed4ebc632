//! The observations of a run: their paths, and how they are read.

mod locate;
mod pool_input;

pub(crate) use locate::{Located, Source, locate, recorded, refuse_missing};
pub(crate) use pool_input::PoolInput;
