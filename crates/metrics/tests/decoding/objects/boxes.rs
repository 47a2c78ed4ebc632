//! Random boxes, and goldens with three outcomes for each pair.

use crate::support::*;

const N_PAIRS: u64 = 72;

fn ties() -> Vec<f64> {
    let percents = [29.0, 35.0, 57.0, 58.0];
    (0..21)
        .map(|k| 0.05 * f64::from(k))
        .chain(percents.map(|k| 0.01 * k))
        .chain(percents.map(|k| k / 100.0))
        .chain([0.3, 0.15, 0.35, 0.45, 1.0])
        .collect()
}

/// The same as `boxes_of` in `reference/objects.py`.
fn detections(is_gt: bool, pair: u64) -> Detections {
    let side = if is_gt { "gt" } else { "recon" };
    let stream = Synthetic::new(&format!("objects/{side}"), pair);
    let u = |index: u64| f64::from(stream.uniform(index));
    let kind = pair % 8;
    let empty = (kind == 2 && (is_gt || pair % 16 == 10)) || (kind == 3 && !is_gt);
    let n_boxes = if empty { 0 } else { (u(0) * 40.0) as u64 };
    let n_labels = [6.0, 24.0, 82.0][(pair % 3) as usize];
    let ties = ties();
    let one = |i: u64| {
        let v = |j: u64| u(1 + 6 * i + j);
        let (x0, y0) = (v(2) * 480.0 - 30.0, v(3) * 480.0 - 30.0);
        let scale = if kind == 4 { 12.0 } else { 300.0 * v(4) };
        Detection {
            category: (v(0) * n_labels) as usize,
            score: match kind {
                5 if is_gt || pair % 16 == 5 => 0.0,
                6 | 7 => ties[(v(1) * ties.len() as f64) as usize],
                _ => v(1),
            },
            bbox: bbox(x0, y0, x0 + scale * v(4), y0 + scale * v(5)),
        }
    };
    let mut items: Vec<_> = (0..n_boxes).map(one).collect();
    if !matches!(kind, 1 | 7) {
        items.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    Detections {
        items,
        image_size_px: Some((425.0, if is_gt { 425.0 } else { 320.0 })),
    }
}

pub(crate) fn pairs() -> Vec<(Detections, Detections)> {
    (0..N_PAIRS).map(|pair| (detections(true, pair), detections(false, pair))).collect()
}

/// Compares [a, b, c] of the golden with three outcomes; the reasons must also be equal.
pub(crate) fn assert_close(expected: &Value, found: [&Outcome; 3], tolerance: f64, what: &str) {
    assert_eq!(list(expected).len(), 3, "{what}");
    for (expected, found) in list(expected).iter().zip(found) {
        if let (Some(expected), Ok(found)) = (expected.as_f64(), found) {
            let difference = (expected - found).abs();
            assert!(difference <= tolerance, "{what}: {found} not {expected}");
        } else {
            let reason: Undefined =
                serde_json::from_value(expected.clone()).unwrap_or_else(|_| panic!("{what}: {found:?} not {expected}"));
            assert_eq!(found, &Err(reason), "{what}");
        }
    }
}
