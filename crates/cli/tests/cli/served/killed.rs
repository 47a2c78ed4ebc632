//! A run that is killed goes on where it was, and sends no request twice that was answered.

use super::caption;
use super::chat_server::{ChatServer, Reply};
use crate::support::{arg, folder, pictures};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

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
            "--mllm",
            server,
            "--mllm-model",
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

#[test]
fn five_kills_cost_no_answer() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    pictures(&gt, "gt", 8, 24, 4.0);
    pictures(&recon, "recon", 8, 24, 30.0);
    // The server falls silent after so many answers, until it may give more.
    let allowed = Arc::new(AtomicUsize::new(0));
    let (limit, given) = (Arc::clone(&allowed), AtomicUsize::new(0));
    let server = ChatServer::start(move |asked| {
        if given.fetch_add(1, Ordering::SeqCst) < limit.load(Ordering::SeqCst) {
            return Reply::Says(caption(asked));
        }
        given.fetch_sub(1, Ordering::SeqCst);
        Reply::Waits(Duration::from_secs(3600))
    });
    let [out, cache] = ["run", "cache"].map(|name| dir.path().join(name));
    let kept = || {
        let journals = std::fs::read_dir(cache.join("answers"))
            .into_iter()
            .flatten()
            .flatten();
        let lines = journals.map(|file| {
            std::fs::read_to_string(file.path())
                .unwrap()
                .lines()
                .count()
        });
        lines.sum::<usize>()
    };
    for kill in 1..=5 {
        allowed.store(kill * 2, Ordering::SeqCst);
        let mut child = command(&server.url, [&gt, &recon, &out, &cache])
            .spawn()
            .unwrap();
        while kept() < kill * 2 {
            assert!(
                child.try_wait().unwrap().is_none(),
                "it waits for the server"
            );
            thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    allowed.store(usize::MAX, Ordering::SeqCst);
    let n_before = server.asked().len();
    assert!(
        command(&server.url, [&gt, &recon, &out, &cache])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(
        server.asked().len() - n_before,
        6,
        "ten of sixteen were answered before"
    );

    let undisturbed = ChatServer::start(|asked| Reply::Says(caption(asked)));
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
