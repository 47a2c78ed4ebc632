//! Backgrounds. Random layouts depend on the stem, so scenes differ.

#[rustfmt::skip] // A line for each stroke.
mod indoors;
#[rustfmt::skip] // A line for each stroke.
mod land;
#[rustfmt::skip] // A line for each stroke.
mod water;

use super::canvas::{Brush, Canvas, Rgb};
use super::chance::Chance;
use super::scene::Background;
use neurogauge::core::Seed;

const WHITE: Rgb = [255, 255, 255];
const SKY: Rgb = [112, 176, 228];
const HAZE: Rgb = [212, 232, 244];

/// Fills the canvas.
pub(super) fn draw(canvas: &mut Canvas, background: Background, stem: &str) {
    let bounds = canvas.bounds();
    let mut brush = Brush::new(canvas, bounds, false);
    let mut chance = Chance::new(Seed(0), &format!("backdrop of {stem}"));
    match background {
        Background::Meadow => land::meadow(&mut brush, &mut chance),
        Background::Street => land::street(&mut brush, &mut chance),
        Background::Sea => water::sea(&mut brush, &mut chance),
        Background::Room => indoors::room(&mut brush, &mut chance),
        Background::Snow => land::snow(&mut brush, &mut chance),
        Background::Beach => water::beach(&mut brush, &mut chance),
        Background::Table => indoors::table(&mut brush, &mut chance),
        Background::Sky => sky(&mut brush, &mut chance),
    }
}

fn cloud(brush: &mut Brush, (x, y): (f64, f64), size: f64) {
    for (dx, dy, radius) in [(-1.1, 0.1, 0.7), (-0.3, -0.3, 1.0), (0.6, -0.1, 0.85), (1.3, 0.2, 0.6)] {
        brush.circle((x + dx * size, y + dy * size), radius * size, WHITE);
    }
    brush.rect((x - 1.7 * size, y + 0.1 * size), (x + 1.8 * size, y + 0.75 * size), 0.5, WHITE);
}

fn open_sky(brush: &mut Brush, chance: &mut Chance, horizon: f64) {
    brush.gradient((0.0, SKY), (horizon, HAZE));
    let sun = chance.between(0.12, 0.88);
    brush.circle((sun, 0.13), 0.075, [255, 240, 180]);
    brush.circle((sun, 0.13), 0.055, [255, 222, 110]);
    for third in 0..2 {
        let x = f64::from(third) * 0.5 + chance.between(0.12, 0.40);
        cloud(brush, (x, chance.between(0.10, 0.28)), chance.between(0.028, 0.045));
    }
}

fn sky(brush: &mut Brush, chance: &mut Chance) {
    brush.gradient((0.0, [74, 144, 212]), (1.0, [196, 224, 242]));
    for row in 0..5 {
        let y = 0.12 + 0.19 * f64::from(row);
        for half in 0..2 {
            let x = 0.5 * f64::from(half) + chance.between(0.0, 0.5);
            let size = chance.between(0.025, 0.035) + 0.006 * f64::from(row);
            cloud(brush, (x, y + chance.between(-0.05, 0.05)), size);
        }
    }
}
