//! `neurogauge score`: identification from feature files, and lists of metrics.

use crate::support::*;
use neurogauge::core::{Side, Undefined};

type Rows<'a> = [(&'a str, [f32; 3])];

/// Correlations by hand, stimulus by reconstruction:
///
/// | | 1 | 2 | 10 |
/// |---|---|---|---|
/// | 1 (up) | 1 | -1/2 | 1/2 |
/// | 2 (down) | -1 | 1/2 | -1/2 |
/// | 10 (bent) | 1/2 | -1 | 1 |
pub(crate) const GT: [(&str, [f32; 3]); 3] = [("10", [1.0, 3.0, 2.0]), ("1", [1.0, 2.0, 3.0]), ("2", [3.0, 2.0, 1.0])];

pub(crate) const RECON: [(&str, [f32; 3]); 3] =
    [("1", [2.0, 3.0, 4.0]), ("2", [3.0, 1.0, 2.0]), ("10", [1.0, 3.0, 2.0])];

pub(crate) fn dataset(dir: &Folder, model: &str, gt: &Rows<'_>, recon: &Rows<'_>) {
    write_features(&dir.join("gt"), model, gt);
    write_features(&dir.join("recon"), model, recon);
}

#[test]
fn identification_stands_beside_the_correlation_it_rests_on() {
    let dir = folder();
    dataset(&dir, "alexnet.features.4", &GT, &RECON);
    // A regression snapshot of the table.
    assert_snapshot!(dir.succeed(SCORE), @"
    exit 0, stdout:
    run: 3 pairs
    System: run

    Metric             mean  95% interval    n  undefined  chance
    Low-Level
      AlexNet(2) ↑    1.000  [0.292, 1.000]  3          0   0.500
    Pool-free
      AlexNet(2) r ↑  0.833  [0.116, 1.000]  3          0

    AlexNet(2): two-way identification of each reconstruction among 2 other stimuli; chance 0.5
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    AlexNet(2): 95% intervals for new stimuli and new distractors (jackknife over stimuli as targets and distractors, beta distributions)
    AlexNet(2): at most two stimuli make up the distance to the end of the scale, so the interval is wider than 95% takes
    Only 3 pairs: no test of two systems can reach p < 0.25, and 95% intervals are at least ±4.3 standard errors wide (large n: ±2.0).
    stderr:
    note: left out: pixcorr, ssim, psnr, lpips_alex, lpips_vgg, alexnet5, inception, clip, effnet, swav, object_recall, object_precision, object_f1, cap_sim, seed, snm, sdm, basic_h, basic_l; --metrics NAME says what a metric needs
    run: 3 pairs scored
    ");
    close(&dir.values("run", "alexnet2"), &[1.0, 1.0, 1.0]);
    close(&dir.values("run", "alexnet2_correlation"), &[1.0, 0.5, 1.0]);
    let identified = &dir.summary("run")["alexnet2"];
    assert_eq!((&identified["pool_size"], &identified["chance"]), (&2.into(), &0.5.into()));
    // All are found: the exact bound for three of three is scipy.stats.binomtest(3, 3).proportion_ci(method="exact").
    let interval = &identified["interval"];
    assert!((interval[0].number() - 0.2924).abs() < 1e-4);
    assert_eq!(interval[1], 1.0);
    let csv = dir.read("run/summary.csv");
    assert!(csv.lines().next().unwrap().ends_with(",stand_in,chance"), "{csv}");
    assert_eq!(dir.summary("run")["alexnet2_correlation"].get("pool_size"), None);
    assert_eq!(&dir.record("run")["metrics"][0]["origin"], "features/alexnet.features.4");

    // The correlation is left out when only the identification is requested.
    dir.succeed(&format!("{SCORE} --metrics alexnet2"));
    let ids: Vec<String> = dir.scores("run").columns.into_iter().map(|c| c.0).collect();
    assert_eq!(ids, ["alexnet2"]);
}

#[test]
fn direction_and_ties_are_options() {
    let dir = folder();
    let up = [1.0, 2.0, 3.0];
    // Both other reconstructions equal the first stimulus's reconstruction.
    dataset(&dir, "clip", &GT, &[("1", up), ("2", up), ("10", up)]);
    let identified = |options: &str| {
        let ran = dir.succeed(&format!("{SCORE} {options}"));
        (dir.values("run", "clip"), ran.stdout)
    };
    // r with `up` is 1 for the first stimulus, -1 for the second, and 1/2 for the third.
    close(&identified("").0, &[1.0, 0.0, 0.5]);
    let stimulus = "--set identification_direction=stimulus";
    let (found, stdout) = identified(stimulus);
    close(&found, &[0.0; 3]);
    assert!(stdout.contains("each stimulus among 2 other reconstructions"), "{stdout}");
    for (ties, expected) in [("half", 0.5), ("win", 1.0)] {
        let (found, _) = identified(&format!("{stimulus} --set identification_ties={ties}"));
        close(&found, &[expected; 3]);
    }
}

#[test]
fn more_ways_are_named_in_tables_and_draws_repeat() {
    let dir = folder();
    dataset(&dir, "clip", &GT, &[("1", GT[1].1), ("2", GT[0].1), ("10", GT[2].1)]);
    let run = dir.join("run");
    let identified = |options: &str, words: &[&str]| {
        dir.succeed(&format!("{SCORE} {options}")).shows(words);
        dir.values(&run, "clip")
    };
    close(
        &identified("--set n_way=3", &["CLIP 3-way", "with distractors from 2 other stimuli"]),
        &[1.0, 0.0, 0.0],
    );
    assert_eq!(dir.summary(&run)["clip"]["label"], "CLIP 3-way");
    // The third is more similar to its own stimulus than to the first; the second is more similar to both others.
    let top = identified("--set n_way=3 --set top_k=2", &["CLIP 3-way top-2"]);
    close(&top, &[1.0, 0.0, 1.0]);
    let first = identified("--set draws=50 --seed 7", &["50 draws per pair, seed 7"]);
    assert_eq!(first, identified("--set draws=50 --seed 7 --threads 1", &[]));
    let refused = |options: &str, parts: &[&str]| dir.run(&format!("{SCORE} {options}")).exits(2).says(parts);
    refused("--set n_way=4", &["4 with 2 others", "at most one more"]);
    refused("--set n_way=3 --set top_k=3", &["top k is 3", "fewer than there are ways"]);
}

#[test]
fn nsd8_is_the_eight_of_the_tables() {
    let dir = folder();
    for model in ["alexnet2", "alexnet5", "inception", "clip", "effnet", "swav"] {
        dataset(&dir, model, &GT, &RECON);
    }
    image_folders(&dir.join("images"), &["1", "2", "10"]);
    dir.succeed(&format!("{SCORE} --gt images/gt --recon images/recon --metrics nsd8 --set pixel_size=48"));
    let columns = dir.scores("run").columns;
    let (eight, others) = columns.split_at(8);
    let eight: Vec<&str> = eight.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(eight.join(" "), "pixcorr ssim alexnet2 alexnet5 inception clip effnet swav");
    assert!(others.iter().all(|(id, _)| id.ends_with("_correlation")));
    let table = r#"
    nsd8
      exit 2, stderr: error: pixcorr needs images of both sides (--gt, --recon)
    loudness
      exit 2, stderr: error: --metrics: no metric is called "loudness"; known: pixcorr, ssim, psnr, ms_ssim, hue_pcc, lpips_alex, lpips_vgg, alexnet2, alexnet5, inception, clip, effnet, effnet_official, swav, dreamsim, dreamsim_dino, dreamsim_clip, dreamsim_open_clip, alexnet2_correlation, alexnet5_correlation, inception_correlation, clip_correlation, alexnet2_pool, alexnet5_pool, inception_pool, clip_pool, n_way_accuracy_2, n_way_accuracy_10, n_way_accuracy_40, n_way_accuracy_50, video_n_way_accuracy_2, video_n_way_accuracy_50, frame_consistency, frame_consistency_all, stimulus_frame_consistency, stimulus_frame_consistency_all, object_recall, object_precision, object_f1, object_f1_vlm, cap_sim, vqa_score, text_recall, seed, seed_vlm, snm, sdm, basic_object_precision, basic_object_recall, basic_object_f1, basic_attribute_precision, basic_attribute_recall, basic_attribute_f1, basic_relation_precision, basic_relation_recall, basic_relation_f1, basic_h, salient_iou, binary_iou, semantic_iou, instance_iou, part_iou, salient_ap, binary_ap, semantic_ap, instance_ap, part_ap, basic_l, basic, mask_matching_ratio, bleu_1, bleu_2, bleu_3, bleu_4, meteor, rouge_1, rouge_2, rouge_l_f1, rouge_l, cider, clip_s, ref_clip_s, scene_graph_f1, grounding_accuracy, grounding_iou, nsd8, nsd8_correlation, n_way, video, basic_h_all, basic_l_all; and MODEL:LAYER for identification by a model's features
    "#;
    dir.refuses("score --observations . --out other --metrics", "other", table);
}

#[test]
fn constant_features_are_undefined_and_leave_the_pool() {
    let dir = folder();
    let mut gt = GT;
    gt[2].1 = [0.0; 3];
    dataset(&dir, "clip", &gt, &RECON);
    let ran = dir.succeed(SCORE);
    let outcome = dir.scores("run").column("clip").unwrap()[1].clone();
    assert_eq!(outcome.unwrap_err().to_string(), Undefined::Constant(Side::Gt).to_string());
    assert_eq!(dir.summary("run")["clip"]["pool_size"], 1);
    assert!(ran.stdout.contains("were left out: 2"), "{ran}");
}

#[test]
fn classification_accuracy_of_given_probabilities() {
    let dir = folder();
    let recon = [("1", [2.0, 5.0, 4.0]), ("2", [3.0, 1.0, 2.0]), ("10", [2.0, 1.0, 3.0])];
    dataset(&dir, "class_probabilities", &GT, &recon);
    // One of two wrong classes is more probable than the right one; none is; both are.
    dir.succeed(&format!("{SCORE} --metrics n_way_accuracy_2 --set right_classes=1"));
    close(&dir.values("run", "n_way_accuracy_2"), &[0.5, 1.0, 0.0]);
    let kept = &dir.record("run")["request"]["options"]["n_way_accuracy"];
    assert_eq!(kept["right_classes"], 1);
    // Three of three classes are right, so none is left to draw.
    contains(&dir.succeed(&format!("{SCORE} --metrics n_way")).stdout, &["fewer classes than are to be drawn"]);
}
