//! Ratings that stand for missing ones, such as 99 or -1.

use super::RatingTable;
use crate::{FormatError, Problem};
use neurogauge_core::counted;
use neurogauge_core::option_words::option;
use std::path::Path;

/// Codes of common survey tools and statistics programs.
const USUAL: [f64; 22] = [
    -1.0, -2.0, -3.0, -7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, 77.0, 88.0, 97.0, 98.0,
    99.0, 777.0, 888.0, 999.0, 9999.0,
];

/// The most codes at one end of the scale.
const MOST_CODES: usize = 3;

/// Refuses ratings that look like codes for missing ones, unless the request says what they are.
pub(super) fn refuse_suspects(path: &Path, table: &RatingTable) -> Result<(), FormatError> {
    let suspects = suspects(table);
    if suspects.is_empty() {
        return Ok(());
    }
    let is_suspect = |value: f64| suspects.contains(&value);
    let others = || table.values.iter().flatten().copied().filter(|value| !is_suspect(*value));
    let (low, high) = (others().fold(f64::INFINITY, f64::min), others().fold(f64::NEG_INFINITY, f64::max));
    let n = table.values.iter().flatten().filter(|value| is_suspect(**value)).count();
    let n_raters = table.raters.len().max(1);
    let first = table.values.iter().position(|value| value.is_some_and(is_suspect)).unwrap_or_default();
    let codes: Vec<String> = suspects.iter().map(f64::to_string).collect();
    let place = format!("item {:?}, rater {:?}", table.items[first / n_raters], table.raters[first % n_raters]);
    let reason = format!(
        "{} of {}, and all others go from {low} to {high}, so it looks like a code for a missing rating: {}, or {} if it is a rating",
        counted(n, "rating"),
        codes.join(" or "),
        option("missing", &codes.join(",")),
        option("missing", "none")
    );
    Err(Problem::invalid(place, reason).at(path))
}

/// Values at either end of all ratings that are probably codes, in ascending order.
fn suspects(table: &RatingTable) -> Vec<f64> {
    let mut distinct: Vec<f64> = table.values.iter().flatten().copied().collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let mut found = Vec::new();
    // First from the top, then from the bottom with all signs reversed.
    for sign in [1.0, -1.0] {
        let outward: Vec<f64> = match sign {
            1.0 => distinct.clone(),
            _ => distinct.iter().rev().map(|value| -value).collect(),
        };
        let n_codes = (1..=MOST_CODES.min(outward.len().saturating_sub(1)))
            .find(|&n| are_codes(outward.split_at(outward.len() - n), sign));
        for value in &outward[outward.len() - n_codes.unwrap_or_default()..] {
            found.push(sign * value);
            distinct.retain(|kept| *kept != sign * value);
        }
    }
    found.extend(zero_is_no_rating(table, &distinct).then_some(0.0));
    found.sort_by(f64::total_cmp);
    found
}

/// Are the values above `rest` codes? With a sign of -1, all values are negated, so that the lowest come last.
fn are_codes((rest, above): (&[f64], &[f64]), sign: f64) -> bool {
    let (Some(low), Some(high)) = (rest.first(), rest.last()) else {
        return false;
    };
    let (Some(nearest), Some(farthest)) = (above.first(), above.last()) else {
        return false;
    };
    if above.iter().any(|value| value.fract() != 0.0) {
        return false;
    }
    let (range, gap) = (high - low, nearest - high);
    let is_far = rest.len() >= 5 && gap > 2.0 * range || rest.len() >= 2 && gap > 10.0 * range;
    let are_usual = above.iter().all(|value| USUAL.contains(&(sign * value)));
    let is_whole = rest.iter().all(|value| value.fract() == 0.0);
    // All ratings from 1 to 5 occur, none of 6, 7 and 8 does, and then there is 9, where no usual scale ends.
    let is_beyond_scale = sign > 0.0
        && is_whole
        && rest.len() >= 4
        && range == (rest.len() - 1) as f64
        && gap >= 3.0
        && above.iter().all(|value| *value >= 8.0 && *value != 10.0);
    let is_symmetric = *farthest == -low;
    let is_below_zero = sign < 0.0
        && are_usual
        && !is_symmetric
        && *high <= 0.0
        && (is_whole && gap >= 2.0 || !is_whole && *high < 0.0 || range >= 4.0 * nearest);
    let is_usual_and_apart = are_usual && rest.len() >= 2 && gap > range;
    is_far || is_usual_and_apart || is_beyond_scale || is_below_zero
}

/// Do ratings range from 0 to 4 or more, and are zeros, unlike ones, given to items that others do not rate lower than
/// most?
fn zero_is_no_rating(table: &RatingTable, distinct: &[f64]) -> bool {
    let is_scale = distinct.iter().zip(0..).all(|(value, place)| *value == f64::from(place));
    if !is_scale || distinct.len() < 5 {
        return false;
    }
    // For ratings of 0, ratings of 1, and all ratings but 0: the mean of the others' ratings of the same item.
    let (mut sums, mut counts) = ([0.0; 3], [0.0; 3]);
    for row in table.values.chunks(table.raters.len().max(1)) {
        let ratings = || row.iter().flatten().copied();
        let n_positive = ratings().filter(|value| *value > 0.0).count() as f64;
        let sum: f64 = ratings().sum();
        for value in ratings() {
            let n_others = n_positive - f64::from(u8::from(value > 0.0));
            if n_others > 0.0 {
                let of_others = (sum - value) / n_others;
                for (place, counts_in) in [value == 0.0, value == 1.0, value > 0.0].into_iter().enumerate() {
                    sums[place] += f64::from(u8::from(counts_in)) * of_others;
                    counts[place] += f64::from(u8::from(counts_in));
                }
            }
        }
    }
    let [zero, one, all] = [0, 1, 2].map(|place| sums[place] / counts[place]);
    all - one > 0.5 && zero > (one + all) / 2.0
}
