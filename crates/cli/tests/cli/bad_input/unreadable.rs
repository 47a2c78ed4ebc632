//! One unreadable image of many, and a cache without write access.

use crate::support::*;

const SCORE: &str = "score --gt gt --recon recon --metrics pixcorr,ssim --out run";

#[test]
fn a_broken_image_leaves_its_pair_without_a_value() {
    let dir = images(&["1", "2", "3"]);
    let whole = dir.bytes("recon/2.png");
    dir.write("recon/2.png", &whole[..whole.len() / 2]);
    let about = ["PixCorr ↑", "SSIM ↑", "undefined (", "with failures", "warning", "error:", "scored"];
    let run = |options: &str| lines_with(&dir.run(&format!("{SCORE} {options}")).to_string(), &about);
    assert_snapshot!(run(""), @r#"
      PixCorr ↑  0.970  [0.703, 1.000]   2          1
      SSIM ↑     0.862  [-0.205, 1.000]  2          1
    PixCorr, SSIM: 1 pair undefined (the reconstruction cannot be read)
    pairs whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is unknown: PixCorr 0.647 (1 at 0), SSIM 0.575 (1 at 0)
    warning: recon/images "2": [DIR]/recon/2.png: not a readable image: it ends too early, so it was cut short; write it again
    run: 3 pairs scored
    error: 1 image has no readable pixels: recon/images "2" ([DIR]/recon/2.png: not a readable image: it ends too early, so it was cut short; write it again). All others are done; repair these and call again, with --overwrite if a file has changed
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
    // When repeated, the run still reports that an image is missing.
    assert_eq!(dir.run(SCORE).code, 1);
    assert_snapshot!(dir.run(&format!("{SCORE} --on-failure stop --overwrite --set pixel_size=40")), @"exit 1, stderr: error: [DIR]/recon/2.png: not a readable image: it ends too early, so it was cut short; write it again");

    // After a repair, every pair has a value.
    dir.write("recon/2.png", whole);
    assert_snapshot!(run("--overwrite"), @"
      PixCorr ↑  0.971  [0.919, 1.000]  3          0
      SSIM ↑     0.862  [0.654, 1.000]  3          0
    stderr: run: 3 pairs scored
    ");
}

/// Nobody can make a folder there.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_cannot_be_written_to_is_named_once() {
    let dir = images(&["1", "2"]);
    let score = "score --gt gt --recon recon --metrics effnet,alexnet2 --set image_models=placeholder --out run";
    let ran = dir.run_with_cache(score, "/sys/neurogauge").done();
    let findings = ran.stderr.lines().filter(|line| line.contains("/sys/neurogauge: the cache cannot be written to"));
    assert_eq!(findings.count(), 1, "{ran}");
}
