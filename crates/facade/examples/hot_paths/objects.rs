//! Metrics of detections, masks and scene graphs.

use crate::inputs::{defined, uniform};
use crate::{Failure, HotPath, Work};
use neurogauge::core::{BoxXyxy, Detection, Detections, LabelList, Mask, SceneGraph};
use neurogauge::metrics::decoding::basic_h::{BasicHOptions, NoLexicon, basic_h_scores, match_words};
use neurogauge::metrics::masks::coco::{CocoMask, CocoPrediction, ImageMasks, evaluate, iou_thresholds};
use neurogauge::metrics::masks::overlaps;
use neurogauge::metrics::{DetectionFunction, Options, Taxonomy, find};
use neurogauge::stats::assign_max;

pub(crate) const PATHS: &[HotPath] = &[
    ("object-f1", object_f1),
    ("mask-overlaps", mask_overlaps),
    ("coco-ap", coco_ap),
    ("assignment", assignment),
    ("scene-graph-matching", scene_graphs),
];

fn detections(name: &str) -> Detections {
    let values = uniform(name, 300 * 6);
    let detection = |v: &[f64]| Detection {
        category: (v[0] * 80.0) as usize,
        score: v[1],
        bbox: BoxXyxy::of([
            300.0 * v[2],
            300.0 * v[3],
            300.0 * v[2] + 120.0 * v[4] + 1.0,
            300.0 * v[3] + 120.0 * v[5] + 1.0,
        ]),
    };
    let mut items: Vec<Detection> = values.chunks(6).map(detection).collect();
    items.sort_by(|a, b| b.score.total_cmp(&a.score));
    Detections::of(items, Some((425.0, 425.0)))
}

fn object_f1() -> Result<Work, Failure> {
    let Some(compute) = find("object_f1").and_then(|metric| metric.compute.function::<DetectionFunction>()) else {
        return Err("object_f1 is not a metric of detections".into());
    };
    let pairs: Vec<(Detections, Detections)> =
        (0..20).map(|i| (detections(&format!("gt {i}")), detections(&format!("recon {i}")))).collect();
    let (taxonomy, options) = (Taxonomy::new(&LabelList::coco()), Options::default());
    Ok(Box::new(move || {
        let mut sum = 0.0;
        for (gt, recon) in &pairs {
            sum += defined(compute(gt, recon, &taxonomy, &options)?.outcome)?;
        }
        Ok(sum)
    }))
}

/// A disc of so many pixels across, as run lengths down the columns.
fn disc(v: &[f64]) -> Result<Mask, Failure> {
    const SIZE: usize = 160;
    let (x0, y0, radius) = (160.0 * v[0], 160.0 * v[1], 10.0 + 40.0 * v[2]);
    let inside = |i: usize| {
        let (x, y) = ((i / SIZE) as f64, (i % SIZE) as f64);
        (x - x0).hypot(y - y0) < radius
    };
    let (mut runs, mut value, mut length) = (Vec::new(), false, 0);
    for i in 0..SIZE * SIZE {
        if inside(i) != value {
            runs.push(length);
            (value, length) = (!value, 0);
        }
        length += 1;
    }
    runs.push(length);
    Ok(Mask::from_runs(SIZE as u32, SIZE as u32, runs)?)
}

fn discs(name: &str, n: usize) -> Result<Vec<Mask>, Failure> {
    uniform(name, 3 * n).chunks(3).map(disc).collect()
}

fn mask_overlaps() -> Result<Work, Failure> {
    let (predicted, reference) = (discs("predicted", 60)?, discs("reference", 60)?);
    Ok(Box::new(move || {
        let (a, b): (Vec<&Mask>, Vec<&Mask>) = (predicted.iter().collect(), reference.iter().collect());
        Ok(overlaps(&a, &b, |_| false)?.iter().sum())
    }))
}

fn coco_ap() -> Result<Work, Failure> {
    let mut images = Vec::new();
    for i in 0..8 {
        let scores = uniform(&format!("scores {i}"), 40);
        let truth = discs(&format!("truth {i}"), 20)?;
        let found = discs(&format!("found {i}"), 40)?;
        images.push(ImageMasks {
            reference: (truth.into_iter().enumerate())
                .map(|(place, mask)| CocoMask {
                    category: place % 5,
                    area_px2: mask.area_px2() as f64,
                    mask,
                    is_crowd: false,
                    has_id_zero: false,
                })
                .collect(),
            predicted: (found.into_iter().enumerate())
                .map(|(place, mask)| CocoPrediction {
                    category: place % 5,
                    area_px2: mask.area_px2() as f64,
                    mask,
                    score: scores[place],
                })
                .collect(),
        });
    }
    Ok(Box::new(move || {
        let curves = evaluate(&images, 5, &iou_thresholds())?;
        defined(curves.average_precision())
    }))
}

fn assignment() -> Result<Work, Failure> {
    let weights = uniform("weights", 80 * 80);
    Ok(Box::new(move || {
        Ok(assign_max(&weights, 80, 80).iter().map(|(row, col)| weights[row * 80 + col]).sum())
    }))
}

fn scene_graphs() -> Result<Work, Failure> {
    let graph = |name: &str| {
        let values = uniform(name, 90);
        let word = |v: f64| format!("thing{}", (v * 60.0) as usize);
        let mut graph = SceneGraph::default();
        for v in values.chunks(3) {
            graph.objects.push(word(v[0]));
            let attributes = graph.attributes.entry(word(v[0])).or_default();
            attributes.push(word(v[1]));
            graph.relations.push([word(v[0]), "near".to_owned(), word(v[2])]);
        }
        graph
    };
    let (gt, recon, options) = (graph("gt"), graph("recon"), BasicHOptions::default());
    Ok(Box::new(move || {
        let matches = match_words(&gt, &recon, &NoLexicon, &options.rules()?);
        let cosine = |a: &str, b: &str| Ok(1.0 / (1.0 + (a.len() + b.len()) as f64));
        defined(basic_h_scores(&matches, &cosine, &options)?.objects.f1)
    }))
}
