//! Furniture and things of the house, and the umbrella.

use super::{INK, LIGHT, darker, lighter};
use crate::canvas::{Brush, Rgb};

const WOOD: Rgb = [112, 74, 48];

pub(super) fn umbrella(brush: &mut Brush, cloth: Rgb) {
    brush.line(&[(0.5, 0.02), (0.5, 0.98)], 0.035, [226, 218, 200]);
    brush.rect((0.44, 0.97), (0.56, 1.0), 0.3, WOOD);
    // Canopy: an ellipse cut by its scalloped hem; panels get narrower towards the sides.
    let hem = 0.44;
    let panels = [0.0, 0.16, 0.385, 0.615, 0.84, 1.0];
    for (place, ends) in panels.windows(2).enumerate() {
        let rgb = if place % 2 == 0 { cloth } else { LIGHT };
        brush.polygon(&panel(ends[0], ends[1], hem), rgb);
    }
    brush.rect((0.48, 0.0), (0.52, 0.06), 0.5, WOOD);
}

/// A panel of the canopy between two points of the hem, as a polygon that ends at the top.
fn panel(left: f64, right: f64, hem: f64) -> Vec<(f64, f64)> {
    const STEPS: usize = 16;
    const TOP: f64 = 0.03;
    // The rib above a point of the hem: a quarter of an ellipse.
    let rib = |foot: f64, step: usize| {
        let down = step as f64 / STEPS as f64;
        let out = (1.0 - (1.0 - down) * (1.0 - down)).sqrt();
        (0.5 + (foot - 0.5) * out, TOP + (hem - TOP) * down)
    };
    let scallop = |step: usize| {
        let share = step as f64 / STEPS as f64;
        let sag = 4.0 * share * (1.0 - share);
        (left + (right - left) * share, hem - 0.05 * sag)
    };
    let down = (0..=STEPS).map(|step| rib(left, step));
    let along = (1..STEPS).map(scallop);
    let up = (0..=STEPS).rev().map(|step| rib(right, step));
    down.chain(along).chain(up).collect()
}

pub(super) fn chair(brush: &mut Brush, seat: Rgb) {
    let frame = darker(seat);
    for x in [0.14, 0.80] {
        brush.rect((x, 0.56), (x + 0.07, 0.93), 0.2, darker(frame));
    }
    brush.rect((0.06, 0.0), (0.16, 0.60), 0.4, frame);
    brush.rect((0.84, 0.0), (0.94, 0.60), 0.4, frame);
    brush.rect((0.10, 0.03), (0.90, 0.14), 0.3, seat);
    brush.rect((0.10, 0.20), (0.90, 0.28), 0.3, seat);
    brush.rect((0.10, 0.34), (0.90, 0.42), 0.3, seat);
    brush.polygon(&[(0.08, 0.50), (0.92, 0.50), (1.0, 0.60), (0.0, 0.60)], lighter(seat));
    brush.rect((0.0, 0.595), (1.0, 0.655), 0.3, seat);
    brush.rect((0.02, 0.63), (0.12, 1.0), 0.2, frame);
    brush.rect((0.88, 0.63), (0.98, 1.0), 0.2, frame);
    brush.rect((0.08, 0.78), (0.92, 0.82), 0.3, frame);
}

pub(super) fn couch(brush: &mut Brush, cloth: Rgb) {
    let (shadow, shine) = (darker(cloth), lighter(cloth));
    for x in [0.06, 0.86] {
        brush.rect((x, 0.86), (x + 0.08, 1.0), 0.2, WOOD);
    }
    brush.rect((0.07, 0.0), (0.93, 0.70), 0.22, cloth);
    brush.rect((0.12, 0.06), (0.49, 0.58), 0.2, shine);
    brush.rect((0.51, 0.06), (0.88, 0.58), 0.2, shine);
    brush.rect((0.06, 0.62), (0.94, 0.92), 0.2, shadow);
    brush.rect((0.12, 0.48), (0.495, 0.70), 0.4, cloth);
    brush.rect((0.505, 0.48), (0.88, 0.70), 0.4, cloth);
    brush.rect((0.0, 0.34), (0.15, 0.92), 0.45, cloth);
    brush.rect((0.85, 0.34), (1.0, 0.92), 0.45, cloth);
    brush.rect((0.025, 0.38), (0.125, 0.52), 0.5, shine);
    brush.rect((0.875, 0.38), (0.975, 0.52), 0.5, shine);
    brush.polygon(&[(0.17, 0.22), (0.32, 0.26), (0.30, 0.52), (0.16, 0.48)], [240, 196, 84]);
}

pub(super) fn clock(brush: &mut Brush, rim: Rgb) {
    let centre = (0.5, 0.5);
    brush.ellipse(centre, (0.5, 0.5), rim);
    brush.ellipse(centre, (0.43, 0.43), LIGHT);
    // The twelve hours, by the sine and cosine of multiples of 30 degrees.
    let half_root3 = 3.0_f64.sqrt() / 2.0;
    for (x, y) in [(0.0, 1.0), (0.5, half_root3), (half_root3, 0.5)] {
        for (x, y) in [(x, y), (y, -x), (-x, -y), (-y, x)] {
            let at = |radius: f64| (0.5 + radius * x, 0.5 - radius * y);
            brush.line(&[at(0.34), at(0.385)], 0.03, INK);
        }
    }
    // Ten past ten.
    brush.line(&[centre, (0.5 - 0.21 * half_root3, 0.5 - 0.13)], 0.055, INK);
    brush.line(&[centre, (0.5 + 0.31 * half_root3, 0.5 - 0.155)], 0.04, INK);
    brush.circle(centre, 0.045, [196, 52, 46]);
}

pub(super) fn vase(brush: &mut Brush, glaze: Rgb) {
    let (stem, leaf) = ([74, 128, 70], [88, 156, 84]);
    brush.line(&[(0.50, 0.52), (0.50, 0.14)], 0.02, stem);
    brush.line(&[(0.48, 0.52), (0.18, 0.22)], 0.02, stem);
    brush.line(&[(0.52, 0.52), (0.82, 0.24)], 0.02, stem);
    brush.ellipse((0.34, 0.42), (0.14, 0.035), leaf);
    brush.ellipse((0.67, 0.40), (0.14, 0.035), leaf);
    flower(brush, (0.50, 0.105), [228, 84, 92]);
    flower(brush, (0.185, 0.22), [244, 190, 66]);
    flower(brush, (0.815, 0.23), [238, 140, 176]);
    // A round body with a foot and a neck.
    brush.polygon(&[(0.36, 0.48), (0.64, 0.48), (0.60, 0.60), (0.40, 0.60)], glaze);
    brush.ellipse((0.50, 0.76), (0.34, 0.20), glaze);
    brush.polygon(&[(0.34, 0.90), (0.66, 0.90), (0.70, 1.0), (0.30, 1.0)], darker(glaze));
    brush.rect((0.30, 0.46), (0.70, 0.50), 0.5, darker(glaze));
    brush.ellipse((0.38, 0.71), (0.05, 0.09), lighter(lighter(glaze)));
    brush.line(&[(0.17, 0.80), (0.50, 0.835), (0.83, 0.80)], 0.022, darker(glaze));
}

/// Five petals (cosines and sines of multiples of 72 degrees) around a yellow heart.
fn flower(brush: &mut Brush, (x, y): (f64, f64), petal: Rgb) {
    let around = [(0.0, -1.0), (0.951, -0.309), (0.588, 0.809), (-0.588, 0.809), (-0.951, -0.309)];
    for (dx, dy) in around {
        brush.circle((x + 0.098 * dx, y + 0.056 * dy), 0.046, petal);
    }
    brush.circle((x, y), 0.032, [250, 222, 110]);
}
