//! The alignment's algebra against independent references.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod controls;
mod eigen;
mod encoding;
#[path = "../../../stats/tests/stats/golden_values.rs"]
#[allow(dead_code, reason = "goldens of alignment have a tolerance")]
mod golden_values;
mod goldens;
mod intervals;
mod invariances;
mod nulls;
mod permuted;
mod predictor;
mod prelude;
mod preparation;
mod profiles;
#[path = "../../../stats/tests/stats/calibration/rates.rs"]
#[allow(dead_code, reason = "these experiments are of several subjects")]
mod rates;
mod rsa;
mod selection;
mod simulation;
mod synthetic;
