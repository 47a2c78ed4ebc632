//! Counts the inversions of each element of a sequence by a merge sort.

/// For each element, the number of later elements that are smaller, minus the number of earlier ones that are larger.
///
/// `values` holds each element with its position in `out`, and is sorted on return; `scratch` is memory that calls
/// share. Returns the number of inversions.
pub(super) fn balance(values: &mut Vec<(f64, u32)>, scratch: &mut Vec<(f64, u32)>, out: &mut [i64]) -> u64 {
    let n = values.len();
    let mut inversions = 0;
    scratch.clear();
    scratch.resize(n, (0.0, 0));
    out.fill(0);
    let mut width = 1;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let middle = (start + width).min(n);
            let end = (middle + width).min(n);
            inversions += merge(&values[start..middle], &values[middle..end], &mut scratch[start..end], out);
        }
        std::mem::swap(values, scratch);
        width *= 2;
    }
    inversions
}

/// Merges two sorted runs. An equal pair is not an inversion: the left one goes first.
fn merge(left: &[(f64, u32)], right: &[(f64, u32)], merged: &mut [(f64, u32)], out: &mut [i64]) -> u64 {
    let (mut l, mut r, mut inversions) = (0, 0, 0);
    for place in merged {
        let take_left = r == right.len() || (l < left.len() && left[l].0 <= right[r].0);
        if take_left {
            *place = left[l];
            out[left[l].1 as usize] += r as i64;
            l += 1;
        } else {
            *place = right[r];
            out[right[r].1 as usize] -= (left.len() - l) as i64;
            inversions += (left.len() - l) as u64;
            r += 1;
        }
    }
    inversions
}
