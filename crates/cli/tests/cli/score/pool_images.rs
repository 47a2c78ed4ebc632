//! `neurogauge score --pool` with a folder of images.

use crate::support::image_pairs::{ImagePairs, read_features};
use crate::support::observations::write_features;
use crate::support::{Folder, Ran, folder, picture, record, scores, summary, values};
use insta::assert_snapshot;
use neurogauge::core::Features;
use neurogauge::formats::image_file::write_png;
use neurogauge::metrics::decoding::identification::{IdentificationOptions, identify};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

const SEEN: &str = "mean-colours.grid4";

const SCORE: &str = "score gt recon --out run --overwrite --image-models stand-in --pool";

/// Five pairs, and a pool of seven images near enough to some reconstructions to be taken for them.
struct Data {
    dir: Folder,
    pairs: ImagePairs,
    pool: PathBuf,
}

impl Data {
    fn new() -> Data {
        let dir = folder();
        let pairs = ImagePairs::new(dir.path(), &STEMS);
        let pool = dir.join("pool");
        for (index, name) in ["1", "2", "10", "c", "d", "e", "f"].iter().enumerate() {
            let grain = 31.0 + 30.0 * index as f32;
            let image = picture(name, 48, grain);
            write_png(&pool.join(format!("p{index}.png")), &image).unwrap();
        }
        Data { dir, pairs, pool }
    }

    /// Scores the pairs among the images of the pool.
    #[track_caller]
    fn score(&self, options: &str) -> Ran {
        self.dir.succeed(&format!("{SCORE} pool {options}"))
    }

    fn run(&self) -> &Path {
        &self.pairs.run
    }

    /// When a matrix was made.
    fn time(&self, of: &str) -> SystemTime {
        self.pairs.matrix(of, SEEN).metadata().unwrap().modified().unwrap()
    }

    /// `clip_pool` by other means: the matrices that the run holds, whole, in memory.
    fn expected(&self) -> Vec<f64> {
        let [gt, recon, pool] = ["gt", "recon", "pool"].map(|of| self.pairs.features(of, SEEN));
        let pairs: Vec<(&[f32], &[f32])> = (0..gt.ids().len()).map(|row| (gt.row(row), recon.row(row))).collect();
        let pool: Vec<&[f32]> = (0..pool.ids().len()).map(|row| pool.row(row)).collect();
        let found = identify(&pairs, Some(&pool), &IdentificationOptions::default()).unwrap();
        found.outcomes.into_iter().map(Result::unwrap).collect()
    }
}

/// Has the pool looked at by `neurogauge perceive`; the folder of features.
fn perceived(data: &Data, name: &str, preset: &str) -> Features {
    data.dir
        .succeed(&format!("perceive --images pool --with stand-in:grid4,stand-in:grid16 --out {name} {preset}"));
    read_features(&data.dir.join(format!("{name}/features/{SEEN}.npy")))
}

#[test]
fn pairs_are_told_from_images_that_are_seen_as_they_are() {
    let data = Data::new();
    let ran = data.score("");
    let by_pool = values(data.run(), "clip_pool");
    assert_eq!(by_pool, data.expected());
    assert!(by_pool.iter().any(|&share| share < 1.0), "{by_pool:?}");
    assert_ne!(by_pool, values(data.run(), "clip"));
    let clip = &summary(data.run())["clip_pool"];
    assert_eq!((&clip["pool_size"], &clip["stand_in"]), (&7.into(), &true.into()));
    for metric in ["alexnet2_pool", "alexnet5_pool", "inception_pool"] {
        assert_eq!(values(data.run(), metric).len(), 5);
    }
    let note = "two-way identification of each reconstruction among the 7 images of the pool";
    assert!(ran.stdout.contains(note), "{ran}");

    // The same model and preparation as for the pairs, to the bit.
    let seen = data.pairs.features("pool", SEEN);
    assert_eq!(perceived(&data, "same", "--preset nsd8-mindeye2"), seen);
    assert_ne!(perceived(&data, "published", ""), seen);

    // Features made in the same way do as well; others are refused.
    data.dir.succeed(&format!("{SCORE} same"));
    assert_eq!(values(data.run(), "clip_pool"), by_pool);
    assert_snapshot!(data.dir.run(&format!("{SCORE} published")), @r#"
    exit 1, stderr:
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, cap_sim, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    error: [DIR]/published/features/mean-colours.grid4.npy: made in another way than the features of the pairs (resize: [{"shorter_side":256}] there, [{"squash":[256,256]},{"shorter_side":224}] here; antialias: true there, false here; arithmetic: "eight-bit" there, "float" here; centre_crop_px: 224 there, null here); make it again with `neurogauge perceive` as they are made, or give the images themselves as --pool
    "#);
}

#[test]
fn the_pool_is_recorded_and_only_what_changed_is_seen_again() {
    let data = Data::new();
    data.score("");
    let inputs = record(data.run())["inputs"].as_array().unwrap().clone();
    let pool = inputs.iter().find(|input| input["role"] == "pool/images");
    assert_eq!(pool.unwrap()["items"].as_array().unwrap().len(), 7);
    let (made, before) = (data.time("pool"), values(data.run(), "clip_pool"));
    data.score("--seed 7");
    assert_eq!(data.time("pool"), made);

    fs::copy(data.run().join("run.json"), data.dir.join("run.json")).unwrap();
    let repeat = "score --from-run run.json --out again";
    data.dir.succeed(repeat);
    assert_eq!(scores(&data.dir.join("again")), scores(data.run()));

    // A stimulus copied into the pool: its reconstruction can no longer be distinguished from all distractors.
    let image = data.pool.join("p6.png");
    write_png(&image, &picture("a", 48, 5.0)).unwrap();
    let gt_made = data.time("gt");
    let ran = data.score("");
    assert!(!ran.stdout.contains("content of"), "{ran}");
    let after = values(data.run(), "clip_pool");
    assert_eq!(after, data.expected());
    assert_ne!(after, before);
    assert_ne!(data.time("pool"), made);
    assert_eq!(data.time("gt"), gt_made);
    assert_snapshot!(data.dir.run(repeat), @r#"exit 1, stderr: error: pool/images "p6" ([DIR]/pool) has changed since the run was recorded: SHA-256 [HASH] instead of [HASH]; restore the file, or score again without --from-run"#);

    fs::remove_file(data.pool.join("p5.png")).unwrap();
    data.dir.succeed(&format!("{SCORE} pool --out again").replace("--out run ", ""));
    let ran = data.dir.succeed("compare run again");
    let note = "CLIP pool: the pools of the runs are not the same (run: 7, again: 6)";
    assert!(ran.stdout.contains(note), "{ran}");
}

#[test]
fn an_interrupted_pool_keeps_what_was_seen() {
    let data = Data::new();
    let image = data.pool.join("p4.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = data.dir.run(&format!("{SCORE} pool --on-failure stop"));
    assert_eq!(failed.code, 1);
    failed.says(&["p4.png"]);
    let journal = data.pairs.matrix("pool", SEEN).with_extension("part.jsonl");
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.ends_with("\n4\n"), "{journal}");
    fs::write(&image, &bytes).unwrap();
    data.score("");
    assert_eq!(values(data.run(), "clip_pool"), data.expected());
}

#[test]
fn images_of_the_pairs_stay_in_the_pool_and_are_named() {
    let data = Data::new();
    data.score("");
    let before = values(data.run(), "clip_pool");
    fs::copy(data.pairs.gt.join("10.png"), data.pool.join("twin.png")).unwrap();
    let ran = data.score("");
    for part in [
        "1 of its images have the content of a stimulus of this run: twin.",
        "None is left out",
        "meets its own stimulus there ties with it, and the tie is lost",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{ran}");
    }
    assert!(!ran.stdout.contains("have the features of"), "said once");
    let lost = values(data.run(), "clip_pool");
    assert_eq!(lost, data.expected());
    // Seven were told apart as before; the eighth is the pair's own.
    assert!((lost[2] * 8.0 - before[2] * 7.0).abs() < 1e-12);
    let ran = data.score("--identification-ties half");
    assert!(ran.stdout.contains("the tie counts half"), "{ran}");
    let half = values(data.run(), "clip_pool");
    assert!((half[2] - lost[2] - 0.5 / 8.0).abs() < 1e-12);

    // A reconstruction in the pool is more like itself than like its stimulus.
    fs::copy(data.pairs.recon.join("a.png"), data.pool.join("self.png")).unwrap();
    let ran = data.score("");
    let part = "content of a reconstruction of this run: self. None is left out: a reconstruction \
                that meets itself there loses";
    assert!(ran.stdout.contains(part), "{ran}");
}

#[test]
fn pools_that_are_none_are_refused() {
    let Data { dir, .. } = Data::new();
    fs::create_dir_all(dir.join("empty")).unwrap();
    write_png(&dir.join("one/a.png"), &picture("x", 48, 4.0)).unwrap();
    write_png(&dir.join("both/a.png"), &picture("x", 48, 4.0)).unwrap();
    write_features(&dir.join("both"), "clip", &[("a", [1.0, 2.0, 3.0])]);
    let ends = ["empty", "one", "both", "pool --metrics pixcorr"];
    let score = "score gt recon --out run --image-models stand-in --pool";
    assert_snapshot!(dir.refusals(score, &ends, "run"), @"
    empty
      exit 2, stderr: error: --pool [DIR]/empty: it holds neither images (png, jpg, jpeg, webp, bmp, tif, tiff) nor feature matrices (<model>.npy and ids.json)
    one
      exit 1, stderr:
      note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, cap_sim, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
      error: [DIR]/one: a pool of 1 image; expected at least 2 distractors, and better hundreds
    both
      exit 2, stderr: error: --pool [DIR]/both: it holds images (1) and feature matrices (clip), and which are meant cannot be told; keep them in folders of their own, and name one
    pool --metrics pixcorr
      exit 2, stderr: error: --pool [DIR]/pool: no metric uses these images; they are seen by the models that look at the images of both sides (--gt, --recon) for alexnet2, alexnet5, inception or clip, whose weights must be here, and not where features of the pairs are given
    ");
    // The model that made the features of the pairs must make the features of the pool.
    for side in ["gt", "recon"] {
        let rows = [("a", [1.0, 2.0, 3.0]), ("b", [1.0, 3.0, 2.0])];
        write_features(&dir.join("observations").join(side), "clip", &rows);
    }
    let score = "score --observations observations --pool pool --out run";
    assert_snapshot!(dir.refusals(score, &["", "--metrics clip_pool"], "run"), @"

      exit 2, stderr: error: --pool [DIR]/pool: no metric uses these images; they are seen by the models that look at the images of both sides (--gt, --recon) for alexnet2, alexnet5, inception or clip, whose weights must be here, and not where features of the pairs are given
    --metrics clip_pool
      exit 2, stderr: error: clip_pool needs clip_vit_l_14.image_embeds.npy or clip.npy in the features folders of both sides (--observations, or --gt-features and --recon-features), and the same of other images in --pool, or images of both sides and of others (--gt, --recon, --pool)
    ");
}
