//! Meadow, street and winter mountains.

use super::{WHITE, open_sky};
use crate::canvas::{Brush, mix};
use crate::chance::Chance;

pub(super) fn meadow(brush: &mut Brush, chance: &mut Chance) {
    open_sky(brush, chance, 0.56);
    brush.ellipse((chance.between(0.1, 0.3), 0.66), (0.55, 0.20), [134, 178, 132]);
    brush.ellipse((chance.between(0.7, 0.9), 0.66), (0.50, 0.16), [116, 168, 112]);
    for _ in 0..5 {
        let x = chance.between(0.03, 0.97);
        brush.rect((x - 0.006, 0.53), (x + 0.006, 0.60), 0.0, [106, 78, 54]);
        brush.circle((x, 0.52), chance.between(0.028, 0.042), [72, 126, 74]);
    }
    brush.gradient((0.58, [136, 188, 88]), (1.0, [72, 136, 58]));
    for _ in 0..70 {
        let (x, y) = (chance.share(), chance.between(0.61, 1.0));
        let size = 0.012 + 0.030 * (y - 0.58);
        brush.line(&[(x - size / 2.0, y - size), (x, y), (x + size / 2.0, y - size)], 0.005, [66, 128, 58]);
    }
    for _ in 0..14 {
        let (x, y) = (chance.share(), chance.between(0.64, 0.98));
        let petal = chance.one_of(&[WHITE, [250, 224, 90], [234, 130, 160]]);
        brush.circle((x, y), 0.011, petal.unwrap_or(WHITE));
        brush.circle((x, y), 0.004, [220, 160, 50]);
    }
}

pub(super) fn street(brush: &mut Brush, chance: &mut Chance) {
    brush.gradient((0.0, [150, 194, 230]), (0.6, [226, 234, 240]));
    let walls = [[188, 118, 92], [206, 180, 142], [148, 158, 172], [178, 146, 120], [122, 140, 150]];
    for house in 0..5 {
        let x = f64::from(house) * 0.2;
        let roof = chance.between(0.10, 0.30);
        let wall = chance.one_of(&walls).unwrap_or(walls[0]);
        brush.rect((x, roof), (x + 0.2, 0.64), 0.0, wall);
        brush.rect((x, roof), (x + 0.2, roof + 0.02), 0.0, mix(wall, [30, 30, 36], 0.35));
        let n_floors = ((0.60 - roof) / 0.09) as usize;
        for floor in 0..n_floors {
            for window in 0..3 {
                let left = x + 0.024 + 0.058 * f64::from(window);
                let top = roof + 0.045 + 0.09 * floor as f64;
                let is_lit = chance.happens(0.2);
                let glass = if is_lit {
                    [252, 226, 150]
                } else {
                    [92, 112, 132]
                };
                brush.rect((left, top), (left + 0.036, top + 0.052), 0.0, glass);
            }
        }
    }
    brush.gradient((0.64, [182, 180, 176]), (0.70, [196, 194, 190]));
    brush.rect((0.0, 0.695), (1.0, 0.71), 0.0, [128, 126, 124]);
    brush.gradient((0.71, [98, 100, 106]), (1.0, [72, 74, 80]));
    for dash in 0..5 {
        let x = f64::from(dash) * 0.24 - 0.06;
        brush.polygon(&[(x + 0.02, 0.84), (x + 0.13, 0.84), (x + 0.12, 0.862), (x, 0.862)], [232, 226, 200]);
    }
}

pub(super) fn snow(brush: &mut Brush, chance: &mut Chance) {
    brush.gradient((0.0, [168, 196, 222]), (0.6, [232, 240, 246]));
    for (x, top, rock) in [(0.20, 0.20, [126, 140, 164]), (0.84, 0.26, [136, 150, 172]), (0.52, 0.12, [112, 126, 152])] {
        let x = x + chance.between(-0.06, 0.06);
        let slope = |y: f64| (y - top) * 0.75;
        brush.polygon(&[(x, top), (x + slope(0.62), 0.62), (x - slope(0.62), 0.62)], rock);
        let cap = top + 0.14;
        brush.polygon(
            &[
                (x, top),
                (x + slope(cap), cap),
                (x + 0.05, cap - 0.035),
                (x + 0.01, cap + 0.02),
                (x - 0.045, cap - 0.03),
                (x - slope(cap), cap),
            ],
            WHITE,
        );
    }
    brush.ellipse((0.25, 0.74), (0.60, 0.18), [236, 242, 248]);
    brush.gradient((0.62, [240, 245, 250]), (1.0, [212, 224, 238]));
    for _ in 0..7 {
        let (x, foot) = (chance.share(), chance.between(0.60, 0.70));
        brush.rect((x - 0.008, foot - 0.03), (x + 0.008, foot), 0.0, [96, 72, 56]);
        for tier in 0..3 {
            let y = foot - 0.02 - 0.045 * f64::from(tier);
            let half = 0.055 - 0.013 * f64::from(tier);
            brush.polygon(&[(x, y - 0.08), (x + half, y), (x - half, y)], [58, 102, 86]);
            brush.polygon(&[(x, y - 0.08), (x + 0.4 * half, y - 0.048), (x - 0.4 * half, y - 0.048)], WHITE);
        }
    }
    for _ in 0..60 {
        brush.circle((chance.share(), chance.share()), chance.between(0.004, 0.009), WHITE);
    }
}
