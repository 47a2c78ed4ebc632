//! Words, sentences and WordNet.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod ptb_tokens;
mod sentences;
mod stems;
mod tagger;
mod wordnet;
mod wordnet_damage;
mod words;
