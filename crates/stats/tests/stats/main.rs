//! Statistics against independent references.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod assignment;
mod bootstrap;
mod calibration;
mod choices;
mod combinations;
mod combinations_by_hand;
mod comparison;
mod correlation;
mod distributions;
mod golden_values;
mod goldens;
mod icc;
mod means;
mod meta_evaluation;
mod meta_groups;
mod meta_statistics;
mod neighbours;
mod nonnegative;
mod p_values;
mod ranks;
mod ratings;
mod replicates;
mod resample;
mod sign_flips;
mod similarity;
mod subjects;
mod summation;
mod support;
mod threshold_search;
mod tifa160;
mod undefined_orders;
mod worst_cases;
