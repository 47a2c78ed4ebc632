//! `score --dry-run`.

use crate::support::image_pairs::ImagePairs;
use crate::support::{folder, neurogauge_with_cache, succeed};

const OPTIONS: [&str; 10] = [
    "--metrics",
    "cap_sim,ssim,effnet",
    "--captioner",
    "stand-in-captioner",
    "--text-encoder",
    "stand-in",
    "--image-models",
    "stand-in",
    "--pixel-size",
    "48",
];

#[test]
fn it_says_what_is_observed_and_writes_nothing() {
    let dir = folder();
    let images = ImagePairs::new(dir.path(), &["a", "b", "c"]);
    let cache = dir.path().join("cache");
    let run = |options: &[&str]| {
        let args = images.args(&[&OPTIONS[..], options].concat());
        let ran = neurogauge_with_cache(&args, &cache);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let plan = run(&["--dry-run"]);
    for part in [
        "gt/captions by colour-words, of gt/images: 3 items, 0 known",
        "recon/features by mean-colours.grid4, of recon/images: 3 items, 0 known",
        "compare 3 pairs",
        "cap_sim: computed, rests on a placeholder",
        "ssim: computed\n",
    ] {
        assert!(plan.contains(part), "{part:?} in\n{plan}");
    }
    assert!(!images.run.exists() && !cache.exists());

    run(&[]);
    let plan = run(&["--dry-run"]);
    for part in [
        "gt/captions by colour-words, of gt/images: 3 items, 3 known",
        "recon/features by mean-colours.grid4, of recon/images: 3 items, 3 known",
    ] {
        assert!(plan.contains(part), "{part:?} in\n{plan}");
    }
}

#[test]
fn it_says_what_is_left_out_and_why() {
    let dir = folder();
    let images = ImagePairs::new(dir.path(), &["a", "b"]);
    let plan = succeed(&images.args(&["--dry-run"])).stdout;
    for part in [
        "observe: nothing",
        "leave out",
        "object_f1: needs detections of both sides",
        "effnet: the weights of efficientnet_b1 are not on this machine",
    ] {
        assert!(plan.contains(part), "{part:?} in\n{plan}");
    }
}
