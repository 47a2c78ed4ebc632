//! `neurogauge score`: inputs in, run folder out.

mod finished;
mod run;

pub use finished::{Run, load_run};
pub(crate) use run::{begin, observe_part};
pub use run::{plan_score, repeat, score};
