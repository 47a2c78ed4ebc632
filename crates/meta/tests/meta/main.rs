//! Meta-evaluations of files, against references.

#![allow(clippy::unwrap_used, clippy::expect_used)] // In shared functions too, which the lint does not see as tests.

mod choices;
mod headline;
mod worst_cases;
