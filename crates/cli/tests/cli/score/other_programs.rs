//! Files as other programs write them, scored without renaming and without a script, with values worked out by hand.

use crate::support::*;

/// Two stimuli with two references each, and a caption that was decoded from each.
const REFERENCES: [[&str; 2]; 2] = [
    ["a dog runs on the beach", "a brown dog"],
    ["two people ride bikes", "a man, and a woman, on bicycles"],
];
const DECODED: [&str; 2] = ["a dog runs on the beach", "a cat on a sofa"];

#[test]
fn captions_in_every_form_have_the_same_values() {
    let dir = folder();
    let annotation = |image: usize, text: &str| json!({"image_id": image + 1, "caption": text, "id": image});
    let references = REFERENCES.iter().enumerate();
    let annotations: Vec<Value> = references
        .flat_map(|(image, texts)| texts.iter().map(move |text| annotation(image, text)))
        .collect();
    let coco = json!({"info": {}, "images": [{"id": 1, "file_name": "x.jpg"}, {"id": 2}], "annotations": annotations});
    dir.write("gt/coco.json", coco.to_string());
    let rows = REFERENCES
        .iter()
        .enumerate()
        .flat_map(|(image, texts)| texts.iter().map(move |text| (image + 1, format!("\"{text}\""))));
    let rows: Vec<String> = rows.map(|(image, text)| format!("{image}.png,{text}\n")).collect();
    dir.write("gt/table.csv", format!("image,caption\n{}", rows.concat()));
    dir.write("gt/stems.json", json!({"1": REFERENCES[0], "2": REFERENCES[1]}).to_string());

    let [one, two] = DECODED;
    dir.write("stems.json", json!({"1": one, "2": two}).to_string());
    dir.write("results.json", json!([annotation(1, two), annotation(0, one)]).to_string());
    dir.write(
        "texts.json",
        json!([{"image_id": "1", "caption": one}, {"image_id": 2.0, "caption": two}]).to_string(),
    );
    dir.write(
        "lines.jsonl",
        format!("{}\n{}\n", json!({"file": "1.jpg", "text": one}), json!({"file": "2.jpg", "text": two})),
    );
    dir.write("semicolons.csv", format!("﻿id;description\r\n1;{one}\r\n2;{two}\r\n"));
    dir.write("tabs.tsv", format!("1.png\t{one}\n2.png\t{two}\n"));
    for reference in ["coco.json", "table.csv", "stems.json"] {
        let decoded = "stems.json results.json texts.json lines.jsonl semicolons.csv tabs.tsv";
        dir.succeed(&format!("score captions gt/{reference} {decoded} --out runs/{reference}"));
        let rows = dir.json(format!("runs/{reference}/run.json"))["rows"].clone();
        let values = |row: &Value| -> Vec<String> {
            let measures = row["measures"].as_array().unwrap().iter();
            measures.map(|measure| measure["value"].to_string()).collect()
        };
        let rows: Vec<Vec<String>> = rows.as_array().unwrap().iter().map(values).collect();
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(|row| *row == rows[0]), "{reference}: {rows:?}");
        // BLEU-1: of 11 words, "a dog runs on the beach" has 6, and "a cat on a sofa" has "a", "a" and "on" of the
        // second reference.
        let bleu: f64 = rows[0][0].parse().unwrap();
        assert!((bleu - 9.0 / 11.0).abs() < 1e-9, "{bleu}");
    }
}

/// A dog and a cat in the stimulus, and the boxes that a detector found: the dog, and a bird in place of the cat.
const FOUND: [(&str, usize, usize, f64, [f64; 4]); 2] =
    [("dog", 16, 18, 1.0, [10.0, 20.0, 60.0, 80.0]), ("bird", 14, 16, 1.0, [100.0, 10.0, 40.0, 40.0])];

#[test]
fn boxes_in_every_form_have_the_same_values() {
    let dir = images(&["1"]);
    let categories: Vec<Value> =
        [("bird", 16), ("cat", 17), ("dog", 18)].map(|(name, id)| json!({"id": id, "name": name})).to_vec();
    let truth = json!({
        "images": [{"id": 1, "file_name": "1.png", "width": 160, "height": 120}, {"id": 2, "file_name": "2.png", "width": 160,
            "height": 120}],
        "categories": categories,
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 18, "bbox": [10, 20, 60, 80], "area": 4800, "iscrowd": 0},
            {"id": 2, "image_id": 1, "category_id": 17, "bbox": [100, 10, 40, 40], "area": 1600, "iscrowd": 0},
            {"id": 3, "image_id": 2, "category_id": 17, "bbox": [0, 0, 40, 40], "area": 1600, "iscrowd": 0}]
    });
    dir.write("truth.json", truth.to_string());
    let corners = |[x, y, w, h]: [f64; 4]| [x, y, x + w, y + h];
    let lists = json!({
        "labels": FOUND.map(|(_, label, ..)| label),
        "scores": FOUND.map(|(_, _, _, score, _)| score),
        "bboxes": FOUND.map(|(.., bbox)| corners(bbox)),
    });
    let sample = json!({"img_id": 1, "ori_shape": [120, 160], "pred_instances": lists, "gt_instances": {"labels": []}});
    dir.write("sample/1.json", sample.to_string());
    dir.write("sample/2.json", json!({"pred_instances": {"labels": [], "scores": [], "bboxes": []}}).to_string());
    let boxes = json!({"boxes": lists["bboxes"], "labels": lists["labels"], "scores": lists["scores"]});
    dir.write("torchvision.json", json!({"1": boxes, "2": {"boxes": [], "labels": [], "scores": []}}).to_string());
    let pipeline = FOUND.map(|(name, _, _, score, bbox)| {
        let [xmin, ymin, xmax, ymax] = corners(bbox);
        json!({"score": score, "label": name, "box": {"xmin": xmin, "ymin": ymin, "xmax": xmax, "ymax": ymax}})
    });
    dir.write("pipeline/1.json", json!(pipeline).to_string());
    dir.write("pipeline/2.json", "[]");
    let results =
        FOUND.map(|(_, _, id, score, bbox)| json!({"image_id": 1, "category_id": id, "bbox": bbox, "score": score}));
    dir.write("results.json", json!(results).to_string());
    for found in ["sample --labels coco", "torchvision.json --labels coco", "pipeline", "results.json"] {
        let metrics = "--metrics object_f1,object_recall --out run --overwrite";
        dir.succeed(&format!("score --gt detections=truth.json --recon detections={found} {metrics}"));
        // The dog is found and the cat is not; in the second image nothing is found.
        close(&dir.values("run", "object_recall"), &[0.5, 0.0]);
        close(&dir.values("run", "object_f1")[..1], &[0.5]);
        // Of the dog and the two cats, the decoded dog lies where it is, and the cats have no box.
        dir.succeed(&format!("score boxes truth.json {found} --out boxes --overwrite"));
        let all = dir.record("boxes")["rows"][0].clone();
        let values = [0, 1].map(|place| all["measures"][place]["value"].number());
        close(&values, &[1.0 / 3.0, 1.0 / 3.0]);
        assert_eq!(all["n"], 3, "{found}");
    }
    // BrainHub's boxes are shares of the image, whose size COCO's instances have: 10/160, 20/120, 70/160, 100/120.
    let shares = json!({"1": {"dog": [[[0.0625, 20.0 / 120.0, 0.4375, 100.0 / 120.0]]]}, "2": {}});
    dir.write("shares.json", shares.to_string());
    dir.succeed("score boxes truth.json shares.json --out shares");
    close(&[dir.record("shares")["rows"][0]["measures"][1]["value"].number()], &[1.0 / 3.0]);
    assert_snapshot!(dir.refusals("score boxes --out refused", &[
        "shares.json torchvision.json --labels coco",
        "truth.json sample",
        "truth.json sample --labels nowhere.txt",
    ], "refused"), @r#"
    shares.json torchvision.json --labels coco
      exit 1, stderr: error: torchvision.json: "1": boxes in pixels of an image of unknown size, and those of the other side are shares of the image; expected the image's size in the file (COCO's images, or ori_shape), or one unit on both sides
    truth.json sample
      exit 1, stderr: error: sample/1.json: labels: numbers without names, most often 14 (1), 16 (1); expected --labels LIST, which says what they mean: coco_gender (0 person, 14 parking meter, 16 bird), coco (0 person, 14 bird, 16 dog), god (0 person, 14 Arabian camel, 16 airliner), or a file of names
    truth.json sample --labels nowhere.txt
      exit 2, stderr: error: --labels "nowhere.txt": neither a built-in list (coco_gender, coco, god) nor a file
    "#);
    // COCO's average precision of boxes: of the dog 1, of the cat, which was found nowhere, 0.
    let values = dir.succeed("score masks truth.json results.json --format json").json();
    close(&[values["box_AP"].number()], &[0.5]);
    assert_eq!(values["AP"], Value::Null);
    assert_eq!(values["undefined"]["AP"], "3 of 3 objects of the stimuli have a box and no mask");
    // A result of an image that the instances lack.
    let stranger = json!({"image_id": 9, "category_id": 18, "bbox": [0, 0, 9, 9], "score": 0.9});
    let more: Vec<&Value> = results.iter().chain([&stranger]).collect();
    dir.write("more.json", json!(more).to_string());
    assert_snapshot!(dir.run("score masks truth.json more.json"), @"exit 1, stderr: error: more.json: [2].image_id: 9 is the id of no image of the instances; --pairs shared leaves such results out");
    let ran = dir.succeed("score masks truth.json more.json --pairs shared --format json");
    assert_eq!(ran.json()["box_AP"], values["box_AP"]);
    ran.says(&["warning: more.json: results of 1 image that the instances lack are left out: 9"]);
}

#[test]
fn a_folder_of_observations_may_hold_files_of_other_programs() {
    let dir = folder();
    dir.write("gt/captions.csv", "image,caption\n1.png,a dog on a beach\n2.png,a cat\n");
    dir.write(
        "recon/captions.jsonl",
        "{\"image\": \"1.png\", \"caption\": \"a dog on a beach\"}\n{\"image\": 2, \"caption\": \"a dog\"}\n",
    );
    let truth = json!({
        "images": [{"id": 1, "width": 100, "height": 100}, {"id": 2, "width": 100, "height": 100}],
        "categories": [{"id": 18, "name": "dog"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 18, "bbox": [10, 10, 20, 20]},
            {"id": 2, "image_id": 2, "category_id": 18, "bbox": [10, 10, 20, 20]}]
    });
    dir.write("gt/detections.json", truth.to_string());
    dir.write(
        "recon/detections.json",
        json!([{"image_id": 1, "category_id": 18, "bbox": [10, 10, 20, 20], "score": 1.0}]).to_string(),
    );
    let ran = dir.succeed("score --observations . --metrics object_recall,bleu_1 --out run");
    close(&dir.values("run", "object_recall"), &[1.0, 0.0]);
    // "a dog" has the "a" of "a cat".
    // BLEU adds 1e-9 to the number of words, as COCO's code does.
    let bleu = dir.values("run", "bleu_1");
    assert!((bleu[0] - 1.0).abs() < 1e-8 && (bleu[1] - 0.5).abs() < 1e-8, "{bleu:?}");
    for line in [
        "captions: 2 of 2 by name, gt: CSV columns image, caption, recon: JSON Lines, keys image, caption",
        "detections: 2 of 2 by name, gt: COCO's instances, recon: COCO's results",
    ] {
        assert!(ran.stdout.contains(line), "{ran}");
    }
}

#[test]
fn yolo_s_boxes_take_the_sizes_of_the_images() {
    let dir = images(&["1"]);
    let yolo = |side: &str, class: usize| {
        dir.write(&format!("yolo/{side}/labels/1.txt"), format!("{class} 0.5 0.5 0.5 0.5 1\n0 0.2 0.2 0.2 0.2 1\n"));
        dir.write(&format!("yolo/{side}/labels/classes.txt"), "person\ndog\ncat\n");
    };
    yolo("gt", 1);
    yolo("recon", 2);
    let detections = "--gt detections=yolo/gt --recon detections=yolo/recon --metrics object_f1";
    dir.succeed(&format!("score gt recon {detections} --out run"));
    // The person is in both, and the dog became a cat.
    close(&dir.values("run", "object_f1"), &[0.5]);
    assert_snapshot!(dir.run(&format!("score {detections} --out alone")), @"exit 1, stderr: error: [DIR]/yolo/gt: bboxes: all coordinates of 2 boxes are from 0.1 to 0.75, which are no pixels; --set box_units=shares reads them as shares of --set box_scale=WxH, --set box_units=pixels as they are");
    dir.succeed(&format!("score {detections} --set box_units=shares --out shares"));
}
