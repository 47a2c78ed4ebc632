//! The facade against references, and what its figures and errors say.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)] // In shared functions too, which the lint does not see as tests.

mod align_figures;
mod basic_l;
mod faults;
mod masks_golden;
mod meta_worst_cases;
