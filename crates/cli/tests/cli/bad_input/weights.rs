//! Weights that are missing or not the published ones; earlier results are kept.

use crate::support::observations::{STEMS, write_captions};
use crate::support::{arg, folder, image_folders, neurogauge, refused, succeed, weights};
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = [
    "config.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "model.safetensors",
];

/// The real files, so that a test can replace some.
fn copies(dir: &Path) {
    for file in FILES {
        fs::copy(weights().join(file), dir.join(file)).unwrap();
    }
}

#[test]
fn missing_weights_say_what_to_put_where_and_the_images_are_not_compared_again() {
    let dir = folder();
    let (gt, recon) = image_folders(&dir.path().join("images"), &STEMS);
    let observations = dir.path().join("observations");
    for side in ["gt", "recon"] {
        let captions = [("1", "a dog"), ("2", "a cat"), ("10", "a cup")];
        write_captions(&observations.join(side), &captions);
    }
    let score = |run: &Path, options: &[&str]| -> Vec<String> {
        let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
        let others = ["--observations", arg(&observations), "--out", arg(run)];
        let others = [&others[..], &["--metrics", "pixcorr,ssim,psnr,cap_sim"]].concat();
        let args = [&inputs[..], &others, options].concat();
        args.iter().map(|arg| (*arg).to_owned()).collect()
    };
    let (broken, whole) = (dir.path().join("broken"), dir.path().join("whole"));
    let args = score(&broken, &["--offline"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = refused(
        &args,
        1,
        &[
            "not on this machine",
            "90868376 bytes",
            "sha256",
            "--weights DIR",
            "NEUROGAUGE_WEIGHTS",
        ],
    );
    for file in FILES {
        ran.says(&[file]);
    }
    let journal = fs::read_to_string(broken.join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 3 * 3, "three pairs, three metrics");

    for run in [&broken, &whole] {
        let args = score(run, &["--weights", arg(&weights())]);
        succeed(&args.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let unchanged = fs::read_to_string(broken.join("journal.jsonl")).unwrap();
    assert_eq!(unchanged, journal, "the images were compared before");
    for file in ["scores.parquet", "summary.json"] {
        let read = |run: &Path| fs::read(run.join(file)).unwrap();
        assert_eq!(read(&broken), read(&whole), "{file}");
    }
}

#[test]
fn weights_that_are_not_the_published_ones_are_not_loaded() {
    let dir = folder();
    let verify = |parts: &[&str]| {
        let args = [
            "models",
            "verify",
            "all-MiniLM-L6-v2",
            "--weights",
            arg(dir.path()),
        ];
        refused(&args, 1, parts)
    };
    verify(&["not on this machine"]);
    copies(dir.path());
    let args = [
        "models",
        "verify",
        "all-MiniLM-L6-v2",
        "--weights",
        arg(dir.path()),
    ];
    let sound = succeed(&args).stdout;
    assert!(sound.contains(arg(dir.path())), "{sound}");

    let config = dir.path().join("config.json");
    fs::remove_file(&config).unwrap();
    verify(&["lacks config.json"]);
    fs::write(&config, "{}").unwrap();
    verify(&[
        "config.json is not the published file",
        "2 bytes",
        "nothing was loaded",
    ]);
    let listed = neurogauge(&["models", "list", "--weights", arg(dir.path())]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(
        listed.stdout.contains("not the published file"),
        "{}",
        listed.stdout
    );

    fs::remove_file(&config).unwrap();
    fs::copy(weights().join("config.json"), &config).unwrap();
    let model = dir.path().join("model.safetensors");
    fs::remove_file(&model).unwrap();
    fs::write(
        &model,
        &fs::read(weights().join("model.safetensors")).unwrap()[..1000],
    )
    .unwrap();
    verify(&[
        "model.safetensors is not the published file",
        "1000 bytes",
        "90868376 bytes",
    ]);
}
