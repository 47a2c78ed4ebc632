//! The matched, missed and invented details of each pair, in the run's folder.

use crate::support::*;
use neurogauge::core::{DetailEntry, PairDetails};
use neurogauge::load_run;

/// The name and threshold of each entry.
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
    let dir = folder_of(small_dataset);
    let said = |gt: &str| format!(r#"{{"1": "{gt}", "2": "cat", "10": "car"}}"#);
    dir.write("gt/vlm_categories.json", said("dog, grass"));
    dir.write("recon/vlm_categories.json", said("Dog, sky"));
    let run = dir.join("run");
    let score = format!("{SCORE} --metrics object_recall,object_f1,object_f1_vlm");
    dir.succeed(&score);
    let found = details(&run);
    assert_eq!(found.iter().map(|pair| pair.stem.as_str()).collect::<Vec<_>>(), ["1", "2", "10"]);
    let of_pair = |pair: usize, metric: &str| &found[pair].metrics[metric]["categories"];
    assert_eq!(names(&of_pair(0, "object_f1").matched), [("person", 0.95)]);
    assert_eq!(names(&of_pair(0, "object_f1").missed), [("dog", 0.52)]);
    assert_eq!(names(&of_pair(1, "object_f1").invented), [("cat", 0.8)]);
    let named = of_pair(0, "object_f1_vlm");
    assert_eq!(names(&named.missed), [("grass", 0.0)]);
    assert_eq!(names(&named.invented), [("sky", 0.0)]);

    // Outputs have hashes, the bytes are reproducible, and a folder without them can be read.
    let outputs = dir.record(&run)["outputs"].clone();
    dir.succeed(&score.replace("--out run", "--out again"));
    for name in ["details.jsonl", "details.parquet"] {
        assert!(outputs[name].is_string(), "{name}");
        let [one, other] = ["run", "again"].map(|run| fs::read(dir.join(run).join(name)).unwrap());
        assert_eq!(one, other);
    }
    assert_eq!(dir.read("run/details.jsonl").lines().count(), 3);
    fs::remove_file(run.join("details.jsonl")).unwrap();
    assert_eq!(details(&run), []);
    let ran = dir.succeed(&score);
    assert!(!ran.stderr.contains("already finished"), "{ran}");
    assert_eq!(details(&run), found);
    dir.write("run/details.jsonl", "{\"stem\": 3}\n");
    let fault = || load_run(&run).unwrap().details().unwrap_err().to_string();
    contains(&fault(), &["details.jsonl: its SHA-256 is"]);
    // Without a hash, the reader names the fault.
    let mut record = dir.json("run/run.json");
    record["outputs"].as_object_mut().unwrap().remove("details.jsonl");
    dir.write("run/run.json", record.to_string());
    let fault = fault();
    assert!(fault.contains("details.jsonl") && fault.contains("line 1"), "{fault}");

    // A run that matches nothing has no details.
    dir.succeed(&format!("{SCORE} --metrics effnet"));
    assert!(!dir.has("run/details.jsonl") && !dir.has("run/details.parquet"));
    assert_eq!(details(&dir.join("run")), []);
}

#[test]
fn graphs_and_masks_say_what_was_matched_and_how() {
    let dir = folder();
    let graph = |objects: &str, relation: &str| {
        format!("[1]\nobjects: {objects}\nattributes: boat: white\nrelations: (boat, {relation}, sea)\n")
    };
    dir.write("gt/scene_graphs.txt", graph("boat, race track, carpet", "on"));
    dir.write("recon/scene_graphs.txt", graph("boat, track, car", "at"));
    dir.succeed(&format!("{SCORE} --set basic_synonyms=off --set basic_lemmas=off --set basic_soft=off"));
    let found = details(&dir.join("run"));
    let objects = &found[0].metrics["basic_h"]["objects"];
    assert_eq!(objects.matched.iter().map(|one| one.how.unwrap().id()).collect::<Vec<_>>(), ["exact", "synonym"]);
    assert_eq!(names(&objects.missed), [("carpet", 0.0)]);
    assert_eq!(names(&objects.invented), [("car", 0.0)]);
    let relations = &found[0].metrics["basic_h"]["relations"];
    assert_eq!(names(&relations.missed), [("boat on sea", 0.0)]);
    close(&dir.values("run", "basic_object_recall"), &[2.0 / 3.0]);
}

#[test]
fn supercategories_and_salience_come_from_the_label_list() {
    let dir = folder();
    let bbox = [0.0, 0.0, 50.0, 50.0];
    for (side, what) in [("gt", "canoe"), ("recon", "airliner")] {
        write_detections(&dir.join(side), "1", &[(what, 0.8, bbox), ("sock", 0.8, bbox)]);
    }
    dir.write(
        "mine.json",
        r#"{"names": "god", "supercategories": {"vehicle": ["canoe", "airliner", "tractor"]}, "salient": ["canoe", "airliner", "sock"]}"#,
    );
    let run = dir.join("run");
    let score = "score --observations . --out run --metrics snm --labels mine.json";
    dir.succeed(score);
    assert_eq!(dir.values(&run, "snm"), [0.5]);
    assert_eq!(dir.record(&run)["label_groups"].clone()["supercategories"]["vehicle"][1], "airliner");
    // Without the list, nothing outside COCO is salient.
    dir.succeed("score --observations . --out plain --metrics snm --labels god");
    assert_eq!(dir.record("plain")["label_groups"], Value::Null);
    assert!(dir.scores("plain").column("snm").unwrap()[0].is_err());
    // Another list makes another run.
    let list = |salient: &str| {
        dir.write("mine.json", format!(r#"{{"names": "god", "salient": ["{salient}"]}}"#));
        dir.run(score)
    };
    assert_snapshot!(list("canoe").differs("run"), @r#"
    label groups.salient: canoe, airliner, sock then, canoe now
    label groups.supercategories: {"vehicle":["canoe","airliner","tractor"]} then, none now
    "#);
    assert_snapshot!(list("boat"), @r#"exit 1, stderr: error: [DIR]/mine.json: salient, name 0: "boat" is not among the names; correct it or add it there"#);
}
