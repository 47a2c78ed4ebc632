//! Things to eat and to play with.

use super::{INK, LIGHT, darker, lighter};
use crate::canvas::{Brush, Rgb};

pub(super) fn kite(brush: &mut Brush, cloth: Rgb) {
    let (top, bottom, centre) = ((0.5, 0.0), (0.5, 0.70), (0.5, 0.27));
    let (left, right) = ((0.0, 0.27), (1.0, 0.27));
    // The tail with its bows, then four panels.
    let tail = [bottom, (0.60, 0.78), (0.44, 0.86), (0.56, 0.94), (0.50, 0.99)];
    brush.line(&tail, 0.018, INK);
    for (x, y) in [(0.58, 0.79), (0.46, 0.86), (0.54, 0.94)] {
        brush.polygon(&[(x, y), (x - 0.16, y - 0.03), (x - 0.16, y + 0.03)], lighter(cloth));
        brush.polygon(&[(x, y), (x + 0.16, y - 0.03), (x + 0.16, y + 0.03)], cloth);
    }
    brush.polygon(&[top, left, centre], cloth);
    brush.polygon(&[top, right, centre], lighter(lighter(cloth)));
    brush.polygon(&[bottom, left, centre], lighter(lighter(cloth)));
    brush.polygon(&[bottom, right, centre], cloth);
    brush.line(&[top, bottom], 0.014, darker(cloth));
    brush.line(&[left, right], 0.014, darker(cloth));
    brush.line(&[(0.5, 0.985), (0.5, 1.0)], 0.02, INK);
}

pub(super) fn ball(brush: &mut Brush, skin: Rgb) {
    brush.ellipse((0.5, 0.5), (0.5, 0.5), darker(skin));
    brush.ellipse((0.47, 0.46), (0.44, 0.44), skin);
    // One whole patch, five that go over the edge, and the seams between them.
    let around = [(0.0, -1.0), (0.951, -0.309), (0.588, 0.809), (-0.588, 0.809), (-0.951, -0.309)];
    let patch: Vec<(f64, f64)> = around
        .iter()
        .map(|(x, y)| (0.5 + 0.17 * x, 0.5 + 0.17 * y))
        .collect();
    for (x, y) in around {
        brush.line(&[(0.5, 0.5), (0.5 + 0.34 * x, 0.5 + 0.34 * y)], 0.035, INK);
        brush.ellipse((0.5 + 0.40 * x, 0.5 + 0.40 * y), (0.09, 0.09), INK);
    }
    brush.polygon(&patch, INK);
}

pub(super) fn pizza(brush: &mut Brush, cheese: Rgb) {
    let centre = (0.5, 0.48);
    brush.ellipse((0.5, 0.54), (0.5, 0.46), [206, 200, 192]);
    brush.ellipse((0.5, 0.49), (0.5, 0.49), LIGHT);
    brush.ellipse(centre, (0.45, 0.44), [186, 122, 62]);
    brush.ellipse((0.5, 0.465), (0.45, 0.43), [218, 160, 88]);
    brush.ellipse(centre, (0.385, 0.365), [196, 66, 42]);
    brush.ellipse(centre, (0.36, 0.34), cheese);
    let slices = [(0.36, 0.30), (0.60, 0.24), (0.24, 0.50), (0.46, 0.47), (0.70, 0.42), (0.38, 0.68), (0.60, 0.66), (0.76, 0.60)];
    for (x, y) in slices {
        brush.ellipse((x, y), (0.058, 0.070), [168, 48, 38]);
        brush.ellipse((x, y - 0.01), (0.046, 0.054), [206, 78, 58]);
    }
    for (x, y) in [(0.50, 0.34), (0.32, 0.42), (0.56, 0.56), (0.48, 0.76), (0.66, 0.54)] {
        brush.ellipse((x, y), (0.026, 0.020), [72, 134, 66]);
    }
    // Cut in six.
    let cut = darker(cheese);
    brush.line(&[(0.14, 0.48), (0.86, 0.48)], 0.012, cut);
    brush.line(&[(0.31, 0.17), (0.69, 0.79)], 0.012, cut);
    brush.line(&[(0.69, 0.17), (0.31, 0.79)], 0.012, cut);
}

pub(super) fn donut(brush: &mut Brush, icing: Rgb) {
    let dough = [212, 152, 88];
    brush.ellipse((0.5, 0.56), (0.5, 0.44), darker(dough));
    brush.ellipse((0.5, 0.49), (0.5, 0.49), dough);
    // Icing that runs down at some places.
    brush.ellipse((0.5, 0.43), (0.45, 0.39), icing);
    for (x, y) in [(0.13, 0.52), (0.27, 0.70), (0.46, 0.78), (0.66, 0.74), (0.86, 0.54)] {
        brush.ellipse((x, y), (0.075, 0.10), icing);
    }
    brush.ellipse((0.44, 0.22), (0.22, 0.06), lighter(icing));
    brush.ellipse((0.5, 0.42), (0.155, 0.13), darker(dough));
    brush.ellipse((0.5, 0.45), (0.145, 0.10), [108, 74, 50]);
    let sprinkles = [
        ((0.20, 0.36), [250, 214, 80]),
        ((0.30, 0.56), [96, 182, 214]),
        ((0.34, 0.26), [250, 250, 244]),
        ((0.50, 0.66), [250, 214, 80]),
        ((0.58, 0.16), [120, 196, 110]),
        ((0.68, 0.60), [250, 250, 244]),
        ((0.72, 0.30), [250, 214, 80]),
        ((0.80, 0.46), [96, 182, 214]),
        ((0.18, 0.48), [120, 196, 110]),
    ];
    for (place, ((x, y), rgb)) in sprinkles.into_iter().enumerate() {
        let tilt = if place % 2 == 0 { 0.05 } else { -0.05 };
        brush.line(&[(x - 0.025, y - tilt), (x + 0.025, y + tilt)], 0.05, rgb);
    }
}
