//! Pairs that show the same stimulus, in identification.

use super::identification::dataset;
use crate::support::*;

/// 200 pairs that show 50 stimuli four times each, decoded perfectly.
fn perfect(dir: &Folder) {
    let stems: Vec<String> = (0..200).map(|pair| format!("{pair:03}")).collect();
    let row = |pair: usize| {
        let angle = (pair / 4) as f32 / 50.0 * std::f32::consts::TAU;
        // Correlations of three features are cosines of these angles.
        let (x, y) = (angle.cos(), angle.sin());
        [x, -0.5 * x + 0.866 * y, -0.5 * x - 0.866 * y]
    };
    let rows: Vec<(&str, [f32; 3])> =
        (stems.iter().enumerate()).map(|(pair, stem)| (stem.as_str(), row(pair))).collect();
    dataset(dir, "clip", &rows, &rows);
}

#[test]
fn a_stimulus_is_not_told_from_its_copies() {
    let dir = folder();
    perfect(&dir);
    let run = dir.join("run");
    let score = "score --observations . --metrics clip";
    let ran = dir.succeed(&format!("{score} --out run"));
    let clip = &dir.summary(&run)["clip"];
    assert_eq!((clip["value"].as_f64(), clip["n"].as_u64()), (Some(1.0), Some(200)));
    // Fifty of fifty by scipy.stats.binomtest(50, 50).proportion_ci(method="exact").
    assert!((clip["interval"][0].number() - 0.928_878).abs() < 1e-6);
    assert_eq!(clip["interval"][1], 1.0);
    assert_eq!(clip["pool_size"], 196);
    assert_eq!(clip["interval_population"], "new stimuli and new distractors");
    let recorded = dir.record(&run);
    let repeated = recorded["repeated_stimuli"].list();
    assert_eq!(repeated.len(), 50);
    assert_eq!(repeated[0], serde_json::json!(["000", "001", "002", "003"]));
    let options = &recorded["request"]["options"];
    assert_eq!(options["identification_copies"], "leave_out");
    ran.shows(&[
        "among 196 other stimuli that are no copies of its own",
        "200 pairs show 50 stimuli, each several times",
        "95% intervals for new stimuli and new distractors",
        "at most two stimuli make up the distance to the end of the scale",
    ]);

    // Systems are compared over stimuli.
    dir.succeed(&format!("{score} --set identification_direction=stimulus --out other"));
    dir.succeed("compare run other --out compare")
        .shows(&["CLIP: 95% intervals for new stimuli and new distractors"]);

    // If copies are kept, they tie, and ties are lost.
    dir.succeed(&format!("{score} --set identification_copies=keep --out kept"));
    close(&dir.values("kept", "clip"), &[196.0 / 199.0; 200]);
    let options = &dir.record("kept")["request"]["options"];
    assert_eq!(options.get("identification_copies"), None);
    dir.succeed("score --from-run kept/run.json --out again");
    close(&dir.values("again", "clip"), &[196.0 / 199.0; 200]);
    assert_snapshot!(dir.run(&format!("{score} --out kept")).differs("kept"), @"options.options.identification_copies: none then, leave_out now");
}

#[test]
fn copies_have_the_same_image_where_there_are_images() {
    let dir = folder();
    let stems = ["1", "2", "3", "4", "5", "6"];
    let (gt, _) = image_folders(&dir.join("images"), &stems);
    // The first two show one stimulus; the last two have equal features, but different images.
    fs::copy(gt.join("1.png"), gt.join("2.png")).unwrap();
    let rows: Vec<(&str, [f32; 3])> = stems
        .iter()
        .zip([0.0_f32, 0.0, 1.0, 2.0, 3.0, 3.0])
        .map(|(stem, angle)| {
            let (x, y) = (angle.cos(), angle.sin());
            (*stem, [x, -0.5 * x + 0.866 * y, -0.5 * x - 0.866 * y])
        })
        .collect();
    dataset(&dir, "clip", &rows, &rows);
    let ran = dir.succeed(&format!("{SCORE} --gt images/gt --recon images/recon --metrics clip,pixcorr"));
    close(&dir.values("run", "clip"), &[1.0, 1.0, 1.0, 1.0, 0.8, 0.8]);
    assert_eq!(dir.record("run")["repeated_stimuli"], serde_json::json!([["1", "2"]]));
    assert!(ran.stdout.contains("2 pairs show one stimulus"), "{}", ran.stdout);
}
