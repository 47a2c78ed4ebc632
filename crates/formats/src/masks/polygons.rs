//! From polygons to pixels, as pycocotools does it.

use neurogauge_core::Mask;

/// Points along the border are computed at so many times the resolution.
const FINER: f64 = 5.0;
/// Corners farther from the image than this are taken for a fault, px.
const FARTHEST: f64 = 100_000.0;

/// The mask of a polygon: x and y in turn, in pixels, the upper left corner of the image being (0, 0).
///
/// Each edge is walked in fifths of a pixel along its longer side. Where that walk passes the middle of
/// a column of pixels, the rounded-up height changes inside to outside or back, from there to the end
/// of the column order. So polygons that cross themselves are hollow where they overlap, and what
/// lies outside the image is cut at its edge.
pub(super) fn polygon_mask(corners: &[f64], height_px: u32, width_px: u32) -> Result<Mask, String> {
    if corners.len() < 6 || corners.len() % 2 == 1 {
        return Err(format!(
            "{} numbers; expected x and y of three corners or more",
            corners.len()
        ));
    }
    let is_near = |value: f64| (-FARTHEST..=FARTHEST).contains(&value);
    if let Some(value) = corners.iter().find(|&&value| !is_near(value)) {
        return Err(format!(
            "a corner at {value}; expected pixels within {FARTHEST} of the image"
        ));
    }
    let Some(n_pixels) = height_px.checked_mul(width_px) else {
        return Err(format!(
            "an image of {width_px} x {height_px} px is too large for masks"
        ));
    };
    let fine = |value: f64| (FINER * value + 0.5) as i32;
    let points: Vec<(i32, i32)> = corners
        .chunks_exact(2)
        .map(|point| (fine(point[0]), fine(point[1])))
        .collect();
    let mut borders = Vec::new();
    let mut last: Option<(i32, i32)> = None;
    for (place, &from) in points.iter().enumerate() {
        let to = points[(place + 1) % points.len()];
        walk(from, to, |point| {
            if let Some(previous) = last
                && previous.0 != point.0
                && let Some(border) = crossing(previous, point, height_px, width_px)
            {
                borders.push(border);
            }
            last = Some(point);
        });
    }
    borders.sort_unstable();
    let mut runs = Vec::with_capacity(borders.len() + 1);
    let mut position = 0;
    for border in borders.into_iter().chain([n_pixels]) {
        runs.push(border - position);
        position = border;
    }
    Mask::from_runs(height_px, width_px, runs).map_err(|error| error.to_string())
}

/// All points from one corner to the next. Roundings are those of a walk from left to right (from top
/// to bottom on steep edges), whichever way the edge goes.
fn walk(from: (i32, i32), to: (i32, i32), mut visit: impl FnMut((i32, i32))) {
    let (across, down) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
    let is_flat = across >= down;
    let is_backwards = (is_flat && from.0 > to.0) || (!is_flat && from.1 > to.1);
    let (start, end) = if is_backwards { (to, from) } else { (from, to) };
    let length = across.max(down);
    let slope = if is_flat {
        f64::from(end.1 - start.1) / f64::from(across)
    } else {
        f64::from(end.0 - start.0) / f64::from(down)
    };
    for step in 0..=length {
        let t = if is_backwards { length - step } else { step };
        let aside = |from: i32| (f64::from(from) + slope * f64::from(t) + 0.5) as i32;
        visit(if is_flat {
            (t + start.0, aside(start.1))
        } else {
            (aside(start.0), t + start.1)
        });
    }
}

/// The position in the column order where two neighbouring points pass the middle of a column.
fn crossing(previous: (i32, i32), point: (i32, i32), height_px: u32, width_px: u32) -> Option<u32> {
    let coarse = |value: i32| (f64::from(value) + 0.5) / FINER - 0.5;
    let x = coarse(if point.0 < previous.0 {
        point.0
    } else {
        point.0 - 1
    });
    if x.floor() != x || x < 0.0 || x > f64::from(width_px) - 1.0 {
        return None;
    }
    let y = coarse(point.1.min(previous.1));
    let y = y.clamp(0.0, f64::from(height_px)).ceil();
    Some(x as u32 * height_px + y as u32)
}
