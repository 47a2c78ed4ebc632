//! A finished run is replaced only on request.

use crate::support::{Folder, folder, image_folders};
use insta::assert_snapshot;

const SCORE: &str = "score gt recon --out run --metrics";

fn images() -> Folder {
    let dir = folder();
    image_folders(dir.path(), &["1", "2"]);
    dir
}

#[test]
fn a_finished_run_of_other_options_is_kept_unless_it_is_to_be_replaced() {
    let dir = images();
    let first = format!("{SCORE} pixcorr --pixel-size 32");
    dir.succeed(&first);
    let before = dir.json("run/run.json");
    dir.succeed(&first).says(&["already finished"]);

    let other = format!("{SCORE} pixcorr,psnr --pixel-size 16");
    assert_snapshot!(dir.run(&other), @"
    exit 1, stderr:
    error: run: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      metrics: pixcorr then, pixcorr, psnr now
      options.options.pixels.size_px: 32 then, 16 now
      origin of metric.psnr: none then, computed now
    ");
    assert_eq!(dir.json("run/run.json"), before);
    assert!(!dir.join("run/.lock").exists());
    dir.succeed(&format!("{other} --overwrite"));
    let size = &dir.json("run/run.json")["request"]["options"]["pixels"]["size_px"];
    assert_eq!(*size, 16);

    // Another image is another input.
    std::fs::copy(dir.join("gt/1.png"), dir.join("gt/2.png")).unwrap();
    assert_snapshot!(dir.run(&other), @"
    exit 1, stderr:
    error: run: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      SHA-256 of input.gt/images: [HASH] then, [HASH] now
    ");
}

#[test]
fn another_unfinished_run_is_not_replaced_either() {
    let dir = images();
    let score = |size: u32| dir.run(&format!("{SCORE} pixcorr --pixel-size {size}"));
    score(32);
    let finished = dir.read("run/run.json");
    let unfinished = finished.replace("\"complete\": true", "\"complete\": false");
    assert_ne!(finished, unfinished);
    dir.write("run/run.json", &unfinished);
    assert_snapshot!(score(16), @"
    exit 1, stderr:
    error: run: holds an unfinished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.options.pixels.size_px: 32 then, 16 now
    ");
    assert_eq!(dir.read("run/run.json"), unfinished);
    // The same one is gone on with, which is no surprise.
    assert_snapshot!(score(32).messages(), @"run: 2 pairs scored");
}

#[test]
fn a_placeholder_is_named_in_words_where_it_differs() {
    let dir = images();
    dir.succeed(&format!("{SCORE} pixcorr,effnet --image-models stand-in"));
    assert_snapshot!(dir.run(&format!("{SCORE} pixcorr")), @"
    exit 1, stderr:
    error: run: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      device: cpu then, none now
      metrics: pixcorr, effnet then, pixcorr now
      model.mean-colours: a placeholder without weights then, none now
      options.perception.stand_in: true then, false now
      origin of metric.effnet: perceived/mean-colours.grid4 then, none now
    ");
}
