//! N-way classification accuracy against SciPy, an enumeration and a sampler (reference/n_way_accuracy.py).

use crate::support;
use crate::support::*;

const N_PAIRS: usize = 12;

/// The same as `rows` of the script.
fn rows(name: &str, n_classes: usize) -> Vec<Vec<f32>> {
    let noise = Synthetic::new(name, 0);
    let row = |pair: usize| (0..n_classes).map(move |class| (pair * n_classes + class) as u64);
    (0..N_PAIRS).map(|pair| row(pair).map(|place| noise.uniform(place)).collect()).collect()
}

fn count(case: &Value, name: &str) -> usize {
    support::count(&case[name])
}

fn options(case: &Value) -> NWayOptions {
    NWayOptions {
        right_classes: count(case, "right_classes"),
        top_k: count(case, "top_k"),
        ..NWayOptions::default()
    }
}

/// Four and a half standard errors of a share of draws.
fn tolerance(expected: f64, n_draws: f64) -> f64 {
    4.5 * (expected * (1.0 - expected) / n_draws).sqrt() + 1e-9
}

#[test]
fn accuracies_are_those_of_the_reference() {
    for case in list(&golden::<Value>("n_way_accuracy")["cases"]) {
        let n_classes = count(case, "n_classes");
        let gt = rows("stimulus classes", n_classes);
        let noise = rows("reconstruction classes", n_classes);
        let options = options(case);
        for (pair, expected) in numbers(&case["accuracy"]).iter().enumerate() {
            let recon: Vec<f32> = gt[pair].iter().zip(&noise[pair]).map(|(gt, noise)| 0.5 * gt + 0.5 * noise).collect();
            let n_way = count(case, "n_way");
            let of_pair = |options| n_way_accuracy(&gt[pair], &recon, n_way, pair, options);
            near(of_pair(&options).unwrap().unwrap(), *expected, 1e-12);
            let drawn = NWayOptions {
                draws: Draws::Seeded {
                    trials: 400,
                    seed: Seed(7),
                },
                ..options
            };
            near(of_pair(&drawn).unwrap().unwrap(), *expected, tolerance(*expected, 400.0));
        }
    }
}

/// The functions released by MinD-Video, NEURONS and EEG2Video, run on classes of clips, give shares of a limited
/// number of draws, with their error.
#[test]
fn accuracies_of_clips_are_those_of_the_released_functions() {
    let golden: Value = golden("released_video");
    let n_draws = number(&golden["n_draws"]);
    let gt = rows("stimulus actions", 400);
    let noise = rows("reconstruction actions", 400);
    let mut n_cases = 0;
    for case in list(&golden["cases"]) {
        let options = NWayOptions {
            right_classes: count(case, "right_classes"),
            ..NWayOptions::default()
        };
        for (pair, share) in numbers(&case["shares"]).into_iter().enumerate() {
            let recon: Vec<f32> = gt[pair].iter().zip(&noise[pair]).map(|(gt, noise)| 0.5 * gt + 0.5 * noise).collect();
            let expected = n_way_accuracy(&gt[pair], &recon, count(case, "n_way"), 0, &options).unwrap().unwrap();
            near(share, expected, tolerance(expected, n_draws));
        }
        n_cases += 1;
    }
    assert_eq!(n_cases, 3 * 4);
}

#[test]
fn chance_levels_are_those_of_unrelated_probabilities() {
    for case in list(&golden::<Value>("n_way_accuracy")["chance"]) {
        let chance = options(case).chance(count(case, "n_way"));
        near(chance, number(&case["mean"]), 4.0 * number(&case["error"]));
    }
}

#[test]
fn equal_probabilities_lose_unless_told_otherwise() {
    let stimulus = [0.7, 0.2, 0.1, 0.0];
    let reconstruction = [0.3, 0.3, 0.1, 0.3];
    let accuracy = |ties| {
        let options = NWayOptions {
            right_classes: 1,
            ties,
            ..NWayOptions::default()
        };
        n_way_accuracy(&stimulus, &reconstruction, 2, 0, &options).unwrap()
    };
    assert_eq!(accuracy(Ties::Lose), Ok(1.0 / 3.0));
    assert_eq!(accuracy(Ties::Half), Ok(2.0 / 3.0));
    assert_eq!(accuracy(Ties::Win), Ok(1.0));
}

#[test]
fn logits_give_what_probabilities_give() {
    let (gt, recon) = ([2.0, 1.0, -1.0, 0.5, 0.0], [-3.0, 0.5, 2.0, 1.0, -1.0]);
    let softmax = |logits: [f32; 5]| logits.map(f32::exp).map(|e| e / 20.0);
    let accuracy =
        |gt: &[f32], recon: &[f32]| n_way_accuracy(gt, recon, 2, 0, &NWayOptions::default()).unwrap().unwrap();
    assert_eq!(accuracy(&gt, &recon), accuracy(&softmax(gt), &softmax(recon)));
}

#[test]
fn pairs_without_a_value_say_why() {
    let options = NWayOptions::default();
    let undefined =
        |gt: &[f32], recon: &[f32], n_way| n_way_accuracy(gt, recon, n_way, 0, &options).unwrap().unwrap_err();
    let row = [0.1, 0.2, 0.3, 0.4];
    assert_eq!(undefined(&[], &[], 2), Undefined::Empty(Side::Gt));
    assert_eq!(undefined(&[0.5; 4], &row, 2), Undefined::Constant(Side::Gt));
    assert_eq!(undefined(&row, &[0.5; 4], 2), Undefined::Constant(Side::Recon));
    assert_eq!(undefined(&row, &[0.5, f32::NAN, 0.1, 0.2], 2), Undefined::NonFinite(Side::Recon));
    let too_few = Undefined::Because("fewer classes than are to be drawn".into());
    assert_eq!(undefined(&row, &row, 3), too_few);
    assert_eq!(undefined(&row[..3], &row[..3], 2), too_few);
}

#[test]
fn what_cannot_be_asked_for_is_an_error() {
    let (gt, recon) = ([0.1, 0.2, 0.3, 0.4, 0.5], [0.3, 0.1, 0.2, 0.5, 0.4]);
    let of = |n_way, options| n_way_accuracy(&gt, &recon, n_way, 0, &options);
    let default = NWayOptions::default();
    let none_right = NWayOptions {
        right_classes: 0,
        ..default
    };
    let all_succeed = NWayOptions { top_k: 2, ..default };
    for refused in [of(1, default), of(2, none_right), of(2, all_succeed)] {
        assert!(matches!(refused, Err(MetricError::Usage(_))));
    }
    assert!(n_way_accuracy(&gt, &recon[..4], 2, 0, &default).is_err());
}
