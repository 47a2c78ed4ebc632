//! `score --dry-run`.

use crate::support::image_pairs::ImagePairs;
use crate::support::{folder, neurogauge, neurogauge_with_cache, succeed};
use std::process::{Command, Stdio};

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

#[test]
fn weights_that_are_missing_are_listed_below_the_plan_and_all_together_in_errors() {
    let dir = folder();
    let images = ImagePairs::new(dir.path(), &["a", "b"]);
    let options = ["--metrics", "cap_sim,object_f1,effnet"];
    let fetch = "neurogauge models fetch git_large_coco all-MiniLM-L6-v2 mm_grounding_dino_swin_l efficientnet_b1";
    let planned = neurogauge(&images.args(&[&options[..], &["--dry-run"]].concat()));
    assert_eq!(planned.code, 1, "{}", planned.stderr);
    for part in [
        "gt/captions by git_large_coco, of gt/images: 2 items, 0 known",
        "recon/detections by mm_grounding_dino_swin_l, of recon/images: 2 items, 0 known",
        "gt/features by efficientnet_b1.avgpool, of gt/images: 2 items, 0 known",
        "  cap_sim: computed\n",
        "missing weights\n",
        "  all-MiniLM-L6-v2: 91 MB\n",
        &format!("  fetch them: {fetch}\n"),
    ] {
        assert!(
            planned.stdout.contains(part),
            "{part:?} in\n{}",
            planned.stdout
        );
    }
    planned.says(&[
        "all-MiniLM-L6-v2 (91 MB)",
        "a dry run downloads nothing",
        fetch,
    ]);
    assert!(!images.run.exists());
    // The run itself names all of them, too, and not one after the other.
    let ran = neurogauge(&images.args(&options));
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["efficientnet_b1", "all-MiniLM-L6-v2 (91 MB)", fetch]);
}

/// Without a terminal there is no prompt, and nothing is downloaded: no address is even looked up.
#[test]
fn a_download_is_allowed_first() {
    let dir = folder();
    let images = ImagePairs::new(dir.path(), &["a", "b"]);
    let args = images.args(&["--metrics", "cap_sim,effnet"]);
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_neurogauge"))
            .args(&args)
            .args(more)
            .env_remove("NEUROGAUGE_WEIGHTS")
            .env_remove("HF_HUB_OFFLINE")
            .env("NEUROGAUGE_CACHE", dir.path().join("cache"))
            .env("HF_HOME", "/nonexistent")
            .env("TORCH_HOME", "/nonexistent")
            .env("HF_ENDPOINT", "https://localhost:1")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, said) = run(&[]);
    assert_eq!(code, Some(1), "{said}");
    for part in [
        "the weights of git_large_coco (size not published), all-MiniLM-L6-v2 (91 MB), efficientnet_b1 (size not published) are not",
        "nobody allowed their download",
        "--yes",
        "neurogauge models fetch git_large_coco all-MiniLM-L6-v2 efficientnet_b1",
    ] {
        assert!(said.contains(part), "{part:?} in\n{said}");
    }
    let (code, said) = run(&["--yes"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("downloading https://localhost:1/"), "{said}");
}
