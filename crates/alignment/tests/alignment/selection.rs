//! Selections of ranks and penalties, and effective ranks.

use crate::prelude::*;
use neurogauge_alignment::internals::{entropy_rank, smallest_of_best};

/// Two folds, three ranks, two alphas.
fn scores(folds: [[f64; 6]; 2]) -> CandidateScores {
    let mut scores = CandidateScores::new(&[10.0, 100.0], 3);
    for fold in folds {
        let of = |alpha: usize| vec![fold[alpha], fold[2 + alpha], fold[4 + alpha]];
        scores.push_fold(&[of(0), of(1)]);
    }
    scores
}

#[test]
fn the_smallest_rank_within_one_standard_error() {
    // Means 0.1 0.2 | 0.45 0.5 | 0.6 0.3; the best is (3, 10) with folds 0.5 and 0.7:
    // deviation 0.1414, standard error 0.1. Rank 2 is within it at 0.5, not at 0.45.
    let scores = scores([[0.1, 0.2, 0.45, 0.50, 0.5, 0.3], [0.1, 0.2, 0.45, 0.50001, 0.7, 0.3]]);
    let selection = scores.select().unwrap();
    assert_eq!((selection.rank, selection.alpha), (2, 100.0));
    assert!(!selection.alpha_is_tied);
    assert!((selection.standard_error - 0.1).abs() < 1e-15);
    assert_eq!(scores.select_alpha(3).unwrap().alpha, 10.0);
    assert_eq!(scores.select_alpha(7).unwrap().rank, 3);
    // Without rank 3, the best is (2, 100).
    assert!((scores.up_to(2).select().unwrap().best_score - 0.500005).abs() < 1e-12);
}

#[test]
fn ties_go_to_the_smaller_alpha() {
    let scores = scores([[0.5; 6], [0.5; 6]]);
    let selection = scores.select().unwrap();
    assert_eq!((selection.rank, selection.alpha), (1, 10.0));
    assert!(selection.alpha_is_tied);
}

#[test]
fn a_rank_that_a_fit_lacks_scores_as_its_last() {
    let mut scores = CandidateScores::new(&[1.0, 2.0], 3);
    scores.push_fold(&[vec![0.3], vec![]]);
    assert_eq!(scores.of(3, 0), [0.3]);
    assert_eq!(scores.of(1, 1), [0.0]);
}

#[test]
fn ties_of_a_readout_go_to_the_smaller_alpha() {
    let alphas = [1.0, 2.0, 3.0];
    assert_eq!(smallest_of_best(&[0.5 - 1e-13, 0.5, 0.4], &alphas), 1.0);
    assert_eq!(smallest_of_best(&[0.5 - 1e-11, 0.5, 0.4], &alphas), 2.0);
    assert_eq!(smallest_of_best(&[0.0; 3], &alphas), 1.0);
}

#[test]
fn effective_rank_counts_equal_weights() {
    let rank = |weights: &[f64]| entropy_rank(weights).unwrap();
    assert!((rank(&[0.5, 0.5, 0.5, 0.0]) - 3.0).abs() < 1e-14);
    assert_eq!(entropy_rank(&[]), None);
    // 2^(3/2): p = 1/2, 1/4, 1/4 has an entropy of 1.5 bits.
    assert!((rank(&[2.0, 1.0, 1.0]) - 8f64.sqrt()).abs() < 1e-14);
}
