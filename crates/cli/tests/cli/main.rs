//! The command, run as its users run it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod align;
mod audit;
mod bad_input;
mod basic_h;
mod board;
mod brainhub;
mod compare;
mod demo;
mod gallery;
#[cfg(unix)]
mod installer;
mod marks;
mod meta;
mod missing;
mod models;
mod multiverse;
mod nsd8;
mod perceive;
mod placeholders;
mod plan;
mod real_data;
mod report;
mod safety_net;
mod score;
mod study;
mod subjects;
mod support;
mod survey;
mod taken_for;
mod vlm;
