//! Identification and retrieval: against NumPy and SciPy, by hand, and what must not matter.

#![allow(clippy::unwrap_used)]

mod by_hand;
mod goldens;
mod rows;
