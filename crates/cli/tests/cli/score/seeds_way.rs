//! How images are prepared for the EffNet that SEED is made of.

use crate::support::image_pairs::ImagePairs;
use crate::support::{folder, record, scores, summary, values};
use neurogauge::core::{Features, Image};
use neurogauge::formats::image_file::write_png;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;
use std::path::Path;

const STEMS: [&str; 4] = ["1", "2", "3", "4"];

const SCORE: &str = "score gt recon --out run --overwrite --image-models stand-in --captioner stand-in-captioner \
                     --detector stand-in-detector --text-encoder stand-in";

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
    pairs.map(|(gt, recon)| correlation_distance(&gt, &recon).unwrap().unwrap()).collect()
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
    let effnet = |options: &str| {
        let ran = dir.succeed(&format!("{SCORE} {options}"));
        (values(&data.run, "effnet"), ran)
    };
    let native = effnet("--metrics effnet --preset nsd8-native").0;
    let mindeye2 = effnet("--metrics effnet").0;
    assert_ne!(native, mindeye2);
    for options in [
        "--metrics seed",
        "--metrics sdm --preset official",
        "--metrics seed --preset paper",
        "--metrics seed --preset official,nsd8-mindeye2",
    ] {
        let (found, ran) = effnet(options);
        let note = "EffNet: images prepared as nsd8-native, as SEED's released code does";
        assert!(on_one_line(&ran.stdout).contains(note), "{ran}");
        assert_eq!(found, native, "{options}");
        assert_eq!(values(&data.run, "seed"), seed_of(&data.run, "effnet"));
        assert!(scores(&data.run).column("effnet_official").is_none());
        let perception = &record(&data.run)["request"]["perception"];
        assert_eq!(perception["seed"], "nsd8-native");
    }
    // A preset of images by itself holds for SEED, too, and so does the option.
    assert_eq!(effnet("--metrics seed --seed-images nsd8-mindeye2").0, mindeye2);
    assert_eq!(effnet("--metrics seed --preset nsd8-mindeye2").0, mindeye2);
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn a_run_with_seed_and_effnet_has_both_ways() {
    let dir = folder();
    let data = pairs(dir.path(), (120, 90));
    let ran = dir.succeed(&format!("{SCORE} --metrics effnet,seed,sdm --export-layout official"));
    for words in ["EffNet (SEED), which SEED is made of: images prepared as nsd8-native", "EffNet: as nsd8-mindeye2"] {
        assert!(on_one_line(&ran.stdout).contains(words), "{ran}");
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
    dir.succeed(SCORE);
    assert_eq!(values(run, "effnet_official"), seeds);
    assert_eq!(values(run, "effnet"), own);
}

#[test]
fn runs_of_both_kinds_repeat_to_the_bit() {
    let dir = folder();
    let data = pairs(dir.path(), (64, 80));
    for metrics in ["seed", "effnet,seed"] {
        dir.succeed(&format!("{SCORE} --metrics {metrics}"));
        dir.succeed("score --from-run run/run.json --out again --overwrite");
        assert_eq!(scores(&dir.join("again")), scores(&data.run), "{metrics}");
    }
}
