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
