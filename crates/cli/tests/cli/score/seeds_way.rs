//! Preparation of images for the EffNet within SEED.

use crate::support::image_pairs::features;
use crate::support::*;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;

const STEMS: [&str; 4] = ["1", "2", "3", "4"];

const SCORE: &str = "score gt recon --out run --overwrite --set image_models=placeholder --captioner placeholder-captioner \
                     --detector placeholder-detector --set text_encoder=placeholder";

/// Oblong images, for which every step of a preparation matters.
fn pairs((width, height): (usize, usize)) -> Folder {
    let dir = folder();
    for (side, (width, height)) in [("gt", (120, 90)), ("recon", (width, height))] {
        for (place, stem) in STEMS.iter().enumerate() {
            let value = |i: usize| ((i * (place + 3) * 37 + i * i % 11) % 256) as u8;
            let image = Image::new(width, height, (0..width * height * 3).map(value).collect()).unwrap();
            write_png(&dir.join(format!("{side}/{stem}.png")), &image).unwrap();
        }
    }
    dir
}

fn distances(dir: &Folder, name: &str) -> Vec<f64> {
    let [gt, recon] = ["gt", "recon"].map(|side| features(dir, side, name));
    let row = |place: usize, of: &Features| of.row(place).to_vec();
    let pairs = (0..STEMS.len()).map(|place| (row(place, &gt), row(place, &recon)));
    pairs.map(|(gt, recon)| correlation_distance(&gt, &recon).unwrap().unwrap()).collect()
}

fn seed_of(dir: &Folder, effnet: &str) -> Vec<f64> {
    let [f1, captions, effnet] = ["object_f1", "cap_sim", effnet].map(|id| dir.values("run", id));
    let of_pair = |place: usize| (f1[place] + captions[place] + (1.0 - effnet[place])) / 3.0;
    (0..STEMS.len()).map(of_pair).collect()
}

#[test]
fn seed_alone_has_effnet_as_its_released_code_prepares_images() {
    let dir = pairs((64, 80));
    let effnet = |options: &str| {
        let ran = dir.succeed(&format!("{SCORE} {options}"));
        (dir.values("run", "effnet"), ran)
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
        contains(&on_one_line(&ran.stdout), &[note]);
        assert_eq!(found, native, "{options}");
        assert_eq!(dir.values("run", "seed"), seed_of(&dir, "effnet"));
        assert!(dir.scores("run").column("effnet_official").is_none());
        let perception = &dir.record("run")["request"]["perception"];
        assert_eq!(perception["seed"], "nsd8-native");
    }
    // A preset for images alone also applies to SEED, and so does the option.
    assert_eq!(effnet("--metrics seed --set seed_images=nsd8-mindeye2").0, mindeye2);
    assert_eq!(effnet("--metrics seed --preset nsd8-mindeye2").0, mindeye2);

    // Runs of both kinds are repeated with the same bits.
    for metrics in ["seed", "effnet,seed"] {
        dir.succeed(&format!("{SCORE} --metrics {metrics}"));
        dir.succeed("score --from-run run/run.json --out again --overwrite");
        assert_eq!(dir.scores("again"), dir.scores("run"), "{metrics}");
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn a_run_with_seed_and_effnet_has_both_ways() {
    let dir = pairs((120, 90));
    let ran = dir.succeed(&format!("{SCORE} --metrics effnet,seed,sdm --export-layout official"));
    let about = ["EffNet (SEED), which SEED is made of: images prepared as nsd8-native", "EffNet: as nsd8-mindeye2"];
    contains(&on_one_line(&ran.stdout), &about);
    let [own, seeds] = ["effnet", "effnet_official"].map(|id| dir.values("run", id));
    assert_ne!(own, seeds);
    assert_eq!(own, distances(&dir, "mean-colours.grid4"));
    assert_eq!(seeds, distances(&dir, "mean-colours.grid4.official"));
    assert_eq!(dir.values("run", "seed"), seed_of(&dir, "effnet_official"));
    // A system's SEED is the mean of the means of its parts.
    let means = ["object_f1", "cap_sim", "effnet_official", "seed"];
    let [f1, captions, effnet, seed] = means.map(|id| dir.summary("run")[id]["value"].number());
    assert!((seed - (f1 + captions + 1.0 - effnet) / 3.0).abs() < 1e-12);

    // Without names of metrics, both exist too.
    dir.succeed(SCORE);
    assert_eq!(dir.values("run", "effnet_official"), seeds);
    assert_eq!(dir.values("run", "effnet"), own);
}
