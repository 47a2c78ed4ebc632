//! People and animals, looking to the right.

use super::{INK, LIGHT, darker, lighter};
use crate::canvas::{Brush, Rgb};

const SKIN: Rgb = [206, 152, 116];
const HAIR: Rgb = [74, 50, 38];
const TROUSERS: Rgb = [62, 72, 104];

pub(super) fn person(brush: &mut Brush, shirt: Rgb) {
    // Legs and shoes.
    brush.polygon(&[(0.26, 0.56), (0.50, 0.56), (0.47, 0.97), (0.27, 0.97)], TROUSERS);
    brush.polygon(&[(0.50, 0.56), (0.74, 0.56), (0.73, 0.97), (0.53, 0.97)], darker(TROUSERS));
    brush.rect((0.20, 0.955), (0.48, 1.0), 0.5, INK);
    brush.rect((0.53, 0.955), (0.82, 1.0), 0.5, INK);
    // Arms with hands, neck, shirt.
    brush.line(&[(0.24, 0.27), (0.10, 0.42), (0.09, 0.53)], 0.065, darker(shirt));
    brush.line(&[(0.76, 0.27), (0.90, 0.42), (0.91, 0.53)], 0.065, darker(shirt));
    brush.circle((0.09, 0.56), 0.034, SKIN);
    brush.circle((0.91, 0.56), 0.034, SKIN);
    brush.rect((0.42, 0.16), (0.58, 0.25), 0.0, darker(SKIN));
    brush.rect((0.20, 0.21), (0.80, 0.60), 0.24, shirt);
    // Head: hair behind, face in front.
    brush.ellipse((0.50, 0.088), (0.235, 0.088), HAIR);
    brush.ellipse((0.51, 0.105), (0.20, 0.085), SKIN);
    brush.ellipse((0.48, 0.045), (0.21, 0.042), HAIR);
    brush.circle((0.45, 0.105), 0.010, INK);
    brush.circle((0.60, 0.105), 0.010, INK);
    brush.line(&[(0.47, 0.150), (0.53, 0.158), (0.59, 0.150)], 0.010, darker(SKIN));
}

pub(super) fn dog(brush: &mut Brush, coat: Rgb) {
    let shadow = darker(coat);
    brush.line(&[(0.14, 0.44), (0.06, 0.28), (0.035, 0.045)], 0.09, coat);
    brush.rect((0.24, 0.60), (0.32, 1.0), 0.3, shadow);
    brush.rect((0.62, 0.60), (0.70, 1.0), 0.3, shadow);
    brush.rect((0.12, 0.36), (0.74, 0.74), 0.45, coat);
    brush.rect((0.13, 0.55), (0.22, 1.0), 0.3, coat);
    brush.rect((0.52, 0.55), (0.61, 1.0), 0.3, coat);
    // Neck, head, muzzle.
    brush.polygon(&[(0.54, 0.44), (0.66, 0.16), (0.82, 0.36), (0.72, 0.62)], coat);
    brush.ellipse((0.75, 0.24), (0.135, 0.18), coat);
    brush.rect((0.74, 0.22), (1.0, 0.41), 0.45, lighter(coat));
    brush.ellipse((0.965, 0.265), (0.035, 0.045), INK);
    brush.line(&[(0.84, 0.36), (0.95, 0.35)], 0.018, INK);
    // A collar, a hanging ear, an eye.
    brush.line(&[(0.60, 0.37), (0.73, 0.52)], 0.06, [196, 48, 44]);
    brush.ellipse((0.655, 0.25), (0.055, 0.17), shadow);
    brush.circle((0.80, 0.19), 0.032, LIGHT);
    brush.circle((0.805, 0.19), 0.022, INK);
}

pub(super) fn cat(brush: &mut Brush, coat: Rgb) {
    let shadow = darker(coat);
    let pink = [226, 142, 146];
    brush.line(&[(0.60, 0.94), (0.88, 0.92), (0.945, 0.76), (0.86, 0.60)], 0.10, shadow);
    brush.ellipse((0.42, 0.76), (0.36, 0.27), coat);
    brush.rect((0.0, 0.82), (0.78, 1.0), 0.5, coat);
    brush.ellipse((0.42, 0.63), (0.15, 0.12), lighter(coat));
    brush.rect((0.26, 0.72), (0.39, 1.0), 0.5, coat);
    brush.rect((0.45, 0.72), (0.58, 1.0), 0.5, coat);
    brush.line(&[(0.42, 0.78), (0.42, 0.97)], 0.016, shadow);
    // Ears, head, stripes.
    brush.polygon(&[(0.10, 0.0), (0.10, 0.30), (0.40, 0.13)], coat);
    brush.polygon(&[(0.74, 0.0), (0.74, 0.30), (0.44, 0.13)], coat);
    brush.polygon(&[(0.15, 0.08), (0.15, 0.22), (0.29, 0.14)], pink);
    brush.polygon(&[(0.69, 0.08), (0.69, 0.22), (0.55, 0.14)], pink);
    brush.ellipse((0.42, 0.33), (0.35, 0.24), coat);
    brush.line(&[(0.42, 0.11), (0.42, 0.19)], 0.03, shadow);
    brush.line(&[(0.33, 0.13), (0.34, 0.19)], 0.03, shadow);
    brush.line(&[(0.51, 0.13), (0.50, 0.19)], 0.03, shadow);
    // Face.
    for (x, side) in [(0.28, -1.0), (0.56, 1.0)] {
        brush.ellipse((x, 0.31), (0.065, 0.055), [196, 214, 92]);
        brush.ellipse((x, 0.31), (0.025, 0.05), INK);
        for height in [0.40, 0.44] {
            let end = 0.42 + side * 0.41;
            brush.line(&[(0.42 + side * 0.12, 0.41), (end, height)], 0.010, lighter(coat));
        }
    }
    brush.ellipse((0.42, 0.43), (0.13, 0.075), lighter(coat));
    brush.polygon(&[(0.37, 0.38), (0.47, 0.38), (0.42, 0.43)], pink);
    brush.line(&[(0.34, 0.45), (0.38, 0.475), (0.42, 0.45), (0.46, 0.475), (0.50, 0.45)], 0.012, INK);
}

pub(super) fn sheep(brush: &mut Brush, wool: Rgb) {
    let shade = [216, 212, 204];
    let skin = [70, 62, 62];
    for x in [0.24, 0.36, 0.56, 0.68] {
        brush.rect((x, 0.68), (x + 0.075, 1.0), 0.2, skin);
    }
    // A fleece of tufts, the lower ones in the shade.
    brush.ellipse((0.43, 0.54), (0.36, 0.30), shade);
    for (x, y) in [(0.16, 0.60), (0.30, 0.70), (0.46, 0.73), (0.62, 0.70), (0.72, 0.58)] {
        brush.circle((x, y), 0.15, shade);
    }
    let tufts = [(0.11, 0.42), (0.20, 0.24), (0.36, 0.15), (0.54, 0.16), (0.69, 0.27)];
    for (x, y) in tufts {
        brush.circle((x, y), 0.15, wool);
    }
    brush.ellipse((0.43, 0.43), (0.34, 0.27), wool);
    brush.line(&[(0.30, 0.44), (0.35, 0.48), (0.40, 0.44)], 0.02, shade);
    brush.line(&[(0.46, 0.34), (0.51, 0.38), (0.56, 0.34)], 0.02, shade);
    brush.line(&[(0.18, 0.36), (0.23, 0.40), (0.28, 0.36)], 0.02, shade);
    // Head, ear, eye, fringe.
    brush.ellipse((0.86, 0.40), (0.10, 0.19), skin);
    brush.ellipse((0.92, 0.50), (0.08, 0.11), skin);
    brush.ellipse((0.75, 0.36), (0.085, 0.06), skin);
    brush.circle((0.88, 0.36), 0.035, LIGHT);
    brush.circle((0.885, 0.36), 0.022, INK);
    brush.circle((0.80, 0.22), 0.09, wool);
    brush.circle((0.88, 0.21), 0.08, wool);
    // To the edges of the box.
    brush.ellipse((0.40, 0.12), (0.14, 0.12), wool);
    brush.ellipse((0.07, 0.46), (0.07, 0.11), wool);
}

pub(super) fn elephant(brush: &mut Brush, hide: Rgb) {
    let shadow = darker(hide);
    brush.line(&[(0.07, 0.36), (0.012, 0.52), (0.025, 0.66)], 0.035, shadow);
    brush.rect((0.25, 0.60), (0.37, 0.97), 0.15, shadow);
    brush.rect((0.53, 0.60), (0.65, 0.97), 0.15, shadow);
    brush.ellipse((0.38, 0.42), (0.35, 0.37), hide);
    brush.rect((0.09, 0.52), (0.23, 1.0), 0.15, hide);
    brush.rect((0.43, 0.52), (0.57, 1.0), 0.15, hide);
    for x in [0.11, 0.155, 0.20, 0.45, 0.495, 0.54] {
        brush.ellipse((x, 0.985), (0.018, 0.022), LIGHT);
    }
    // Head and trunk, the tusk in front, the ear over all.
    brush.ellipse((0.78, 0.28), (0.16, 0.24), hide);
    brush.line(&[(0.89, 0.34), (0.935, 0.55), (0.92, 0.78)], 0.12, hide);
    brush.line(&[(0.92, 0.78), (0.955, 0.86)], 0.09, hide);
    for y in [0.48, 0.56, 0.64, 0.72] {
        brush.line(&[(0.905, y), (0.965, y)], 0.012, shadow);
    }
    brush.line(&[(0.83, 0.46), (0.87, 0.60), (0.93, 0.64)], 0.045, LIGHT);
    brush.ellipse((0.64, 0.30), (0.13, 0.25), shadow);
    brush.ellipse((0.635, 0.29), (0.105, 0.21), lighter(hide));
    brush.circle((0.83, 0.24), 0.026, INK);
    // To the edges of the box.
    brush.ellipse((0.74, 0.06), (0.08, 0.06), hide);
    brush.line(&[(0.955, 0.86), (0.965, 0.86)], 0.085, hide);
}
