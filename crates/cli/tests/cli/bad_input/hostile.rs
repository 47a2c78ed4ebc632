//! Names that a terminal or a spreadsheet would obey, sizes that are absurd, links that lead elsewhere.

use crate::support::{arg, folder, image_folders, neurogauge, record, refused, succeed};
use std::fs;

#[test]
fn a_name_with_commands_for_the_terminal_is_written_out() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "\u{1b}[2J\u{202e}2"]);
    fs::write(recon.join("\u{1b}[2J\u{202e}2.png"), "no picture").unwrap();
    let run = dir.path().join("run");
    let inputs = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--on-failure",
        "stop",
    ];
    let ran = refused(
        &[&inputs[..], &["--out", arg(&run)]].concat(),
        1,
        &["\\u{1b}[2J\\u{202e}2.png"],
    );
    assert!(
        !ran.stderr.contains(['\u{1b}', '\u{202e}']),
        "{}",
        ran.stderr
    );
}

#[test]
fn stems_that_a_spreadsheet_would_compute_have_an_apostrophe() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["=1+1", "-2", "@b"]);
    let run = dir.path().join("run");
    let inputs = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--metrics",
        "ssim",
    ];
    let score = |options: &[&str]| {
        succeed(&[&inputs[..], &["--out", arg(&run)], options].concat());
        fs::read_to_string(run.join("scores.csv")).unwrap()
    };
    let guarded = score(&[]);
    for cell in ["\n'=1+1,", "\n-2,", "\n'@b,"] {
        assert!(guarded.contains(cell), "{guarded}");
    }
    let ratings = dir.path().join("ratings.csv");
    fs::write(&ratings, "item,a,b\n=1+1,1,2\n-2,2,3\n@b,4,4\n").unwrap();
    let meta = dir.path().join("meta");
    let scores = run.join("scores.csv");
    let read_again = [
        "meta",
        "--human",
        arg(&ratings),
        "--metrics",
        arg(&scores),
        "--out",
        arg(&meta),
    ];
    succeed(&read_again);
    fs::remove_dir_all(&run).unwrap();
    assert_eq!(score(&["--csv-formulas"]), guarded.replace('\'', ""));
}

#[test]
fn images_of_more_pixels_than_asked_for_are_refused() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let run = dir.path().join("run");
    let inputs = [
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--metrics",
        "ssim",
        "--out",
        arg(&run),
    ];
    let most = |n| [&inputs[..], &["--on-failure", "stop", "--max-pixels", n]].concat();
    refused(
        &most("2303"),
        1,
        &["48 x 48 px", "2303 pixels", "--max-pixels"],
    );
    refused(&most("0"), 2, &["--max-pixels", "1 to 1000000000"]);
    succeed(&most("2304"));
    assert_eq!(record(&run)["max_pixels"], 2304);
    fs::remove_dir_all(&run).unwrap();
    succeed(&inputs);
    assert!(record(&run).get("max_pixels").is_none());
}

#[test]
fn limits_of_the_command_line_hold_for_records() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let run = dir.path().join("run");
    succeed(&[
        "score",
        "--gt",
        arg(&gt),
        "--recon",
        arg(&recon),
        "--metrics",
        "ssim",
        "--out",
        arg(&run),
    ]);
    let mut changed = record(&run);
    changed["request"]["bootstrap"]["resamples"] = 1_000_000_000_000_000_u64.into();
    fs::write(run.join("run.json"), changed.to_string()).unwrap();
    let again = dir.path().join("again");
    let (file, again) = (run.join("run.json"), arg(&again).to_owned());
    let ran = neurogauge(&["score", "--from-run", arg(&file), "--out", &again]);
    assert!([1, 2].contains(&ran.code), "{}", ran.stderr);
    ran.says(&["resamples", "1000000000000000", "10000000"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_lock_is_not_followed() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let (run, precious) = (dir.path().join("run"), dir.path().join("precious"));
    fs::create_dir(&run).unwrap();
    fs::write(&precious, "years of work").unwrap();
    std::os::unix::fs::symlink(&precious, run.join(".lock")).unwrap();
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    let options = ["--metrics", "ssim", "--out", arg(&run)];
    refused(
        &[&inputs[..], &options].concat(),
        1,
        &[".lock", "symbolic link"],
    );
    assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work");
}
