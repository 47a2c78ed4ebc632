//! Plans a run before anything is done.
//!
//! [`resolve`] makes a [`RunPlan`] from a request and the existing inputs: what is observed, by which observer, on how
//! many items; what is compared; what is left out and why. `observers` chooses observers, [`selection`](crate::selection)
//! decides for each metric where its values come from, `order` sorts observers so that each follows the observers of its
//! inputs, `record` lists their steps, and [`run_steps`](crate::execute) runs them. The steps that `--dry-run` prints and
//! `run.json` records are the steps that run.

mod asked;
mod cached;
mod dry_run;
mod execute;
mod explain;
mod memory;
mod observers;
mod opened;
mod order;
mod placeholders;
mod record;
mod resolve;
mod time;
mod weights;

pub use crate::execute::StepOutput;
pub use crate::run_record::{LeftOut, RecordedStep, RunPlan, StepPart};
pub use dry_run::{DryRun, plan_score};
pub(crate) use order::ordered;
pub(crate) use placeholders::stand_in_kinds;
pub(crate) use resolve::{Resolved, resolve};
