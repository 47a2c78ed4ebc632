//! The whole meta-evaluation: by hand, against the single statistics, and with known truth.

mod gaps;
mod intervals;
mod invariances;
mod stimuli;
mod survey;
mod values;
