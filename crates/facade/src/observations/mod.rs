//! The observations of a run: where they are, and how they are read.

mod existing;
mod locate;
mod pool_input;

pub(crate) use existing::refuse_missing;
pub(crate) use locate::{Located, Source, locate};
pub(crate) use pool_input::PoolInput;
