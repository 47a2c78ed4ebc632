//! Captions, categories and names from a model behind a server.

mod basic;
mod captions;
mod chat_server;
mod killed;
mod options;
mod wrong_answers;

use crate::support::{Ran, arg, folder, image_folders, neurogauge_with_cache};
use chat_server::Asked;
use std::path::PathBuf;

/// Pairs of images, and where a run of them goes.
struct Pairs {
    dir: tempfile::TempDir,
    gt: PathBuf,
    recon: PathBuf,
    out: PathBuf,
}

impl Pairs {
    fn new(stems: &[&str]) -> Self {
        let dir = folder();
        let (gt, recon) = image_folders(dir.path(), stems);
        let out = dir.path().join("run");
        Pairs {
            dir,
            gt,
            recon,
            out,
        }
    }

    /// Scores them by one metric of what the model of a server says; one request at a time.
    fn score(&self, metric: &str, server: &str, more: &[&str]) -> Ran {
        let args = [
            "score",
            "--gt",
            arg(&self.gt),
            "--recon",
            arg(&self.recon),
            "--metrics",
            metric,
            "--text-encoder",
            "stand-in",
            "--mllm",
            server,
            "--mllm-model",
            "tiny-vlm",
            "--parallel",
            "1",
            "--out",
            arg(&self.out),
        ];
        neurogauge_with_cache(&[&args[..], more].concat(), &self.dir.path().join("cache"))
    }
}

/// A caption that says what the picture is.
fn caption(asked: &Asked) -> String {
    let (width, height, [r, g, b]) = asked.picture();
    format!("A picture of {width} by {height} pixels that begins with {r} {g} {b}.")
}
