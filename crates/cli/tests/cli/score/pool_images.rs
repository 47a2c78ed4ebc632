//! `neurogauge score --pool` with a folder of images.

use crate::support::image_pairs::{features, matrix, read_features};
use crate::support::*;
use neurogauge::metrics::decoding::identification::{IdentificationOptions, identify};
use std::time::SystemTime;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

const SEEN: &str = "mean-colours.grid4";

const SCORE: &str = "score gt recon --out run --overwrite --set image_models=placeholder --pool";

/// Five pairs, and a pool of seven images that resemble some reconstructions.
fn pool() -> Folder {
    let dir = images(&STEMS);
    for (index, name) in ["1", "2", "10", "c", "d", "e", "f"].iter().enumerate() {
        dir.picture(format!("pool/p{index}.png"), name, 48, 31.0 + 30.0 * index as f32);
    }
    dir
}

/// Scores the pairs among the images of the pool; returns the table and the scores of `clip_pool`.
#[track_caller]
fn score(dir: &Folder, options: &str) -> (String, Vec<f64>) {
    let ran = dir.succeed(&format!("{SCORE} pool {options}"));
    (ran.stdout, dir.values("run", "clip_pool"))
}

/// The time at which a matrix was written.
fn time(dir: &Folder, of: &str) -> SystemTime {
    matrix(dir, of, SEEN).metadata().unwrap().modified().unwrap()
}

/// `clip_pool` computed independently: from the run's whole matrices, in memory.
fn expected(dir: &Folder) -> Vec<f64> {
    let [gt, recon, pool] = ["gt", "recon", "pool"].map(|of| features(dir, of, SEEN));
    let pairs: Vec<(&[f32], &[f32])> = (0..gt.ids().len()).map(|row| (gt.row(row), recon.row(row))).collect();
    let pool: Vec<&[f32]> = (0..pool.ids().len()).map(|row| pool.row(row)).collect();
    let found = identify(&pairs, Some(&pool), &IdentificationOptions::default()).unwrap();
    found.outcomes.into_iter().map(Result::unwrap).collect()
}

/// Observes the pool by `neurogauge perceive`; returns the folder of features.
fn perceived(dir: &Folder, name: &str, preset: &str) -> Features {
    dir.succeed(&format!("perceive --images pool --with placeholder:grid4,placeholder:grid16 --out {name} {preset}"));
    read_features(&dir.join(format!("{name}/features/{SEEN}.npy")))
}

#[test]
fn pairs_are_told_from_images_that_are_seen_as_they_are() {
    let dir = pool();
    let (table, by_pool) = score(&dir, "");
    assert_eq!(by_pool, expected(&dir));
    assert!(by_pool.iter().any(|&share| share < 1.0), "{by_pool:?}");
    assert_ne!(by_pool, dir.values("run", "clip"));
    let clip = &dir.summary("run")["clip_pool"];
    assert_eq!((&clip["pool_size"], &clip["stand_in"]), (&7.into(), &true.into()));
    for metric in ["alexnet2_pool", "alexnet5_pool", "inception_pool"] {
        assert_eq!(dir.values("run", metric).len(), 5);
    }
    contains(&table, &["two-way identification of each reconstruction among the 7 images of the pool"]);

    // The same model and preparation as for the pairs give the same bits.
    let seen = features(&dir, "pool", SEEN);
    assert_eq!(perceived(&dir, "same", "--preset nsd8-mindeye2"), seen);
    assert_ne!(perceived(&dir, "published", ""), seen);

    // Features made in the same way are accepted; others are refused.
    dir.succeed(&format!("{SCORE} same"));
    assert_eq!(dir.values("run", "clip_pool"), by_pool);
    assert_snapshot!(dir.run(&format!("{SCORE} published -q")), @r#"exit 1, stderr: error: [DIR]/published/features/mean-colours.grid4.npy: made in another way than the features of the pairs (resize: [{"shorter_side":256}] there, [{"squash":[256,256]},{"shorter_side":224}] here; antialias: true there, false here; arithmetic: "eight-bit" there, "float" here; centre_crop_px: 224 there, null here); make it again with `neurogauge perceive` as they are made, or give the images themselves as --pool"#);
}

#[test]
fn the_pool_is_recorded_and_only_what_changed_is_seen_again() {
    let dir = pool();
    let before = score(&dir, "").1;
    let inputs = dir.record("run")["inputs"].list().clone();
    let pool = inputs.iter().find(|input| input["role"] == "pool/images");
    assert_eq!(pool.unwrap()["items"].list().len(), 7);
    let made = time(&dir, "pool");
    score(&dir, "--seed 7");
    assert_eq!(time(&dir, "pool"), made);

    dir.copy("run/run.json", "run.json");
    let repeat = "score --from-run run.json --out again";
    dir.succeed(repeat);
    assert_eq!(dir.scores("again"), dir.scores("run"));

    // With a stimulus copied into the pool, its reconstruction can no longer be distinguished from all distractors.
    dir.picture("pool/p6.png", "a", 48, 5.0);
    let gt_made = time(&dir, "gt");
    let (table, after) = score(&dir, "");
    assert!(!table.contains("content of"), "{table}");
    assert_eq!(after, expected(&dir));
    assert_ne!(after, before);
    assert_ne!(time(&dir, "pool"), made);
    assert_eq!(time(&dir, "gt"), gt_made);
    assert_snapshot!(dir.run(repeat), @r#"exit 1, stderr: error: pool/images "p6" ([DIR]/pool) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run"#);
}

#[test]
fn an_interrupted_run_keeps_what_was_seen() {
    let dir = pool();
    for (file, of) in [("recon/b.png", "recon"), ("pool/p4.png", "pool")] {
        let bytes = dir.bytes(file);
        dir.write(file, &bytes[..bytes.len() / 2]);
        dir.run(&format!("{SCORE} pool --on-failure stop"))
            .exits(1)
            .says(&[file.split_once('/').unwrap().1]);
        assert!(!dir.has("run/scores.parquet"));
        let journal = dir.read(matrix(&dir, of, SEEN).with_extension("part.jsonl"));
        assert!(journal.ends_with("\n4\n"), "{journal}");
        dir.write(file, bytes);
    }
    assert_eq!(score(&dir, "").1, expected(&dir));
}

#[test]
fn images_of_the_pairs_stay_in_the_pool_and_are_named() {
    let dir = pool();
    let before = score(&dir, "").1;
    dir.copy("gt/10.png", "pool/twin.png");
    let (table, lost) = score(&dir, "");
    let about = [
        "1 of its images have the content of a stimulus of this run: twin.",
        "None is left out",
        "meets its own stimulus there ties with it, and the tie is lost",
    ];
    contains(&table, &about);
    assert!(!table.contains("have the features of"), "said once");
    assert_eq!(lost, expected(&dir));
    // Seven were distinguished as before; the eighth is the pair's own stimulus.
    assert!((lost[2] * 8.0 - before[2] * 7.0).abs() < 1e-12);
    let (table, half) = score(&dir, "--set identification_ties=half");
    contains(&table, &["the tie counts half"]);
    assert!((half[2] - lost[2] - 0.5 / 8.0).abs() < 1e-12);

    // A reconstruction in the pool is more similar to itself than to its stimulus.
    dir.copy("recon/a.png", "pool/self.png");
    let part = "content of a reconstruction of this run: self. None is left out: a reconstruction that meets itself there loses";
    contains(&score(&dir, "").0, &[part]);
}

#[test]
fn pools_that_are_none_are_refused() {
    let dir = pool();
    fs::create_dir_all(dir.join("empty")).unwrap();
    dir.picture("one/a.png", "x", 48, 4.0);
    dir.picture("both/a.png", "x", 48, 4.0);
    write_features(&dir.join("both"), "clip", &[("a", [1.0, 2.0, 3.0])]);
    let score = "score -q gt recon --out run --set image_models=placeholder --pool";
    assert_snapshot!(dir.refusals(score, &["empty", "one", "both", "pool --metrics pixcorr"], "run"), @"
    empty
      exit 2, stderr: error: --pool [DIR]/empty: it holds neither images (png, jpg, jpeg, webp, bmp, tif, tiff) nor feature matrices (<model>.npy and ids.json)
    one
      exit 1, stderr: error: [DIR]/one: a pool of 1 image; expected at least 2 distractors, and better hundreds
    both
      exit 2, stderr: error: --pool [DIR]/both: it holds images (1) and feature matrices (clip), so it is not clear which to use; keep them in separate folders, and name one
    pool --metrics pixcorr
      exit 2, stderr: error: --pool [DIR]/pool: no metric uses these images; they are seen by the models that look at the images of both sides (--gt, --recon) for alexnet2, alexnet5, inception or clip, whose weights must be here, and not where features of the pairs are given
    ");
    // The features of the pool must come from the same model as those of the pairs.
    for side in ["gt", "recon"] {
        let rows = [("a", [1.0, 2.0, 3.0]), ("b", [1.0, 3.0, 2.0])];
        write_features(&dir.join("observations").join(side), "clip", &rows);
    }
    let score = "score --observations observations --pool pool --out run";
    assert_snapshot!(dir.refusals(score, &["", "--metrics clip_pool"], "run"), @"

      exit 2, stderr: error: --pool [DIR]/pool: no metric uses these images; they are seen by the models that look at the images of both sides (--gt, --recon) for alexnet2, alexnet5, inception or clip, whose weights must be here, and not where features of the pairs are given
    --metrics clip_pool
      exit 2, stderr: error: clip_pool needs clip_vit_l_14.image_embeds.npy or clip.npy in the features folders of both sides (--observations, or --gt features=DIR and --recon features=DIR), and the same of other images in --pool, or images of both sides and of others (--gt, --recon, --pool)
    ");
}
