//! Combinations of metrics: by hand, in simulations whose truth is known, and where there is no
//! value.

mod survey;
mod undefined;
mod values;
