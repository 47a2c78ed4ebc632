//! The numbers of BrainHub's README, computed from its own files.

use super::measures::value;
use crate::support::*;

#[test]
fn grounding_figures_of_brainhub() {
    let Some(data) = shared_data("brainhub/boxes") else {
        return;
    };
    let dir = folder();
    let [reference, decoded] = ["reference_coco.json", "umbrae-subj01.json"].map(|file| data.join(file));
    let ran = dir.succeed(&format!("score boxes {} {} --out out", arg(&reference), arg(&decoded)));
    // BrainHub's README, UMBRAE, subject 1: all, salient and inconspicuous categories.
    for (row, metric, printed) in [
        ("all", "accuracy", 18.93),
        ("all", "iou", 21.28),
        ("salient", "accuracy", 30.23),
        ("salient", "iou", 30.18),
        ("inconspicuous", "accuracy", 4.83),
        ("inconspicuous", "iou", 10.18),
    ] {
        let found = 100.0 * value(&dir.join("out"), row, metric);
        assert!((found - printed).abs() < 0.00501, "{row} {metric}: {found} {printed}");
    }
    assert!(ran.stdout.contains("18.93"), "{ran}");
}

#[test]
fn caption_figures_of_brainhub() {
    let Some(data) = shared_data("brainhub/captions") else {
        return;
    };
    let dir = folder();
    // BrainHub's README. Its rows for UMBRAE belong to version 1.4, whose files are not available here.
    let printed = [
        ("braincap-subj01", [55.96, 14.51, 40.69, 41.30]),
        ("braincap-subj02", [53.80, 13.03, 39.96, 35.60]),
        ("onellm-subj01", [47.04, 9.51, 35.05, 22.99]),
        ("sdrecon-subj01", [36.21, 3.43, 25.13, 13.83]),
        ("sdrecon-subj02", [34.71, 3.02, 24.22, 13.38]),
    ];
    let reference = data.join("reference_coco.json");
    let decoded = printed.map(|(name, _)| format!(" {}/{name}.json", arg(&data))).concat();
    dir.succeed(&format!("score captions {} --out out --resamples 50{decoded}", arg(&reference)));
    for (name, figures) in printed {
        for (metric, printed) in ["bleu_1", "bleu_4", "rouge_l", "cider"].into_iter().zip(figures) {
            let found = 100.0 * value(&dir.join("out"), name, metric);
            assert!((found - printed).abs() < 0.00501, "{name} {metric}: {found} {printed}");
        }
    }
}
