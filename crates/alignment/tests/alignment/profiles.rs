//! Profiles, and what they are held against.

use crate::prelude::*;
use neurogauge_alignment::internals::{Donors, largest_of_each_draw, of_group};

fn profile(top_k: &[f64]) -> Profile {
    Profile {
        top_k: top_k.to_vec(),
        full: 0.0,
    }
}

#[test]
fn median_of_an_even_number_of_donors_is_between_the_middle_two() {
    let donors = [profile(&[0.9, 0.5]), profile(&[0.7, 0.7])];
    assert_eq!(median_curve(&donors).unwrap(), [0.8, 0.6]);
    assert!((brain_reference_score(&profile(&[0.35, 0.35]), &donors, 2).unwrap().unwrap() - 0.5).abs() < 1e-15);
}

#[test]
fn shape_does_not_depend_on_height() {
    let donors = [profile(&[0.9, 0.6, 0.3])];
    let distance = |curve: &[f64]| shape_distance(&profile(curve), &donors, 3).unwrap().unwrap();
    assert!(distance(&[0.3, 0.2, 0.1]) < 1e-15);
    // 1.5, 1, 0.5 against 1, 1, 1.
    assert!((distance(&[0.6, 0.6, 0.6]) - (0.5f64 / 3.0).sqrt()).abs() < 1e-15);
}

#[test]
fn a_short_curve_is_averaged_as_far_as_it_goes() {
    assert_eq!(profile(&[0.5, 0.25]).mean(10).unwrap(), 0.375);
    assert!(profile(&[0.5]).mean(0).is_err());
    assert!(Profile::of_folds(&[]).is_err());
}

fn donors(means: &[f64], null: f64, p: f64, single: f64) -> Donors {
    let (sd, corrected) = (0.1, None);
    let of_null = NullSummary {
        mean: null,
        sd,
        corrected,
        p,
    };
    Donors {
        means: means.to_vec(),
        nulls: means.iter().map(|_| of_null).collect(),
        repeats: vec![3.0],
        single_trials: vec![single],
        ..Donors::default()
    }
}

/// If one trial has a reliability of 1/3, that of three is 3/5 by the Spearman-Brown formula: 0.3 above chance of
/// the 0.5 without noise, and 1/6 with one trial.
#[test]
fn reliability_is_that_of_spearman_and_brown() {
    let settings = AlignSettings::default();
    let own = donors(&[0.5, 0.5], 0.2, 0.01, 0.2 + 0.5 / 3.0);
    let found = of_group(("lh", "V1"), &[(own.clone(), 20)], &settings);
    let reliability = found.reliability.clone().unwrap();
    assert!((reliability - 0.6).abs() < 1e-12, "{reliability}");
    assert!((own.without_noise(&found).unwrap() - 0.7).abs() < 1e-12);
    // Single trials that recover as much show no noise; trials or donors at chance show nothing.
    let of = |own: Donors| of_group(("lh", "V1"), &[(own, 20)], &settings).reliability;
    assert_eq!(of(donors(&[0.5], 0.2, 0.01, 0.5)), Ok(1.0));
    assert_eq!(of(donors(&[0.5], 0.2, 0.01, 0.6)), Ok(1.0));
    assert!(of(donors(&[0.5], 0.2, 0.01, 0.25)).is_err());
    assert!(of(donors(&[0.5], 0.2, 0.01, 0.1)).is_err());
    assert!(of(donors(&[0.5], 0.2, 0.2, 0.4)).is_err());
    // Half of the score would be extrapolated here.
    let noisy = donors(&[0.5], 0.2, 0.01, 0.34);
    let found = of_group(("lh", "V1"), &[(noisy.clone(), 20)], &settings);
    assert!(found.reliability.clone().is_ok_and(|own| own < 0.5));
    assert_eq!(noisy.without_noise(&found), None);
}

#[test]
fn of_few_draws_the_highest_score_is_above_the_null() {
    let own = |p, n_draws, null_p| {
        let settings = AlignSettings {
            null_p,
            ..AlignSettings::default()
        };
        donors(&[0.5], 0.2, p, 0.4).are_above_null(n_draws, &settings)
    };
    assert_eq!(own(1.0 / 3.0, 2, NullP::Draws), Some(true));
    assert_eq!(own(2.0 / 3.0, 2, NullP::Draws), Some(false));
    assert_eq!(own(2.0 / 21.0, 20, NullP::Draws), Some(false));
    assert_eq!(own(0.06, 5, NullP::T), Some(false));
    let kept = AlignSettings {
        null_select: false,
        ..AlignSettings::default()
    };
    let found = donors(&[0.5], 0.2, 0.01, 0.4).are_above_null(20, &kept);
    assert_eq!((found, Donors::default().are_above_null(0, &kept)), (None, None));
}

/// Standardised by hand: the first source's observation is above both sources' draws, the second's is below one of
/// the first's.
#[test]
fn a_source_is_held_against_the_largest_of_all() {
    let first = (4.0, vec![1.0, 2.0, 1.0]);
    let second = (3.0, vec![3.0, 1.0, 1.0]);
    assert_eq!(largest_of_each_draw(&[&first]), [0.25]);
    assert_eq!(largest_of_each_draw(&[&second]), [0.5]);
    // z of the first: 1.414, -0.707, 0, -0.707; of the second: 0.866, 0.866, -0.866, -0.866.
    assert_eq!(largest_of_each_draw(&[&first, &second]), [0.25, 0.5]);
    // A constant source has a score of 0, which the largest score of some draws reaches.
    let constant = (1.0, vec![1.0; 3]);
    assert_eq!(largest_of_each_draw(&[&first, &constant]), [0.25, 1.0]);
    assert!(largest_of_each_draw(&[]).is_empty());
}
