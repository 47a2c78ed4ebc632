//! Optimal one-to-one assignment.

/// Pairs each row with at most one column so that the sum of the weights of all pairs is maximal.
///
/// `weights` holds `n_rows` rows of `n_cols` values, row by row. The result has `min(n_rows, n_cols)`
/// pairs (row, column) in the order of rows, including pairs of weight 0 or below; a caller that does not want these
/// drops them. A weight that is not finite (or missing, if `weights` is too short) forbids its pair: the result has as
/// many allowed pairs as possible, then the largest sum of weights, and no forbidden pair.
///
/// If several assignments have the same sum, the result only depends on the weights and their order. The method is the
/// Hungarian one with potentials (shortest augmenting paths), O(n² m) for n ≤ m.
///
/// Never undefined, no errors: without rows or columns there are no pairs.
///
/// Reference: `scipy.optimize.linear_sum_assignment` 1.17.1 (`maximize=True`): the same pairs if the best assignment is
/// unique, and sums within 1e-12 in any case.
///
/// ```
/// use neurogauge_stats::assign_max;
/// // Greedy would take 0.9 first and end with 0.9 + 0.1.
/// let pairs = assign_max(&[0.9, 0.8, 0.7, 0.1], 2, 2);
/// assert_eq!(pairs, [(0, 1), (1, 0)]);
/// ```
pub fn assign_max(weights: &[f64], n_rows: usize, n_cols: usize) -> Vec<(usize, usize)> {
    if n_rows == 0 || n_cols == 0 {
        return Vec::new();
    }
    let weight = |row: usize, col: usize| weights.get(row * n_cols + col).copied().filter(|weight| weight.is_finite());
    let finite = weights.iter().copied().filter(|weight| weight.is_finite());
    let (lowest, highest) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), w| (low.min(w), high.max(w)));
    if lowest > highest {
        return Vec::new();
    }
    // Halves keep the span of the largest numbers finite.
    let span = highest / 2.0 - lowest / 2.0;
    let unit = if span > 0.0 { span } else { 1.0 };
    let forbidden = n_rows.min(n_cols) as f64 + 1.0;
    let cost = |row: usize, col: usize| match weight(row, col) {
        Some(weight) => (highest / 2.0 - weight / 2.0) / unit,
        None => forbidden,
    };
    let mut pairs: Vec<(usize, usize)> = if n_rows <= n_cols {
        cheapest(n_rows, n_cols, cost).into_iter().enumerate().collect()
    } else {
        let rows = cheapest(n_cols, n_rows, |col, row| cost(row, col));
        rows.into_iter().enumerate().map(|(col, row)| (row, col)).collect()
    };
    pairs.retain(|&(row, col)| weight(row, col).is_some());
    pairs.sort_unstable();
    pairs
}

/// The column of each row in an assignment of least total cost, for `n_rows <= n_cols`.
fn cheapest(n_rows: usize, n_cols: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    const FREE: usize = usize::MAX;
    // Column `n_cols` means "not placed yet": each new row starts there.
    let mut row_of = vec![FREE; n_cols + 1];
    let mut row_potential = vec![0.0; n_rows];
    let mut col_potential = vec![0.0; n_cols + 1];
    for new_row in 0..n_rows {
        row_of[n_cols] = new_row;
        let mut distance = vec![f64::INFINITY; n_cols];
        let mut previous = vec![n_cols; n_cols];
        let mut visited = vec![false; n_cols + 1];
        let mut at = n_cols;
        while row_of[at] != FREE {
            visited[at] = true;
            let row = row_of[at];
            let (mut step, mut nearest) = (f64::INFINITY, n_cols);
            for col in (0..n_cols).filter(|&col| !visited[col]) {
                let reduced = cost(row, col) - row_potential[row] - col_potential[col];
                if reduced < distance[col] {
                    distance[col] = reduced;
                    previous[col] = at;
                }
                if distance[col] < step || nearest == n_cols {
                    step = distance[col];
                    nearest = col;
                }
            }
            for col in 0..=n_cols {
                if visited[col] {
                    row_potential[row_of[col]] += step;
                    col_potential[col] -= step;
                } else if col < n_cols {
                    distance[col] -= step;
                }
            }
            at = nearest;
        }
        while at != n_cols {
            row_of[at] = row_of[previous[at]];
            at = previous[at];
        }
    }
    let mut columns = vec![0; n_rows];
    for (col, &row) in row_of[..n_cols].iter().enumerate() {
        if row != FREE {
            columns[row] = col;
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    fn total(weights: &[f64], n_cols: usize, pairs: &[(usize, usize)]) -> f64 {
        pairs.iter().map(|&(row, col)| weights[row * n_cols + col]).sum()
    }

    /// The best (number of pairs, sum of weights), by brute force.
    fn brute_force(weights: &[f64], n_cols: usize, n_rows: usize, row: usize, taken: usize) -> (usize, f64) {
        if row == n_rows {
            return (0, 0.0);
        }
        let mut best = brute_force(weights, n_cols, n_rows, row + 1, taken);
        for col in (0..n_cols).filter(|col| taken & (1 << col) == 0) {
            let weight = weights[row * n_cols + col];
            if weight.is_finite() {
                let (pairs, sum) = brute_force(weights, n_cols, n_rows, row + 1, taken | (1 << col));
                let found = (pairs + 1, sum + weight);
                if found.0 > best.0 || (found.0 == best.0 && found.1 > best.1) {
                    best = found;
                }
            }
        }
        best
    }

    #[test]
    fn equals_brute_force_with_ties_negative_weights_and_forbidden_pairs() {
        for case in 0..600_u64 {
            let draw = Synthetic::new("assignment", case);
            let n_rows = 1 + draw.byte(0) as usize % 6;
            let n_cols = 1 + draw.byte(1) as usize % 6;
            let weights: Vec<f64> = (0..n_rows * n_cols)
                .map(|i| match (case % 3, draw.byte(100 + i as u64)) {
                    (0, byte) => f64::from(byte % 4),
                    (1, byte) if byte < 90 => f64::NEG_INFINITY,
                    (2, byte) if byte < 20 => f64::NAN,
                    _ => f64::from(draw.uniform(2 + i as u64)) - 0.5,
                })
                .collect();
            let pairs = assign_max(&weights, n_rows, n_cols);
            let (n_pairs, sum) = brute_force(&weights, n_cols, n_rows, 0, 0);
            assert_eq!(pairs.len(), n_pairs, "case {case}");
            assert!((total(&weights, n_cols, &pairs) - sum).abs() < 1e-12, "case {case}");
            let mut columns: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(columns.len(), pairs.len(), "a column was taken twice");
            assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0));
        }
    }

    #[test]
    fn empty_sides_and_extreme_numbers() {
        assert!(assign_max(&[], 0, 3).is_empty());
        assert!(assign_max(&[], 3, 0).is_empty());
        assert!(assign_max(&[f64::NAN; 4], 2, 2).is_empty());
        assert_eq!(assign_max(&[7.0; 4], 2, 2).len(), 2);
        assert_eq!(assign_max(&[f64::MAX, f64::MIN, f64::MAX, f64::MAX], 2, 2), [(0, 0), (1, 1)]);
    }
}
