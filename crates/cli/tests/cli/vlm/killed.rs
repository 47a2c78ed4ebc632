//! A run that is killed goes on where it was, and sends no request twice that was answered.

use super::chat_server::{Asked, Reply, VlmServer};
use super::{caption, kill_when};
use crate::support::{arg, folder, pictures};
use std::path::Path;
use std::process::{Command, Stdio};

fn command(server: &str, [gt, recon, out, cache]: [&Path; 4]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_neurogauge"));
    command
        .args([
            "score",
            "--gt",
            arg(gt),
            "--recon",
            arg(recon),
            "--metrics",
            "cap_sim",
            "--text-encoder",
            "stand-in",
        ])
        .args([
            "--vlm",
            server,
            "--vlm-model",
            "tiny-vlm",
            "--parallel",
            "2",
            "--out",
            arg(out),
        ])
        .env("NEUROGAUGE_CACHE", cache)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn says_caption(asked: &Asked) -> Reply {
    Reply::Says(caption(asked))
}

#[test]
fn five_kills_cost_no_answer() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    pictures(&gt, "gt", 8, 24, 4.0);
    pictures(&recon, "recon", 8, 24, 30.0);
    let [out, cache] = ["run", "cache"].map(|name| dir.path().join(name));
    let kept = || {
        let journals = std::fs::read_dir(cache.join("answers"))
            .into_iter()
            .flatten()
            .flatten();
        let lines = journals.map(|file| {
            // A line that is being written does not count.
            std::fs::read_to_string(file.path())
                .unwrap()
                .matches('\n')
                .count()
        });
        lines.sum::<usize>()
    };
    for kill in 1..=5 {
        let command = |server: &str| command(server, [&gt, &recon, &out, &cache]);
        kill_when(2, says_caption, command, || kept() >= kill * 2);
    }
    let server = VlmServer::start(says_caption);
    assert!(
        command(&server.url, [&gt, &recon, &out, &cache])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(
        server.asked().len(),
        6,
        "ten of sixteen were answered before"
    );

    let undisturbed = VlmServer::start(says_caption);
    let [other, other_cache] = ["other", "other-cache"].map(|name| dir.path().join(name));
    assert!(
        command(&undisturbed.url, [&gt, &recon, &other, &other_cache])
            .status()
            .unwrap()
            .success()
    );
    for file in [
        "scores.parquet",
        "observations/gt/captions.json",
        "observations/recon/captions.json",
    ] {
        let bytes = |run: &Path| std::fs::read(run.join(file)).unwrap();
        assert_eq!(bytes(&out), bytes(&other), "{file}");
    }
}
