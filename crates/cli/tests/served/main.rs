//! Captions, categories and names from a model behind a server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod basic;
mod captions;
mod chat_server;
mod killed;
mod options;
#[path = "../support/mod.rs"]
mod support;
mod wrong_answers;

use chat_server::Asked;

/// A caption that says what the picture is.
fn caption(asked: &Asked) -> String {
    let (width, height, [r, g, b]) = asked.picture();
    format!("A picture of {width} by {height} pixels that begins with {r} {g} {b}.")
}
