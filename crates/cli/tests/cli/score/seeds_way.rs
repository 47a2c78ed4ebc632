//! How images are prepared for the EffNet that SEED is made of.

use crate::support::image_pairs::ImagePairs;
use crate::support::{arg, folder, neurogauge, record, scores, succeed, summary, values};
use neurogauge::core::{Features, Image};
use neurogauge::formats::image_file::write_png;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;
use std::path::Path;

const STEMS: [&str; 4] = ["1", "2", "3", "4"];

const PLACEHOLDERS: [&str; 8] = [
    "--image-models",
    "stand-in",
    "--captioner",
    "stand-in-captioner",
    "--detector",
    "stand-in-detector",
    "--text-encoder",
    "stand-in",
];

/// Oblong images, on which every step of a preparation shows.
fn pairs(root: &Path, (width, height): (usize, usize)) -> ImagePairs {
    for (side, (width, height)) in [("gt", (120, 90)), ("recon", (width, height))] {
        for (place, stem) in STEMS.iter().enumerate() {
            let value = |i: usize| ((i * (place + 3) * 37 + i * i % 11) % 256) as u8;
            let values = (0..width * height * 3).map(value).collect();
            let image = Image::new(width, height, values).unwrap();
            write_png(&root.join(side).join(format!("{stem}.png")), &image).unwrap();
        }
    }
    ImagePairs::of(root)
}

fn distances(data: &ImagePairs, features: &str) -> Vec<f64> {
    let [gt, recon] = ["gt", "recon"].map(|side| data.features(side, features));
    let row = |place: usize, of: &Features| of.row(place).to_vec();
    let pairs = (0..STEMS.len()).map(|place| (row(place, &gt), row(place, &recon)));
    pairs
        .map(|(gt, recon)| correlation_distance(&gt, &recon).unwrap().unwrap())
        .collect()
}

fn seed_of(run: &Path, effnet: &str) -> Vec<f64> {
    let [f1, captions, effnet] = ["object_f1", "cap_sim", effnet].map(|id| values(run, id));
    let of_pair = |place: usize| (f1[place] + captions[place] + (1.0 - effnet[place])) / 3.0;
    (0..STEMS.len()).map(of_pair).collect()
}

#[test]
fn seed_alone_has_effnet_as_its_released_code_prepares_images() {
    let dir = folder();
    let data = pairs(dir.path(), (64, 80));
    let score = |options: &[&str]| succeed(&data.args(&[&PLACEHOLDERS[..], options].concat()));
    let native = {
        score(&["--metrics", "effnet", "--preset", "nsd8-native"]);
        values(&data.run, "effnet")
    };
    let mindeye2 = {
        score(&["--metrics", "effnet"]);
        values(&data.run, "effnet")
    };
    assert_ne!(native, mindeye2);
    for options in [
        &["--metrics", "seed"][..],
        &["--metrics", "sdm", "--preset", "official"],
        &["--metrics", "seed", "--preset", "paper"],
        &["--metrics", "seed", "--preset", "official,nsd8-mindeye2"],
    ] {
        let ran = score(options);
        let note = "EffNet: images prepared as nsd8-native, as SEED's released code does";
        let shown = ran
            .stdout
            .split_whitespace()
            .collect::<Vec<&str>>()
            .join(" ");
        assert!(shown.contains(note), "{}", ran.stdout);
        assert_eq!(values(&data.run, "effnet"), native, "{options:?}");
        assert_eq!(values(&data.run, "seed"), seed_of(&data.run, "effnet"));
        assert!(scores(&data.run).column("effnet_official").is_none());
        assert_eq!(
            record(&data.run)["request"]["perception"]["seed"],
            "nsd8-native"
        );
    }
    // A preset of images by itself holds for SEED, too, and so does the option.
    score(&["--metrics", "seed", "--seed-images", "nsd8-mindeye2"]);
    assert_eq!(values(&data.run, "effnet"), mindeye2);
    let before = ["--metrics", "seed", "--preset", "nsd8-mindeye2"];
    score(&before);
    assert_eq!(values(&data.run, "effnet"), mindeye2);
}

#[test]
fn a_run_with_seed_and_effnet_has_both_ways() {
    let dir = folder();
    let data = pairs(dir.path(), (120, 90));
    let options = [
        "--metrics",
        "effnet,seed,sdm",
        "--export-layout",
        "official",
    ];
    let ran = succeed(&data.args(&[&PLACEHOLDERS[..], &options].concat()));
    for words in [
        "EffNet (SEED), which SEED is made of: images prepared as nsd8-native",
        "EffNet: as nsd8-mindeye2",
    ] {
        let shown = ran
            .stdout
            .split_whitespace()
            .collect::<Vec<&str>>()
            .join(" ");
        assert!(shown.contains(words), "{}", ran.stdout);
    }
    let run = &data.run;
    let [own, seeds] = ["effnet", "effnet_official"].map(|id| values(run, id));
    assert_ne!(own, seeds);
    assert_eq!(own, distances(&data, "mean-colours.grid4"));
    assert_eq!(seeds, distances(&data, "mean-colours.grid4.official"));
    assert_eq!(values(run, "seed"), seed_of(run, "effnet_official"));
    // SEED of a system is the mean of the means of its parts.
    let means = ["object_f1", "cap_sim", "effnet_official", "seed"];
    let [f1, captions, effnet, seed] = means.map(|id| summary(run)[id]["mean"].as_f64().unwrap());
    assert!((seed - (f1 + captions + 1.0 - effnet) / 3.0).abs() < 1e-12);

    // Without names of metrics there are both, too.
    let all = dir.path().join("all");
    let other = ImagePairs {
        run: all.clone(),
        ..ImagePairs::of(dir.path())
    };
    succeed(&other.args(&PLACEHOLDERS));
    assert_eq!(values(&all, "effnet_official"), seeds);
    assert_eq!(values(&all, "effnet"), own);
}

#[test]
fn runs_of_both_kinds_repeat_to_the_bit() {
    let dir = folder();
    let data = pairs(dir.path(), (64, 80));
    for metrics in ["seed", "effnet,seed"] {
        let options = ["--metrics", metrics];
        succeed(&data.args(&[&PLACEHOLDERS[..], &options].concat()));
        let again = dir.path().join(format!("again {metrics}"));
        let from = data.run.join("run.json");
        let ran = neurogauge(&["score", "--from-run", arg(&from), "--out", arg(&again)]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(scores(&again), scores(&data.run), "{metrics}");
    }
}
