//! Bases of permuted sources against full solutions.

use crate::prelude::*;
use neurogauge_alignment::internals::{RidgeSolutions, crossed, iterate, orthonormal, outer_fits, permuted_bases};

const N: usize = 300;

/// Compares the iteration with the full solution for five orders.
fn check(x: &Matrix, y: &Matrix, rank: usize, alpha: f64, expect_found: bool) {
    let (source, target) = prepared(x, y, &FoldPlan::draw(N, 5, 5, Seed(3)).unwrap(), 0);
    let (source, target) = outer_fits(&source, &target);
    let n = target.gram.nrows();
    let orders = draw_orders(n, 5, Seed(4), 0);
    let found = iterate(source, target, &orders, alpha, rank, n / 2).unwrap();
    assert!(found.iter().all(|found| found.is_some() == expect_found));
    let bases = permuted_bases(source, target, &orders, alpha, rank).unwrap();
    for (order, basis) in orders.iter().zip(&bases) {
        let permuted = source.reordered(order);
        let crossed = crossed(&permuted, target);
        let full = RidgeSolutions::new(&permuted, target, &crossed, &[alpha], rank).unwrap();
        let full = orthonormal(&full.loadings);
        let excess = (basis * basis.transpose() - &full * full.transpose()).norm_max();
        assert!(excess < 1e-12, "rank {rank}, alpha {alpha}: {excess:e}");
    }
}

#[test]
fn the_iteration_finds_what_the_full_solution_finds() {
    let latents = noise("latents", N, 6);
    let weights = noise("weights", 6, 150);
    let error = noise("error", N, 150);
    let y = Matrix::from_fn(N, 150, |row, column| {
        let signal: f64 = (0..6).map(|d| latents.get(row, d) * weights.get(d, column) / (1.0 + d as f64)).sum();
        signal + 0.3 * error.get(row, column)
    });
    let x = noise("x", N, 220);
    for (rank, alpha) in [(1, 10.0), (2, 1e3), (3, 1e6)] {
        check(&x, &y, rank, alpha, true);
    }
    check(&noise("few", N, 40), &y, 2, 100.0, true);
}

#[test]
fn ties_and_missing_dimensions_are_left_to_the_full_solution() {
    // Y has only two dimensions, so there is no third.
    let latents = noise("latents", N, 2);
    let weights = noise("weights", 2, 50);
    let y = Matrix::from_fn(N, 50, |row, column| (0..2).map(|d| latents.get(row, d) * weights.get(d, column)).sum());
    check(&noise("x", N, 220), &y, 2, 1e3, false);
}
