//! A planned run on many machines.
//!
//! - [`work`] does a shard and writes its record, `shards/<I>-of-<N>/shard.json`, last. Nothing that is computed depends on these
//!   records: they only say what need not be looked at again. Shards of any number may be mixed.
//! - [`missing`]: which shards nobody has finished. [`Status`]: how far all are. [`set_finished`]: that the run is finished.
//! - [`slurm`]: the scripts of an array of jobs and of the job that finishes the run.
//! - [`exit_code`], [`on_sigterm`], [`threads_of_job`]: what a scheduler and a shard tell each other.

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
