//! Leading eigenpairs against full decompositions.

use crate::prelude::*;
use faer::Mat;
use neurogauge_alignment::internals::{all_eigenpairs, leading_by_reduction, leading_eigenpairs};

fn uniform(name: &str, n_rows: usize, n_columns: usize) -> Mat<f64> {
    let values = Synthetic::new(name, 0);
    Mat::from_fn(n_rows, n_columns, |row, column| f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5)
}

/// Checks that projectors onto the leading pairs agree with the full decomposition if a gap separates them.
fn check(name: &str, matrix: &Mat<f64>, count: usize) {
    let all = all_eigenpairs(matrix).unwrap();
    let some = leading_by_reduction(matrix, count).expect(name);
    let scale = all.values[0].abs();
    for (found, expected) in some.values.iter().zip(&all.values) {
        assert!((found - expected).abs() <= 2e-14 * scale, "{name}: {found} {expected}");
    }
    let products = some.vectors.transpose() * &some.vectors;
    let excess = (&products - Mat::<f64>::identity(count, count)).norm_max();
    assert!(excess < 1e-14, "{name}: {excess}");
    for rank in 1..=count {
        let gap = (all.values[rank - 1] - all.values[rank]) / scale;
        if gap > 1e-4 {
            let (p, q) = (some.vectors.get(.., ..rank), all.vectors.get(.., ..rank));
            let difference = (p * p.transpose() - q * q.transpose()).norm_max();
            assert!(difference < 2e-15 / gap + 1e-13, "{name} {rank}: {difference} {gap}");
        }
    }
}

#[test]
fn leading_pairs_equal_those_of_the_full_decomposition() {
    for n in [24, 61, 97, 246] {
        let x = uniform("x", n, 2 * n);
        check("noise", &(&x * x.transpose()), 8);
        // Strengths that decrease over ten orders of magnitude.
        let scaled = Mat::from_fn(n, n, |row, column| x[(row, column)] * 10f64.powf(-10.0 * column as f64 / n as f64));
        check("falling", &(&scaled * scaled.transpose()), 8);
    }
    let x = uniform("x", 246, 500);
    check("twenty", &(&x * x.transpose()), 20);
}

#[test]
fn ties_and_missing_dimensions() {
    let n = 60;
    let q = uniform("q", n, n).qr().compute_thin_Q();
    let with_values = |value: &dyn Fn(usize) -> f64| {
        let scaled = Mat::from_fn(n, n, |row, column| q[(row, column)] * value(column));
        &scaled * q.transpose()
    };
    check("tied", &with_values(&|j| if j < 4 { 3.0 } else { 1.0 / (1.0 + j as f64) }), 12);
    check("rank 3", &with_values(&|j| if j < 3 { 5.0 - j as f64 } else { 0.0 }), 12);
    check("identity", &Mat::identity(n, n), 12);
    check("diagonal", &Mat::from_fn(n, n, |i, j| if i == j { i as f64 } else { 0.0 }), 12);
    check("equal", &Mat::from_fn(n, n, |_, _| 1.0), 12);
    let zero = leading_eigenpairs(&Mat::zeros(n, n), 5).unwrap();
    assert_eq!(zero.values, [0.0; 5]);
}
