//! The meta-evaluation as a whole: by hand, against the single statistics, and where the truth is
//! known.

mod gaps;
mod intervals;
mod invariances;
mod stimuli;
mod survey;
mod values;
