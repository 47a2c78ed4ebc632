//! `perceive` and `score` share models' observations: neither describes an image again that the other described.

use super::observers::{CAPTIONER, images, perceive_to, score, seen};
use crate::support::*;

const N_IMAGES: usize = 5;

/// Number of images that the model saw.
#[track_caller]
fn n_seen(dir: &Folder, images: &str, out: &str, with: &str) -> usize {
    let ran = perceive_to(dir, images, out, &format!("--with {with}")).done();
    seen(&ran)
}

/// Number of captions in the store, one per line.
fn n_captions(dir: &Folder) -> usize {
    dir.read("cache/captions/colour-words.jsonl").lines().count()
}

#[test]
fn captions_of_perceive_are_not_made_again_by_score() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    for (images, out) in [("gt", "a"), ("recon", "b")] {
        assert_eq!(n_seen(&dir, images, out, "placeholder-captioner"), N_IMAGES);
    }
    assert_eq!(n_captions(&dir), 2 * N_IMAGES);
    let run = format!("gt recon --out run {CAPTIONER}");
    assert_eq!(score(&dir, &run).code, 0);
    assert_eq!(n_captions(&dir), 2 * N_IMAGES, "no image twice");
}

#[test]
fn features_of_perceive_are_not_computed_again_by_score_and_the_other_way_round() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    let with = "placeholder:grid4 --preset nsd8-mindeye2";
    assert_eq!(n_seen(&dir, "gt", "a", with), N_IMAGES);
    score(&dir, "gt recon --metrics effnet --set image_models=placeholder --out run").done();
    let kept = fs::read_dir(dir.join("cache/features/mean-colours.grid4")).unwrap();
    // A matrix and its keys for each side; those of the stimuli are kept once.
    assert_eq!(kept.count(), 2 * 2);
    let file = |folder: &str| fs::read(dir.join(folder).join("features/mean-colours.grid4.npy")).unwrap();
    assert_eq!(file("a"), file("run/observations/gt"));

    // The run's features of the reconstructions, and some of their rows among other images.
    assert_eq!(n_seen(&dir, "recon", "b", with), 0);
    assert_eq!(file("b"), file("run/observations/recon"));
    dir.copy("gt/0.png", "recon/a.png");
    assert_eq!(n_seen(&dir, "recon", "c", with), 0);
    dir.remove("recon/3.png");
    assert_eq!(n_seen(&dir, "recon", "c", with), 0);
    assert_eq!(n_seen(&dir, "gt", "d", "placeholder:grid4"), N_IMAGES, "another preparation");
}

#[test]
fn placeholders_go_by_their_name_and_by_that_of_earlier_versions() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    for (name, earlier) in [
        ("placeholder-captioner", "placeholder-captioner"),
        ("placeholder-detector", "placeholder-detector"),
        ("placeholder:grid4", "placeholder:grid4"),
    ] {
        assert_eq!(n_seen(&dir, "gt", &name.replace(':', "-"), name), N_IMAGES, "{name}");
        assert_eq!(n_seen(&dir, "gt", &earlier.replace(':', "-"), earlier), 0, "{name}");
    }
}

#[test]
fn the_cache_says_what_it_holds_and_is_emptied_on_demand_only() {
    let dir = images(N_IMAGES, &["gt", "recon"]);
    let cache = |line: &str| dir.run_with_cache(&format!("cache {line}"), "cache");
    assert_snapshot!(cache("dir"), @"exit 0, stdout: [DIR]/cache");
    assert_snapshot!(cache("size"), @"
    exit 0, stdout:
          0 bytes        0 files  in all

    [DIR]/cache holds no observations and no run.
    ");
    assert_snapshot!(cache("prune --yes"), @"exit 0, stderr: the cache holds nothing that could be removed");
    n_seen(&dir, "gt", "a", "placeholder-captioner");
    let both = "placeholder:grid4,placeholder:grid16";
    n_seen(&dir, "gt", "b", both);
    let size = cache("size").stdout;
    assert!(size.contains("1 files  captions/colour-words"), "{size}");
    assert!(size.contains("2 files  features/mean-colours.grid16"), "{size}");
    assert!(size.contains("5 files  in all"), "{size}");
    assert!(
        size.contains(" of observations (`neurogauge cache prune` removes them). Weights are not counted"),
        "{size}"
    );
    // Without a terminal nobody can confirm, so nothing is removed.
    let ran = cache("prune features");
    assert_eq!(ran.code, 2);
    ran.says(&["would be removed", "features/mean-colours.grid4", "--yes"]);
    assert_eq!(cache("prune feature --yes").code, 2, "not a kind");
    assert_eq!(cache("size").stdout, size);
    assert_eq!(cache("prune features --yes").code, 0);
    let left = cache("size").stdout;
    assert!(left.contains("captions/colour-words"), "{left}");
    assert!(!left.contains("features"), "{left}");
    // Commands' folders keep their files.
    assert_eq!(n_seen(&dir, "gt", "b", both), 0);
    assert_eq!(n_seen(&dir, "gt", "c", "placeholder:grid4"), N_IMAGES);
}
