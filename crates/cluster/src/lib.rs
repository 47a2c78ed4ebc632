//! Runs a plan on many machines.
//!
//! - [`work`] does a shard and writes its record, `shards/<I>-of-<N>/shard.json`, last. No result depends on these
//!   records, which only mark finished work. Shards of different divisions may be mixed.
//! - [`missing`]: the unfinished shards. [`Status`]: the progress of all shards. [`set_finished`]: marks the run as
//!   finished.
//! - [`slurm`]: the scripts of an array of jobs and of the job that finishes the run.
//! - [`exit_code`], [`on_sigterm`], [`threads_of_job`]: the communication of a scheduler and a shard.

mod done;
mod finished;
mod job;
mod shard;
pub mod slurm;
mod status;

pub use done::{check_all_done, missing};
pub use finished::set_finished;
pub use job::{INTERRUPTED, exit_code, on_sigterm, threads_of_job};
pub use shard::{ShardRecord, work};
pub use status::{ShardState, Status};
