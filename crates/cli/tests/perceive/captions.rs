//! `--with CAPTIONER` of `neurogauge perceive` and `--captioner` of `neurogauge score`.

use crate::support;
use crate::support::{Ran, arg, folder, neurogauge, neurogauge_with_cache, picture, refused};
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::{captions, json};
use neurogauge::{InputRecord, RunRecord};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const STAND_IN: &str = "stand-in-captioner";
/// More than a batch.
const N_IMAGES: usize = 11;

fn images(root: &Path, name: &str) -> PathBuf {
    let dir = root.join(name);
    for index in 0..N_IMAGES {
        let picture = picture(&format!("{name}{index}"), 40, 60.0);
        write_png(&dir.join(format!("{index}.png")), &picture).unwrap();
    }
    dir
}

fn perceive(images: &Path, out: &Path, options: &[&str]) -> Ran {
    let args = [
        "perceive",
        "--images",
        arg(images),
        "--with",
        STAND_IN,
        "--out",
        arg(out),
    ];
    neurogauge(&[&args[..], options].concat())
}

/// What was written, and how many images the model saw.
#[track_caller]
fn written(ran: &Ran, out: &Path) -> (BTreeMap<String, String>, usize) {
    let said = ran.stderr.split(" of them seen").next().unwrap();
    let seen = said.rsplit(' ').next().unwrap().parse().unwrap();
    (json::read(&out.join("captions.json")).unwrap(), seen)
}

#[test]
fn captions_are_written_once_and_made_anew_where_something_changed() {
    let dir = folder();
    let (images, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    let ran = perceive(&images, &out, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (first, seen) = written(&ran, &out);
    assert_eq!((first.len(), seen), (N_IMAGES, N_IMAGES));
    assert!(first["3"].starts_with("a picture that is"), "{first:?}");
    assert!(ran.stderr.contains("mean nothing"), "{}", ran.stderr);
    assert_eq!(
        ran.stdout.trim(),
        out.join("captions.json").to_str().unwrap()
    );
    let recipe = fs::read_to_string(out.join("captions.recipe.json")).unwrap();
    for part in [
        "colour-words",
        "\"n_beams\": 1",
        "\"max_new_tokens\": 50",
        "shorter_side",
    ] {
        assert!(recipe.contains(part), "{part} in {recipe}");
    }

    assert_eq!(
        written(&perceive(&images, &out, &[]), &out),
        (first.clone(), 0)
    );
    write_png(&images.join("3.png"), &picture("another", 40, 60.0)).unwrap();
    let (second, seen) = written(&perceive(&images, &out, &[]), &out);
    assert_eq!(seen, 1);
    assert_eq!(second["4"], first["4"]);
    // Another way of writing is another caption.
    assert_eq!(
        written(&perceive(&images, &out, &["--caption-beams", "3"]), &out).1,
        N_IMAGES
    );
    assert_eq!(written(&perceive(&images, &out, &[]), &out), (second, 0));
    // Half a line, as a crash leaves it, is no caption.
    let journal = fs::read(out.join("captions.jsonl")).unwrap();
    fs::write(out.join("captions.jsonl"), &journal[..100]).unwrap();
    let (_, seen) = written(&perceive(&images, &out, &[]), &out);
    assert!(seen >= N_IMAGES - 1, "{seen}");
}

#[test]
fn an_image_that_cannot_be_read_is_named_and_the_others_go_on() {
    let dir = folder();
    let (images, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    fs::write(images.join("7.png"), b"no picture").unwrap();
    let ran = perceive(&images, &out, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let (captions, seen) = written(&ran, &out);
    assert_eq!((captions.len(), seen), (N_IMAGES - 1, N_IMAGES));
    assert!(!captions.contains_key("7"));
    for part in [
        "image \"7\": ",
        "7.png",
        "1 images have no caption: images \"7\"",
    ] {
        assert!(ran.stderr.contains(part), "{part} in {}", ran.stderr);
    }
    write_png(&images.join("7.png"), &picture("gt7", 40, 60.0)).unwrap();
    let ran = perceive(&images, &out, &[]);
    assert_eq!((ran.code, written(&ran, &out).1), (0, 1));
}

#[test]
fn somebody_else_s_captions_and_contradictions_are_refused() {
    let dir = folder();
    let (images, out) = (images(dir.path(), "gt"), dir.path().join("out"));
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("captions.json"), r#"{"0": "mine"}"#).unwrap();
    let run = |with: &str, code, parts: &[&str]| {
        let args = [
            "perceive",
            "--images",
            arg(&images),
            "--with",
            with,
            "--out",
            arg(&out),
        ];
        refused(&args, code, parts);
    };
    run(STAND_IN, 1, &["captions.json", "not replaced"]);
    assert_eq!(
        fs::read_to_string(out.join("captions.json")).unwrap(),
        r#"{"0": "mine"}"#
    );
    run("stand-in-captioner:grid4", 2, &["no layers"]);
    run(
        "stand-in-captioner,git_base_coco",
        2,
        &["both write captions.json"],
    );
    let other = dir.path().join("other");
    let args = [
        "perceive",
        "--images",
        arg(&images),
        "--with",
        "git_large_coco",
        "--out",
        arg(&other),
    ];
    refused(&args, 1, &["microsoft/git-large-coco", "model.safetensors"]);
    assert!(!other.exists());
}

fn score(root: &Path, gt: &Path, recon: &Path, out: &str, options: &[&str]) -> Ran {
    let out = root.join(out);
    let args = [
        "score",
        "--metrics",
        "cap_sim",
        "--gt",
        arg(gt),
        "--recon",
        arg(recon),
    ];
    let models = [
        "--captioner",
        STAND_IN,
        "--text-encoder",
        "stand-in",
        "--out",
        arg(&out),
    ];
    neurogauge_with_cache(&[&args[..], &models, options].concat(), &root.join("cache"))
}

fn record(root: &Path, out: &str) -> RunRecord {
    json::read(&root.join(out).join("run.json")).unwrap()
}

#[test]
fn both_sides_are_described_and_the_stimuli_once_for_all_systems() {
    let dir = folder();
    let root = dir.path();
    let (gt, a, b) = (images(root, "gt"), images(root, "a"), images(root, "b"));
    let ran = score(root, &gt, &a, "run-a", &["--export-layout", "official"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let journal = || fs::read_to_string(root.join("cache/captions/colour-words.jsonl")).unwrap();
    assert_eq!(journal().lines().count(), 2 * N_IMAGES);
    assert_eq!(score(root, &gt, &b, "run-b", &[]).code, 0);
    assert_eq!(journal().lines().count(), 3 * N_IMAGES);

    // What given captions score is what those made here score.
    let side = |side: &str| {
        root.join("run-a/observations")
            .join(side)
            .join("captions.json")
    };
    let (gt_captions, recon_captions) = (side("gt"), side("recon"));
    assert_eq!(captions::read(&gt_captions).unwrap().len(), N_IMAGES);
    let out = root.join("given");
    let given = [
        "score",
        "--metrics",
        "cap_sim",
        "--gt-captions",
        arg(&gt_captions),
        "--recon-captions",
        arg(&recon_captions),
        "--text-encoder",
        "stand-in",
        "--out",
        arg(&out),
    ];
    assert_eq!(neurogauge(&given).code, 0);
    let scores = |run: &str| support::scores(&root.join(run)).columns;
    assert_eq!(scores("run-a"), scores("given"));
    assert_ne!(scores("run-a"), scores("run-b"));

    let record = record(root, "run-a");
    let recipe = record.captioned.as_ref().unwrap();
    assert_eq!(recipe.model.id, "colour-words");
    assert!(record.models.contains(&recipe.model));
    assert!(record.metrics[0].stand_in);
    let roles: Vec<&str> = record
        .inputs
        .iter()
        .map(|i: &InputRecord| i.role.as_str())
        .collect();
    assert_eq!(roles, ["gt/images", "recon/images"]);
    let exported = root.join("run-a/evaluations/run-a/intermediate_results");
    let exported = captions::read(&exported.join("gt_captions.npy")).unwrap();
    assert_eq!(exported, captions::read(&gt_captions).unwrap());

    // Another way of writing is another run, and the same is read back and exported again.
    fs::remove_dir_all(root.join("run-a/evaluations")).unwrap();
    let again = score(root, &gt, &a, "run-a", &["--export-layout", "official"]);
    assert!(
        again.stderr.contains("already finished"),
        "{}",
        again.stderr
    );
    assert!(
        root.join("run-a/evaluations/run-a/intermediate_results/gt_captions.npy")
            .exists()
    );
    let other = score(root, &gt, &a, "run-a", &["--caption-tokens", "20"]);
    assert!(
        !other.stderr.contains("already finished"),
        "{}",
        other.stderr
    );
    assert_eq!(journal().lines().count(), 5 * N_IMAGES);
    let run_json = root.join("run-a/run.json");
    let args = [
        "score",
        "--from-run",
        arg(&run_json),
        "--out",
        arg(&root.join("repeated")),
    ]
    .map(str::to_owned);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(neurogauge_with_cache(&args, &root.join("cache")).code, 0);
    assert_eq!(scores("repeated"), scores("run-a"));
}

#[test]
fn a_pair_whose_image_cannot_be_described_has_no_value() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    fs::write(recon.join("2.png"), b"no picture").unwrap();
    let ran = score(root, &gt, &recon, "run", &["--export-layout", "official"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("recon/images \"2\""), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("Cap-Sim"),
        "the table is printed: {}",
        ran.stdout
    );
    let outcomes = &support::scores(&root.join("run")).columns[0].1;
    let undefined: Vec<usize> = (0..N_IMAGES)
        .filter(|&pair| outcomes[pair].is_err())
        .collect();
    assert_eq!(undefined, [2]);
    let reason = outcomes[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no caption of the reconstruction");
    assert_eq!(record(root, "run").uncaptioned.len(), 1);
    // Read back, it is still not whole.
    let again = score(root, &gt, &recon, "run", &[]);
    assert!(
        again.stderr.contains("already finished"),
        "{}",
        again.stderr
    );
    assert_eq!(again.code, 1);
}

#[test]
fn a_captioner_needs_images_and_no_captions() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon) = (images(root, "gt"), images(root, "recon"));
    let captions = root.join("captions.json");
    fs::write(&captions, r#"{"0": "a dog"}"#).unwrap();
    let out = root.join("out");
    let sides = ["--gt", arg(&gt), "--recon", arg(&recon)];
    let run = |options: &[&str], parts: &[&str]| {
        refused(
            &[&["score", "--out", arg(&out)], options].concat(),
            2,
            parts,
        );
    };
    let with_captioner = ["--captioner", STAND_IN];
    run(
        &[
            &sides[..],
            &with_captioner,
            &[
                "--gt-captions",
                arg(&captions),
                "--recon-captions",
                arg(&captions),
            ],
        ]
        .concat(),
        &["leave one of them away"],
    );
    run(
        &[&with_captioner[..], &["--metrics", "cap_sim"]].concat(),
        &["needs images of both sides"],
    );
    run(
        &[&sides[..], &["--caption-beams", "2"]].concat(),
        &["there is none"],
    );
    // SEED's captioner is taken where the metric is asked for by name; its weights are not here.
    let args = ["score", "--metrics", "cap_sim", "--out", arg(&out)];
    refused(
        &[&args[..], &sides].concat(),
        1,
        &["microsoft/git-large-coco"],
    );
    let args = ["score", "--metrics", "cap_sim", "--out", arg(&out)];
    refused(&args, 2, &["--captioner MODEL"]);
    run(
        &[&sides[..], &["--captioner", "git_larg_coco"]].concat(),
        &["did you mean \"git_large_coco\"?"],
    );
}
