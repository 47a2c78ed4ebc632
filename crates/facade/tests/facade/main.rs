//! The facade against references, and the texts of its figures and errors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod align_figures;
mod architecture;
mod basic_l;
mod caption_words;
mod conventions;
mod explain;
mod faults;
mod masks_golden;
mod released_code;
mod stopping;
mod toy_observer;
