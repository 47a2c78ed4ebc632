//! Combinations of metrics: by hand, in simulations with known truth, and without values.

mod survey;
mod undefined;
mod values;
