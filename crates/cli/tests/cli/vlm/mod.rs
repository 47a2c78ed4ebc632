//! Captions, categories and names from a model behind a server.

mod basic;
mod captions;
mod chat_server;
mod from_pixels;
mod here;
mod image_texts;
mod killed;
mod options;
mod vqa_scores;
mod wrong_answers;

use crate::support::*;
use chat_server::{Asked, ChatServer, Reply};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

impl Folder {
    /// Scores the images with a cache.
    #[track_caller]
    fn cached(&self, more: &str) -> Ran {
        self.run_with_cache(&format!("score gt recon --out run {more}"), "cache")
    }

    /// Scores the images by one metric of the answers of a server's model, with one request at a time.
    #[track_caller]
    fn score(&self, metric: &str, server: &str, more: &str) -> Ran {
        let served = format!("--vlm {server} --vlm-model tiny-vlm --parallel 1");
        self.cached(&format!("--metrics {metric} --set text_encoder=placeholder {served} {more}"))
    }
}

/// A caption that describes the picture.
fn caption(asked: &Asked) -> String {
    let (width, height, [r, g, b]) = asked.picture();
    format!("A picture of {width} by {height} pixels that begins with {r} {g} {b}.")
}

/// Runs a command and kills it when `has_enough`. Its server gives this many answers and then is silent. Each run has
/// its own server, since a request of a killed run may arrive late.
fn kill_when(
    n_answers: usize,
    answer: fn(&Asked) -> Reply,
    command: impl Fn(&str) -> Command,
    has_enough: impl Fn() -> bool,
) {
    let given = AtomicUsize::new(0);
    let server = ChatServer::start(move |asked| match given.fetch_add(1, Ordering::SeqCst) < n_answers {
        true => answer(asked),
        false => Reply::Waits(Duration::from_secs(3600)),
    });
    let mut child = command(&server.url).spawn().unwrap();
    let start = Instant::now();
    while !has_enough() {
        assert!(child.try_wait().unwrap().is_none(), "it is killed before it ends");
        assert!(start.elapsed() < Duration::from_secs(300), "it goes on");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
