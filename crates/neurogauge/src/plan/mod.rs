//! What a run does, before it does it.
//!
//! [`resolve`] makes a [`RunPlan`] of a request and of the inputs that exist: what is observed, by which observer, of how many
//! items; what is compared; what is left out and why. The plan is data: `--dry-run` prints it, `run.json` records it, and
//! a run follows it.

mod default_observers;
mod dry_run;
mod execute;
mod explain;
mod known;
mod record;
mod resolve;

pub use crate::run_record::{LeftOut, RunPlan, Step};
pub(crate) use default_observers::SEGMENTER;
pub use default_observers::{CAPTIONER, DETECTOR};
pub use dry_run::DryRun;
pub(crate) use resolve::{Resolved, resolve};
