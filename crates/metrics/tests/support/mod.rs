//! Shared parts of several tests: goldens, and observations of images.

pub(crate) use crate::golden_values::{count, list, near, number, numbers};
pub(crate) use neurogauge_core::synthetic::Synthetic;
pub(crate) use neurogauge_core::*;
pub(crate) use neurogauge_metrics::categories::Taxonomy;
pub(crate) use neurogauge_metrics::decoding::basic_h::{
    Assignment, BasicHOptions, BasicHScores, Containment, NoLexicon, NormaliseOptions, SoftMatching, basic_h,
    basic_h_scores, match_words, normalise,
};
pub(crate) use neurogauge_metrics::decoding::captioning::{BleuCounts, bleu_counts};
pub(crate) use neurogauge_metrics::decoding::grounding::grounded_boxes;
pub(crate) use neurogauge_metrics::decoding::identification::{
    Copies, Draws, Identification, IdentificationDirection, IdentificationOptions, Others, Ties, identify,
    identify_among,
};
pub(crate) use neurogauge_metrics::decoding::n_way_accuracy::{NWayOptions, n_way_accuracy};
pub(crate) use neurogauge_metrics::decoding::near_miss::{NearMissOptions, near_miss};
pub(crate) use neurogauge_metrics::decoding::objects::{ObjectOptions, Preset, Variant, object_scores};
pub(crate) use neurogauge_metrics::decoding::retrieval::{RetrievalOptions, retrieve};
pub(crate) use neurogauge_metrics::decoding::vlm_objects::{VlmNames, vlm_object_f1};
pub(crate) use neurogauge_metrics::losses::{
    EmbeddingHingeOptions, HingeNormalisation, pairwise_hinge, pairwise_hinge_of_embeddings,
};
pub(crate) use neurogauge_metrics::*;
pub(crate) use neurogauge_stats::similarity::HeldRows;
pub(crate) use neurogauge_stats::u_statistic::estimate_of_stimuli;
pub(crate) use neurogauge_stats::{BootstrapOptions, IdentificationScores};
pub(crate) use proptest::prelude::*;
pub(crate) use rayon::prelude::*;
pub(crate) use serde::Deserialize;
use serde::de::DeserializeOwned;
pub(crate) use serde_json::Value;
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::path::{Path, PathBuf};

/// `reference/golden/<name>.json`.
pub(crate) fn golden<T: DeserializeOwned>(name: &str) -> T {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect(name);
    serde_json::from_str(&text).expect(name)
}

pub(crate) fn uniform(name: &str, n: usize) -> Vec<f32> {
    let values = Synthetic::new(name, 0);
    (0..n as u64).map(|i| values.uniform(i)).collect()
}

pub(crate) fn bbox(x0: f64, y0: f64, x1: f64, y1: f64) -> BoxXyxy {
    BoxXyxy { x0, y0, x1, y1 }
}

/// Boxes at one position, with these categories and scores.
pub(crate) fn detections(boxes: &[(usize, f64)]) -> Detections {
    let bbox = bbox(0.0, 0.0, 10.0, 10.0);
    let detection = |&(category, score): &(usize, f64)| Detection { category, score, bbox };
    Detections::of(boxes.iter().map(detection).collect(), None)
}

pub(crate) fn objects(names: &[&str]) -> SceneGraph {
    SceneGraph {
        objects: names.iter().map(|name| (*name).to_owned()).collect(),
        ..SceneGraph::default()
    }
}

/// A mask in an image of `width_px` x 1 px; its pixels are those from `from` to before `to`.
pub(crate) fn strip(name: &str, score: f64, width_px: u32, (from, to): (u32, u32)) -> InstanceMask {
    InstanceMask {
        name: name.into(),
        score,
        bbox: bbox(from.into(), 0.0, to.into(), 1.0),
        mask: Mask::from_pixels(1, width_px, |x, _| (from..to).contains(&x)).unwrap(),
    }
}

/// Masks in an image of `width_px` x 1 px, with these names of objects and parts; the sky is background.
pub(crate) fn strips(width_px: u32, items: Vec<InstanceMask>, objects: &[&str], parts: &[&str]) -> Masks {
    Masks::of((width_px, 1), items, Some(categories(objects, parts)))
}

pub(crate) fn categories(objects: &[&str], parts: &[&str]) -> Categorisation {
    let object = |name: &&str| ForegroundObject {
        name: (*name).into(),
        semantic_category: String::new(),
        parts: parts.iter().map(|part| (*part).into()).collect(),
    };
    let sky = BackgroundElement {
        name: "sky".into(),
        semantic_category: String::new(),
    };
    Categorisation {
        foreground: objects.iter().map(object).collect(),
        background: vec![sky],
    }
}
