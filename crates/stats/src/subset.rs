//! Items drawn without replacement.

use crate::resample::draw_below;
use rand::Rng;

/// Brings `n` items, drawn without replacement, to the front of `items` (all of them if there are
/// fewer) and returns them; the others follow in some order.
///
/// Every set of `n` items is equally likely for any initial order, so the same slice can be used for further draws.
/// These are the first steps of a Fisher-Yates shuffle, without bias.
///
/// ```
/// use neurogauge_core::Seed;
/// let mut items = [0, 1, 2, 3];
/// let drawn = neurogauge_stats::draw_to_front(&mut items, 2, &mut Seed(1).stream(0));
/// assert_eq!(drawn.len(), 2);
/// assert_ne!(drawn[0], drawn[1]);
/// items.sort();
/// assert_eq!(items, [0, 1, 2, 3]);
/// ```
pub fn draw_to_front<'a, T>(items: &'a mut [T], n: usize, rng: &mut impl Rng) -> &'a [T] {
    let n = n.min(items.len());
    for place in 0..n {
        let mut drawn = [0];
        // A slice of more than 2^32 items would take gigabytes; items beyond that are not drawn.
        let left = u32::try_from(items.len() - place).unwrap_or(u32::MAX);
        draw_below(left, rng, &mut drawn);
        items.swap(place, place + drawn[0] as usize);
    }
    &items[..n]
}
