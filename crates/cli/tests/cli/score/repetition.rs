//! Runs that are read again, run again, resumed and repeated.

use super::images::STEMS;
use crate::support::image_pairs::SCORE;
use crate::support::*;

#[test]
fn a_finished_run_is_read_back_and_a_changed_one_is_done_anew() {
    let dir = images(&STEMS);
    let first = dir.succeed(SCORE);
    let again = dir.succeed(SCORE);
    again.says(&["nothing was computed"]);
    assert_eq!(first.stdout, again.stdout);

    // Other options have another key.
    let other = dir.succeed(&format!("{SCORE} --set pixel_size=64"));
    other.says(&["5 pairs scored"]);
    assert_ne!(first.stdout, other.stdout);

    // Another image has another key; the other pairs come from the journal unchanged.
    dir.succeed(SCORE);
    let before = dir.scores("run");
    write_png(&dir.join("recon/2.png"), &picture("2", 48, 200.0)).unwrap();
    dir.succeed(SCORE);
    let after = dir.scores("run");
    let [old, new] = [&before, &after].map(|scores| scores.column("ssim").unwrap());
    for (stem, (old, new)) in before.pairs.iter().zip(old.iter().zip(new)) {
        assert_eq!(old != new, stem == "2", "{stem}");
    }

    // A damaged output is detected.
    dir.write("run/scores.parquet", "rubbish");
    dir.succeed(SCORE).says(&["5 pairs scored"]);
    assert_eq!(dir.scores("run"), after);
}

#[test]
fn an_interrupted_run_goes_on_and_ends_with_the_same_bits() {
    let dir = images(&STEMS);
    dir.succeed("score gt recon --out whole");

    // On request, a truncated image stops the run; finished scores are kept.
    let image = dir.join("recon/b.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = dir.run(&format!("{SCORE} --on-failure stop"));
    assert_eq!(failed.code, 1);
    failed.says(&["b.png"]);
    assert!(!dir.has("run/scores.parquet"));
    assert_eq!(dir.read("run/journal.jsonl").lines().count(), 4 * 3, "four pairs, three metrics");

    fs::write(&image, &bytes).unwrap();
    dir.succeed(SCORE);
    same_results(&dir, "whole", "run");
}

/// Asserts that two runs of a folder have the same bytes.
#[track_caller]
fn same_results(dir: &Folder, one: &str, other: &str) {
    for file in ["scores.parquet", "summary.json"] {
        let [one, other] = [one, other].map(|run| fs::read(dir.join(run).join(file)).unwrap());
        assert_eq!(one, other, "{file}");
    }
}

#[test]
fn run_json_repeats_the_run_bit_for_bit_and_refuses_changed_inputs() {
    let dir = images(&STEMS);
    dir.succeed(&format!("{SCORE} --metrics ssim --set pixel_size=100 --set antialias=on --seed 7 --level 0.9"));
    let repeat = "score --from-run run/run.json --out";
    dir.succeed(&format!("{repeat} again"));
    same_results(&dir, "run", "again");
    let refused = dir.run(&format!("{repeat} third --seed 8"));
    dir.picture("gt/a.png", "other", 48, 1.0);
    let changed = dir.run(&format!("{repeat} third"));
    assert_snapshot!(format!("{refused}\n{changed}"), @r#"
    exit 2, stderr:
    error: the argument '--from-run <RUN>' cannot be used with '--seed <SEED>'

    Usage: neurogauge score --from-run <RUN> --out <RUN> [GT] [RECON]
    exit 1, stderr: error: gt/images "a" ([DIR]/gt) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run
    "#);
    assert!(!dir.has("third"));
}

#[test]
fn what_failed_is_tried_again_when_the_run_is_repeated() {
    let dir = images(&["1", "2"]);
    for (side, grain) in [("gt", 4.0), ("recon", 40.0)] {
        write_png(&dir.join(side).join("3.png"), &picture("3", 64, grain)).unwrap();
    }
    let score = "score gt recon --metrics pixcorr --out run";
    let limited = format!("{score} --max-pixels 3000");
    let first = dir.run(&limited);
    assert_snapshot!(first.messages(), @r#"
    warning: gt/images "3": [DIR]/gt/3.png: an image of 64 x 64 px, and none of more than 3000 pixels is read; if it is meant, raise --max-pixels
    run: 3 pairs scored
    error: 1 image has no readable pixels: gt/images "3" ([DIR]/gt/3.png: an image of 64 x 64 px, and none of more than 3000 pixels is read; if it is meant, raise --max-pixels). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    // The run fails again with the same result, which is read and not replaced.
    let (kept, journal) = (dir.scores("run"), dir.read("run/journal.jsonl"));
    let again = dir.run(&limited);
    assert_eq!((again.code, &again.stdout), (1, &first.stdout));
    assert_eq!(again.messages(), first.messages());
    assert_eq!(dir.scores("run"), kept);
    dir.succeed("report run --out page.html");
    let other = dir.run(&format!("{score} --set pixel_size=16"));
    other.says(&["run: holds a finished run of other inputs or options"]);

    dir.succeed(score).says(&["run: 3 pairs scored"]);
    let scores = dir.scores("run");
    assert_eq!(scores.column("pixcorr").unwrap()[..2], kept.column("pixcorr").unwrap()[..2]);
    assert!(scores.column("pixcorr").unwrap()[2].is_ok());
    let then = dir.read("run/journal.jsonl");
    assert!(then.starts_with(&journal), "the others are not compared again");
    dir.succeed(score).says(&["already finished"]);
}
