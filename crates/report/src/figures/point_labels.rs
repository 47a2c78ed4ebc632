//! Places labels beside points, where they cover the least.

use super::font::{self, Weight};
use super::panels::Frame;
use super::scene::{Anchor, Bounds, Scene, Xy};
use super::style::{INK, TICK, width, words};

/// Draws the labels of `places` in their order, each on the side of its point where it covers the fewest points. A
/// label that would leave the frame or cover another label on every side is not drawn.
pub(super) fn draw_labels<'a>(
    scene: &mut Scene,
    frame: &Frame,
    places: &[Xy],
    labels: impl Iterator<Item = &'a str>,
    radius: f64,
) {
    let mut taken: Vec<Bounds> = Vec::new();
    for (&(x, y), label) in places.iter().zip(labels) {
        if label.is_empty() {
            continue;
        }
        let label = font::shortened(label, TICK, Weight::Regular, frame.size.0 / 2.0);
        let (half, away) = (width(&label, TICK) / 2.0, radius + 4.0);
        let (side, rise) = (half + away, TICK / 2.0 + away);
        let middles = [
            (x + side, y),
            (x - side, y),
            (x, y - rise),
            (x, y + rise),
            (x + side, y - rise),
            (x - side, y - rise),
            (x + side, y + rise),
            (x - side, y + rise),
        ];
        let bounds = |(x, y): Xy| (x - half, y - TICK / 2.0, x + half, y + TICK / 2.0);
        let n_covered = |middle: &Xy| {
            let own = bounds(*middle);
            let is_covered = |p: &&Xy| overlap(own, (p.0 - 2.0, p.1 - 2.0, p.0 + 2.0, p.1 + 2.0));
            places.iter().filter(is_covered).count()
        };
        let is_free = |middle: &&Xy| {
            let own = bounds(**middle);
            is_inside(own, frame) && !taken.iter().any(|other| overlap(own, *other))
        };
        let free = middles.iter().filter(is_free);
        if let Some(best) = free.min_by_key(|middle| n_covered(middle)) {
            taken.push(bounds(*best));
            words(scene, &label, *best, TICK, Anchor::Middle, INK);
        }
    }
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

fn is_inside((left, top, right, bottom): Bounds, frame: &Frame) -> bool {
    let ((x, y), (wide, high)) = (frame.corner, frame.size);
    left >= x && top >= y && right <= x + wide && bottom <= y + high
}
