//! What a run does, before it does it.
//!
//! [`resolve`] makes a [`RunPlan`] of a request and of the inputs that exist: what is observed, by which observer, of how many
//! items; what is compared; what is left out and why. `choose` turns the request into observers, `order` sorts them so that each
//! comes after those that make what it reads, `record` writes their steps down, and [`run_steps`](crate::execute) runs them:
//! what `--dry-run` prints and `run.json` records is what runs.

mod cached;
mod choose;
mod dry_run;
mod execute;
mod explain;
mod order;
mod record;
mod resolve;

pub use crate::execute::StepOutput;
pub use crate::run_record::{LeftOut, RunPlan, Step, StepPart};
pub(crate) use choose::SEGMENTER;
pub use choose::{CAPTIONER, DETECTOR};
pub use dry_run::DryRun;
pub(crate) use order::ordered;
pub(crate) use resolve::{Resolved, resolve};
