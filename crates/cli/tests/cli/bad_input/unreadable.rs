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
    assert_snapshot!(dir.run(SCORE), @r#"
    exit 1, stdout:
    run: 3 pairs
    System: run

    Metric        mean  95% interval     n  undefined
    Low-Level
      PixCorr ↑  0.970  [0.703, 1.000]   2          1
      SSIM ↑     0.862  [-0.205, 1.000]  2          1

    PixCorr, SSIM: 1 pair undefined (the reconstruction cannot be read)
    pairs whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is unknown: PixCorr 0.647 (1 at 0), SSIM 0.575 (1 at 0)
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 2 pairs: no test of two systems can reach p < 0.5, and 95% intervals are at least ±12.7 standard errors wide (large n: ±2.0).
    PixCorr, SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr:
    warning: recon/images "2": [DIR]/recon/2.png: not a readable image: unexpected end of file
    run: 3 pairs scored
    error: 1 image has no readable pixels: recon/images "2"; the reasons are above. All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    assert_snapshot!(dir.read("run/scores.csv"), @"
    pair,pixcorr,ssim
    1,0.9907929144208033,0.9457574368049129
    2,,
    3,0.9488320991934198,0.7777815179164372
    ");
    let record = dir.json("run/run.json");
    assert_eq!(record["unreadable"][0]["stem"], "2");
    assert_eq!(record["complete"], true);
    // Repeated, the run still says that an image is missing.
    assert_snapshot!(dir.run(SCORE).code, @"1");
    assert_snapshot!(dir.run(&format!("{SCORE} --on-failure stop --overwrite --pixel-size 40")), @"exit 1, stderr: error: [DIR]/recon/2.png: not a readable image: unexpected end of file");

    // Repaired, every pair has a value.
    fs::write(recon.join("2.png"), whole).unwrap();
    assert_snapshot!(dir.run(&format!("{SCORE} --overwrite")), @"
    exit 0, stdout:
    run: 3 pairs
    System: run

    Metric        mean  95% interval    n  undefined
    Low-Level
      PixCorr ↑  0.971  [0.919, 1.000]  3          0
      SSIM ↑     0.862  [0.654, 1.000]  3          0

    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 3 pairs: no test of two systems can reach p < 0.25, and 95% intervals are at least ±4.3 standard errors wide (large n: ±2.0).
    PixCorr, SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    stderr: run: 3 pairs scored
    ");
}

/// Nobody makes a folder there.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_cannot_be_written_to_is_named_once() {
    let dir = folder();
    image_folders(dir.path(), &["1", "2"]);
    let score = "score --gt gt --recon recon --metrics effnet,alexnet2 --image-models stand-in --out run";
    let ran = dir.run_with_cache(score, "/sys/neurogauge");
    assert_eq!(ran.code, 0, "{ran}");
    let findings = ran.stderr.lines().filter(|line| line.contains("/sys/neurogauge: the cache cannot be written to"));
    assert_eq!(findings.count(), 1, "{ran}");
}
