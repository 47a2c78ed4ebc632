//! `neurogauge score` with features that it computes from the images.

use crate::support::image_pairs::{features, matrix};
use crate::support::*;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

const SCORE: &str = "score gt recon --out run --overwrite --set image_models=placeholder";

#[test]
fn feature_metrics_need_only_images_and_are_marked_where_a_stand_in_made_them() {
    let dir = images(&STEMS);
    contains(&dir.succeed(SCORE).stdout, &["EffNet \u{2193}\u{2020}"]);
    let [gt, recon] = ["gt", "recon"].map(|side| features(&dir, side, "mean-colours.grid4"));
    let scored = dir.scores("run");
    assert_eq!(scored.pairs, ["1", "2", "10", "a", "b"]);
    for (row, outcome) in scored.column("effnet").unwrap().iter().enumerate() {
        assert_eq!(*outcome, correlation_distance(gt.row(row), recon.row(row)).unwrap());
    }
    let summary = dir.summary("run");
    assert_eq!([&summary["effnet"]["stand_in"], &summary["pixcorr"]["stand_in"]], [true, false]);
    let record = dir.record("run");
    let is_squashed =
        |recipe: &Value| recipe["layer"] == "grid4" && recipe["preprocessing"]["resize"][0]["squash"][0] == 256;
    assert!(record["perceived"].list().iter().any(is_squashed));

    // Given features take precedence over computed ones.
    let observations = dir.join("observations");
    for side in ["gt", "recon"] {
        write_features(&observations.join(side), "efficientnet_b1", &STEMS.map(|stem| (stem, [1.0, 2.0, 3.0])));
    }
    dir.succeed(&format!("{SCORE} --observations observations --metrics effnet,swav"));
    let summary = dir.summary("run");
    assert!(dir.values("run", "effnet").iter().all(|distance| *distance < 1e-12));
    assert_eq!([&summary["effnet"]["stand_in"], &summary["swav"]["stand_in"]], [false, true]);
}

#[test]
fn features_are_made_once_whatever_else_changes() {
    let dir = images(&STEMS);
    dir.succeed(SCORE);
    let before = dir.values("run", "effnet");
    let matrix = matrix(&dir, "recon", "mean-colours.grid4");
    let time = || matrix.metadata().unwrap().modified().unwrap();
    let made = time();

    let seed = format!("{SCORE} --seed 7");
    dir.succeed(&seed).says(&["5 pairs scored"]);
    assert_eq!((time(), dir.values("run", "effnet")), (made, before.clone()));
    dir.succeed(&seed).says(&["nothing was computed"]);

    // If one reconstruction changes, only its score does.
    dir.picture("recon/2.png", "other", 48, 9.0);
    dir.succeed(SCORE);
    let after = dir.values("run", "effnet");
    assert_eq!((after[0], &after[2..]), (before[0], &before[2..]));
    assert_ne!(after[1], before[1]);

    // Another preset gives other images and other features, which run.json repeats.
    dir.succeed(&format!("{SCORE} --preset paper,nsd8-native"));
    assert_ne!(dir.values("run", "effnet"), after);
    dir.succeed("score --from-run run/run.json --out again");
    for file in ["scores.parquet", "summary.json"] {
        assert_eq!(dir.bytes(format!("run/{file}")), dir.bytes(format!("again/{file}")), "{file}");
    }
}

#[test]
fn presets_prepare_pixels_and_features_alike_and_single_options_win() {
    let dir = images(&STEMS);
    let score = |options: &str| {
        dir.succeed(&format!("{SCORE} {options}"));
        (dir.values("run", "pixcorr"), dir.values("run", "effnet"))
    };
    let by_default = score("");
    let mindeye2 = score("--preset nsd8-mindeye2");
    assert_ne!(by_default.0, mindeye2.0, "425 px at once, or through 256");
    assert_eq!(by_default.1, mindeye2.1, "models have MindEye2's protocol by default");
    assert_eq!(mindeye2.0, score("--set first_size=256").0);
    let published = score("--preset published");
    assert_eq!(by_default.0, published.0);
    assert_ne!(by_default.1, published.1);
    let native = "--preset nsd8-native --set pixel_size=24";
    assert_ne!(score(native).0, score(&format!("{native} --set antialias=off")).0);
    assert_snapshot!(dir.run(&format!("{SCORE} --preset nsd8-native,published")), @"exit 2, stderr: error: --preset: one of official, paper, exact (Object F1), one of nsd8-mindeye2, nsd8-native, published, mindeye1, mindeye2, atm, mindbridge, neuropictor, brain-diffuser, mirage, mindvideo, neurons, cinebrain (images) and one of basic, capture (BASIC-H), comma-separated, not two of a kind");
}
