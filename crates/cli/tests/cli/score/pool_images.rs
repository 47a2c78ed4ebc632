//! `neurogauge score --pool` with a folder of images.

use crate::support::image_pairs::{ImagePairs, read_features};
use crate::support::observations::write_features;
use crate::support::{
    arg, folder, neurogauge, picture, record, refused, scores, succeed, summary, values,
};
use neurogauge::formats::image_file::write_png;
use neurogauge::metrics::decoding::identification::{IdentificationOptions, identify};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

const SEEN: &str = "mean-colours.grid4";

/// Five pairs, and a pool of seven images near enough to some reconstructions to be taken for them.
struct Data {
    pairs: ImagePairs,
    pool: PathBuf,
}

impl Data {
    fn new(root: &Path) -> Data {
        let pairs = ImagePairs::new(root, &STEMS);
        let pool = root.join("pool");
        for (index, name) in ["1", "2", "10", "c", "d", "e", "f"].iter().enumerate() {
            let grain = 31.0 + 30.0 * index as f32;
            let image = picture(name, 48, grain);
            write_png(&pool.join(format!("p{index}.png")), &image).unwrap();
        }
        Data { pairs, pool }
    }

    /// The same pairs, another pool, another run.
    fn with(&self, pool: PathBuf, run: &Path) -> Data {
        let mut pairs = ImagePairs::of(self.pairs.gt.parent().unwrap());
        pairs.run = run.to_owned();
        Data { pairs, pool }
    }

    fn args<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        let pool = ["--image-models", "stand-in", "--pool", arg(&self.pool)];
        self.pairs.args(&[&pool, options].concat())
    }

    fn run(&self) -> &Path {
        &self.pairs.run
    }

    /// When a matrix was made.
    fn time(&self, of: &str) -> SystemTime {
        let matrix = self.pairs.matrix(of, SEEN);
        matrix.metadata().unwrap().modified().unwrap()
    }

    /// `clip_pool` by other means: the matrices that the run holds, whole, in memory.
    fn expected(&self) -> Vec<f64> {
        let [gt, recon, pool] = ["gt", "recon", "pool"].map(|of| self.pairs.features(of, SEEN));
        let pairs: Vec<(&[f32], &[f32])> = (0..gt.ids().len())
            .map(|row| (gt.row(row), recon.row(row)))
            .collect();
        let pool: Vec<&[f32]> = (0..pool.ids().len()).map(|row| pool.row(row)).collect();
        let found = identify(&pairs, Some(&pool), &IdentificationOptions::default()).unwrap();
        found.outcomes.into_iter().map(Result::unwrap).collect()
    }
}

/// Has the pool looked at by `neurogauge perceive`; the folder of features.
fn perceived(data: &Data, name: &str, preset: &[&str]) -> PathBuf {
    let out = data.pool.with_file_name(name);
    let with = ["--with", "stand-in:grid4,stand-in:grid16", "--out"];
    let inputs = ["perceive", "--images", arg(&data.pool)];
    succeed(&[&inputs[..], &with, &[arg(&out)], preset].concat());
    out
}

#[test]
fn pairs_are_told_from_images_that_are_seen_as_they_are() {
    let dir = folder();
    let data = Data::new(dir.path());
    let ran = succeed(&data.args(&[]));
    let by_pool = values(data.run(), "clip_pool");
    assert_eq!(by_pool, data.expected());
    assert!(by_pool.iter().any(|&share| share < 1.0), "{by_pool:?}");
    assert_ne!(by_pool, values(data.run(), "clip"));
    assert_eq!(summary(data.run())["clip_pool"]["pool_size"], 7);
    assert_eq!(summary(data.run())["clip_pool"]["stand_in"], true);
    for metric in ["alexnet2_pool", "alexnet5_pool", "inception_pool"] {
        assert_eq!(values(data.run(), metric).len(), 5);
    }
    let note = "two-way identification of each reconstruction among the 7 images of the pool";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);

    // The same model and preparation as for the pairs, to the bit.
    let same = perceived(&data, "same", &["--preset", "nsd8-mindeye2"]);
    let published = perceived(&data, "published", &[]);
    let seen = data.pairs.features("pool", SEEN);
    let file = format!("features/{SEEN}.npy");
    assert_eq!(read_features(&same.join(&file)), seen);
    assert_ne!(read_features(&published.join(&file)), seen);

    // Features made in the same way do as well; others are refused.
    let from_features = data.with(same, &dir.path().join("features"));
    succeed(&from_features.args(&[]));
    assert_eq!(values(from_features.run(), "clip_pool"), by_pool);
    let other = data.with(published, &dir.path().join("other"));
    let parts = ["made in another way", "resize: ", "mean-colours.grid"];
    refused(&other.args(&[]), 1, &parts);
}

#[test]
fn the_pool_is_recorded_and_only_what_changed_is_seen_again() {
    let dir = folder();
    let data = Data::new(dir.path());
    succeed(&data.args(&[]));
    let inputs = record(data.run())["inputs"].as_array().unwrap().clone();
    let pool: Vec<&Value> = inputs
        .iter()
        .filter(|input| input["role"] == "pool/images")
        .collect();
    assert_eq!(pool[0]["items"].as_array().unwrap().len(), 7);
    let (made, before) = (data.time("pool"), values(data.run(), "clip_pool"));
    succeed(&data.args(&["--seed", "7"]));
    assert_eq!(data.time("pool"), made);

    let again = dir.path().join("again");
    let run_json = dir.path().join("run.json");
    fs::copy(data.run().join("run.json"), &run_json).unwrap();
    let repeat = ["score", "--from-run", arg(&run_json), "--out", arg(&again)];
    succeed(&repeat);
    assert_eq!(scores(&again), scores(data.run()));

    // A stimulus copied into the pool: its reconstruction can no longer be distinguished from all distractors.
    let image = data.pool.join("p6.png");
    write_png(&image, &picture("a", 48, 5.0)).unwrap();
    let gt_made = data.time("gt");
    let ran = succeed(&data.args(&[]));
    assert!(!ran.stdout.contains("content of"), "{}", ran.stdout);
    let after = values(data.run(), "clip_pool");
    assert_eq!(after, data.expected());
    assert_ne!(after, before);
    assert_ne!(data.time("pool"), made);
    assert_eq!(data.time("gt"), gt_made);
    refused(&repeat, 1, &["pool/images", "p6", "has changed"]);

    fs::remove_file(data.pool.join("p5.png")).unwrap();
    succeed(&data.with(data.pool.clone(), &again).args(&[]));
    let ran = succeed(&["compare", arg(data.run()), arg(&again)]);
    let note = "CLIP pool: the pools of the runs are not the same (run: 7, again: 6)";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
}

#[test]
fn an_interrupted_pool_keeps_what_was_seen() {
    let dir = folder();
    let data = Data::new(dir.path());
    let image = data.pool.join("p4.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = neurogauge(&data.args(&["--on-failure", "stop"]));
    assert_eq!(failed.code, 1);
    failed.says(&["p4.png"]);
    let journal = data.pairs.matrix("pool", SEEN).with_extension("part.jsonl");
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.ends_with("\n4\n"), "{journal}");
    fs::write(&image, &bytes).unwrap();
    succeed(&data.args(&[]));
    assert_eq!(values(data.run(), "clip_pool"), data.expected());
}

#[test]
fn images_of_the_pairs_stay_in_the_pool_and_are_named() {
    let dir = folder();
    let data = Data::new(dir.path());
    succeed(&data.args(&[]));
    let before = values(data.run(), "clip_pool");
    fs::copy(data.pairs.gt.join("10.png"), data.pool.join("twin.png")).unwrap();
    let ran = succeed(&data.args(&[]));
    for part in [
        "1 of its images have the content of a stimulus of this run: twin.",
        "None is left out",
        "meets its own stimulus there ties with it, and the tie is lost",
    ] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("have the features of"), "said once");
    let lost = values(data.run(), "clip_pool");
    assert_eq!(lost, data.expected());
    // Seven were told apart as before; the eighth is the pair's own.
    assert!((lost[2] * 8.0 - before[2] * 7.0).abs() < 1e-12);
    let ran = succeed(&data.args(&["--identification-ties", "half"]));
    assert!(ran.stdout.contains("the tie counts half"), "{}", ran.stdout);
    let half = values(data.run(), "clip_pool");
    assert!((half[2] - lost[2] - 0.5 / 8.0).abs() < 1e-12);

    // A reconstruction in the pool is more like itself than like its stimulus.
    fs::copy(data.pairs.recon.join("a.png"), data.pool.join("self.png")).unwrap();
    let ran = succeed(&data.args(&[]));
    let part = "content of a reconstruction of this run: self. None is left out: a reconstruction \
                that meets itself there loses";
    assert!(ran.stdout.contains(part), "{}", ran.stdout);
}

#[test]
fn pools_that_are_none_are_refused() {
    let dir = folder();
    let data = Data::new(dir.path());
    let with_pool = |pool: PathBuf| data.with(pool, data.run());
    let empty = dir.path().join("empty");
    fs::create_dir_all(&empty).unwrap();
    let neither = ["neither images (png", "nor feature matrices"];
    refused(&with_pool(empty).args(&[]), 2, &neither);

    let one = dir.path().join("one");
    write_png(&one.join("a.png"), &picture("x", 48, 4.0)).unwrap();
    let few = ["one: a pool of 1 image", "at least 2"];
    refused(&with_pool(one.clone()).args(&[]), 1, &few);
    let rows = [("a", [1.0, 2.0, 3.0])];
    write_features(&one, "clip", &rows);
    let mixed = ["images (1) and feature matrices (clip)", "name one"];
    refused(&with_pool(one).args(&[]), 2, &mixed);

    let idle = ["nothing is told from these images", "--gt, --recon"];
    refused(&data.args(&["--metrics", "pixcorr"]), 2, &idle);
    // The model that made the features of the pairs must make the features of the pool.
    let observations = dir.path().join("observations");
    for side in ["gt", "recon"] {
        let rows = [("a", [1.0, 2.0, 3.0]), ("b", [1.0, 3.0, 2.0])];
        write_features(&observations.join(side), "clip", &rows);
    }
    let given = ["score", "--observations", arg(&observations), "--pool"];
    let given = [&given[..], &[arg(&data.pool), "--out", arg(data.run())]].concat();
    refused(&given, 2, &idle);
    let asked = [&given[..], &["--metrics", "clip_pool"]].concat();
    let needs = ["clip_pool needs", "of others (--gt, --recon, --pool)"];
    refused(&asked, 2, &needs);
}
