//! Names that a terminal or a spreadsheet would obey, absurd sizes, and links that lead elsewhere.

use crate::support::*;

const SCORE: &str = "score --gt gt --recon recon --metrics ssim --out run";

#[test]
fn a_name_with_commands_for_the_terminal_is_written_out() {
    let dir = images(&["1", "\u{1b}[2J\u{202e}2"]);
    dir.write("recon/\u{1b}[2J\u{202e}2.png", "no picture");
    assert_snapshot!(dir.run(&format!("{SCORE} --on-failure stop")), @r#"exit 1, stderr: error: [DIR]/recon/\u{1b}[2J\u{202e}2.png: not a readable image: text that begins with "no picture"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file"#);
}

#[test]
fn stems_that_a_spreadsheet_would_compute_have_an_apostrophe() {
    let dir = images(&["=1+1", "-2", "@b"]);
    let score = |option: &str| {
        dir.succeed(&format!("{SCORE} {option}"));
        dir.read("run/scores.csv")
    };
    let guarded = score("");
    contains(&guarded, &["\n'=1+1,", "\n-2,", "\n'@b,"]);
    dir.write("ratings.csv", "item,a,b\n=1+1,1,2\n-2,2,3\n@b,4,4\n");
    dir.succeed("meta --human ratings.csv --metrics run/scores.csv --out meta");
    dir.remove("run");
    assert_eq!(score("--csv-formulas"), guarded.replace('\'', ""));
}

#[test]
fn images_of_more_pixels_than_asked_for_are_refused() {
    let dir = images(&["1", "2"]);
    let most = |n| format!("{SCORE} --on-failure stop --max-pixels {n}");
    assert_snapshot!(dir.run(&most(2303)), @"exit 1, stderr: error: [DIR]/gt/1.png: an image of 48 x 48 px, and none of more than 2303 pixels is read; if it is meant, raise --max-pixels");
    assert_snapshot!(dir.run(&most(0)), @"exit 2, stderr: error: invalid value '0' for '--max-pixels <N>': expected a whole number from 1 to 1000000000");
    dir.succeed(&most(2304));
    assert_eq!(dir.json("run/run.json")["max_pixels"], 2304);
    dir.remove("run");
    dir.succeed(SCORE);
    assert!(dir.json("run/run.json").get("max_pixels").is_none());

    // Limits of the command line also apply to records.
    let mut changed = dir.record("run");
    changed["request"]["bootstrap"]["resamples"] = 1_000_000_000_000_000_u64.into();
    dir.write("run/run.json", changed.to_string());
    assert_snapshot!(dir.run("score --from-run run/run.json --out again"), @"exit 2, stderr: error: resamples is 1000000000000000; expected a whole number from 1 to 10000000");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_lock_is_not_followed() {
    let dir = images(&["1", "2"]);
    dir.write("precious", "years of work");
    fs::create_dir(dir.join("run")).unwrap();
    std::os::unix::fs::symlink(dir.join("precious"), dir.join("run/.lock")).unwrap();
    assert_snapshot!(dir.run(SCORE), @"exit 1, stderr: error: run/.lock: a symbolic link where a file is to be written; remove it, or choose another folder");
    assert_eq!(dir.read("precious"), "years of work");
}
