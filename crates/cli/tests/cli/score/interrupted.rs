//! Ctrl-C, and a closed terminal: the message, the kept results, and how the run resumes.

use crate::support::*;
use std::time::Instant;

/// Enough work to be interrupted in the middle, with a journal of the progress.
const SCORE: &str = "score gt recon --metrics pixcorr,ssim --set pixel_size=300";
const PAIRS: usize = 128;

fn n_lines(journal: &Path) -> usize {
    fs::read_to_string(journal).map_or(0, |text| text.lines().count())
}

/// The program, which must end by SIGHUP even if the tests themselves ignore it.
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
    pictures(&dir.join("gt"), "gt", PAIRS, 96, 4.0);
    pictures(&dir.join("recon"), "recon", PAIRS, 96, 40.0);
    for (out, run, signal, code) in [("--out run", "run", "-INT", 130), ("", "cache/last-run", "-HUP", 129)] {
        let command = || {
            let mut command = listening(env!("CARGO_BIN_EXE_neurogauge"));
            command.args(format!("--threads 1 {SCORE} {out}").split_whitespace());
            command.current_dir(dir.path()).env("NEUROGAUGE_CACHE", dir.join("cache"));
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let child = command().spawn().unwrap();
        let journal = dir.join(run).join("journal.jsonl");
        let begun = Instant::now();
        while n_lines(&journal) == 0 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{said}");
        let last: Vec<&str> = said.lines().filter(|line| line.starts_with("stopped")).collect();
        assert_eq!(last.len(), 1, "{said}");
        assert!(last[0].contains(run) && last[0].contains("repeat the command"), "{said}");
        // Finished results are on disk and complete.
        let n_kept = n_lines(&journal);
        assert!((1..2 * PAIRS).contains(&n_kept), "{n_kept} lines of the journal");
        let again = command().output().unwrap();
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
        let kept = fs::read_to_string(&journal).unwrap();
        let keys: std::collections::HashSet<&str> =
            kept.lines().filter_map(|line| line.split("\"value\"").next()).collect();
        assert_eq!(keys.len(), kept.lines().count(), "no pair is compared twice");
    }
    // An uninterrupted run has the same numbers.
    dir.succeed(&format!("{SCORE} --out whole"));
    assert_eq!(dir.scores("whole"), dir.scores("run"));
}

#[test]
fn a_journal_that_was_cut_within_a_pair_is_completed() {
    let dir = images(&["1", "2", "3"]);
    let score = "score gt recon --metrics pixcorr,ssim --out run";
    dir.succeed(score);
    let whole = dir.read("run/journal.jsonl");
    for n_kept in 0..whole.lines().count() {
        let kept: String = whole.split_inclusive('\n').take(n_kept).collect();
        dir.write("run/journal.jsonl", kept + "{\"key\":");
        dir.write("run/run.json", dir.read("run/run.json").replace("\"complete\": true", "\"complete\": false"));
        dir.succeed(score);
        assert_eq!(dir.read("run/journal.jsonl"), whole, "{n_kept} lines were kept");
    }
}

/// A folder with only the lock and half of the first record.
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
    assert!(dir.has("run/run.json"));
    assert!(left.iter().all(|name| !dir.has(name)));
    // With any other file, the folder belongs to somebody else.
    dir.remove("run/run.json");
    dir.write("run/.lock", "process 1");
    assert_snapshot!(dir.run(score), @"exit 1, stderr: error: run: not empty and not a run folder (no run.json); choose another --out, nothing was written");
    assert!(dir.has("run/scores.csv"));
}
