//! Combinations of metrics: by hand, in simulations with known truth, and without values.

mod folds;
mod scaling;
mod survey;
mod undefined;
mod values;
