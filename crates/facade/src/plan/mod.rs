//! Plans a run before anything is done.
//!
//! [`resolve`] makes a [`RunPlan`] from a request and the existing inputs: what is observed, by which observer, of how
//! many items; what is compared; what is left out and why. `choose` turns the request into observers, `order` sorts
//! them so that each follows the observers of its inputs, `record` lists their steps, and [`run_steps`](crate::execute)
//! runs them. The steps that `--dry-run` prints and `run.json` records are the steps that run.

mod cached;
mod choose;
mod dry_run;
mod execute;
mod explain;
mod memory;
mod order;
mod record;
mod resolve;

pub use crate::execute::StepOutput;
pub use crate::run_record::{LeftOut, RecordedStep, RunPlan, StepPart};
pub(crate) use choose::SEGMENTER;
pub use choose::{CAPTIONER, DETECTOR};
pub use dry_run::DryRun;
pub(crate) use order::ordered;
pub(crate) use record::stand_in_kinds;
pub(crate) use resolve::{Resolved, resolve};
