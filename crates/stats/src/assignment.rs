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
