//! Ratings of several raters.

use crate::support::*;
use neurogauge_stats::internals::{HumanScores, RaterWeights};

const ALL: [Measurement; 3] = [Measurement::Nominal, Measurement::Ordinal, Measurement::Interval];

#[test]
fn ratings_whose_squares_are_out_of_range_agree_as_well() {
    let of = |scale: f64, measurement| {
        let values = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 3.0].map(|value| Some(value * scale)).to_vec();
        krippendorff_alpha(&Ratings::new(2, values).unwrap(), measurement).unwrap()
    };
    for measurement in ALL {
        for scale in [1e-300, 1e-170, 1e200, 1e307] {
            let difference = of(scale, measurement) - of(1.0, measurement);
            assert!(difference.abs() < 1e-12, "{scale}: {difference}");
        }
    }
}

#[test]
fn raters_who_never_differ_agree_fully() {
    let survey = vec![Some(1.0), Some(1.0), None, Some(2.0), Some(5.0), Some(5.0)];
    let ratings = Ratings::new(2, survey).unwrap();
    for measurement in ALL {
        assert_eq!(krippendorff_alpha(&ratings, measurement), Ok(1.0));
    }
}

#[test]
fn no_pairs_and_no_spread_have_no_alpha() {
    let alone = Ratings::new(2, vec![Some(1.0), None, None, Some(2.0)]).unwrap();
    let flat = Ratings::new(2, vec![Some(3.0); 6]).unwrap();
    for measurement in ALL {
        assert_eq!(krippendorff_alpha(&alone, measurement), Err(Undefined::NoPairs));
        assert_eq!(krippendorff_alpha(&flat, measurement), Err(Undefined::Constant(Side::Gt)));
    }
}

#[test]
fn what_is_no_survey_is_named() {
    let error = |n_raters, values: &[f64]| {
        Ratings::new(n_raters, values.iter().copied().map(Some).collect()).unwrap_err().to_string()
    };
    assert!(error(0, &[]).contains("0 raters"));
    assert!(error(2, &[1.0, 2.0, 3.0]).contains("3 ratings"));
    assert!(error(2, &[1.0, 2.0]).contains("1 item and 2 raters"));
    assert!(error(1, &[1.0]).contains("1 item and 1 rater;"));
    assert!(error(2, &[1.0, 2.0, 3.0, f64::NAN]).contains("rater 1 gave item 1"));
}

fn drawn(weights: [u32; 2]) -> RaterWeights {
    RaterWeights::Drawn(weights.to_vec())
}

#[test]
fn a_rater_who_is_left_out_is_left_out_to_the_bit() {
    let values: Vec<f64> = (0..60).map(|n| f64::from(n * 7 % 11) / 3.0).collect();
    for scale in [1.0, 3.0] {
        let of = |n: usize| (n % 4 != 1).then(|| values[n] * scale);
        let ratings = Ratings::new(6, (0..60).map(of).collect()).unwrap();
        for score in [HumanScore::Mean, HumanScore::ZScore] {
            let scores = HumanScores::new(&ratings, score);
            for rater in 0..6 {
                let mut weights = vec![1; 6];
                weights[rater] = 0;
                assert_eq!(scores.means(&RaterWeights::Without(rater)), scores.means(&RaterWeights::Drawn(weights)));
            }
        }
    }
}

fn ratings(values: &[i32]) -> Ratings {
    let values = values.iter().map(|&v| (v > 0).then(|| f64::from(v)));
    Ratings::new(2, values.collect()).unwrap()
}

#[test]
fn items_rated_in_tenths_tie_as_in_whole_numbers() {
    let whole = [1, 2, 3, 3, 2, 1, 2, 2, 2, 6, 7, 8, 8, 7, 6].map(f64::from);
    let means = |scale: f64| {
        let values = whole.map(|value| Some(value / scale)).to_vec();
        human_scores(&Ratings::new(3, values).unwrap(), HumanScore::Mean)
    };
    for scale in [1.0, 10.0, 1000.0, 4.0] {
        let expected = [2.0, 2.0, 2.0, 7.0, 7.0].map(|mean| Some(mean / scale));
        assert_eq!(means(scale), expected, "{scale}");
    }
    let third = 1.0 / 3.0;
    let thirds = Ratings::new(2, vec![Some(third); 4]).unwrap();
    assert_eq!(human_scores(&thirds, HumanScore::Mean), [Some(third); 2]);
}

#[test]
fn means_are_over_those_who_rated() {
    let scores = HumanScores::new(&ratings(&[1, 4, 2, 0, 0, 3]), HumanScore::Mean);
    assert_eq!(scores.means(&drawn([1, 1])), [Some(2.5), Some(2.0), Some(3.0)]);
    assert_eq!(scores.means(&drawn([2, 1])), [Some(2.0), Some(2.0), Some(3.0)]);
    assert_eq!(scores.means(&drawn([2, 0])), [Some(1.0), Some(2.0), None]);
}

#[test]
fn standardised_raters_count_alike_and_flat_ones_not_at_all() {
    // Rater 0: 1, 3 (mean 2, deviation 1). Rater 1: 10, 30, in the other order.
    let scores = HumanScores::new(&ratings(&[1, 30, 3, 10]), HumanScore::ZScore);
    assert_eq!(scores.means(&drawn([1, 1])), [Some(0.0), Some(0.0)]);
    assert_eq!(scores.means(&drawn([1, 0])), [Some(-1.0), Some(1.0)]);
    let flat = HumanScores::new(&ratings(&[1, 5, 3, 5]), HumanScore::ZScore);
    assert_eq!(flat.n_raters_left_out, 1);
    assert_eq!(flat.means(&drawn([1, 1])), [Some(-1.0), Some(1.0)]);
    assert_eq!(flat.means(&drawn([0, 1])), [None, None]);
}
