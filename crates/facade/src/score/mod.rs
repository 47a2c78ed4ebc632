//! `neurogauge score`: inputs in, run folder out.

mod dimensions;
mod export;
mod finished;
mod null_levels;
mod reopened;
mod repeat;
mod run;
mod shards;
#[cfg(test)]
mod toy_kind;

pub use finished::{Run, load_run};
pub use reopened::{PartImages, Reopened};
pub use repeat::repeat;
pub use run::score;
pub(crate) use shards::{begin, observe_shard};
