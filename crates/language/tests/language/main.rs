//! Tests of words, sentences and WordNet.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod ptb_tokens;
mod sentences;
mod stems;
mod tagger;
mod wordnet;
mod wordnet_damage;
mod words;

/// A file or folder below `reference/golden`.
fn golden(name: &str) -> std::path::PathBuf {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden")).join(name)
}

/// The contents of a golden.
fn read(name: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(golden(name)).unwrap()).unwrap()
}
