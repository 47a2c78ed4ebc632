//! `neurogauge score` for detections and features, with every number computed by hand.

use crate::support::*;
use neurogauge::core::{Side, Undefined};

fn f1(recall: f64, precision: f64) -> f64 {
    2.0 * recall * precision / (recall + precision)
}

#[test]
fn every_metric_of_observations_has_the_value_found_by_hand() {
    let dir = folder_of(small_dataset);
    let score = format!("{SCORE} --set text_encoder=placeholder");
    dir.succeed(&score).says(&["left out: pixcorr, ssim, psnr"]);
    assert_eq!(dir.scores("run").pairs, ["1", "2", "10"]);
    // 10 of the 18 thresholds are below the dog's score; there, half of the stimulus is found.
    let recall = (10.0 * 0.5 + 8.0) / 18.0;
    close(&dir.values("run", "object_recall"), &[recall, 0.0, 1.0]);
    close(&dir.values("run", "object_precision"), &[1.0, 0.0, 1.0]);
    close(&dir.values("run", "object_f1"), &[f1(recall, 1.0), 0.0, 1.0]);
    close(&dir.values("run", "effnet"), &[0.5, 2.0, 0.0]);
    close(&dir.values("run", "swav"), &[0.5, 2.0, 0.0]);
    close(&dir.values("run", "snm"), &[0.0, 1.0, 0.0]);
    let cap_sim = dir.values("run", "cap_sim");
    close(&cap_sim[2..], &[1.0]);
    let by_hand = [(f1(recall, 1.0) + cap_sim[0] + 0.5) / 3.0, (0.0 + cap_sim[1] - 1.0) / 3.0, 1.0];
    close(&dir.values("run", "seed"), &by_hand);
    close(&dir.values("run", "sdm"), &[f64::from(u8::from(f1(recall, 1.0) - by_hand[0] > 0.2)), 0.0, 0.0]);

    dir.succeed(&format!("{score} --set sdm_gap_above=-0.1 --set sdm_f1_above=0.9"));
    close(&dir.values("run", "sdm"), &[0.0, 0.0, 1.0]);

    // Presets differ as documented.
    let recalls = ["official", "paper", "exact"].map(|preset| {
        dir.succeed(&format!("{SCORE} --preset {preset} --metrics object_recall,object_f1"));
        let recall = dir.values("run", "object_recall")[0];
        close(&dir.values("run", "object_f1")[..1], &[f1(recall, 1.0)]);
        recall
    });
    // Thresholds 0 to 0.52 of 0 to 0.95 in steps of 0.01, then without a grid.
    close(&recalls, &[13.0 / 18.0, (53.0 * 0.5 + 43.0) / 96.0, (0.52 * 0.5 + 0.43) / 0.95]);
}

#[test]
fn seed_of_a_system_is_the_mean_of_the_means_of_its_parts() {
    let dir = folder_of(small_dataset);
    let (up, flat) = ([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]);
    let rows = [("1", up), ("2", flat), ("10", up)];
    fs::remove_dir_all(dir.path().join("recon/features")).unwrap();
    write_features(&dir.path().join("recon"), "efficientnet_b1", &rows);
    dir.succeed(&format!("{SCORE} --set text_encoder=placeholder"));

    let constant = Undefined::Constant(Side::Recon).to_string();
    let undefined = |metric: &str| dir.scores("run").column(metric).unwrap()[1].clone().unwrap_err();
    assert_eq!(undefined("effnet").to_string(), constant);
    assert_eq!(undefined("seed").to_string(), "effnet is undefined");
    assert_eq!(undefined("sdm").to_string(), "seed is undefined");
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let (f1, cap_sim) = (mean(dir.values("run", "object_f1")), mean(dir.values("run", "cap_sim")));
    // Two pairs have a distance, which is 0 for both.
    let expected = (f1 + cap_sim + 1.0) / 3.0;
    let entry = &dir.summary("run")["seed"];
    close(&[entry["value"].number()], &[expected]);
    assert_eq!((&entry["n"], &entry["n_undefined"]), (&2.into(), &1.into()));
}

#[test]
fn the_smallest_box_and_the_order_of_scores_are_options() {
    let dir = folder();
    let large = [0.0, 0.0, 9.0, 9.0];
    let objects = [("dog", 0.2, large), ("person", 0.9, large), ("cup", 0.9, [0.0, 0.0, 7.0, 7.0])];
    write_detections(&dir.path().join("gt"), "a", &objects);
    write_detections(&dir.path().join("recon"), "a", &objects[1..2]);
    let recall = |options: &str| {
        let ran = dir.succeed(&format!("{SCORE} --metrics object_recall {options}"));
        (dir.values("run", "object_recall")[0], ran)
    };
    // In file order, nothing is read after the dog above 0.2: 3 or 4 thresholds with 1 of 2.
    let (as_listed, ran) = recall("");
    close(&[as_listed], &[0.5]);
    assert!(ran.stdout.contains("--set score_order=any"), "{}", ran.stdout);
    let (any, ran) = recall("--set score_order=any");
    close(&[any], &[(4.0 * 0.5 + 13.0) / 17.0]);
    assert!(!ran.stdout.contains("--set score_order"), "{}", ran.stdout);
    let (with_tiny, _) = recall("--set score_order=any --set min_box_area=40");
    close(&[with_tiny], &[(4.0 / 3.0 + 13.0 / 2.0) / 17.0]);
}

#[test]
fn near_misses_follow_threshold_and_categories() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    let object = |name, score| [(name, score, [0.0, 0.0, 50.0, 50.0])];
    write_detections(&gt, "a", &object("bench", 0.9));
    write_detections(&recon, "a", &object("stop sign", 0.4));
    let rate = |options: &str| {
        dir.succeed(&format!("{SCORE} --metrics snm {options}"));
        dir.scores("run").column("snm").unwrap()[0].clone()
    };
    // A bench is salient, a stop sign (which is also outdoor) is not.
    assert_eq!(rate(""), Ok(0.0));
    assert_eq!(rate("--set snm_recon_categories=all"), Ok(1.0));
    assert_eq!(rate("--set snm_categories=all"), Ok(1.0));
    assert_eq!(rate("--set snm_categories=all --set snm_threshold=0.5"), Ok(0.0));
    assert_eq!(rate("--set snm_threshold=0.95").unwrap_err().to_string(), "no category detected in the stimulus");
}
