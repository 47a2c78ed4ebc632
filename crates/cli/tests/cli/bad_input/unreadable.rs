//! One image of many that cannot be read, and a cache that cannot be written to.

use crate::support::{folder, image_folders};
use insta::assert_snapshot;
use std::fs;

const SCORE: &str = "score --gt gt --recon recon --metrics pixcorr,ssim --out run";

#[test]
fn a_broken_image_leaves_its_pair_without_a_value() {
    let dir = folder();
    let (_, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let whole = fs::read(recon.join("2.png")).unwrap();
    fs::write(recon.join("2.png"), &whole[..whole.len() / 2]).unwrap();
    assert_snapshot!(dir.run(SCORE), @"");
    assert_snapshot!(dir.read("run/scores.csv"), @"");
    let record = dir.json("run/run.json");
    assert_eq!(record["unreadable"][0]["stem"], "2");
    assert_eq!(record["complete"], true);
    // Read back, it is still a run of which a part is missing.
    assert_snapshot!(dir.run(SCORE).code, @"1");
    assert_snapshot!(dir.run(&format!("{SCORE} --on-failure stop --overwrite --pixel-size 40")), @"");

    // Repaired, the others come from the journal.
    fs::write(recon.join("2.png"), whole).unwrap();
    assert_snapshot!(dir.run(&format!("{SCORE} --overwrite")), @"");
}

/// Nobody makes a folder there.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_cannot_be_written_to_is_named_once() {
    let dir = folder();
    image_folders(dir.path(), &["1", "2"]);
    let score =
        "score --gt gt --recon recon --metrics effnet,alexnet2 --image-models stand-in --out run";
    let ran = dir.run_with_cache(score, "/sys/neurogauge");
    assert_eq!(ran.code, 0, "{ran}");
    let warnings = ran
        .stderr
        .lines()
        .filter(|line| line.contains("/sys/neurogauge: the cache cannot be written to"));
    assert_eq!(warnings.count(), 1, "{ran}");
}
