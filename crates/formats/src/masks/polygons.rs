//! Converts polygons to pixels, as in pycocotools.

use neurogauge_core::Mask;
use std::ops::Range;

/// Points along the border are computed at this multiple of the resolution.
const FINER: f64 = 5.0;
/// Corners farther from the image than this are errors, px.
const FARTHEST: f64 = 100_000.0;
/// How far outside the image the border is still traced, in fifths of a pixel; more than one, so that every point in
/// the image has a predecessor.
const BESIDE: i32 = 10;

/// The mask of a polygon: x and y alternate, in pixels, with (0, 0) at the upper left corner of the image.
///
/// Each edge is traced in fifths of a pixel along its longer side. When the trace passes the middle of a column of
/// pixels, inside and outside are swapped from the rounded-up height to the end of the column order. So
/// self-intersecting polygons are hollow where they overlap, and parts outside the image are cut at its edge.
pub(super) fn polygon_mask(corners: &[f64], height_px: u32, width_px: u32) -> Result<Mask, String> {
    if corners.len() < 6 || corners.len() % 2 == 1 {
        return Err(format!("{} numbers; expected x and y of three corners or more", corners.len()));
    }
    let is_near = |value: f64| (-FARTHEST..=FARTHEST).contains(&value);
    if let Some(value) = corners.iter().find(|&&value| !is_near(value)) {
        return Err(format!("a corner at {value}; expected pixels within {FARTHEST} of the image"));
    }
    let Some(n_pixels) = height_px.checked_mul(width_px) else {
        return Err(format!("an image of {width_px} x {height_px} px is too large for masks"));
    };
    let fine = |value: f64| (FINER * value + 0.5) as i32;
    let points: Vec<(i32, i32)> = corners.chunks_exact(2).map(|point| (fine(point[0]), fine(point[1]))).collect();
    let last_column = (FINER * f64::from(width_px)) as i32;
    let mut borders = Vec::new();
    let mut last: Option<(i32, i32)> = None;
    for (place, &from) in points.iter().enumerate() {
        walk(from, points[(place + 1) % points.len()], last_column, |point| {
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

/// The points from one corner to the next that can pass the middle of a column of the image: all points above, within
/// or below it; for a long steep edge, only those where the column changes. Points are rounded as in a trace from left
/// to right (from top to bottom on steep edges), regardless of the edge's direction.
fn walk(from: (i32, i32), to: (i32, i32), last_column: i32, mut visit: impl FnMut((i32, i32))) {
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
    let aside = |from: i32, t: i32| (f64::from(from) + slope * f64::from(t) + 0.5) as i32;
    let point = |t: i32| match is_flat {
        true => (t + start.0, aside(start.1, t)),
        false => (aside(start.0, t), t + start.1),
    };
    // Columns of points in or next to the image; points further away pass the middle of no column.
    let near = -BESIDE..=last_column + BESIDE;
    let is_before = |t: i32, column: i32| match end.0 >= start.0 {
        true => point(t).0 < column,
        false => point(t).0 > column,
    };
    // The first step at which the column is reached; columns change in one direction.
    let reaches = |column: i32, within: Range<i32>| {
        let (mut low, mut high) = (within.start, within.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match is_before(middle, column) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    };
    let (enter, leave, step) = match end.0 >= start.0 {
        true => (*near.start(), *near.end() + 1, 1),
        false => (*near.end(), *near.start() - 1, -1),
    };
    let within = reaches(enter, 0..length + 1)..reaches(leave, 0..length + 1);
    let mut steps: Vec<i32> = Vec::new();
    let is_long = within.len() > 100 * near.clone().count();
    if is_long {
        steps.extend([within.start, within.end - 1]);
        let mut t = within.start;
        while t < within.end {
            let change = reaches(point(t).0 + step, t..within.end);
            steps.extend([change - 1, change].iter().filter(|t| within.contains(t)));
            t = change;
        }
        steps.sort_unstable();
        steps.dedup();
    }
    let n_steps = if is_long { steps.len() } else { within.len() };
    for place in 0..n_steps {
        let place = if is_backwards { n_steps - 1 - place } else { place };
        visit(point(match is_long {
            true => steps[place],
            false => within.start + place as i32,
        }));
    }
}

/// The position in the column order at which two neighbouring points pass the middle of a column.
fn crossing(previous: (i32, i32), point: (i32, i32), height_px: u32, width_px: u32) -> Option<u32> {
    let coarse = |value: i32| (f64::from(value) + 0.5) / FINER - 0.5;
    let x = coarse(if point.0 < previous.0 { point.0 } else { point.0 - 1 });
    if x.floor() != x || x < 0.0 || x > f64::from(width_px) - 1.0 {
        return None;
    }
    let y = coarse(point.1.min(previous.1)).clamp(0.0, f64::from(height_px)).ceil();
    Some(x as u32 * height_px + y as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    /// Every point of every edge, without skipping any.
    fn plain_walk(from: (i32, i32), to: (i32, i32), mut visit: impl FnMut((i32, i32))) {
        let (across, down) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        let is_flat = across >= down;
        let is_backwards = (is_flat && from.0 > to.0) || (!is_flat && from.1 > to.1);
        let (start, end) = if is_backwards { (to, from) } else { (from, to) };
        let (rise, run) = match is_flat {
            true => (end.1 - start.1, across),
            false => (end.0 - start.0, down),
        };
        let slope = f64::from(rise) / f64::from(run);
        for step in 0..=across.max(down) {
            let t = if is_backwards { across.max(down) - step } else { step };
            let aside = |from: i32| (f64::from(from) + slope * f64::from(t) + 0.5) as i32;
            visit(match is_flat {
                true => (t + start.0, aside(start.1)),
                false => (aside(start.0), t + start.1),
            });
        }
    }

    /// The positions at which neighbouring points of a trace pass the middle of a column.
    fn borders(points: &[(i32, i32)], walk: impl Fn((i32, i32), (i32, i32), &mut dyn FnMut((i32, i32)))) -> Vec<u32> {
        let (mut last, mut borders) = (None::<(i32, i32)>, Vec::new());
        for (place, &from) in points.iter().enumerate() {
            walk(from, points[(place + 1) % points.len()], &mut |point| {
                if let Some(previous) = last
                    && previous.0 != point.0
                {
                    borders.extend(crossing(previous, point, 30, 40));
                }
                last = Some(point);
            });
        }
        borders
    }

    #[test]
    fn what_is_left_out_of_a_walk_passes_no_column() {
        let draws = Synthetic::new("polygons", 1);
        for polygon in 0..400_u64 {
            let spread = [60.0, 900.0, 40_000.0][polygon as usize % 3];
            let corner = |place: u64| {
                let draw = |axis: u64| draws.uniform(polygon * 100 + place * 2 + axis);
                let narrow = if polygon % 2 == 0 { 60.0 } else { spread };
                ((draw(0) * 2.0 * narrow - narrow) as i32 + 100, (draw(1) * 2.0 * spread - spread) as i32 + 70)
            };
            let points: Vec<(i32, i32)> = (0..3 + polygon % 5).map(corner).collect();
            let plain = borders(&points, |from, to, visit| plain_walk(from, to, visit));
            let found = borders(&points, |from, to, visit| walk(from, to, 200, visit));
            assert_eq!(found, plain, "{points:?}");
        }
    }

    /// In full, such an edge has half a million points, which would take eight milliseconds.
    #[test]
    fn a_corner_far_away_costs_next_to_nothing() {
        let columns = 200 + 2 * BESIDE + 1;
        for far in [-450_000, 450_000] {
            for edge in [(20, far), (far, 20), (far, -far), (far, far)] {
                let mut n_visited = 0;
                walk((100, 70), edge, 200, |_| n_visited += 1);
                assert!(n_visited <= 100 * columns, "{edge:?}: {n_visited}");
            }
        }
    }
}
