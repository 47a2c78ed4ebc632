//! `neurogauge score` on features that it makes of the images itself.

use crate::support::image_pairs::ImagePairs;
use crate::support::observations::write_features;
use crate::support::{folder, image_folders, picture, record, scores, summary, values};
use insta::assert_snapshot;
use neurogauge::formats::image_file::write_png;
use neurogauge::metrics::decoding::feature_distance::correlation_distance;
use std::fs;

const STEMS: [&str; 5] = ["1", "2", "10", "b", "a"];

const SCORE: &str = "score gt recon --out run --overwrite --image-models stand-in";

#[test]
fn feature_metrics_need_only_images_and_are_marked_where_a_stand_in_made_them() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &STEMS);
    let ran = dir.succeed(SCORE);
    assert!(ran.stdout.contains("EffNet \u{2193}\u{2020}"), "{ran}");
    let [gt, recon] = ["gt", "recon"].map(|side| data.features(side, "mean-colours.grid4"));
    let scored = scores(&data.run);
    assert_eq!(scored.pairs, ["1", "2", "10", "a", "b"]);
    for (row, outcome) in scored.column("effnet").unwrap().iter().enumerate() {
        let expected = correlation_distance(gt.row(row), recon.row(row)).unwrap();
        assert_eq!(*outcome, expected);
    }
    let summary = summary(&data.run);
    assert_eq!(summary["effnet"]["stand_in"], true);
    assert_eq!(summary["pixcorr"]["stand_in"], false);
    let record = record(&data.run);
    let perceived = record["perceived"].as_array().unwrap();
    assert!(
        perceived
            .iter()
            .any(|recipe| { recipe["layer"] == "grid4" && recipe["preprocessing"]["resize"][0]["squash"][0] == 256 })
    );
}

#[test]
fn features_are_made_once_whatever_else_changes() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &STEMS);
    dir.succeed(SCORE);
    let before = values(&data.run, "effnet");
    let matrix = data.matrix("recon", "mean-colours.grid4");
    let time = || matrix.metadata().unwrap().modified().unwrap();
    let made = time();

    let seed = format!("{SCORE} --seed 7");
    dir.succeed(&seed).says(&["5 pairs scored"]);
    assert_eq!((time(), values(&data.run, "effnet")), (made, before.clone()));
    dir.succeed(&seed).says(&["nothing was computed"]);

    // Another reconstruction: its score changes and no other.
    write_png(&data.recon.join("2.png"), &picture("other", 48, 9.0)).unwrap();
    dir.succeed(SCORE);
    let after = values(&data.run, "effnet");
    assert_eq!((after[0], &after[2..]), (before[0], &before[2..]));
    assert_ne!(after[1], before[1]);

    // Another preset: other images, other features.
    dir.succeed(&format!("{SCORE} --preset paper,nsd8-native"));
    assert_ne!(values(&data.run, "effnet"), after);
}

#[test]
fn presets_prepare_pixels_and_features_alike_and_single_options_win() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &STEMS);
    let score = |options: &str| {
        dir.succeed(&format!("{SCORE} {options}"));
        (values(&data.run, "pixcorr"), values(&data.run, "effnet"))
    };
    let by_default = score("");
    let mindeye2 = score("--preset nsd8-mindeye2");
    assert_ne!(by_default.0, mindeye2.0, "425 px at once, or through 256");
    assert_eq!(by_default.1, mindeye2.1, "models have MindEye2's protocol by default");
    assert_eq!(mindeye2.0, score("--first-size 256").0);
    let published = score("--preset published");
    assert_eq!(by_default.0, published.0);
    assert_ne!(by_default.1, published.1);
    let native = "--preset nsd8-native --pixel-size 24";
    assert_ne!(score(native).0, score(&format!("{native} --antialias off")).0);
    assert_snapshot!(dir.run(&format!("{SCORE} --preset nsd8-native,published")), @"exit 2, stderr: error: --preset: one of official, paper, exact (Object F1), one of nsd8-mindeye2, nsd8-native, published, mindeye1, mindeye2, atm, mindbridge, neuropictor, brain-diffuser, mirage, mindvideo, neurons, cinebrain (images) and one of basic, capture (BASIC-H), comma-separated, not two of a kind");
}

#[test]
fn run_json_repeats_the_features_too() {
    let dir = folder();
    image_folders(dir.path(), &STEMS);
    dir.succeed(&format!("{SCORE} --preset nsd8-native --metrics effnet"));
    dir.succeed("score --from-run run/run.json --out again");
    for file in ["scores.parquet", "summary.json"] {
        let [one, other] = ["run", "again"].map(|run| fs::read(dir.join(run).join(file)).unwrap());
        assert_eq!(one, other, "{file}");
    }
}

#[test]
fn features_that_are_given_come_before_those_that_could_be_made() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &STEMS);
    let observations = dir.join("observations");
    for side in ["gt", "recon"] {
        let rows = STEMS.map(|stem| (stem, [1.0, 2.0, 3.0]));
        write_features(&observations.join(side), "efficientnet_b1", &rows);
    }
    dir.succeed(&format!("{SCORE} --observations observations --metrics effnet,swav"));
    let summary = summary(&data.run);
    let distances = values(&data.run, "effnet");
    assert!(distances.iter().all(|distance| *distance < 1e-12));
    assert_eq!(summary["effnet"]["stand_in"], false);
    assert_eq!(summary["swav"]["stand_in"], true);
}

#[test]
fn an_interrupted_run_keeps_the_features_it_has() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &STEMS);
    let image = data.recon.join("b.png");
    let bytes = fs::read(&image).unwrap();
    fs::write(&image, &bytes[..bytes.len() / 2]).unwrap();
    let failed = dir.run(&format!("{SCORE} --on-failure stop"));
    assert_eq!(failed.code, 1);
    failed.says(&["b.png"]);
    assert!(!data.run.join("scores.parquet").exists());
    let recon = data.run.join("observations/recon/features");
    let journal = fs::read_to_string(recon.join("mean-colours.grid4.part.jsonl")).unwrap();
    assert!(journal.ends_with("\n4\n"), "{journal}");
    fs::write(&image, &bytes).unwrap();
    dir.succeed(SCORE);
    assert_eq!(data.features("recon", "mean-colours.grid4").ids().len(), 5);
}

#[test]
fn a_stem_without_partner_stops_the_run_before_any_model_runs() {
    let dir = folder();
    let data = ImagePairs::new(dir.path(), &STEMS);
    fs::remove_file(data.recon.join("10.png")).unwrap();
    assert_snapshot!(dir.run(SCORE), @"
    exit 1, stderr:
    note: left out: lpips_alex, lpips_vgg, object_recall, object_precision, object_f1, cap_sim, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    error: pairing images: 1 of the gt stems has no partner among the recon stems: 10; every stem must be on both sides; --pairs shared scores the 4 on both sides (gt: [DIR]/gt, recon: [DIR]/recon)
    ");
    assert!(!data.run.exists());
}
