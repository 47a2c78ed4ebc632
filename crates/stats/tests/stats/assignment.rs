//! Optimal assignments against SciPy (`reference/assignment.py`).

use crate::support::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    seed: u64,
    shape: (usize, usize),
    tied: bool,
    total: f64,
    #[serde(default)]
    pairs: Vec<(usize, usize)>,
}

#[test]
fn equals_scipy() {
    let cases: Vec<Case> = serde_json::from_value(read("assignment.json")).expect("the golden of assignments");
    assert_eq!(cases.len(), 32);
    for case in cases {
        let (n_rows, n_cols) = case.shape;
        let draw = Synthetic::new("weights", case.seed);
        let weights: Vec<f64> = (0..(n_rows * n_cols) as u64)
            .map(|i| f64::from(draw.uniform(i)))
            .map(|u| if case.tied { (u * 4.0).floor() / 4.0 } else { u })
            .collect();
        let pairs = assign_max(&weights, n_rows, n_cols);
        assert_eq!(pairs.len(), n_rows.min(n_cols));
        let total: f64 = pairs.iter().map(|&(row, col)| weights[row * n_cols + col]).sum();
        assert!((total - case.total).abs() <= 1e-12 * case.total.max(1.0));
        if !case.tied {
            assert_eq!(pairs, case.pairs, "seed {}", case.seed);
        }
    }
}

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
