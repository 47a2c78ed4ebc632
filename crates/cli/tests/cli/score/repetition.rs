//! Runs that are read back, run again, resumed and repeated.

use super::images::STEMS;
use crate::support::arguments::{score_again, score_images};
use crate::support::{arg, folder, image_folders, neurogauge, picture, scores, succeed};
use std::fs;

#[test]
fn a_finished_run_is_read_back_and_a_changed_one_is_done_anew() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let run = dir.path().join("run");
    let args = score_images(&gt, &recon, &run, &[]);
    let first = succeed(&args);
    let again = succeed(&args);
    again.says(&["nothing was computed"]);
    assert_eq!(first.stdout, again.stdout);

    // Other options, another key.
    let other = succeed(&[&args[..], &["--pixel-size", "64"]].concat());
    other.says(&["5 pairs scored"]);
    assert_ne!(first.stdout, other.stdout);

    // Another image, another key; the other pairs come from the journal and stay as they were.
    succeed(&args);
    let before = scores(&run);
    neurogauge::formats::image_file::write_png(&recon.join("2.png"), &picture("2", 48, 200.0))
        .unwrap();
    succeed(&args);
    let after = scores(&run);
    for (stem, (old, new)) in before.pairs.iter().zip(
        before
            .column("ssim")
            .unwrap()
            .iter()
            .zip(after.column("ssim").unwrap()),
    ) {
        assert_eq!(old != new, stem == "2", "{stem}");
    }

    // A damaged output is noticed.
    fs::write(run.join("scores.parquet"), "rubbish").unwrap();
    assert!(succeed(&args).stderr.contains("5 pairs scored"));
    assert_eq!(scores(&run), after);
}

#[test]
fn an_interrupted_run_goes_on_and_ends_with_the_same_bits() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
    let score = |run: &std::path::Path| neurogauge(&score_images(&gt, &recon, run, &[]));
    assert_eq!(score(&whole).code, 0);

    // A truncated image stops the run; finished scores are kept.
    let image = recon.join("b.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = score(&broken);
    assert_eq!(failed.code, 1);
    failed.says(&["b.png"]);
    assert!(!broken.join("scores.parquet").exists());
    let journal = fs::read_to_string(broken.join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 4 * 3, "four pairs, three metrics");

    fs::write(&image, &bytes).unwrap();
    assert_eq!(score(&broken).code, 0);
    for file in ["scores.parquet", "summary.json"] {
        assert_eq!(
            fs::read(whole.join(file)).unwrap(),
            fs::read(broken.join(file)).unwrap()
        );
    }
}

#[test]
fn run_json_repeats_the_run_bit_for_bit_and_refuses_changed_inputs() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &STEMS);
    let (run, again) = (dir.path().join("run"), dir.path().join("again"));
    succeed(&score_images(
        &gt,
        &recon,
        &run,
        &[
            "--metrics",
            "ssim",
            "--pixel-size",
            "100",
            "--antialias",
            "on",
            "--seed",
            "7",
            "--level",
            "0.9",
        ],
    ));
    let run_json = run.join("run.json");
    succeed(&["score", "--from-run", arg(&run_json), "--out", arg(&again)]);
    for file in ["scores.parquet", "summary.json"] {
        assert_eq!(
            fs::read(run.join(file)).unwrap(),
            fs::read(again.join(file)).unwrap()
        );
    }

    let refused = neurogauge(&score_again(&run_json, &again, &["--seed", "8"]));
    assert_eq!(refused.code, 2, "{}", refused.stderr);

    neurogauge::formats::image_file::write_png(&gt.join("a.png"), &picture("other", 48, 1.0))
        .unwrap();
    let changed = neurogauge(&score_again(&run_json, &dir.path().join("third"), &[]));
    assert_eq!(changed.code, 1);
    changed.says(&["gt/images \"a\""]);
}
