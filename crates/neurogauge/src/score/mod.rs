//! `neurogauge score`: inputs in, run folder out.

mod finished;
mod record;
mod run;
mod stand_ins;

pub use finished::{Run, load_run};
pub use run::{repeat, score};
