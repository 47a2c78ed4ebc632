//! Masks, overlaps, polygons and COCO's evaluation against pycocotools (`reference/masks.py`), bit for bit.

use neurogauge::core::Mask;
use neurogauge::core::pair::PairsOf;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::content_hash;
use neurogauge::formats::masks::{from_coco_rle, from_polygon, read_coco_instances, read_coco_results, to_coco_rle};
use neurogauge::metrics::masks::{coco::CocoSummary, intersection, overlaps, union};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Golden {
    masks: Vec<Single>,
    groups: Vec<Group>,
    polygons: Vec<Polygons>,
    data_sets: Vec<DataSet>,
    shared_data: SharedData,
}

#[derive(Deserialize)]
struct Single {
    size: [u32; 2],
    counts: String,
    area: u64,
    bbox: [f64; 4],
}

#[derive(Deserialize)]
struct Group {
    size: [u32; 2],
    union: String,
    intersection: String,
    iou: Vec<Vec<f64>>,
    iou_crowd: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Polygons {
    size: [u32; 2],
    polygons: Vec<Vec<f64>>,
    parts: Vec<String>,
    counts: String,
}

#[derive(Deserialize)]
struct DataSet {
    truth: serde_json::Value,
    results: serde_json::Value,
    stats: Vec<f64>,
    stats_of_boxes: Vec<f64>,
}

#[derive(Deserialize)]
struct SharedData {
    stats: Vec<f64>,
    stats_of_boxes: Vec<f64>,
    masks_sha256: String,
    overlaps_sha256: String,
}

fn golden() -> Golden {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/masks.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the golden of masks")).unwrap()
}

/// The same masks as by `drawn` in the script.
fn drawn(seed: u64, size: Option<[u32; 2]>) -> Mask {
    let draw = Synthetic::new("mask", seed);
    let [height, width] = size.unwrap_or_else(|| {
        let side = |place: u64| 1 + u32::from(draw.byte(place)) % 60;
        [side(0), side(1)]
    });
    let (step, share) = (1 + u32::from(draw.byte(2)) % 8, draw.byte(3));
    Mask::from_pixels(height, width, |x, y| draw.byte(u64::from(8 + 4096 * (x / step) + y / step)) < share).unwrap()
}

#[test]
fn random_masks_have_pycocotools_text_area_and_box() {
    let golden = golden();
    assert_eq!(golden.masks.len(), 60);
    for (seed, case) in (0..).zip(&golden.masks) {
        let mask = drawn(seed, None);
        let [height, width] = case.size;
        assert_eq!((mask.height_px(), mask.width_px()), (height, width));
        assert_eq!(to_coco_rle(&mask), case.counts);
        assert_eq!(from_coco_rle(&case.counts, height, width).unwrap(), mask);
        assert_eq!(mask.area_px2(), case.area);
        assert_eq!(mask.bounds_px().unwrap_or_default().map(f64::from), case.bbox);
    }
}

#[test]
fn unions_intersections_and_overlaps_are_pycocotools() {
    let golden = golden();
    assert_eq!(golden.groups.len(), 8);
    for (group, case) in (0..).zip(&golden.groups) {
        let masks: Vec<Mask> = (0..9).map(|place| drawn(1000 * (group + 1) + place, Some(case.size))).collect();
        assert_eq!(to_coco_rle(&union(&masks).unwrap().unwrap()), case.union);
        let shared = intersection(&masks[..3]).unwrap().unwrap();
        assert_eq!(to_coco_rle(&shared), case.intersection);
        let borrowed: Vec<&Mask> = masks.iter().collect();
        let plain = overlaps(&borrowed[..5], &borrowed[5..], |_| false).unwrap();
        assert_eq!(plain, case.iou.concat());
        let crowd = overlaps(&borrowed[..5], &borrowed[5..], |place| place % 2 == 1).unwrap();
        assert_eq!(crowd, case.iou_crowd.concat());
    }
}

#[test]
fn polygons_are_rasterised_as_pycocotools_does() {
    let golden = golden();
    assert_eq!(golden.polygons.len(), 70);
    for case in &golden.polygons {
        let [height, width] = case.size;
        let masks: Vec<Mask> =
            case.polygons.iter().map(|polygon| from_polygon(polygon, height, width).unwrap()).collect();
        for (mask, text) in masks.iter().zip(&case.parts) {
            let expected = from_coco_rle(text, height, width).unwrap();
            assert_eq!(*mask, expected, "{:?}", case.polygons);
        }
        let expected = from_coco_rle(&case.counts, height, width).unwrap();
        assert_eq!(union(&masks).unwrap().unwrap(), expected);
    }
}

fn assert_same(summary: &CocoSummary, stats: &[f64]) {
    let found = summary.values.each_ref().map(|value| *value.as_ref().unwrap_or(&-1.0));
    assert_eq!(
        found.map(f64::to_bits).to_vec(),
        stats.iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
        "{found:?} {stats:?}"
    );
}

#[test]
fn random_data_sets_have_cocoeval_s_twelve_numbers() {
    let dir = tempfile::tempdir().unwrap();
    for case in &golden().data_sets {
        let file = |name: &str, value: &serde_json::Value| {
            let path = dir.path().join(name);
            std::fs::write(&path, value.to_string()).unwrap();
            path
        };
        let (truth, results) = (file("t.json", &case.truth), file("r.json", &case.results));
        let found = neurogauge::coco_summary(&truth, &results, PairsOf::All).unwrap().0;
        assert_same(&found.masks, &case.stats);
        assert_same(&found.boxes, &case.stats_of_boxes);
    }
}

/// The shared data, which the repository does not contain: without them, a test prints that and passes.
fn shared_data() -> Option<PathBuf> {
    let root = std::env::var_os("NEUROGAUGE_SHARED_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = root.join("coco-masks");
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is absent (real data are not part of the repository)", path.display());
    None
}

#[test]
fn real_masks_and_their_evaluation_are_pycocotools() {
    let Some(data) = shared_data() else { return };
    let golden = golden().shared_data;
    let files = ["instances_val2014_100.json", "fakesegm100_results.json"];
    let [truth_path, results_path] = files.map(|name| data.join(name));
    let found = neurogauge::coco_summary(&truth_path, &results_path, PairsOf::All).unwrap().0;
    assert_same(&found.masks, &golden.stats);
    assert_same(&found.boxes, &golden.stats_of_boxes);

    let truth = read_coco_instances(&truth_path).unwrap();
    let (results, _) = read_coco_results(&results_path, &truth, PairsOf::All).unwrap();
    let mut lines = String::new();
    let of_truth = truth.annotations.iter().filter_map(|annotation| annotation.mask.as_ref());
    for mask in of_truth.chain(results.iter().filter_map(|result| result.mask.as_ref())) {
        let bounds = mask.bounds_px().unwrap_or_default();
        lines.push_str(&format!("{} {bounds:?} {}\n", mask.area_px2(), to_coco_rle(mask)));
    }
    assert_eq!(content_hash::of_bytes(lines.as_bytes()), golden.masks_sha256);

    let mut bytes = Vec::new();
    for image in &truth.images {
        let wanted: Vec<_> = truth.annotations.iter().filter(|a| a.image_id == image.id).collect();
        let found: Vec<&Mask> =
            results.iter().filter(|r| r.image_id == image.id).filter_map(|r| r.mask.as_ref()).collect();
        let masks: Vec<&Mask> = wanted.iter().filter_map(|annotation| annotation.mask.as_ref()).collect();
        let values = overlaps(&found, &masks, |place| wanted[place].is_crowd).unwrap();
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
    assert_eq!(content_hash::of_bytes(&bytes), golden.overlaps_sha256);
}
