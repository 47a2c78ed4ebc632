//! Runs that are read back, run again, resumed and repeated.

use super::images::STEMS;
use crate::support::image_pairs::SCORE;
use crate::support::{Folder, folder, image_folders, picture, scores};
use insta::assert_snapshot;
use neurogauge::formats::image_file::write_png;
use std::fs;

#[test]
fn a_finished_run_is_read_back_and_a_changed_one_is_done_anew() {
    let dir = folder();
    let (_, recon) = image_folders(dir.path(), &STEMS);
    let run = dir.join("run");
    let first = dir.succeed(SCORE);
    let again = dir.succeed(SCORE);
    again.says(&["nothing was computed"]);
    assert_eq!(first.stdout, again.stdout);

    // Other options, another key.
    let other = dir.succeed(&format!("{SCORE} --pixel-size 64"));
    other.says(&["5 pairs scored"]);
    assert_ne!(first.stdout, other.stdout);

    // Another image, another key; the other pairs come from the journal and stay as they were.
    dir.succeed(SCORE);
    let before = scores(&run);
    write_png(&recon.join("2.png"), &picture("2", 48, 200.0)).unwrap();
    dir.succeed(SCORE);
    let after = scores(&run);
    let [old, new] = [&before, &after].map(|scores| scores.column("ssim").unwrap());
    for (stem, (old, new)) in before.pairs.iter().zip(old.iter().zip(new)) {
        assert_eq!(old != new, stem == "2", "{stem}");
    }

    // A damaged output is noticed.
    dir.write("run/scores.parquet", "rubbish");
    dir.succeed(SCORE).says(&["5 pairs scored"]);
    assert_eq!(scores(&run), after);
}

#[test]
fn an_interrupted_run_goes_on_and_ends_with_the_same_bits() {
    let dir = folder();
    let (_, recon) = image_folders(dir.path(), &STEMS);
    dir.succeed("score gt recon --out whole");

    // A truncated image stops the run where that is asked for; finished scores are kept.
    let image = recon.join("b.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = dir.run(&format!("{SCORE} --on-failure stop"));
    assert_eq!(failed.code, 1);
    failed.says(&["b.png"]);
    assert!(!dir.join("run/scores.parquet").exists());
    let journal = dir.read("run/journal.jsonl");
    assert_eq!(journal.lines().count(), 4 * 3, "four pairs, three metrics");

    fs::write(&image, &bytes).unwrap();
    dir.succeed(SCORE);
    same_results(&dir, "whole", "run");
}

/// Two runs of a folder have the same bytes.
#[track_caller]
fn same_results(dir: &Folder, one: &str, other: &str) {
    for file in ["scores.parquet", "summary.json"] {
        let [one, other] = [one, other].map(|run| fs::read(dir.join(run).join(file)).unwrap());
        assert_eq!(one, other, "{file}");
    }
}

#[test]
fn run_json_repeats_the_run_bit_for_bit_and_refuses_changed_inputs() {
    let dir = folder();
    image_folders(dir.path(), &STEMS);
    dir.succeed(&format!(
        "{SCORE} --metrics ssim --pixel-size 100 --antialias on --seed 7 --level 0.9"
    ));
    let repeat = "score --from-run run/run.json --out";
    dir.succeed(&format!("{repeat} again"));
    same_results(&dir, "run", "again");
    let refused = dir.run(&format!("{repeat} third --seed 8"));
    write_png(&dir.join("gt/a.png"), &picture("other", 48, 1.0)).unwrap();
    let changed = dir.run(&format!("{repeat} third"));
    assert_snapshot!(format!("{refused}\n{changed}"), @r#"
    exit 2, stderr:
    error: the argument '--from-run <RUN>' cannot be used with:
      --seed <SEED>

    Usage: neurogauge score --from-run <RUN> --out <RUN> [GT] [RECON]
    exit 1, stderr: error: gt/images "a" ([DIR]/gt) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run
    "#);
    assert!(!dir.join("third").exists());
}
