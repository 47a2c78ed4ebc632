//! `neurogauge score`: inputs in, run folder out.

mod finished;
mod run;

pub use finished::{Run, load_run};
pub use run::{plan_score, repeat, score};
