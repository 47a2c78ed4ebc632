//! Vehicles, going to the right.

use super::{GLASS, INK, LIGHT, darker, lighter};
use crate::canvas::{Brush, Rgb};

const RUBBER: Rgb = [48, 48, 54];
const METAL: Rgb = [190, 194, 200];
const LAMP: Rgb = [255, 226, 130];
const TAIL_LAMP: Rgb = [176, 34, 34];

fn wheel(brush: &mut Brush, centre: (f64, f64), radius: f64) {
    brush.circle(centre, radius, RUBBER);
    brush.circle(centre, radius * 0.58, METAL);
    brush.circle(centre, radius * 0.22, RUBBER);
}

pub(super) fn car(brush: &mut Brush, paint: Rgb) {
    let cabin = [(0.15, 0.46), (0.30, 0.0), (0.66, 0.0), (0.84, 0.46)];
    brush.polygon(&cabin, paint);
    brush.polygon(&[(0.22, 0.43), (0.33, 0.08), (0.47, 0.08), (0.47, 0.43)], GLASS);
    brush.polygon(&[(0.51, 0.08), (0.64, 0.08), (0.77, 0.43), (0.51, 0.43)], GLASS);
    brush.polygon(&[(0.36, 0.08), (0.40, 0.08), (0.30, 0.43), (0.26, 0.43)], LIGHT);
    brush.rect((0.0, 0.38), (1.0, 0.82), 0.38, paint);
    brush.rect((0.0, 0.64), (1.0, 0.82), 0.40, darker(paint));
    brush.line(&[(0.49, 0.44), (0.49, 0.74)], 0.025, darker(paint));
    brush.line(&[(0.53, 0.52), (0.58, 0.52)], 0.05, METAL);
    brush.rect((0.925, 0.46), (0.995, 0.60), 0.4, LAMP);
    brush.rect((0.005, 0.46), (0.05, 0.60), 0.4, TAIL_LAMP);
    wheel(brush, (0.22, 0.77), 0.23);
    wheel(brush, (0.78, 0.77), 0.23);
}

pub(super) fn bus(brush: &mut Brush, paint: Rgb) {
    brush.rect((0.0, 0.0), (1.0, 0.88), 0.12, paint);
    brush.rect((0.03, 0.0), (0.97, 0.07), 0.5, lighter(paint));
    for place in 0..5 {
        let x = 0.04 + 0.15 * f64::from(place);
        brush.rect((x, 0.15), (x + 0.125, 0.44), 0.15, GLASS);
        brush.polygon(&[(x + 0.06, 0.16), (x + 0.09, 0.16), (x + 0.05, 0.43), (x + 0.02, 0.43)], LIGHT);
    }
    brush.rect((0.90, 0.15), (1.0, 0.50), 0.15, GLASS);
    brush.rect((0.0, 0.53), (1.0, 0.59), 0.0, LIGHT);
    // The door.
    brush.rect((0.785, 0.15), (0.885, 0.82), 0.1, darker(paint));
    brush.rect((0.80, 0.19), (0.83, 0.78), 0.1, GLASS);
    brush.rect((0.84, 0.19), (0.87, 0.78), 0.1, GLASS);
    brush.rect((0.0, 0.80), (1.0, 0.88), 0.4, darker(paint));
    brush.rect((0.955, 0.66), (1.0, 0.75), 0.4, LAMP);
    brush.rect((0.0, 0.66), (0.025, 0.75), 0.4, TAIL_LAMP);
    wheel(brush, (0.20, 0.86), 0.14);
    wheel(brush, (0.68, 0.86), 0.14);
}

pub(super) fn boat(brush: &mut Brush, paint: Rgb) {
    let mast = [120, 84, 56];
    let sail = [250, 246, 234];
    brush.line(&[(0.48, 0.03), (0.48, 0.74)], 0.025, mast);
    brush.polygon(&[(0.51, 0.06), (0.95, 0.68), (0.51, 0.68)], sail);
    brush.polygon(&[(0.51, 0.06), (0.62, 0.22), (0.51, 0.22)], paint);
    brush.polygon(&[(0.45, 0.14), (0.45, 0.68), (0.08, 0.68)], darker(darker(LIGHT)));
    brush.polygon(&[(0.45, 0.14), (0.45, 0.68), (0.10, 0.68)], [232, 226, 212]);
    brush.polygon(&[(0.49, 0.0), (0.64, 0.03), (0.49, 0.06)], [206, 52, 46]);
    brush.polygon(&[(0.0, 0.73), (1.0, 0.73), (0.86, 1.0), (0.16, 1.0)], paint);
    brush.polygon(&[(0.11, 0.91), (0.906, 0.91), (0.86, 1.0), (0.16, 1.0)], darker(darker(paint)));
    brush.rect((0.02, 0.73), (0.98, 0.77), 0.0, mast);
    for x in [0.30, 0.48, 0.66] {
        brush.circle((x, 0.84), 0.026, GLASS);
    }
}

pub(super) fn airplane(brush: &mut Brush, paint: Rgb) {
    let body = [236, 240, 244];
    let shade = [184, 192, 204];
    // Far wing and tail, body, near wing.
    brush.polygon(&[(0.48, 0.42), (0.62, 0.42), (0.52, 0.12), (0.45, 0.12)], shade);
    brush.polygon(&[(0.02, 0.0), (0.12, 0.0), (0.26, 0.42), (0.06, 0.46)], paint);
    brush.ellipse((0.24, 0.52), (0.24, 0.17), body);
    brush.rect((0.16, 0.35), (0.90, 0.69), 0.5, body);
    brush.ellipse((0.85, 0.53), (0.15, 0.155), body);
    brush.rect((0.06, 0.56), (0.97, 0.62), 0.5, paint);
    brush.polygon(&[(0.0, 0.46), (0.16, 0.46), (0.10, 0.58), (0.0, 0.52)], shade);
    for place in 0..8 {
        let x = 0.30 + 0.065 * f64::from(place);
        brush.rect((x, 0.43), (x + 0.032, 0.52), 0.4, [96, 134, 172]);
    }
    brush.polygon(&[(0.87, 0.41), (0.93, 0.43), (0.96, 0.51), (0.87, 0.51)], [96, 134, 172]);
    brush.polygon(&[(0.44, 0.60), (0.64, 0.60), (0.42, 1.0), (0.33, 1.0)], lighter(shade));
    brush.rect((0.50, 0.74), (0.64, 0.88), 0.5, shade);
    brush.ellipse((0.635, 0.81), (0.014, 0.06), INK);
}
