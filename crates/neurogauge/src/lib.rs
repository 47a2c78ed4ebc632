//! Placeholder docs, replaced with the crate.
