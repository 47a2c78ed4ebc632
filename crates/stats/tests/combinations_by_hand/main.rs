//! Combinations of metrics: by hand, in simulations whose truth is known, and where there is no
//! value.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod survey;
mod undefined;
mod values;
