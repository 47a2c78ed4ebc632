//! Union, intersection and overlap of run lengths: no mask is unpacked into pixels.

use crate::MetricError;
use neurogauge_core::Mask;

/// The pixels that are inside at least one of the masks; `None` without masks.
///
/// **Errors.** masks of different sizes.
///
/// **Reference.** `pycocotools.mask.merge` (2.0.11), the same runs.
///
/// ```
/// use neurogauge_core::Mask;
/// use neurogauge_metrics::masks::union;
/// let mask = |runs: &[u32]| Mask::from_runs(2, 3, runs.to_vec()).unwrap();
/// let both = union([&mask(&[0, 1, 5]), &mask(&[1, 2, 3])]).unwrap().unwrap();
/// assert_eq!(both.runs(), [0, 3, 3]);
/// ```
pub fn union<'a>(masks: impl IntoIterator<Item = &'a Mask>) -> Result<Option<Mask>, MetricError> {
    combined(masks, |a, b| a || b)
}

/// The pixels that are inside all of the masks; `None` without masks.
///
/// **Errors.** masks of different sizes.
///
/// **Reference.** `pycocotools.mask.merge(..., intersect=True)` (2.0.11), the same runs.
pub fn intersection<'a>(masks: impl IntoIterator<Item = &'a Mask>) -> Result<Option<Mask>, MetricError> {
    combined(masks, |a, b| a && b)
}

/// The pixels that are inside the first mask and outside the second.
///
/// **Errors.** masks of different sizes.
pub fn without(a: &Mask, b: &Mask) -> Result<Mask, MetricError> {
    check_same_size(a, b)?;
    let runs = two_combined(a.runs(), b.runs(), |a, b| a && !b);
    Ok(Mask::from_runs(a.height_px(), a.width_px(), runs)?)
}

fn combined<'a>(
    masks: impl IntoIterator<Item = &'a Mask>,
    inside: fn(bool, bool) -> bool,
) -> Result<Option<Mask>, MetricError> {
    let mut masks = masks.into_iter();
    let Some(first) = masks.next() else {
        return Ok(None);
    };
    let mut all = first.clone();
    for mask in masks {
        check_same_size(&all, mask)?;
        let runs = two_combined(all.runs(), mask.runs(), inside);
        all = Mask::from_runs(all.height_px(), all.width_px(), runs)?;
    }
    Ok(Some(all))
}

/// Combines runs with equal totals by walking along both from border to border.
fn two_combined(a: &[u32], b: &[u32], inside: fn(bool, bool) -> bool) -> Vec<u32> {
    let mut runs = Vec::with_capacity(a.len() + b.len());
    let (mut a_at, mut b_at) = (0, 0);
    let (mut a_left, mut b_left) = (a[0], b[0]);
    let (mut length, mut was_inside) = (0, false);
    loop {
        let now_inside = inside(a_at % 2 == 1, b_at % 2 == 1);
        let step = a_left.min(b_left);
        if step > 0 && now_inside != was_inside {
            runs.push(length);
            length = 0;
            was_inside = now_inside;
        }
        length += step;
        a_left -= step;
        b_left -= step;
        if a_left == 0 {
            a_at += 1;
            match a.get(a_at) {
                Some(&run) => a_left = run,
                // Both end at the same position.
                None => break,
            }
        }
        if b_left == 0 {
            b_at += 1;
            match b.get(b_at) {
                Some(&run) => b_left = run,
                None => break,
            }
        }
    }
    runs.push(length);
    runs
}

/// Number of pixels inside both masks.
///
/// **Errors.** masks of different sizes.
pub fn intersection_px2(a: &Mask, b: &Mask) -> Result<u64, MetricError> {
    check_same_size(a, b)?;
    Ok(shared_px2(a.runs(), b.runs()))
}

/// Walks along the intervals of inside pixels.
fn shared_px2(a: &[u32], b: &[u32]) -> u64 {
    let next = |runs: &[u32], at: &mut usize, end: &mut u32| -> Option<u32> {
        let start = *end + runs.get(*at)?;
        *end = start + runs.get(*at + 1)?;
        *at += 2;
        Some(start)
    };
    let (mut a_at, mut b_at, mut a_end, mut b_end) = (0, 0, 0, 0);
    let (Some(mut a_start), Some(mut b_start)) = (next(a, &mut a_at, &mut a_end), next(b, &mut b_at, &mut b_end))
    else {
        return 0;
    };
    let mut shared = 0;
    loop {
        let (start, end) = (a_start.max(b_start), a_end.min(b_end));
        shared += u64::from(end.saturating_sub(start));
        let following = if a_end <= b_end {
            next(a, &mut a_at, &mut a_end).map(|start| a_start = start)
        } else {
            next(b, &mut b_at, &mut b_end).map(|start| b_start = start)
        };
        if following.is_none() {
            return shared;
        }
    }
}

/// The number of pixels inside both, divided by the number inside either: |A ∩ B| / |A ∪ B|.
///
/// **Shapes.** Two masks of the same image size.
///
/// **Range.** 0 to 1, higher is better; 0 if both are empty, as in pycocotools.
///
/// **Errors.** masks of different sizes.
///
/// **Reference.** `pycocotools.mask.iou` (2.0.11), the same bits.
///
/// ```
/// use neurogauge_core::Mask;
/// use neurogauge_metrics::masks::intersection_over_union;
/// let mask = |runs: &[u32]| Mask::from_runs(2, 3, runs.to_vec()).unwrap();
/// assert_eq!(intersection_over_union(&mask(&[0, 2, 4]), &mask(&[1, 2, 3])).unwrap(), 1.0 / 3.0);
/// ```
pub fn intersection_over_union(a: &Mask, b: &Mask) -> Result<f64, MetricError> {
    Ok(overlaps(&[a], &[b], |_| false)?[0])
}

/// The overlap of each predicted mask with each reference mask, row by row: `predicted.len()` rows of `reference.len()`
/// values. For a reference that is a crowd, the denominator is the area of the predicted mask instead of that of the
/// union.
///
/// **Errors.** masks of different sizes.
///
/// **Reference.** `pycocotools.mask.iou` with `iscrowd` (2.0.11), the same bits.
pub fn overlaps(
    predicted: &[&Mask],
    reference: &[&Mask],
    is_crowd: impl Fn(usize) -> bool,
) -> Result<Vec<f64>, MetricError> {
    let measured = |masks: &[&Mask]| -> Vec<(u64, Option<[u32; 4]>)> {
        masks.iter().map(|mask| (mask.area_px2(), mask.bounds_px())).collect()
    };
    let (of_predicted, of_reference) = (measured(predicted), measured(reference));
    let mut values = Vec::with_capacity(predicted.len() * reference.len());
    for (mask, (area, bounds)) in predicted.iter().zip(&of_predicted) {
        for (place, (other, (other_area, other_bounds))) in reference.iter().zip(&of_reference).enumerate() {
            check_same_size(mask, other)?;
            let shared = match (bounds, other_bounds) {
                (Some(a), Some(b)) if touch(a, b) => shared_px2(mask.runs(), other.runs()),
                _ => 0,
            };
            let whole = if is_crowd(place) {
                *area
            } else {
                area + other_area - shared
            };
            values.push(if shared == 0 { 0.0 } else { shared as f64 / whole as f64 });
        }
    }
    Ok(values)
}

fn touch(a: &[u32; 4], b: &[u32; 4]) -> bool {
    let along = |axis: usize| a[axis] < b[axis] + b[axis + 2] && b[axis] < a[axis] + a[axis + 2];
    along(0) && along(1)
}

/// Fails unless both masks have the same image size.
fn check_same_size(a: &Mask, b: &Mask) -> Result<(), MetricError> {
    if a.size_px() == b.size_px() {
        return Ok(());
    }
    let (first, second) = (a.size_px(), b.size_px());
    Err(MetricError::Data(format!(
        "one mask is of an image of {} x {} px and another of one of {} x {} px; masks that are compared must be of one \
         size",
        first.0, first.1, second.0, second.1
    )))
}
