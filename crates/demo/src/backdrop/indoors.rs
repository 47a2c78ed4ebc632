//! A room and a table.

use super::WHITE;
use crate::canvas::{Brush, mix};
use crate::chance::Chance;

pub(super) fn room(brush: &mut Brush, chance: &mut Chance) {
    let walls = [[232, 214, 184], [200, 216, 206], [216, 204, 220]];
    let wall = chance.one_of(&walls).unwrap_or(walls[0]);
    brush.gradient((0.0, wall), (0.70, mix(wall, [90, 80, 80], 0.12)));
    // A window with a view.
    let x = if chance.happens(0.5) { 0.06 } else { 0.62 };
    brush.rect((x, 0.10), (x + 0.32, 0.48), 0.0, WHITE);
    brush.rect((x + 0.02, 0.12), (x + 0.30, 0.46), 0.0, [160, 206, 236]);
    let hill = [(0.02, 0.41), (0.06, 0.385), (0.11, 0.385), (0.17, 0.42), (0.23, 0.42), (0.30, 0.40)];
    let hill = hill.map(|(right, y)| (x + right, y)).into_iter();
    let hill: Vec<_> = hill.chain([(x + 0.30, 0.46), (x + 0.02, 0.46)]).collect();
    brush.polygon(&hill, [124, 176, 108]);
    brush.rect((x + 0.15, 0.10), (x + 0.17, 0.48), 0.0, WHITE);
    brush.rect((x, 0.28), (x + 0.32, 0.30), 0.0, WHITE);
    brush.rect((x - 0.02, 0.47), (x + 0.34, 0.495), 0.3, [238, 234, 226]);
    // Skirting, boards, a rug.
    brush.rect((0.0, 0.68), (1.0, 0.71), 0.0, [246, 242, 234]);
    brush.gradient((0.71, [168, 122, 80]), (1.0, [190, 142, 96]));
    for board in 0..4 {
        let y = [0.755, 0.81, 0.875, 0.945][board];
        brush.rect((0.0, y), (1.0, y + 0.005), 0.0, [140, 98, 62]);
        for _ in 0..3 {
            let joint = chance.share();
            let above = [0.71, 0.755, 0.81, 0.875][board];
            brush.rect((joint, above), (joint + 0.004, y), 0.0, [140, 98, 62]);
        }
    }
    brush.ellipse((0.5, 0.885), (0.44, 0.085), [158, 74, 70]);
    brush.ellipse((0.5, 0.883), (0.40, 0.070), [214, 184, 150]);
    brush.ellipse((0.5, 0.882), (0.36, 0.058), [172, 90, 82]);
}

pub(super) fn table(brush: &mut Brush, chance: &mut Chance) {
    // Tiles behind, then the planks of the table top.
    brush.gradient((0.0, [206, 220, 216]), (0.44, [188, 206, 204]));
    for row in 0..5 {
        let y = 0.09 * f64::from(row);
        brush.rect((0.0, y), (1.0, y + 0.006), 0.0, [226, 234, 230]);
        for column in 0..7 {
            let x = 0.16 * f64::from(column) - if row % 2 == 0 { 0.0 } else { 0.08 };
            brush.rect((x, y), (x + 0.006, y + 0.09), 0.0, [226, 234, 230]);
        }
    }
    let wood = [176, 122, 74];
    for (plank, ends) in [0.44, 0.54, 0.67, 0.82, 1.0].windows(2).enumerate() {
        let shade = mix(
            wood,
            [120, 76, 44],
            0.12 * (plank % 2) as f64 + chance.between(0.0, 0.2),
        );
        brush.rect((0.0, ends[0]), (1.0, ends[1]), 0.0, shade);
        brush.rect((0.0, ends[0]), (1.0, ends[0] + 0.006), 0.0, [110, 70, 42]);
        for _ in 0..6 {
            let (x, y) = (chance.share(), chance.between(ends[0] + 0.02, ends[1]));
            let grain = [(x, y), (x + 0.10, y - 0.006), (x + 0.22, y)];
            brush.line(&grain, 0.004, mix(shade, [96, 60, 36], 0.4));
        }
    }
}
