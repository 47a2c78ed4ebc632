//! `--export-layout official`, and SEED's own folder as input.
//!
//! The stems are 1, 2 and 10: their numeric order differs from their order as text, and SEED's arrays follow one or the
//! other.

use crate::support::*;
use neurogauge::formats::npy::read_f64;

/// The exported folder.
const OFFICIAL: &str = "run/evaluations/run";

/// Scores the small dataset and exports it; returns its folder and the official one.
fn exported(encoder: &str) -> (Folder, PathBuf) {
    let dir = folder();
    small_dataset(&dir.join("observations"));
    dir.succeed(&format!("score --observations observations --out run --export-layout official {encoder}"));
    let official = dir.join(OFFICIAL);
    (dir, official)
}

/// Scores SEED's folder and returns the table.
fn score_official(dir: &Folder, options: &str) -> String {
    let score = format!("score --overwrite --observations {OFFICIAL} --out again");
    dir.succeed(&format!("{score} {options}")).stdout
}

/// The origin of a run's metric.
fn origin(run: &Path, metric: &str) -> String {
    let record = record(run);
    let mut metrics = record["metrics"].list().iter();
    let entry = metrics.find(|entry| entry["id"] == metric).unwrap();
    entry["origin"].text().to_owned()
}

#[test]
fn each_array_is_in_seeds_order_and_is_read_with_its_marks_where_nothing_can_be_computed() {
    let (dir, official) = exported("--set text_encoder=placeholder");
    let array = |name: &str| {
        let (shape, values) = read_f64(&official.join("intermediate_results").join(name)).unwrap();
        assert_eq!(shape, [3]);
        values
    };
    // Pairs of the run: 1, 2, 10. In the order as text: "1.png" < "10.png" < "2.png".
    let [f1, effnet, cap_sim] = ["object_f1", "effnet", "cap_sim"].map(|metric| dir.values("run", metric));
    assert_eq!(array("obj_f1.npy"), f1);
    assert_eq!(array("effnet.npy"), [effnet[0], effnet[2], effnet[1]]);
    assert_eq!(array("cap_sim.npy"), [cap_sim[0], cap_sim[2], cap_sim[1]]);
    for side in ["gt", "recon"] {
        for stem in ["1", "2", "10"] {
            let file = format!("{side}_detection_results/preds/{stem}.json");
            assert!(official.join(&file).is_file(), "{file}");
        }
    }

    // One caption file keeps the names; all other inputs are removed.
    for part in ["gt_detection_results", "recon_detection_results"] {
        fs::remove_dir_all(official.join(part)).unwrap();
    }
    fs::remove_file(official.join("intermediate_results/gt_captions.npy")).unwrap();
    let nan = official.join("intermediate_results/effnet.npy");
    let (_, mut distances) = read_f64(&nan).unwrap();
    distances[1] = f64::NAN; // 10, by the order as text
    write_f64(&nan, &[3], &distances).unwrap();

    score_official(&dir, "");
    for metric in ["object_f1", "cap_sim"] {
        assert_eq!(origin(&dir.join("again"), metric), "imported");
        assert_eq!(dir.values("again", metric), dir.values("run", metric), "{metric}");
    }
    let effnet = dir.scores("again").column("effnet").unwrap().to_vec();
    close(&[effnet[0].clone().unwrap(), effnet[1].clone().unwrap()], &[0.5, 2.0]);
    assert_eq!(effnet[2].clone().unwrap_err().to_string(), "recorded as NaN");
    let entry = &dir.summary("again")["seed"];
    assert_eq!((&entry["n"], &entry["n_undefined"]), (&2.into(), &1.into()));

    let stand_in = |metric: &str| dir.summary("again")[metric]["stand_in"].clone();
    assert_eq!(["cap_sim", "seed", "effnet"].map(stand_in), [true, true, false]);
    write_f64(&nan, &[2], &[0.5, 0.5]).unwrap();
    assert_snapshot!(dir.run(&format!("score --observations {OFFICIAL} --out other")), @"exit 1, stderr: error: [DIR]/run/evaluations/run/intermediate_results/effnet.npy: an array of shape [2]; expected (3,), one value for each of the images");
}

#[test]
fn what_was_exported_scores_the_same() {
    let encoder = format!("--weights {}", arg(&weights()));
    let (dir, _) = exported(&encoder);
    score_official(&dir, &encoder);
    let [run, again] = ["run", "again"].map(|run| dir.join(run));
    assert_eq!(scores(&again).pairs, scores(&run).pairs);
    for metric in "effnet object_recall object_precision object_f1 cap_sim seed snm sdm".split(' ') {
        assert_eq!(values(&again, metric), values(&run, metric), "{metric}");
        let [one, other] = [&again, &run].map(|run| summary(run)[metric]["value"].clone());
        assert_eq!(one, other, "{metric}");
    }
    let origins = ["effnet", "object_f1", "cap_sim", "seed"].map(|id| origin(&again, id));
    assert_eq!(origins, ["imported", "computed", "computed", "computed"]);
}

#[test]
fn boxes_are_drawn_where_there_are_images() {
    let dir = folder();
    small_dataset(&dir.join("observations"));
    image_folders(dir.path(), &["1", "2", "10"]);
    dir.succeed("score gt recon --observations observations --metrics object_f1 --out run --export-layout official");
    for side in ["gt", "recon"] {
        for stem in ["1", "2", "10"] {
            let vis = format!("{OFFICIAL}/{side}_detection_results/vis/{stem}.png");
            let drawn = read_rgb8(&dir.join(&vis)).unwrap();
            assert_eq!(drawn.width_px().max(drawn.height_px()), 960, "{vis}");
        }
    }
    // The folder is still read as SEED's.
    contains(&score_official(&dir, ""), &["Object F1"]);
}

#[test]
fn recorded_caption_similarities_take_the_place_of_a_model_that_is_not_here() {
    let (dir, _) = exported("--set text_encoder=placeholder");
    let [run, again] = ["run", "again"].map(|run| dir.join(run));
    for options in ["", "--metrics seed,cap_sim --offline"] {
        let table = score_official(&dir, options);
        assert_eq!(origin(&again, "cap_sim"), "imported");
        assert_eq!(origin(&again, "seed"), "computed");
        assert_eq!(values(&again, "cap_sim"), values(&run, "cap_sim"));
        assert_eq!(values(&again, "seed"), values(&run, "seed"));
        let said = "cap_sim.npy: the values of Cap-Sim are those recorded in this file, not computed here: the weights of \
                    all-MiniLM-L6-v2 are not on this machine";
        assert!(table.contains(said), "{table}");
        let findings = record(&again)["findings"].list().clone();
        let is_it = |found: &Value| found["code"] == "recorded_values" && found["message"].text().contains("Cap-Sim");
        assert!(findings.iter().any(is_it));
    }
    // With the model, it is computed, regardless of the record.
    score_official(&dir, &format!("--weights {}", arg(&weights())));
    assert_eq!(origin(&again, "cap_sim"), "computed");
}
