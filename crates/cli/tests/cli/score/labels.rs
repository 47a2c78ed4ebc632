//! The meaning of detections' labels: from the files, from the recipe beside them, or from --labels.

use crate::support::*;

/// COCO's numbers of a dog and of a cat.
const NUMBERS: [i64; 2] = [16, 15];
const NAMES: [&str; 2] = ["dog", "cat"];
const SCORE: &str = "score --gt detections=gt/detections --recon detections=recon/detections --overwrite --out run";

/// A dog in the stimulus and a cat in its reconstruction, with labels in this form.
fn detections(form: &dyn Fn(usize) -> Value) -> Folder {
    let dir = folder();
    for (place, side) in ["gt", "recon"].into_iter().enumerate() {
        let mut file = json!({"scores": [0.9], "bboxes": [[0, 0, 50, 50]]});
        file.as_object_mut().unwrap().extend(form(place).fields().clone());
        dir.write(&format!("{side}/detections/a.json"), file.to_string());
    }
    dir
}

fn numbers(place: usize) -> Value {
    json!({"labels": [NUMBERS[place]]})
}

/// A near miss: both are animals. Read as SEED's 82 names, the cat would be a bench, and there would be none.
#[test]
fn names_come_from_the_files_where_these_have_them() {
    let coco = neurogauge::core::LabelList::coco();
    let with = |more: Value| {
        move |place: usize| {
            let mut file = numbers(place);
            file.as_object_mut().unwrap().extend(more.fields().clone());
            file
        }
    };
    let names = coco.names();
    type Written = Box<dyn Fn(usize) -> Value>;
    let forms: [(&str, Written); 8] = [
        ("names", Box::new(|place| json!({"labels": [NAMES[place]]}))),
        (
            "a name for each object",
            Box::new(|place| json!({"labels": [NUMBERS[place]], "label_names": [NAMES[place]]})),
        ),
        ("classes", Box::new(with(json!({"classes": names})))),
        ("metainfo", Box::new(with(json!({"metainfo": {"classes": names}})))),
        ("dataset_meta", Box::new(with(json!({"dataset_meta": {"CLASSES": names}})))),
        ("by number", Box::new(with(json!({"classes": {"15": "cat", "16": "dog"}})))),
        // COCO's ids have gaps.
        (
            "categories",
            Box::new(
                |place| json!({"labels": [18 - place], "categories": [{"id": 17, "name": "cat"}, {"id": 18, "name": "dog"}]}),
            ),
        ),
        ("own names", Box::new(|place| json!({"labels": [place], "classes": ["dog", "cat"]}))),
    ];
    for (form, labels) in &forms {
        let dir = detections(labels);
        let ran = dir.succeed(&format!("{SCORE} --metrics snm"));
        assert_eq!(dir.values("run", "snm"), [1.0], "{form}: {ran}");
    }
    let dir = detections(&numbers);
    for side in ["gt", "recon"] {
        let recipe = json!({"categories": names});
        dir.write(&format!("{side}/detections.recipe.json"), recipe.to_string());
    }
    dir.succeed(&format!("{SCORE} --metrics snm"));
    assert_eq!(dir.values("run", "snm"), [1.0], "the recipe");
}

#[test]
fn numbers_without_names_are_asked_about_where_their_meaning_matters() {
    let dir = detections(&numbers);
    for metrics in ["snm", "all"] {
        dir.run(&format!("{SCORE} --metrics {metrics}")).exits(1).says(&[
            "gt/detections/a.json: labels: numbers without names",
            "expected --labels LIST",
            "coco_gender (0 person, 15 bench, 16 bird)",
            "coco (0 person, 15 cat, 16 dog)",
            "god (0 person, 15 bighorn, 16 airliner)",
        ]);
    }
    for (list, snm) in [("coco", 1.0), ("coco_gender", 0.0)] {
        let ran = dir.succeed(&format!("{SCORE} --metrics snm --labels {list}"));
        assert_eq!(dir.values("run", "snm"), [snm], "{list}");
        assert!(ran.stdout.contains(&format!("read as {list}; the most frequent ones are 15 ")), "{}", ran.stdout);
    }
    // With the user's own list, a dog became thing 15; with another list, which makes another run, a cat.
    let names: Vec<String> = (0..16).map(|i| format!("thing {i}")).collect();
    for (before, snm) in [(names.join("\n"), 0.0), (names[1..].join("\n") + "\ncat", 1.0)] {
        dir.write("names.txt", before + "\ndog\n");
        dir.succeed(&format!("{SCORE} --metrics snm --labels names.txt"));
        assert_eq!(dir.values("run", "snm"), [snm]);
    }
    // Object F1 compares numbers, whatever they mean, and its details have no names.
    let ran = dir.succeed(&format!("{SCORE} --metrics object_f1"));
    assert!(ran.stdout.contains("labels are numbers without names"));
    assert_eq!(dir.values("run", "object_f1"), [0.0]);
    let details = dir.read("run/details.jsonl");
    assert!(details.contains("label 15") && !details.contains("bench"), "{details}");
    // Names on one side do not define the numbers of the other.
    dir.write("gt/detections/a.json", r#"{"labels": ["dog"], "scores": [0.9], "bboxes": [[0, 0, 50, 50]]}"#);
    dir.run(&format!("{SCORE} --metrics object_f1")).exits(1);
}
