//! Clips whose frame numbers have a gap, such as 0, 1, 3, 4.

use super::pattern::numbers;
use crate::Side;

/// A clip with missing frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameGap {
    /// The item, with its view and sample.
    pub clip: String,
    /// Where the frames are missing.
    pub side: Side,
    /// The number of the first missing frame.
    pub first: u64,
    pub n_missing: u64,
}

/// The gaps between the numbers of a clip's frames, in order: the first missing number and how many are missing. None
/// if the names do not count in equal steps, as times do not.
pub fn gaps(names: &[&str]) -> Vec<(u64, u64)> {
    let Some(numbers) = frame_numbers(names) else {
        return Vec::new();
    };
    let steps: Vec<(u64, u64)> =
        numbers.array_windows().filter_map(|[from, to]| Some((*from, to.checked_sub(*from)?))).collect();
    let Some(step) = steps.iter().map(|(_, step)| *step).min() else {
        return Vec::new();
    };
    let is_regular = step > 0 && steps.iter().all(|(_, own)| own % step == 0);
    let gaps = steps.into_iter().filter(|(_, own)| *own > step);
    let gaps = gaps.map(|(from, own)| (from + step, own / step - 1));
    if is_regular { gaps.collect() } else { Vec::new() }
}

/// The last number in each name; `None` if a name has none, or if the names differ elsewhere.
fn frame_numbers(names: &[&str]) -> Option<Vec<u64>> {
    let split = |name: &str| {
        let digits = numbers(name).last()?;
        let around = (name[..digits.start].to_owned(), name[digits.end..].to_owned());
        Some((around, name[digits].parse().ok()?))
    };
    let found: Vec<((String, String), u64)> = names.iter().map(|name| split(name)).collect::<Option<_>>()?;
    let is_alike = found.iter().all(|(around, _)| *around == found[0].0);
    is_alike.then(|| found.iter().map(|(_, number)| *number).collect())
}
