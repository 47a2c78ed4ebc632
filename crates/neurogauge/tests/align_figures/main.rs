//! Figures of alignments of simulated recordings.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod alignments;
mod panels;
mod repetition;
