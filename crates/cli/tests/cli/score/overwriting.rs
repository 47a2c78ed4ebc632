//! A finished run is replaced only on request.

use crate::support::image_pairs::ImagePairs;
use crate::support::{arg, folder, record, refused, succeed, write};

#[test]
fn a_finished_run_of_other_options_is_kept_unless_it_is_to_be_replaced() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &["1", "2"]);
    let inputs = ["score", "--gt", arg(&data.gt), "--recon", arg(&data.recon)];
    let inputs = [&inputs[..], &["--out", arg(&data.run), "--metrics"]].concat();
    let score = |options: &[&'static str]| [&inputs[..], options].concat();
    let first = score(&["pixcorr", "--pixel-size", "32"]);
    succeed(&first);
    let before = record(&data.run);
    succeed(&first).says(&["already finished"]);

    let other = score(&["pixcorr,psnr", "--pixel-size", "16"]);
    let parts = [
        "holds a finished run of other inputs or options",
        "--overwrite",
        "metrics: pixcorr then, pixcorr, psnr now",
        "options.options.pixels.size_px: 32 then, 16 now",
    ];
    let ran = refused(&other, 1, &parts);
    assert!(!ran.stderr.contains("SHA-256 of input"), "{}", ran.stderr);
    assert_eq!(record(&data.run), before);
    assert!(!data.run.join(".lock").exists());
    succeed(&[&other[..], &["--overwrite"]].concat());
    assert_eq!(
        record(&data.run)["request"]["options"]["pixels"]["size_px"],
        16
    );

    // Another image is another input.
    std::fs::copy(data.gt.join("1.png"), data.gt.join("2.png")).unwrap();
    refused(&other, 1, &["SHA-256 of input.gt/images: "]);
}

#[test]
fn another_unfinished_run_is_replaced_with_a_word() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &["1", "2"]);
    let score = |options: &[&str]| {
        let inputs = [
            "score",
            arg(&data.gt),
            arg(&data.recon),
            "--metrics",
            "pixcorr",
        ];
        succeed(&[&inputs[..], &["--out", arg(&data.run)], options].concat())
    };
    score(&["--pixel-size", "32"]);
    let path = data.run.join("run.json");
    let finished = std::fs::read_to_string(&path).unwrap();
    let unfinished = finished.replace("\"complete\": true", "\"complete\": false");
    assert_ne!(finished, unfinished);
    write(&path, &unfinished);
    let ran = score(&["--pixel-size", "16"]);
    ran.says(&[
        "warning: ",
        "held an unfinished run of other inputs or options, which this one replaces",
        "options.options.pixels.size_px: 32 then, 16 now",
    ]);
    // The same one is gone on with, which is no surprise.
    write(&path, &unfinished);
    let ran = score(&["--pixel-size", "32"]);
    assert!(!ran.stderr.contains("unfinished"), "{}", ran.stderr);
}

#[test]
fn a_placeholder_is_named_in_words_where_it_differs() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &["1", "2"]);
    let inputs = [
        "score",
        arg(&data.gt),
        arg(&data.recon),
        "--out",
        arg(&data.run),
    ];
    let score = |options: &[&'static str]| [&inputs[..], options].concat();
    succeed(&score(&[
        "--metrics",
        "pixcorr,effnet",
        "--image-models",
        "stand-in",
    ]));
    let said = "model.mean-colours: a placeholder without weights then, none now";
    let ran = refused(&score(&["--metrics", "pixcorr"]), 1, &[said]);
    assert!(
        !ran.stderr.contains("none then, none now"),
        "{}",
        ran.stderr
    );
}
