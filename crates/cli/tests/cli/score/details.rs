//! What each pair matched, missed and invented, in the run's folder.

use crate::support::arguments::score_observations;
use crate::support::observations::{small_dataset, write_detections};
use crate::support::{arg, close, folder, neurogauge, record, refused, succeed, values, write};
use neurogauge::core::{DetailEntry, PairDetails};
use neurogauge::load_run;
use std::fs;
use std::path::Path;

/// Name and threshold.
fn names(list: &[DetailEntry]) -> Vec<(&str, f64)> {
    list.iter().map(name).collect()
}

fn name(one: &DetailEntry) -> (&str, f64) {
    let name = one.reference.as_deref().or(one.reconstruction.as_deref());
    (name.unwrap_or_default(), one.threshold.unwrap_or_default())
}

fn details(run: &Path) -> Vec<PairDetails> {
    load_run(run).unwrap().details().unwrap()
}

#[test]
fn categories_of_every_pair_are_in_the_folder() {
    let dir = folder();
    small_dataset(dir.path());
    write(
        &dir.path().join("gt/vlm_categories.json"),
        r#"{"1": "dog, grass", "2": "cat", "10": "car"}"#,
    );
    write(
        &dir.path().join("recon/vlm_categories.json"),
        r#"{"1": "Dog, sky", "2": "cat", "10": "car"}"#,
    );
    let run = dir.path().join("run");
    let metrics = ["--metrics", "object_recall,object_f1,object_f1_vlm"];
    succeed(&score_observations(dir.path(), &run, &metrics));
    let found = details(&run);
    let stems: Vec<&str> = found.iter().map(|pair| pair.stem.as_str()).collect();
    assert_eq!(stems, ["1", "2", "10"]);
    let of_pair = |pair: usize, metric: &str| &found[pair].metrics[metric]["categories"];
    assert_eq!(names(&of_pair(0, "object_f1").matched), [("person", 0.95)]);
    assert_eq!(names(&of_pair(0, "object_f1").missed), [("dog", 0.52)]);
    assert_eq!(names(&of_pair(1, "object_f1").invented), [("cat", 0.8)]);
    let named = of_pair(0, "object_f1_vlm");
    assert_eq!(names(&named.missed), [("grass", 0.0)]);
    assert_eq!(names(&named.invented), [("sky", 0.0)]);

    // Outputs with hashes, the same bytes again, and a folder without them is read.
    let outputs = record(&run)["outputs"].clone();
    let again = dir.path().join("again");
    succeed(&score_observations(dir.path(), &again, &metrics));
    for name in ["details.jsonl", "details.parquet"] {
        assert!(outputs[name].is_string(), "{name}");
        assert_eq!(
            fs::read(run.join(name)).unwrap(),
            fs::read(again.join(name)).unwrap()
        );
    }
    assert_eq!(
        fs::read_to_string(run.join("details.jsonl"))
            .unwrap()
            .lines()
            .count(),
        3
    );
    fs::remove_file(run.join("details.jsonl")).unwrap();
    assert_eq!(details(&run), []);
    let ran = succeed(&score_observations(dir.path(), &run, &metrics));
    assert!(!ran.stderr.contains("already finished"), "{}", ran.stderr);
    assert_eq!(details(&run), found);
    let line = "{\"stem\": 3}\n";
    write(&run.join("details.jsonl"), line);
    let fault = load_run(&run).unwrap().details().unwrap_err().to_string();
    assert!(
        fault.contains("details.jsonl") && fault.contains("line 1"),
        "{fault}"
    );
}

#[test]
fn a_run_that_matches_nothing_has_no_details() {
    let dir = folder();
    small_dataset(dir.path());
    let run = dir.path().join("run");
    succeed(&score_observations(
        dir.path(),
        &run,
        &["--metrics", "object_f1"],
    ));
    assert!(run.join("details.jsonl").exists());
    let other = ["--metrics", "effnet"];
    succeed(&score_observations(dir.path(), &run, &other));
    assert!(!run.join("details.jsonl").exists() && !run.join("details.parquet").exists());
    assert_eq!(details(&run), []);
}

#[test]
fn graphs_and_masks_say_what_was_matched_and_how() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    write(
        &gt.join("scene_graphs.txt"),
        "[1]\nobjects: boat, race track, carpet\nattributes: boat: white\nrelations: (boat, on, sea)\n",
    );
    write(
        &recon.join("scene_graphs.txt"),
        "[1]\nobjects: boat, track, car\nattributes: boat: white\nrelations: (boat, at, sea)\n",
    );
    let run = dir.path().join("run");
    let words = [
        "--basic-synonyms",
        "off",
        "--basic-lemmas",
        "off",
        "--basic-soft",
        "off",
    ];
    succeed(&score_observations(dir.path(), &run, &words));
    let found = details(&run);
    let objects = &found[0].metrics["basic_h"]["objects"];
    let how: Vec<Option<&str>> = objects
        .matched
        .iter()
        .map(|one| Some(one.how?.id()))
        .collect();
    assert_eq!(how, [Some("exact"), Some("synonym")]);
    assert_eq!(names(&objects.missed), [("carpet", 0.0)]);
    assert_eq!(names(&objects.invented), [("car", 0.0)]);
    let relations = &found[0].metrics["basic_h"]["relations"];
    assert_eq!(names(&relations.missed), [("boat on sea", 0.0)]);
    close(&values(&run, "basic_object_recall"), &[2.0 / 3.0]);
}

#[test]
fn supercategories_and_salience_come_from_the_label_list() {
    let dir = folder();
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    let bbox = [0.0, 0.0, 50.0, 50.0];
    write_detections(&gt, "1", &[("canoe", 0.8, bbox), ("sock", 0.8, bbox)]);
    write_detections(&recon, "1", &[("airliner", 0.8, bbox), ("sock", 0.8, bbox)]);
    let list = dir.path().join("mine.json");
    write(
        &list,
        r#"{"names": "god", "supercategories": {"vehicle": ["canoe", "airliner", "tractor"]}, "salient": ["canoe", "airliner", "sock"]}"#,
    );
    let run = dir.path().join("run");
    let labels = ["--metrics", "snm", "--labels", arg(&list)];
    succeed(&score_observations(dir.path(), &run, &labels));
    assert_eq!(values(&run, "snm"), [0.5]);
    let said = record(&run)["label_groups"].clone();
    assert_eq!(said["supercategories"]["vehicle"][1], "airliner");
    // Without them nothing outside COCO is salient.
    let plain = dir.path().join("plain");
    succeed(&score_observations(
        dir.path(),
        &plain,
        &["--metrics", "snm", "--labels", "god"],
    ));
    assert_eq!(record(&plain)["label_groups"], serde_json::Value::Null);
    let scores = crate::support::scores(&plain);
    assert!(scores.column("snm").unwrap()[0].is_err());
    // Another list is another run.
    write(&list, r#"{"names": "god", "salient": ["canoe"]}"#);
    let other = [
        "score",
        "--observations",
        arg(dir.path()),
        "--out",
        arg(&run),
    ];
    refused(&[&other[..], &labels].concat(), 1, &["label groups"]);
    write(&list, r#"{"names": "god", "salient": ["boat"]}"#);
    let faulty = neurogauge(&score_observations(dir.path(), &plain, &labels));
    faulty.says(&[
        "mine.json",
        "salient, name 0",
        "\"boat\" is not among the names",
    ]);
    assert_eq!(faulty.code, 1);
}
