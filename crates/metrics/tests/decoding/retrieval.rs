//! Retrieval against NumPy and SciPy (`reference/retrieval.py`), and by hand.

use super::identification::rows::{N_PAIRS, features, pairs, reconstructions, small};
use crate::support::*;
use neurogauge_stats::summarise_repeats;

#[test]
fn retrieval_is_that_of_numpy() {
    let golden: Value = golden("retrieval");
    let gt = features("gt", N_PAIRS);
    let brain = reconstructions(&gt, 0.25);
    let among = |candidates, top_k, repeats| {
        let options = RetrievalOptions {
            candidates,
            top_k,
            repeats,
            ..RetrievalOptions::default()
        };
        retrieve(&pairs(&brain, &gt), &options).unwrap()
    };
    for (top_k, name) in [(1, "top_1"), (5, "top_5")] {
        let found = among(N_PAIRS, top_k, 1);
        for (found, direction) in [(&found.forward, "forward"), (&found.backward, "backward")] {
            near(found.repeats[0], number(&golden[direction][name]), 1e-12);
        }
    }
    let found = among(20, 1, 2000);
    for (found, direction) in [(&found.forward, "forward"), (&found.backward, "backward")] {
        let expected = numbers(&golden[direction]["expected_20"]);
        for (found, expected) in found.expected.iter().zip(&expected) {
            near(*found, *expected, 1e-12);
        }
        // The mean over draws converges to the mean of the expectations.
        let mean = expected.iter().sum::<f64>() / N_PAIRS as f64;
        let repeats = summarise_repeats(&found.repeats, 0.95).unwrap();
        let error = repeats.sd / (found.repeats.len() as f64).sqrt();
        assert!((repeats.mean - mean).abs() < 5.0 * error, "{direction}");
    }
    assert_eq!(among(20, 1, 3).forward.repeats, found.forward.repeats[..3]);
}

#[test]
fn intervals_of_repeats_are_those_of_scipy() {
    let expected = &golden::<Value>("retrieval")["repeats"];
    let found = summarise_repeats(&[0.5, 0.75, 0.25, 0.5, 1.0], 0.9).unwrap();
    let (low, high) = found.interval.unwrap();
    for (found, name) in [(found.sd, "sd"), (low, "low"), (high, "high")] {
        near(found, number(&expected[name]), 1e-12);
    }
    assert!(summarise_repeats(&[], 0.95).is_none());
    assert_eq!(summarise_repeats(&[0.5], 0.95).unwrap().interval, None);
}

#[test]
fn intervals_over_draws_hold_the_expectation() {
    let gt = features("gt", N_PAIRS);
    for strength in [0.25, 0.35] {
        let brain = reconstructions(&gt, strength);
        let holds = |seed: u64| {
            let options = RetrievalOptions {
                candidates: 20,
                seed: Seed(seed),
                ..RetrievalOptions::default()
            };
            let found = retrieve(&pairs(&brain, &gt), &options).unwrap().forward;
            let expected = found.expected.iter().sum::<f64>() / found.expected.len() as f64;
            let (low, high) = summarise_repeats(&found.repeats, 0.95).unwrap().interval.unwrap();
            low <= expected && expected <= high
        };
        let n_held = (0..400).filter(|&seed| holds(seed)).count();
        // Of 95%; four standard errors of 400 intervals are 4.4%, and z in place of t of 30 draws costs 1%.
        assert!(n_held >= 360, "{strength}: {n_held}");
    }
    // 0.975 ± 1.96 · 0.0433 / 2; the upper end is 1, since a share cannot be higher.
    let (low, high) = summarise_repeats(&[1.0, 1.0, 0.9, 1.0], 0.95).unwrap().interval.unwrap();
    near(low, 0.975 - 1.959963984540054 * 0.001875_f64.sqrt() / 2.0, 1e-12);
    assert_eq!(high, 1.0);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let gt = features("gt", 5);
    let options = |candidates, top_k, repeats| RetrievalOptions {
        candidates,
        top_k,
        repeats,
        ..RetrievalOptions::default()
    };
    for (bad, part) in [
        (options(6, 1, 1), "6 with 5 items"),
        (options(1, 1, 1), "at least 2"),
        (options(3, 3, 1), "fewer than there are candidates"),
        (options(3, 1, 0), "number of repeats"),
    ] {
        let error = retrieve(&pairs(&gt, &gt), &bad).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn embeddings_without_direction_take_no_part_in_retrieval() {
    let brain = small(&[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let image = small(&[[1.0, 0.1, 0.0], [0.0, 0.0, 1.0], [0.0, 2.0, 0.1]]);
    let options = RetrievalOptions {
        candidates: 2,
        ..RetrievalOptions::default()
    };
    let found = retrieve(&pairs(&brain, &image), &options).unwrap();
    assert_eq!(found.items, [0, 2]);
    assert_eq!(found.left_out, [(1, Undefined::Empty(Side::Recon))]);
    assert_eq!(found.forward.repeats, [1.0; 30]);
}

#[test]
fn items_of_one_image_are_not_in_each_others_way() {
    // Three images with two items each, decoded perfectly.
    let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let twice: Vec<[f32; 3]> = rows.iter().flat_map(|row| [*row, *row]).collect();
    let rows = small(&twice);
    let found = |copies| {
        let options = RetrievalOptions {
            candidates: 4,
            copies,
            ..RetrievalOptions::default()
        };
        retrieve(&pairs(&rows, &rows), &options).unwrap()
    };
    let left_out = found(Copies::LeaveOut);
    assert_eq!(left_out.stimuli, [0, 0, 2, 2, 4, 4]);
    for direction in [&left_out.forward, &left_out.backward] {
        assert_eq!(direction.expected, [1.0; 6]);
        assert_eq!(direction.repeats, [1.0; 30]);
    }
    // The copy is among the 3 drawn of 5 others with probability 3/5, and ties.
    for expected in found(Copies::Keep).forward.expected {
        assert!((expected - 0.4).abs() < 1e-15);
    }
    // A copy replaces a distractor: the expectation is still the limit of draws.
    let mut brain = rows.clone();
    brain[0] = vec![0.4, 0.6, 0.0];
    let options = RetrievalOptions {
        candidates: 3,
        repeats: 4000,
        ..RetrievalOptions::default()
    };
    let found = retrieve(&pairs(&brain, &rows), &options).unwrap().forward;
    // Two of five others are more similar; neither is among two draws with probability 3/5 * 2/4.
    assert!((found.expected[0] - 0.3).abs() < 1e-15);
    let drawn = summarise_repeats(&found.repeats, 0.95).unwrap();
    let mean = (0.3 + 5.0) / 6.0;
    let error = drawn.sd / 4000_f64.sqrt();
    assert!((drawn.mean - mean).abs() < 5.0 * error, "{}", drawn.mean);
}
