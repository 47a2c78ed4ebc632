//! `score` computes metrics of words and boxes like `score captions` and `score boxes`.

use crate::board::captions;
use crate::support::*;

#[test]
fn metrics_of_words_are_those_of_score_captions_and_can_be_compared() {
    let dir = captions();
    let wordnet = wordnet();
    let metrics = "meteor,rouge_1,rouge_2,rouge_l_f1,rouge_l,cider";
    for system in ["good", "fair"] {
        dir.succeed(&format!(
            "score --gt captions=reference.json --recon captions={system}.json --metrics {metrics} --wordnet {} --out {system}",
            arg(&wordnet)
        ));
    }
    dir.succeed(&format!(
        "score captions reference.json fair.json --image-captions good.json --metrics meteor,rouge_1,rouge_2,rouge_l_f1 \
         --wordnet {} --out captions --resamples 100",
        arg(&wordnet)
    ));
    let (run, captions) = (dir.scores("fair"), dir.scores("captions"));
    for metric in metrics.split(',') {
        let column = captions.column(&format!("fair/{metric}")).unwrap();
        assert_eq!(run.column(metric).unwrap(), column, "{metric}");
    }
    // Three of four words are right; the images' captions are the references.
    let value = |row, metric| crate::brainhub::value(&dir.join("captions"), row, metric);
    assert!((value("fair", "rouge_1") - 0.75).abs() < 1e-12);
    assert!((value("fair / image", "rouge_1") - 0.75).abs() < 1e-12);
    assert!((value("image", "rouge_1") - 1.0).abs() < 1e-12);
    // One run of three words in four: (1 - 0.5 / 27) 0.75.
    assert!((value("fair", "meteor") - 0.75 * (1.0 - 0.5 / 27.0)).abs() < 1e-12);
    dir.succeed("compare good fair --metrics meteor,rouge_2 --resamples 100")
        .shows(&["METEOR", "ROUGE-2"]);
    assert_snapshot!(dir.run("score captions reference.json fair.json --metrics ssim --out x"), @r#"exit 2, stderr: error: "ssim" is not a metric of the words of captions; expected bleu_1, bleu_2, bleu_3, bleu_4, meteor, rouge_1, rouge_2, rouge_l_f1, rouge_l, cider"#);
}

/// BLEU of a run is BLEU of all its captions together, as in `score captions`; so are the pairs' own values.
#[test]
fn bleu_of_a_run_is_that_of_the_corpus() {
    let dir = captions();
    for system in ["fair", "bad"] {
        dir.succeed(&format!(
            "score --gt captions=reference.json --recon captions={system}.json --metrics bleu_1,bleu_2 --out {system}"
        ));
    }
    // There it is always computed, and may be named.
    dir.succeed("score captions reference.json fair.json --metrics bleu_1 --out captions --resamples 100");
    let (run, captions) = (dir.scores("fair"), dir.scores("captions"));
    let summary = dir.json("fair/summary.json");
    for metric in ["bleu_1", "bleu_2"] {
        let column = captions.column(&format!("fair/{metric}")).unwrap();
        assert_eq!(run.column(metric).unwrap(), column, "{metric}");
        let value = crate::brainhub::value(&dir.join("captions"), "fair", metric);
        let found = summary[metric]["value"].number();
        assert!((found - value).abs() < 1e-9, "{metric}: {found} {value}");
    }
    assert!((summary["bleu_1"]["value"].number() - 0.75).abs() < 1e-9);
    contains(&dir.succeed("compare fair bad --metrics bleu_1 --resamples 100").stdout, &["BLEU-1"]);
    // Without its pseudo-values, a run has no value, since the mean of the pairs differs.
    fs::write(dir.join("few.json"), r#"{"0": "a red dog m0", "1": "a boat"}"#).unwrap();
    dir.succeed(
        "score --gt captions=reference.json --recon captions=few.json --metrics bleu_1 --out few --pairs shared",
    );
    let first_order = "BLEU-1: of the shared pairs to first order, since it is computed of all pairs of a run together";
    dir.succeed("compare fair few --resamples 100").shows(&[first_order]);
}

/// `score` computes the accuracy and overlap of boxes as `score boxes` does, over the boxes of all images.
#[test]
fn boxes_of_a_run_are_grounded_as_by_score_boxes() {
    let dir = folder();
    let boxes = |shift: f64| {
        serde_json::json!({
            "0": {"dog": [[0.0, 0.0, 0.5, 0.5], [0.6, 0.6, 0.9, 0.9]], "cat": [[0.2, 0.2, 0.4, 0.6]]},
            "1": {"boat": [[0.1 + shift, 0.1, 0.5, 0.5]]},
            "2": {"person": [[0.0, 0.2 + shift, 0.8, 0.8]], "kite": [[0.1, 0.1, 0.2, 0.3 + shift]]},
        })
    };
    dir.write("gt.json", boxes(0.0).to_string());
    dir.write("near.json", boxes(0.05).to_string());
    dir.write("far.json", boxes(0.25).to_string().replace("kite", "car"));
    for system in ["near", "far"] {
        dir.succeed(&format!("score boxes gt.json {system}.json --out ground-{system}"));
        dir.succeed(&format!(
            "score --gt detections=gt.json --recon detections={system}.json --labels coco --metrics grounding_accuracy,grounding_iou --out {system}"
        ));
        let summary = dir.json(format!("{system}/summary.json"));
        let ground = dir.join(format!("ground-{system}"));
        for (metric, of_ground) in [("grounding_accuracy", "accuracy"), ("grounding_iou", "iou")] {
            let (found, value) = (&summary[metric]["value"], crate::brainhub::value(&ground, "all", of_ground));
            assert!((found.number() - value).abs() < 1e-12, "{system} {metric}: {found} {value}");
            let column = dir.scores(&ground);
            let column = column.column(&format!("all/{of_ground}")).unwrap();
            for (found, of_ground) in dir.scores(system).column(metric).unwrap().iter().zip(column) {
                let (found, of_ground) = (found.clone().unwrap(), of_ground.clone().unwrap());
                assert!((found - of_ground).abs() < 1e-12, "{found} {of_ground}");
            }
        }
    }
    dir.succeed("compare near far --resamples 100").shows(&["Acc@0.5", "Grounding IoU"]);
}

#[test]
fn brainhubs_boxes_have_the_readmes_values_in_a_run() {
    let Some(data) = shared_data("brainhub/boxes") else {
        return;
    };
    let dir = folder();
    dir.succeed(&format!(
        "score --gt detections={0}/reference_coco.json --recon detections={0}/umbrae-subj01.json --labels coco \
         --metrics object_f1,grounding_accuracy,grounding_iou --out run",
        arg(&data)
    ));
    let summary = dir.json("run/summary.json");
    for (metric, printed) in [("grounding_accuracy", 18.93_f64), ("grounding_iou", 21.28)] {
        let found = 100.0 * summary[metric]["value"].number();
        assert!((found - printed).abs() < 0.00501, "{metric}: {found} {printed}");
    }
    // The boxes are recognised as BrainHub's by their hash.
    assert_eq!(dir.json("run/run.json")["protocol"]["by"], "ids_and_stimuli");
}
