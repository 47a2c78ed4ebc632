//! Turns the raw outputs of a detection network into objects.

use super::RawDetections;
use crate::ModelError;
use neurogauge_core::{BoxXyxy, Detection, Detections};
use std::ops::Range;

/// The objects that a network found, selected as in mmdetection (convention `detection-scores`).
///
/// - The score of a query for a category is the mean, over the category's tokens, of the sigmoid of the logits.
/// - The `most` highest scores over all queries and categories are the objects, so one query may give several objects
///   with the same box. They come in descending order; among equal scores, the earlier query comes   first, then the
///   earlier category. (The authors' code leaves the order of equal scores to the device.)
/// - Boxes: corners of (centre x, centre y, width, height), times the size of the prepared image, clipped to it, and
///   divided by the factor by which the image was enlarged.
///
/// All in f32. Shapes: `raw` as documented there; `categories` has the tokens of each category; sizes are (width,
/// height) in pixels.
///
/// Errors: outputs that are NaN or do not have their declared shape.
/// A logit of minus infinity, as in padding, gives a score of 0.
///
/// Reference: `reference/detection.py`, NumPy in f32, labels equal, scores within 2e-7 and boxes within 2e-7 of the
/// image's size (one rounding more or less).
///
/// ```
/// use neurogauge_models::detection::{RawDetections, postprocess};
/// let raw = RawDetections {
///     logits: vec![0.0, 0.0, 3.0_f32.ln(), f32::NEG_INFINITY],
///     n_tokens: 4,
///     boxes: vec![[0.5, 0.5, 0.5, 2.0]],
/// };
/// let found = postprocess(&raw, &[1..2, 1..3], (800, 400), (200, 100), 300)?;
/// assert_eq!(found.items[0].category, 1);
/// assert_eq!(found.items[0].score, 0.625); // the mean of 1/2 and 3/4
/// assert_eq!(found.items[0].bbox.x0, 50.0);
/// assert_eq!(found.items[0].bbox.y1, 100.0); // cut
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn postprocess(
    raw: &RawDetections,
    categories: &[Range<usize>],
    prepared_px: (usize, usize),
    original_px: (usize, usize),
    most: usize,
) -> Result<Detections, ModelError> {
    check(raw, categories)?;
    let n_categories = categories.len();
    let mut scores: Vec<(f32, usize)> = Vec::with_capacity(raw.boxes.len() * n_categories);
    for (query, logits) in raw.logits.chunks(raw.n_tokens.max(1)).enumerate() {
        for (category, tokens) in categories.iter().enumerate() {
            let sum: f32 = logits[tokens.clone()].iter().map(|&x| sigmoid(x)).sum();
            let place = query * n_categories + category;
            scores.push((sum / tokens.len() as f32, place));
        }
    }
    scores.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let found = scores.iter().take(most).map(|&(score, place)| Detection {
        category: place % n_categories,
        score: f64::from(score),
        bbox: corners(raw.boxes[place / n_categories], prepared_px, original_px),
    });
    Ok(Detections::of(found.collect(), Some((original_px.0 as f64, original_px.1 as f64))))
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn corners([x, y, width, height]: [f32; 4], prepared_px: (usize, usize), original_px: (usize, usize)) -> BoxXyxy {
    let edge = |share: f32, prepared_px: usize, original_px: usize| {
        let within = (share * prepared_px as f32).clamp(0.0, prepared_px as f32);
        let enlarged = (prepared_px as f64 / original_px as f64) as f32;
        f64::from(within / enlarged)
    };
    let across = |share| edge(share, prepared_px.0, original_px.0);
    let down = |share| edge(share, prepared_px.1, original_px.1);
    BoxXyxy::of([across(x - 0.5 * width), down(y - 0.5 * height), across(x + 0.5 * width), down(y + 0.5 * height)])
}

fn check(raw: &RawDetections, categories: &[Range<usize>]) -> Result<(), ModelError> {
    let (n_queries, n_tokens) = (raw.boxes.len(), raw.n_tokens);
    let fault = |reason: String| Err(ModelError::raw_detections(reason));
    if raw.logits.len() != n_queries * n_tokens {
        let n_logits = raw.logits.len();
        return fault(format!("{n_logits} logits for {n_queries} queries and {n_tokens} tokens"));
    }
    if let Some(tokens) = categories.iter().find(|tokens| tokens.is_empty() || tokens.end > n_tokens) {
        return fault(format!("a category has the tokens {tokens:?}, and there are {n_tokens}"));
    }
    if let Some(place) = raw.logits.iter().position(|logit| logit.is_nan()) {
        let query = place / n_tokens.max(1);
        return fault(format!("a logit of query {query} is NaN"));
    }
    let is_box = |&[x, y, width, height]: &[f32; 4]| {
        [x, y, width, height].iter().all(|edge| edge.is_finite()) && width >= 0.0 && height >= 0.0
    };
    match raw.boxes.iter().position(|bbox| !is_box(bbox)) {
        Some(query) => fault(format!("the box of query {query} is {:?}", raw.boxes[query])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(logits: &[&[f32]]) -> RawDetections {
        RawDetections {
            logits: logits.concat(),
            n_tokens: logits[0].len(),
            boxes: vec![[0.5, 0.5, 1.0, 1.0]; logits.len()],
        }
    }

    fn found(raw: &RawDetections, most: usize) -> Vec<(usize, f64)> {
        let detections = postprocess(raw, &[0..1, 1..3], (8, 8), (4, 4), most).unwrap();
        detections.items.iter().map(|item| (item.category, item.score)).collect()
    }

    #[test]
    fn equal_scores_come_by_query_and_then_by_category() {
        let zero = [0.0; 3];
        let all = found(&raw(&[&zero, &zero]), 300);
        assert_eq!(all, [(0, 0.5), (1, 0.5), (0, 0.5), (1, 0.5)]);
        let high = [-1.0, 2.0, 2.0];
        let two = found(&raw(&[&zero, &high]), 2);
        assert_eq!(two[0].0, 1);
        assert_eq!(two[1], (0, 0.5));
    }

    #[test]
    fn what_is_no_output_is_refused() {
        let message =
            |raw: &RawDetections| postprocess(raw, &[0..1, 1..3], (8, 8), (4, 4), 300).unwrap_err().to_string();
        let mut faulty = raw(&[&[0.0; 3], &[0.0, f32::NAN, 0.0]]);
        assert!(message(&faulty).contains("query 1 is NaN"));
        faulty.logits[4] = f32::INFINITY;
        faulty.boxes[1][2] = f32::NAN;
        assert!(message(&faulty).contains("box of query 1"));
        faulty.logits.pop();
        assert!(message(&faulty).contains("5 logits for 2 queries and 3 tokens"));
        let short = raw(&[&[0.0; 2]]);
        assert!(message(&short).contains("1..3, and there are 2"));
    }
}
