//! Ctrl-C, and a terminal that is closed: the message, the kept results, and how the run resumes.

use crate::support::{arg, folder, pictures, scores, succeed};
use insta::assert_snapshot;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Enough work to be interrupted in the middle, and a journal that records the progress.
const OPTIONS: [&str; 4] = ["--metrics", "pixcorr,ssim", "--pixel-size", "600"];
const PAIRS: usize = 256;

fn n_lines(journal: &Path) -> usize {
    std::fs::read_to_string(journal).map_or(0, |text| text.lines().count())
}

/// The program, which is to end by SIGHUP even if the tests themselves were started to survive it.
#[cfg(unix)]
fn listening(program: &str) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP", program]);
    command
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_what_is_kept_and_goes_on() {
    let dir = folder();
    let gt = pictures(&dir.path().join("gt"), "gt", PAIRS, 96, 4.0);
    let recon = pictures(&dir.path().join("recon"), "recon", PAIRS, 96, 40.0);
    let images = ["score", arg(&gt), arg(&recon)];
    for (out, signal, code) in [(Some("run"), "-INT", 130), (None, "-HUP", 129)] {
        let cache = dir.path().join("cache");
        let run = out.map_or(cache.join("last-run"), |out| dir.path().join(out));
        let to = out.map(|_| ["--out", arg(&run)]);
        let args = [&images[..], &OPTIONS, to.as_ref().map_or(&[][..], |to| to)].concat();
        let command = || {
            let mut command = listening(env!("CARGO_BIN_EXE_neurogauge"));
            command.args(["--threads", "1"]).args(&args);
            command.env("NEUROGAUGE_CACHE", &cache);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let child = command().spawn().unwrap();
        let journal = run.join("journal.jsonl");
        let begun = Instant::now();
        while n_lines(&journal) == 0 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let pid = child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{said}");
        let last: Vec<&str> = said.lines().filter(|line| line.starts_with("stopped")).collect();
        assert_eq!(last.len(), 1, "{said}");
        assert!(last[0].contains(arg(&run)) && last[0].contains("repeat the command"), "{said}");
        // Finished results are on disk and complete.
        let n_kept = n_lines(&journal);
        assert!((1..2 * PAIRS).contains(&n_kept), "{n_kept} lines of the journal");
        let again = command().output().unwrap();
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
        let kept = std::fs::read_to_string(&journal).unwrap();
        let keys: std::collections::HashSet<&str> =
            kept.lines().filter_map(|line| line.split("\"value\"").next()).collect();
        assert_eq!(keys.len(), kept.lines().count(), "no pair is compared twice");
    }
    // The numbers equal those of an uninterrupted run.
    let whole = dir.path().join("whole");
    succeed(&[&images[..], &OPTIONS, &["--out", arg(&whole)]].concat());
    assert_eq!(scores(&whole), scores(&dir.path().join("run")));
}

/// The lock, and half of the first record.
#[test]
fn a_folder_of_a_process_that_was_killed_before_its_first_record_is_a_runs() {
    let dir = folder();
    for (side, grain) in [("gt", 4.0), ("recon", 40.0)] {
        pictures(&dir.join(side), side, 2, 16, grain);
    }
    let left = ["run/.lock", "run/.x1Y2z3.tmp"];
    for name in left {
        dir.write(name, "process 1");
    }
    let score = "score gt recon --metrics psnr --out run";
    dir.succeed(score).says(&["2 pairs scored"]);
    assert!(dir.join("run/run.json").exists());
    assert!(left.iter().all(|name| !dir.join(name).exists()));
    // With anything else beside them it is somebody's.
    std::fs::remove_file(dir.join("run/run.json")).unwrap();
    dir.write("run/.lock", "process 1");
    assert_snapshot!(dir.run(score), @"exit 1, stderr: error: run: not empty and not a run folder (no run.json); choose another --out, nothing was written");
    assert!(dir.join("run/scores.csv").exists());
}
