//! The integral over thresholds in closed form: the `exact` preset.

use super::Variant;
use super::matched::{MatchedCategory, recovered};
use neurogauge_core::{Outcome, Side, Undefined};

/// A box that appears when the descending threshold reaches its score.
struct Appearance {
    score: f64,
    category: usize,
    on_own_side: bool,
}

/// Eq. 3: the mean over thresholds from 0 to the highest score of `side` of the share of its
/// categories that the other side has too. O(n log n) in the number of boxes.
///
/// The share is constant between consecutive scores. The thresholds are swept downwards from one score to the next, and
/// the found and the missed part are integrated separately, so that a perfect reconstruction scores 1 and a disjoint
/// one 0 without rounding.
pub(super) fn integral(matched: &[MatchedCategory<'_>], side: Side, variant: Variant) -> Outcome {
    let appearances = appearances(matched, side, variant);
    let mut n_own = vec![0_usize; matched.len()];
    let mut n_other = vec![0_usize; matched.len()];
    let mut credit = vec![0.0; matched.len()];
    let (mut whole, mut found) = (0.0, 0.0);
    let (mut found_integral, mut missed_integral) = (0.0, 0.0);

    let mut rest = appearances.as_slice();
    while let Some(first) = rest.first() {
        let (together, later) = rest.split_at(rest.partition_point(|a| a.score >= first.score));
        for appearance in together {
            let category = appearance.category;
            if !appearance.on_own_side {
                n_other[category] += 1;
                continue;
            }
            if n_own[category] == 0 {
                whole += matched[category].seen_from(side).0.weight;
            }
            n_own[category] += 1;
        }
        // The share is updated only after all boxes with this score are counted; otherwise equal sides would differ in
        // between.
        for &Appearance { category, .. } in together {
            let weight = matched[category].seen_from(side).0.weight;
            let now = weight * recovered(variant, n_own[category], n_other[category]);
            found += now - credit[category];
            credit[category] = now;
        }
        let width = first.score - later.first().map_or(0.0, |next| next.score);
        if whole > 0.0 {
            found_integral += width * (found / whole);
            missed_integral += width * ((whole - found).max(0.0) / whole);
        }
        rest = later;
    }

    let t_valid = found_integral + missed_integral;
    if t_valid > 0.0 {
        Ok(found_integral / t_valid)
    } else {
        Err(Undefined::NoCategories(side))
    }
}

/// The boxes that can change the share, by descending score. Categories that `side` lacks never count; a category's
/// lower boxes matter only if boxes are counted.
fn appearances(matched: &[MatchedCategory<'_>], side: Side, variant: Variant) -> Vec<Appearance> {
    let mut appearances = Vec::new();
    for (category, presences) in matched.iter().enumerate() {
        let (own, other) = presences.seen_from(side);
        if own.scores.is_empty() {
            continue;
        }
        for (presence, on_own_side) in [(own, true), (other, false)] {
            let n_boxes = match variant {
                Variant::Number => presence.scores.len(),
                Variant::Existence | Variant::Size | Variant::Location => presence.scores.len().min(1),
            };
            appearances.extend(presence.scores[..n_boxes].iter().map(|&score| Appearance {
                score,
                category,
                on_own_side,
            }));
        }
    }
    // A stable sort: the order of the additions, and with it every bit, follows from the input alone.
    appearances.sort_by(|a, b| b.score.total_cmp(&a.score));
    appearances
}
