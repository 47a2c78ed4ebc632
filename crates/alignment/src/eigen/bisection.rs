//! Leading eigenvalues of a tridiagonal matrix.

use multiversion::multiversion;

/// Eigenvalues bisected in parallel, so that divisions overlap: usually all that a fit needs.
const LANES: usize = 24;

/// The `count` largest eigenvalues in descending order, to the last bits of the largest.
///
/// Sylvester's law of inertia: the factorisation of T - x I has as many negative pivots as there are eigenvalues below
/// x. So eigenvalues are bisected, many in each step.
pub(super) fn leading_eigenvalues(diagonal: &[f64], off_diagonal: &[f64], count: usize) -> Vec<f64> {
    let n = diagonal.len();
    let squares: Vec<f64> = std::iter::once(0.0).chain(off_diagonal.iter().map(|e| e * e)).collect();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (i, &d) in diagonal.iter().enumerate() {
        let before = if i > 0 { off_diagonal[i - 1].abs() } else { 0.0 };
        let after = off_diagonal.get(i).map_or(0.0, |e| e.abs());
        low = low.min(d - before - after);
        high = high.max(d + before + after);
    }
    let scale = low.abs().max(high.abs());
    let margin = 2.0 * f64::EPSILON * scale * n as f64;
    let (low, high) = (low - margin, high + margin);
    let least_pivot = (f64::MIN_POSITIVE * squares.iter().copied().fold(1.0, f64::max))
        .max(f64::EPSILON * f64::EPSILON * scale * scale * f64::MIN_POSITIVE);
    let mut values = Vec::with_capacity(count);
    let mut place = 0;
    while place < count {
        // The eigenvalue at position p from the top has n - 1 - p below it.
        let below: [f64; LANES] =
            std::array::from_fn(|lane| n.saturating_sub(1 + (place + lane).min(count - 1)) as f64);
        let mut lows = [low; LANES];
        let mut highs = [high; LANES];
        loop {
            let middles: [f64; LANES] = std::array::from_fn(|lane| 0.5 * (lows[lane] + highs[lane]));
            let negative = count_below(diagonal, &squares, least_pivot, &middles);
            let mut widest: f64 = 0.0;
            for lane in 0..LANES {
                if negative[lane] <= below[lane] {
                    lows[lane] = middles[lane];
                } else {
                    highs[lane] = middles[lane];
                }
                widest = widest.max(highs[lane] - lows[lane]);
            }
            if widest <= f64::EPSILON * scale {
                break;
            }
        }
        for lane in 0..LANES.min(count - place) {
            values.push(0.5 * (lows[lane] + highs[lane]));
        }
        place += LANES;
    }
    values
}

/// The number of eigenvalues below each of `points`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn count_below(diagonal: &[f64], squares: &[f64], least_pivot: f64, points: &[f64; LANES]) -> [f64; LANES] {
    let mut negative = [0.0; LANES];
    let mut pivots = [1.0; LANES];
    for (d, square) in diagonal.iter().zip(squares) {
        for lane in 0..LANES {
            let pivot = d - points[lane] - square / pivots[lane];
            let small = pivot.abs() < least_pivot;
            pivots[lane] = if small { -least_pivot } else { pivot };
            negative[lane] += if pivots[lane] < 0.0 { 1.0 } else { 0.0 };
        }
    }
    negative
}
