//! Preparation of responses: z-scores and balanced partitions.

use crate::prelude::*;

#[test]
fn constants_and_nan_become_zeros() {
    let x = Matrix::from_rows(3, 3, &[0.1, f64::NAN, 1.0, 0.1, 2.0, 1.0 + 1e-9, 0.1, 3.0, 1.0]).unwrap();
    let rows = [0, 1, 2];
    let z = Standardisation::of(&x, &rows).apply(&x, &rows);
    assert_eq!(z.column(0), [0.0; 3]);
    assert_eq!(z.column(1), [0.0; 3]);
    // A column below the smallest deviation is centred but not scaled.
    assert!(z.column(2).iter().all(|z| z.abs() < 1e-9));
}

#[test]
fn a_value_that_is_missing_in_validation_only_is_zero_there() {
    let x = Matrix::from_rows(3, 1, &[1.0, 3.0, f64::NAN]).unwrap();
    let z = Standardisation::of(&x, &[0, 1]).apply(&x, &[0, 1, 2]);
    assert_eq!(z.column(0), [-1.0, 1.0, 0.0]);
}

#[test]
fn sessions_are_scored_apart() {
    let x = Matrix::from_rows(4, 1, &[1.0, 10.0, 3.0, 30.0]).unwrap();
    let z = standardise_within(&x, &[1, 2, 1, 2]);
    assert_eq!(z.column(0), [-1.0, -1.0, 1.0, 1.0]);
}

#[test]
fn views_get_alike_in_sessions_and_stay_halves() {
    let stimuli: Vec<usize> = (0..90).map(|trial| trial % 30).collect();
    let sessions: Vec<u32> = (0..90).map(|trial| (trial * 7 % 11) % 4).collect();
    let runs: Vec<u32> = (0..90).map(|trial| trial / 10).collect();
    let responses = Matrix::from_fn(90, 1, |trial, _| trial as f64);
    let trials = Trials::new(&Unit::new("s", "lh", "V1v"), responses, &stimuli, 30).unwrap();
    let sign = |label: u8| if label == 0 { 1 } else { -1 };
    let imbalance = |partitions: &Partitions| -> i64 {
        let labels = &partitions.labels()[0];
        let of = |groups: &[u32]| -> i64 {
            (0..9)
                .map(|group| (0..90).filter(|&t| groups[t] == group).map(|t| sign(labels[t])).sum::<i64>().pow(2))
                .sum()
        };
        of(&sessions) + of(&runs)
    };
    let groupings: [(&str, &[u32]); 2] = [("sessions", &sessions), ("runs", &runs)];
    let random = Partitions::draw(&trials, 1, Seed(1), 0);
    let balanced = balanced_partitions(&trials, &groupings, 1, Seed(1), 0).unwrap();
    assert!(imbalance(&balanced) <= 6, "{}", imbalance(&balanced));
    assert!(imbalance(&random) > imbalance(&balanced));
    for repeats in trials.repeats() {
        let ones = repeats.iter().filter(|&&t| balanced.labels()[0][t] == 1).count();
        assert!(ones == 1 || ones == 2);
    }
}
