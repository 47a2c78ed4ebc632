//! `neurogauge score`: inputs in, run folder out.

mod dimensions;
mod export;
mod finished;
mod null_levels;
mod reopened;
mod run;

pub use finished::{Run, load_run};
pub use reopened::{PartImages, Reopened};
pub(crate) use run::{begin, observe_part};
pub use run::{plan_score, repeat, score};
