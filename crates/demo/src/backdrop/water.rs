//! Sea and beach.

use super::{WHITE, open_sky};
use crate::canvas::Brush;
use crate::chance::Chance;

pub(super) fn sea(brush: &mut Brush, chance: &mut Chance) {
    open_sky(brush, chance, 0.46);
    let island = chance.between(0.1, 0.9);
    brush.ellipse((island, 0.47), (0.17, 0.050), [108, 140, 124]);
    brush.ellipse((island + 0.08, 0.47), (0.12, 0.075), [92, 126, 110]);
    water(brush, chance, 0.46, 1.0, 60);
}

pub(super) fn beach(brush: &mut Brush, chance: &mut Chance) {
    open_sky(brush, chance, 0.40);
    water(brush, chance, 0.40, 0.62, 30);
    brush.rect((0.0, 0.60), (1.0, 0.70), 0.0, [240, 244, 240]);
    brush.gradient((0.63, [214, 188, 136]), (1.0, [238, 212, 158]));
    for wave in 0..5 {
        brush.ellipse((f64::from(wave) * 0.25, 0.612), (0.14, 0.025), [240, 244, 240]);
    }
    for _ in 0..120 {
        let (x, y) = (chance.share(), chance.between(0.66, 1.0));
        let grain = chance.one_of(&[[198, 168, 118], [250, 232, 190]]);
        brush.circle((x, y), 0.004, grain.unwrap_or(WHITE));
    }
}

fn water(brush: &mut Brush, chance: &mut Chance, from: f64, to: f64, n_waves: usize) {
    brush.gradient((from, [92, 160, 196]), (to, [28, 92, 148]));
    for _ in 0..n_waves {
        let y = chance.between(from + 0.01, to);
        let size = 0.012 + 0.05 * (y - from);
        let x = chance.share();
        let crest = [(x - 2.0 * size, y), (x - size, y - 0.3 * size), (x, y), (x + size, y - 0.3 * size), (x + 2.0 * size, y)];
        brush.line(&crest, 0.005, [168, 210, 228]);
    }
}
