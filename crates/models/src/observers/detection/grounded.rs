//! Boxes for the words of a prompt, as in Grounded SAM 2.

use super::{DetectorInput, GroundingNetwork, Prompt, PromptNames, RawDetections, prompt::prompts};
use crate::ModelError;
use neurogauge_core::BoxXyxy;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which boxes are kept, and which words name them (convention `grounded-boxes`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroundingOptions {
    /// A box is kept if one of its words has a larger score than this.
    pub box_threshold: f64,
    /// Words with a larger score than this name the box: possibly no word, or words of several names.
    pub text_threshold: f64,
    /// Are boxes without a name kept?
    pub keep_unlabelled: bool,
    /// If two boxes overlap (IoU) by more than this, the worse one is dropped; `None` keeps both.
    pub nms_iou: Option<f64>,
}

impl Default for GroundingOptions {
    fn default() -> Self {
        GroundingOptions {
            box_threshold: 0.25,
            text_threshold: 0.30,
            keep_unlabelled: true,
            nms_iou: None,
        }
    }
}

/// A box, and the words that name it.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedBox {
    /// In pixels of the image before preprocessing. It may extend beyond the image.
    pub bbox: BoxXyxy,
    /// Score of the best fitting word, 0 to 1.
    pub score: f64,
    /// The words in the order of the prompt, separated by spaces; empty if none fits well enough.
    pub label: String,
}

/// The boxes of names, in the order of the network's queries. If the names need more tokens than one prompt has,
/// several prompts run one after the other.
pub(super) fn grounded_boxes<N: GroundingNetwork + ?Sized>(
    network: &N,
    input: &DetectorInput,
    names: &[String],
    options: &GroundingOptions,
) -> Result<Vec<GroundedBox>, ModelError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let form = PromptNames::Spaces;
    let mut found = Vec::new();
    for part in prompts(&names, form, &|text| network.tokens(text))? {
        let prompt = Prompt::new(&names[part.first..][..part.categories.len()], form);
        let (tokens, pieces) = network.tokens(prompt.text())?;
        let raw = network.look(&input.image, &tokens)?;
        found.extend(boxes_of(&raw, prompt.text(), &pieces, input.original_px, options)?);
    }
    if let Some(most) = options.nms_iou {
        found = without_overlaps(found, most);
    }
    Ok(found)
}

fn boxes_of(
    raw: &RawDetections,
    prompt: &str,
    pieces: &[Range<usize>],
    (width_px, height_px): (usize, usize),
    options: &GroundingOptions,
) -> Result<Vec<GroundedBox>, ModelError> {
    let n_tokens = raw.n_tokens;
    if n_tokens != pieces.len() || raw.logits.len() != raw.boxes.len() * n_tokens {
        return Err(ModelError::raw_detections(format_args!(
            "{} logits for {} boxes and {} tokens",
            raw.logits.len(),
            raw.boxes.len(),
            pieces.len()
        )));
    }
    let (width, height) = (width_px as f32, height_px as f32);
    let mut found = Vec::new();
    for (logits, &[x, y, w, h]) in raw.logits.chunks_exact(n_tokens.max(1)).zip(&raw.boxes) {
        let scores: Vec<f32> = logits.iter().map(|&x| 1.0 / (1.0 + (-x).exp())).collect();
        let score = scores.iter().copied().fold(0.0, f32::max);
        if f64::from(score) <= options.box_threshold {
            continue;
        }
        let label = label(&scores, prompt, pieces, options.text_threshold);
        if label.is_empty() && !options.keep_unlabelled {
            continue;
        }
        let (x, y, w, h) = (x * width, y * height, w * width, h * height);
        let edges = [x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h].map(f64::from);
        let [x0, y0, x1, y1] = edges;
        if !edges.iter().all(|edge| edge.is_finite()) || x0 > x1 || y0 > y1 {
            return Err(ModelError::raw_detections(format_args!("a box is {edges:?}")));
        }
        found.push(GroundedBox {
            bbox: BoxXyxy { x0, y0, x1, y1 },
            score: f64::from(score),
            label,
        });
    }
    Ok(found)
}

/// The parts of the prompt that fit, without full stops. Adjacent parts are joined to one word.
fn label(scores: &[f32], prompt: &str, pieces: &[Range<usize>], threshold: f64) -> String {
    let mut label = String::new();
    let mut end = None;
    for (score, bytes) in scores.iter().zip(pieces) {
        let piece = &prompt[bytes.clone()];
        if f64::from(*score) <= threshold || piece.is_empty() || piece == "." {
            continue;
        }
        if end.is_some_and(|end| end != bytes.start) {
            label.push(' ');
        }
        label.push_str(piece);
        end = Some(bytes.end);
    }
    label
}

/// The boxes that no better box overlaps by more than this, in their order.
pub(crate) fn without_overlaps(boxes: Vec<GroundedBox>, most: f64) -> Vec<GroundedBox> {
    let mut by_score: Vec<usize> = (0..boxes.len()).collect();
    by_score.sort_by(|&a, &b| boxes[b].score.total_cmp(&boxes[a].score));
    let mut kept: Vec<usize> = Vec::new();
    for place in by_score {
        let overlaps = |other: &usize| overlap(&boxes[*other].bbox, &boxes[place].bbox) > most;
        if !kept.iter().any(overlaps) {
            kept.push(place);
        }
    }
    let boxes = boxes.into_iter().enumerate();
    let is_kept = |(place, bbox): (usize, GroundedBox)| kept.contains(&place).then_some(bbox);
    boxes.filter_map(is_kept).collect()
}

/// Intersection over union.
fn overlap(a: &BoxXyxy, b: &BoxXyxy) -> f64 {
    let area = |x: f64, y: f64| x.max(0.0) * y.max(0.0);
    let common = area(a.x1.min(b.x1) - a.x0.max(b.x0), a.y1.min(b.y1) - a.y0.max(b.y0));
    let both = area(a.x1 - a.x0, a.y1 - a.y0) + area(b.x1 - b.x0, b.y1 - b.y0) - common;
    if both > 0.0 { common / both } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens are [CLS] dog . hot dog . [SEP]; each row of scores has a box.
    fn found(rows: &[[f32; 7]], options: &GroundingOptions) -> Vec<GroundedBox> {
        let pieces = [0..0, 0..3, 3..4, 5..8, 9..12, 12..13, 0..0];
        let logit = |score: &f32| (score / (1.0 - score)).ln();
        let raw = RawDetections {
            logits: rows.iter().flatten().map(logit).collect(),
            n_tokens: 7,
            boxes: (0..rows.len()).map(|row| [0.5, 0.5, 0.5, 1.0 + row as f32]).collect(),
        };
        boxes_of(&raw, "dog. hot dog. ", &pieces, (200, 100), options).unwrap()
    }

    const ROWS: [[f32; 7]; 4] = [
        [0.9, 0.1, 0.9, 0.1, 0.2, 0.9, 0.9],
        [0.01, 0.4, 0.01, 0.31, 0.35, 0.01, 0.01],
        [0.01, 0.2, 0.01, 0.27, 0.29, 0.01, 0.01],
        [0.01, 0.2, 0.01, 0.24, 0.2, 0.01, 0.01],
    ];

    #[test]
    fn a_box_may_have_no_word_or_those_of_two_names() {
        let boxes = found(&ROWS, &GroundingOptions::default());
        let labels: Vec<&str> = boxes.iter().map(|bbox| bbox.label.as_str()).collect();
        assert_eq!(labels, ["", "dog hot dog", ""]);
        assert!((boxes[2].score - 0.29).abs() < 1e-6);
        assert_eq!(boxes[0].bbox.x0, 50.0);
        // The box is not clipped to the image.
        assert_eq!((boxes[1].bbox.y0, boxes[1].bbox.y1), (-50.0, 150.0));
        let labelled = GroundingOptions {
            keep_unlabelled: false,
            ..GroundingOptions::default()
        };
        assert_eq!(found(&ROWS, &labelled).len(), 1);
    }

    #[test]
    fn pieces_that_adjoin_are_one_word() {
        let scores = [0.9, 0.9, 0.1, 0.9];
        let pieces = [0..2, 2..4, 5..7, 8..9];
        assert_eq!(label(&scores, "zebra s in", &pieces, 0.5), "zebr i");
    }

    #[test]
    fn of_boxes_that_overlap_the_best_stays() {
        let boxes = found(&ROWS[..3], &GroundingOptions::default());
        let scores = |most: f64| -> Vec<String> {
            without_overlaps(boxes.clone(), most).into_iter().map(|bbox| format!("{:.1}", bbox.score)).collect()
        };
        // Heights 100, 200 and 300 px around one centre: overlaps of 1/2, 1/3 and 2/3.
        assert_eq!(scores(0.6), ["0.9", "0.4"]);
        assert_eq!(scores(0.4), ["0.9", "0.3"]);
        assert_eq!(scores(0.2), ["0.9"]);
        assert_eq!(scores(1.0), ["0.9", "0.4", "0.3"]);
    }
}
