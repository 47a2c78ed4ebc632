//! The meta-evaluation as a whole: by hand, against the single statistics, and where the truth is
//! known.

#![allow(
    clippy::unwrap_used,
    reason = "in helpers too, which the lint does not see as tests"
)]

mod gaps;
mod intervals;
mod invariances;
mod survey;
mod values;
