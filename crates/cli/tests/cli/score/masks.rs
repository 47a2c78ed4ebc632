//! BASIC-L from files to figures, through the binary.

use crate::support::arguments::score_observations;
use crate::support::observations::masks;
use crate::support::{
    arg, close, folder, image_folders, record, refused, scores, succeed, summary, values, write,
};
use neurogauge::core::Undefined;
use serde_json::{Value, json};
use std::path::Path;

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

/// Two pairs; in the second the reconstruction has no parts.
fn dataset(root: &Path) {
    let (gt, recon) = (root.join("gt"), root.join("recon"));
    let of_gt = [("dog", 0, 4), ("dog", 6, 8), ("sky", 8, 10), ("head", 0, 2)];
    let of_recon = [("dog", 2, 4), ("sky", 6, 10), ("head", 1, 3)];
    write(&gt.join("masks/1.json"), &masks(&of_gt));
    write(&recon.join("masks/1.json"), &masks(&of_recon));
    write(&gt.join("masks/2.json"), &masks(&of_gt));
    write(&recon.join("masks/2.json"), &masks(&of_gt[..3]));
    for side in [&gt, &recon] {
        for stem in ["1", "2"] {
            write(&side.join(format!("categories/{stem}.json")), ANSWER);
        }
    }
}

#[test]
fn every_level_has_the_value_found_by_hand() {
    let dir = folder();
    let run = dir.path().join("run");
    dataset(dir.path());
    let inputs = score_observations(dir.path(), &run, &[]);
    succeed(&inputs);
    close(&values(&run, "salient_iou"), &[2.0 / 6.0, 1.0]);
    close(&values(&run, "binary_iou"), &[(2.0 / 6.0 + 0.5) / 2.0, 1.0]);
    close(
        &values(&run, "semantic_iou"),
        &[(2.0 / 6.0 + 0.5) / 2.0, 1.0],
    );
    close(&values(&run, "instance_iou"), &[0.5 / 2.0, 1.0]);
    close(&values(&run, "instance_ap"), &[0.1 * 51.0 / 101.0, 1.0]);
    let scores = scores(&run);
    let parts = scores.column("part_iou").unwrap();
    assert_eq!(parts[0], Ok(1.0 / 3.0));
    assert!(parts[1].is_err());
    let basic_l = scores.column("basic_l").unwrap();
    let first = 0.3 / 3.0 + 0.25 * (2.0 / 6.0 + 0.5) / 2.0 + 0.25 * 0.25 + 0.2 / 3.0;
    close(&[basic_l[0].clone().unwrap()], &[first]);
    let missing = Undefined::Recorded("part_iou is undefined".into());
    assert_eq!(basic_l[1], Err(missing));
    // The system's value is the weighted sum of the means of the parts.
    let mean = |a: f64| (a + 1.0) / 2.0;
    let system = 0.3 * mean(1.0 / 3.0)
        + 0.25 * mean((2.0 / 6.0 + 0.5) / 2.0)
        + 0.25 * mean(0.25)
        + 0.2 / 3.0;
    close(
        &[summary(&run)["basic_l"]["mean"].as_f64().unwrap()],
        &[system],
    );
    let record = record(&run);
    let roles: Vec<&str> = record["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["role"].as_str().unwrap())
        .collect();
    assert_eq!(
        roles,
        [
            "gt/categories",
            "recon/categories",
            "gt/masks",
            "recon/masks"
        ]
    );
    assert_eq!(record["request"]["options"]["basic_l"]["min_score"], 0.25);

    let zero = [
        &inputs[..],
        &["--metrics", "basic_l", "--mask-empty", "zero"],
    ]
    .concat();
    succeed(&zero);
    close(&values(&run, "part_iou"), &[1.0 / 3.0, 0.0]);
    close(&values(&run, "basic_l"), &[first, 0.8]);
}

#[test]
fn overlays_and_figures_of_systems_are_drawn() {
    let dir = folder();
    dataset(dir.path());
    image_folders(dir.path(), &["1", "2"]);
    let (gt, recon) = (dir.path().join("gt"), dir.path().join("recon"));
    let [first, second] = ["first", "second"].map(|name| dir.path().join(name));
    for run in [&first, &second] {
        let images = ["--gt", arg(&gt), "--recon", arg(&recon)];
        let what = [
            "--metrics",
            "basic_l,instance_ap",
            "--overlay",
            "1,2",
            "--out",
            arg(run),
        ];
        let observations = ["score", "--observations", arg(dir.path())];
        succeed(&[&observations[..], &images, &what].concat());
        for stem in ["1", "2"] {
            let png = std::fs::read(run.join(format!("figures/masks_{stem}.png"))).unwrap();
            assert_eq!(&png[1..4], b"PNG");
        }
    }
    let figures = dir.path().join("figures");
    succeed(&[
        "compare",
        arg(&first),
        arg(&second),
        "--figures",
        arg(&figures),
    ]);
    let svg = std::fs::read_to_string(figures.join("mask_iou_by_level.svg")).unwrap();
    assert!(svg.contains("salient") && svg.contains("second"));
    assert!(figures.join("mask_ap_by_level.png").exists());
}

#[test]
fn without_categories_there_are_objects_only_and_the_run_says_so() {
    let dir = folder();
    let run = dir.path().join("run");
    for (side, to) in [("gt", 4), ("recon", 2)] {
        write(
            &dir.path().join(side).join("masks/1.json"),
            &masks(&[("dog", 0, to)]),
        );
    }
    succeed(&score_observations(dir.path(), &run, &[]));
    close(&values(&run, "salient_iou"), &[0.5]);
    let warnings = record(&run)["warnings"].to_string();
    assert!(warnings.contains("no categories were given"), "{warnings}");
}

#[test]
fn faults_name_the_file_the_place_and_the_way_out() {
    let dir = folder();
    let run = dir.path().join("run");
    let inputs = score_observations(dir.path(), &run, &[]);
    dataset(dir.path());
    let path = dir.path().join("recon/masks/1.json");
    let whole = masks(&[("dog", 0, 4)]);
    write(&path, &whole.replace("[0,8,12]", "[0,8,11]"));
    refused(
        &inputs,
        1,
        &["1.json", "annotations[0].segmentation", "19 pixels"],
    );
    write(&path, &whole.replace("\"img_width\":10", "\"img_width\":5"));
    refused(&inputs, 1, &["1.json", "10 x 2 px", "5 x 2 px"]);
    let other = whole
        .replace("[2,10]", "[1,10]")
        .replace("[0,8,12]", "[0,4,6]");
    write(
        &path,
        &other.replace("\"img_height\":2", "\"img_height\":1"),
    );
    refused(
        &inputs,
        1,
        &["10 x 2 px", "10 x 1 px", "--mask-resize nearest"],
    );
    succeed(&[&inputs[..], &["--mask-resize", "nearest"]].concat());
    write(&path, &whole);
    write(
        &dir.path().join("gt/categories/1.json"),
        r#"{"foreground_objects": [{"objekt": "dog"}]}"#,
    );
    refused(&inputs, 1, &["categories/1.json:1:", "objekt"]);
    std::fs::remove_file(dir.path().join("gt/categories/1.json")).unwrap();
    refused(&inputs, 1, &["categories for every stem", "\"1\""]);
    dataset(dir.path());
    refused(
        &[&inputs[..], &["--overlay", "7"]].concat(),
        2,
        &["--overlay 7"],
    );
    refused(
        &[
            "score",
            "--gt",
            arg(dir.path()),
            "--metrics",
            "basic_l",
            "--out",
            arg(&run),
        ],
        2,
        &["recon"],
    );
}

#[test]
fn coco_s_twelve_numbers_are_printed() {
    let dir = folder();
    let file = |name: &str, value: Value| {
        let path = dir.path().join(name);
        write(&path, &value.to_string());
        path
    };
    let mask = json!({"size": [10, 10], "counts": [0, 50, 50]});
    let instances = json!({
        "images": [{"id": 1, "width": 10, "height": 10}],
        "categories": [{"id": 1, "name": "dog"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": mask, "area": 50, "iscrowd": 0}]
    });
    let results = json!([{"image_id": 1, "category_id": 1, "segmentation": mask, "score": 0.5}]);
    let (instances, results) = (file("i.json", instances), file("r.json", results));
    let command = [
        "coco",
        "--instances",
        arg(&instances),
        "--results",
        arg(&results),
    ];
    let ran = succeed(&[&command[..], &["--format", "json"]].concat());
    let values: Value = serde_json::from_str(&ran.stdout).unwrap();
    // As in pycocotools, whose denominators are larger than their counts by 2⁻⁵².
    close(&[values["AP"].as_f64().unwrap()], &[1.0]);
    assert_eq!(values["AP_large"], Value::Null);
    let ran = succeed(&command);
    assert!(
        ran.stdout.starts_with("AP         1.000\n"),
        "{}",
        ran.stdout
    );
    file(
        "r.json",
        json!([{"image_id": 2, "category_id": 1, "segmentation": mask, "score": 0.5}]),
    );
    refused(&command, 1, &["r.json", "[0].image_id", "no image"]);
}
