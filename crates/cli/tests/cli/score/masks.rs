//! BASIC-L from files to figures, by the binary.

use crate::support::*;
use neurogauge::core::Undefined;

const ANSWER: &str = r#"Here is the analysis:
```json
{
  "foreground_objects": [
    {"object": "dog", "semantic_category": "animal", "parts": ["head", "tail",]},
  ],
  "background_elements": [{"element": "sky", "semantic_category": "natural"},]
}
```
"#;

/// Two pairs; the reconstruction of the second has no parts.
fn dataset(dir: &Folder) {
    let of_gt = [("dog", 0, 4), ("dog", 6, 8), ("sky", 8, 10), ("head", 0, 2)];
    dir.write("gt/masks/1.json", masks(&of_gt));
    dir.write("recon/masks/1.json", masks(&[("dog", 2, 4), ("sky", 6, 10), ("head", 1, 3)]));
    dir.write("gt/masks/2.json", masks(&of_gt));
    dir.write("recon/masks/2.json", masks(&of_gt[..3]));
    for side in ["gt", "recon"] {
        for stem in ["1", "2"] {
            dir.write(&format!("{side}/categories/{stem}.json"), ANSWER);
        }
    }
}

#[test]
fn every_level_has_the_value_found_by_hand() {
    let dir = folder();
    dataset(&dir);
    dir.succeed(SCORE);
    close(&dir.values("run", "salient_iou"), &[2.0 / 6.0, 1.0]);
    close(&dir.values("run", "binary_iou"), &[(2.0 / 6.0 + 0.5) / 2.0, 1.0]);
    close(&dir.values("run", "semantic_iou"), &[(2.0 / 6.0 + 0.5) / 2.0, 1.0]);
    close(&dir.values("run", "instance_iou"), &[0.5 / 2.0, 1.0]);
    close(&dir.values("run", "instance_ap"), &[0.1 * 51.0 / 101.0, 1.0]);
    let scores = dir.scores("run");
    let parts = scores.column("part_iou").unwrap();
    assert_eq!(parts[0], Ok(1.0 / 3.0));
    assert!(parts[1].is_err());
    let basic_l = scores.column("basic_l").unwrap();
    let first = 0.3 / 3.0 + 0.25 * (2.0 / 6.0 + 0.5) / 2.0 + 0.25 * 0.25 + 0.2 / 3.0;
    close(&[basic_l[0].clone().unwrap()], &[first]);
    assert_eq!(basic_l[1], Err(Undefined::Recorded("part_iou is undefined".into())));
    // The system's value is the weighted sum of the means of the parts.
    let mean = |a: f64| (a + 1.0) / 2.0;
    let system = 0.3 * mean(1.0 / 3.0) + 0.25 * mean((2.0 / 6.0 + 0.5) / 2.0) + 0.25 * mean(0.25) + 0.2 / 3.0;
    let mean = &dir.summary("run")["basic_l"]["value"];
    close(&[mean.number()], &[system]);
    let record = dir.record("run");
    let roles = [0, 1, 2, 3].map(|place| &record["inputs"][place]["role"]);
    assert_eq!(roles, ["gt/categories", "recon/categories", "gt/masks", "recon/masks"]);
    assert_eq!(record["inputs"].list().len(), 4);
    assert_eq!(record["request"]["options"]["basic_l"]["min_score"], 0.25);

    dir.succeed(&format!("{SCORE} --metrics basic_l --set mask_empty=zero"));
    close(&dir.values("run", "part_iou"), &[1.0 / 3.0, 0.0]);
    close(&dir.values("run", "basic_l"), &[first, 0.8]);
}

#[test]
fn overlays_and_figures_of_systems_are_drawn() {
    let dir = folder();
    dataset(&dir);
    image_folders(dir.path(), &["1", "2"]);
    for run in ["first", "second"] {
        let metrics = "--metrics basic_l,instance_ap --overlay 1,2";
        dir.succeed(&format!("score gt recon --observations . {metrics} --out {run}"));
        for stem in ["1", "2"] {
            assert_eq!(&dir.bytes(format!("{run}/figures/masks_{stem}.png"))[1..4], b"PNG");
        }
    }
    dir.succeed("compare first second --figures figures");
    let svg = dir.read("figures/mask_iou_by_level.svg");
    assert!(svg.contains("salient") && svg.contains("second"));
    assert!(dir.has("figures/mask_ap_by_level.png"));
}

#[test]
fn masks_that_a_run_made_are_drawn_when_it_is_read_back() {
    let dir = images(&["1", "2"]);
    let of_image = json!({
        "foreground_objects": [{"object": "dog", "semantic_category": "animal", "parts": ["head", "tail"]}],
        "background_elements": [{"element": "sky", "semantic_category": "natural"}],
    });
    dir.write("categories.json", json!({"1": of_image, "2": of_image}).to_string());
    let score = "score gt recon --gt categories=categories.json --recon categories=categories.json --masks placeholder-segmenter \
                 --set mask_detector=placeholder-detector --set box_threshold=0 --set text_threshold=0 --metrics salient_iou --out run";
    // Figures that cannot be drawn are refused before anything is computed.
    let refused = |line: &str| {
        let ran = dir.run(line);
        assert!(!dir.has("run"));
        ran
    };
    assert_snapshot!(refused(&format!("{score} --overlay 2,img9")), @r#"exit 2, stderr: error: --overlay img9: no pair has this stem; the first is "1""#);
    assert_eq!(refused(&format!("{score} --overlay img9 --dry-run")).code, 2);
    assert_snapshot!(refused("score gt recon --metrics pixcorr --overlay 1 --out run"), @"exit 2, stderr: error: --overlay: no masks are compared in this run; it needs masks of both sides (--observations, with gt/masks and recon/masks, or --gt masks=PATH and --recon masks=PATH)");
    dir.succeed(score);
    let overlay = format!("{score} --overlay 2");
    dir.succeed(&overlay).says(&["already finished"]);
    let drawn = dir.join("run/figures/masks_2.png");
    let of_finished = fs::read(&drawn).unwrap();
    dir.remove("run");
    dir.succeed(&overlay).says(&["2 pairs scored"]);
    assert_eq!(fs::read(&drawn).unwrap(), of_finished);
}

#[test]
fn without_categories_there_are_objects_only_and_the_run_says_so() {
    let dir = folder();
    for (side, to) in [("gt", 4), ("recon", 2)] {
        dir.write(&format!("{side}/masks/1.json"), masks(&[("dog", 0, to)]));
    }
    dir.succeed(SCORE);
    close(&dir.values("run", "salient_iou"), &[0.5]);
    contains(&dir.record("run")["findings"].to_string(), &["no categories were given"]);
}

#[test]
fn faults_name_the_file_the_place_and_the_way_out() {
    let dir = folder();
    let whole = masks(&[("dog", 0, 4)]);
    let said = |mask: &str, change: &dyn Fn()| {
        dataset(&dir);
        dir.write("recon/masks/1.json", mask);
        change();
        format!("{}\n", dir.run(&format!("{SCORE} -q")))
    };
    let lower = whole.replace("[2,10]", "[1,10]").replace("[0,8,12]", "[0,4,6]");
    let lower = lower.replace("\"img_height\":2", "\"img_height\":1");
    let faults = [
        said(&whole.replace("[0,8,12]", "[0,8,11]"), &|| {}),
        said(&whole.replace("\"img_width\":10", "\"img_width\":5"), &|| {}),
        said(&whole, &|| dir.write("gt/categories/1.json", r#"{"foreground_objects": [{"objekt": "dog"}]}"#)),
        said(&whole, &|| dir.remove("gt/categories/1.json")),
        said(&lower, &|| {}),
    ];
    assert_snapshot!(faults.concat(), @r#"
    exit 1, stderr: error: [DIR]/recon/masks/1.json: annotations[0].segmentation: the runs add up to 19 pixels, and an image of 10 x 2 px has 20
    exit 1, stderr: error: [DIR]/recon/masks/1.json: annotations[0].segmentation: the mask is of an image of 10 x 2 px (size [2, 10] is height and width), and this image has 5 x 2 px
    exit 1, stderr: error: [DIR]/gt/categories/1.json:1:33: unknown key `objekt`; expected one of `object`, `semantic_category`, `parts`
    exit 1, stderr: error: [DIR]/gt/categories: not found; expected categories for every stem of [DIR]/gt/masks; "1" has none
    exit 1, stderr: error: pair "1", salient_iou: the masks of the stimulus are of an image of 10 x 2 px and those of the reconstruction of one of 10 x 1 px; segment images of one size, or take the nearest pixels with --set mask_resize=nearest
    "#);
    dir.succeed(&format!("{SCORE} --set mask_resize=nearest"));
    assert_snapshot!(dir.run("score --gt . --metrics basic_l --out run"), @"exit 2, stderr: error: images are given for the stimuli ([DIR]) but not for the reconstructions; add --recon");
}

#[test]
fn coco_s_twelve_numbers_are_printed() {
    let dir = folder();
    let mask = json!({"size": [10, 10], "counts": [0, 50, 50]});
    let instances = json!({
        "images": [{"id": 1, "width": 10, "height": 10}],
        "categories": [{"id": 1, "name": "dog"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": mask, "area": 50, "iscrowd": 0}]
    });
    dir.write("i.json", instances.to_string());
    let results = |image: usize| {
        let result = json!([{"image_id": image, "category_id": 1, "segmentation": mask, "score": 0.5}]);
        dir.write("r.json", result.to_string());
    };
    results(1);
    let command = "score masks i.json r.json";
    let values = dir.succeed(&format!("{command} --format json")).json();
    // As in pycocotools, whose denominators are larger than their counts by 2⁻⁵².
    close(&[values["AP"].number()], &[1.0]);
    assert_eq!(values["AP_large"], Value::Null);
    assert_eq!(values["undefined"]["AP_large"], "no object of this size in the stimuli");
    close(&[values["box_AP"].number()], &[1.0]);
    assert_snapshot!(dir.succeed(command), @"
    exit 0, stdout:
                   masks     boxes
    AP             1.000     1.000
    AP50           1.000     1.000
    AP75           1.000     1.000
    AP_small       1.000     1.000
    AP_medium  undefined undefined
    AP_large   undefined undefined
    AR_1           1.000     1.000
    AR_10          1.000     1.000
    AR_100         1.000     1.000
    AR_small       1.000     1.000
    AR_medium  undefined undefined
    AR_large   undefined undefined
    undefined AP_medium, AP_large, AR_medium, AR_large, box_AP_medium, box_AP_large, box_AR_medium, box_AR_large: no object of this size in the stimuli
    stderr: note: masks: results of 1 of 1 image by id, gt: COCO's instances, recon: COCO's results
    ");
    results(2);
    assert_snapshot!(dir.run(command), @"exit 1, stderr: error: r.json: [0].image_id: 2 is the id of no image of the instances; --pairs shared leaves such results out");
}

/// Instances with one square of 20 px, and a result that found it.
fn one_square() -> (Value, Value) {
    let polygon = json!([[5, 5, 25, 5, 25, 25, 5, 25]]);
    let truth = json!({
        "images": [{"id": 1, "width": 80, "height": 60, "file_name": "a.png"}],
        "categories": [{"id": 1, "name": "cat"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [5, 5, 20, 20], "area": 400, "segmentation": polygon}]
    });
    let result =
        json!({"image_id": 1, "category_id": 1, "score": 0.9, "bbox": [5, 5, 20, 20], "segmentation": polygon});
    (truth, result)
}

#[test]
fn coco_s_results_are_read_in_every_form() {
    let dir = folder();
    let (truth, result) = one_square();
    dir.write("gt.json", truth.to_string());
    let with = |key: &str, value: Value| {
        let mut result = result.clone();
        result[key] = value;
        json!([result])
    };
    let ap = |results: &Value| {
        dir.write("r.json", results.to_string());
        let values = dir.succeed("score masks gt.json r.json --format json").json();
        [values["AP"].as_f64(), values["box_AP"].as_f64()]
    };
    let right = Some(1.0 - f64::EPSILON);
    for results in [with("image_id", json!("1")), with("image_id", json!(1.0)), json!({"annotations": [result]})] {
        assert_eq!(ap(&results), [right, right], "{results}");
    }
    assert_eq!(ap(&json!([])), [Some(0.0), Some(0.0)], "nothing was found");
    let mut boxes = result.clone();
    boxes.as_object_mut().unwrap().remove("segmentation");
    assert_eq!(ap(&json!([boxes])), [None, right]);
    assert_snapshot!(dir.succeed("score masks gt.json r.json"), @"
    exit 0, stdout:
                   masks     boxes
    AP         undefined     1.000
    AP50       undefined     1.000
    AP75       undefined     1.000
    AP_small   undefined     1.000
    AP_medium  undefined undefined
    AP_large   undefined undefined
    AR_1       undefined     1.000
    AR_10      undefined     1.000
    AR_100     undefined     1.000
    AR_small   undefined     1.000
    AR_medium  undefined undefined
    AR_large   undefined undefined
    undefined masks: 1 of 1 objects of the results have a box and no mask
    undefined box_AP_medium, box_AP_large, box_AR_medium, box_AR_large: no object of this size in the stimuli
    stderr: note: masks: results of 1 of 1 image by id, gt: COCO's instances, recon: COCO's results
    ");
    let wrong = |results: &Value| {
        dir.write("r.json", results.to_string());
        format!("{}\n", dir.run("score masks gt.json r.json"))
    };
    let said = [
        wrong(&with("image_id", json!("a.png"))),
        wrong(&with("bbox", json!([1, 2, 3]))),
        wrong(&with("score", json!("high"))),
        wrong(&json!([{"image_id": 1, "category_id": 1, "score": 0.9}])),
        wrong(&json!({"results": []})),
    ];
    assert_snapshot!(said.concat(), @r#"
    exit 1, stderr: error: r.json:1:20: the id "a.png"; expected a whole number
    exit 1, stderr: error: r.json: [0].bbox: [1.0, 2.0, 3.0]; expected four finite numbers, [left, top, width, height]
    exit 1, stderr: error: r.json:1:45: the text "high"; expected a number
    exit 1, stderr: error: r.json: [0].segmentation: neither a mask nor a box; expected segmentation or bbox
    exit 1, stderr: error: r.json:1:14: no key `annotations`; expected COCO's results, [{"image_id": 1, "category_id": 18, "bbox": [left, top, width, height], "score": 0.9}], with "segmentation" for masks
    "#);
}

#[test]
fn masks_of_results_are_compared_with_those_of_instances() {
    let dir = folder();
    let (truth, mut result) = one_square();
    dir.write("gt.json", truth.to_string());
    result["segmentation"] = json!([[5, 5, 25, 5, 25, 15, 5, 15]]);
    dir.write("r.json", json!([result]).to_string());
    dir.succeed("score --gt masks=gt.json --recon masks=r.json --metrics salient_iou --out run");
    close(&dir.values("run", "salient_iou"), &[0.5]);
}
