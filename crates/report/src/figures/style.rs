//! Colours and sizes that all figures share.

use super::font::{self, Weight};
use super::scene::{Anchor, Paint, Scene, Words, Xy};

pub(super) const INK: Paint = Paint::new(34, 34, 34);
pub(super) const QUIET: Paint = Paint::new(110, 110, 110);
pub(super) const AXIS: Paint = Paint::new(140, 140, 140);
pub(super) const GRID: Paint = Paint::new(232, 232, 232);
pub(super) const STRIPE: Paint = Paint::new(246, 246, 246);
pub(super) const NOTHING: Paint = Paint::new(222, 222, 222);
/// The colour of outlines around groups.
pub(super) const OUTLINE: Paint = Paint::new(0, 130, 60);
pub(super) const WHITE: Paint = Paint::new(255, 255, 255);

pub(super) const MARGIN: f64 = 14.0;
pub(super) const GAP: f64 = 6.0;
pub(super) const TITLE: f64 = 15.0;
pub(super) const LABEL: f64 = 12.0;
pub(super) const TICK: f64 = 10.5;
/// Height of a line of text, as a share of the font size.
pub(super) const LEADING: f64 = 1.35;

/// The colours of Okabe and Ito, which colour-blind readers can distinguish, without yellow, which is too faint on
/// white; then a grey and a brown.
const SERIES: [Paint; 8] = [
    Paint::new(0, 114, 178),
    Paint::new(213, 94, 0),
    Paint::new(0, 158, 115),
    Paint::new(204, 121, 167),
    Paint::new(86, 180, 233),
    Paint::new(230, 159, 0),
    Paint::new(60, 60, 60),
    Paint::new(150, 90, 50),
];

/// Lengths of dashes and gaps in pixels; an empty list is a solid line.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 2.5], &[8.0, 3.0, 2.0, 3.0]];

/// The dashes of a reference curve.
pub(super) const REFERENCE: &[f64] = &[5.0, 3.0];

/// The colour of series `index`; after eight series they repeat.
pub(super) fn colour(index: usize) -> Paint {
    SERIES[index % SERIES.len()]
}

/// The dashes of series `index`; they change each time the colours repeat.
pub(super) fn dashes(index: usize) -> &'static [f64] {
    DASHES[index / SERIES.len() % DASHES.len()]
}

/// Draws the marker of series `index`; shapes differ as well as colours.
pub(super) fn marker(scene: &mut Scene, (x, y): Xy, index: usize, radius: f64, paint: Paint) {
    let r = radius;
    match (index + index / SERIES.len()) % 4 {
        0 => scene.disc((x, y), r, paint),
        1 => {
            let d = 1.3 * r;
            scene.area(&[(x, y - d), (x + d, y), (x, y + d), (x - d, y)], paint);
        }
        2 => {
            let (half, rise) = (1.2 * r, 0.7 * r);
            scene.area(&[(x, y - 1.4 * r), (x + half, y + rise), (x - half, y + rise)], paint);
        }
        _ => {
            let side = 1.8 * r;
            scene.rectangle((x - side / 2.0, y - side / 2.0), (side, side), paint);
        }
    }
}

/// Draws text that is vertically centred on `at`.
pub(super) fn words(scene: &mut Scene, text: &str, at: Xy, size: f64, anchor: Anchor, paint: Paint) {
    scene.words(Words {
        paint,
        ..plain(text, at, size, anchor)
    });
}

/// Draws bold text that is vertically centred on `at`.
pub(super) fn bold(scene: &mut Scene, text: &str, at: Xy, size: f64, anchor: Anchor) {
    scene.words(Words {
        weight: Weight::Bold,
        ..plain(text, at, size, anchor)
    });
}

/// Draws vertical text that reads upwards.
pub(super) fn upright(scene: &mut Scene, text: &str, at: Xy, size: f64, anchor: Anchor) {
    scene.words(Words {
        upright: true,
        ..plain(text, at, size, anchor)
    });
}

fn plain(text: &str, at: Xy, size: f64, anchor: Anchor) -> Words {
    Words {
        text: text.to_owned(),
        at,
        size,
        weight: Weight::Regular,
        paint: INK,
        anchor,
        upright: false,
    }
}

/// Draws a note in the middle of an empty frame.
pub(super) fn no_values(scene: &mut Scene, (left, top): Xy, (wide, high): Xy) {
    words(scene, "no values", (left + wide / 2.0, top + high / 2.0), TICK, Anchor::Middle, QUIET);
}

pub(super) fn width(text: &str, size: f64) -> f64 {
    font::width(text, size, Weight::Regular)
}

/// Width of the widest text.
pub(super) fn widest<'a>(texts: impl IntoIterator<Item = &'a String>, size: f64) -> f64 {
    texts.into_iter().map(|text| width(text, size)).fold(0.0, f64::max)
}
