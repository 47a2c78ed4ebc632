//! Edge cases of intraclass correlations.

use crate::support::*;

fn table(n_raters: usize, values: &[i32]) -> Result<IccTable, Undefined> {
    let values = values.iter().map(|&v| Some(f64::from(v))).collect();
    let ratings = Ratings::new(n_raters, values).unwrap();
    intraclass_correlations(&ratings, 0.95, IccConvention::Pingouin).unwrap()
}

#[test]
fn equal_raters_agree_fully() {
    for icc in table(3, &[1, 1, 1, 2, 2, 2, 5, 5, 5]).unwrap().forms {
        assert_eq!((icc.value, icc.f, icc.p_value), (1.0, f64::INFINITY, 0.0));
        assert_eq!(icc.interval, None);
    }
}

#[test]
fn ratings_whose_squares_are_out_of_range_have_the_same_correlations() {
    let values = [9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6].map(f64::from);
    let of = |scale: f64| {
        let values = values.map(|value| Some(value * scale)).to_vec();
        let ratings = Ratings::new(4, values).unwrap();
        intraclass_correlations(&ratings, 0.95, IccConvention::Irr).unwrap().unwrap().forms
    };
    let expected = of(1.0);
    for scale in [1e-300, 1e-160, 1e200, 1e307] {
        for (found, expected) in of(scale).iter().zip(&expected) {
            assert!((found.value - expected.value).abs() < 1e-12, "{scale}");
            assert!((found.f / expected.f - 1.0).abs() < 1e-12, "{scale}");
            assert!((found.p_value - expected.p_value).abs() < 1e-12, "{scale}");
            let ends = (found.interval.unwrap(), expected.interval.unwrap());
            assert!((ends.0.0 - ends.1.0).abs() < 1e-11, "{scale}");
        }
    }
}

#[test]
fn ratings_of_all_sizes_come_to_an_end() {
    let small = [4.9e16, 1e4, 6.4e16, -4e-35].map(Some);
    let large = [1.6e217, -2.2e-16, 1.4e14, -6e16].map(Some);
    let ratings = Ratings::new(4, [small, large].concat()).unwrap();
    for convention in [IccConvention::Pingouin, IccConvention::Irr] {
        for icc in intraclass_correlations(&ratings, 0.95, convention).unwrap().unwrap().forms {
            assert!(icc.value.is_finite() && (0.0..=1.0).contains(&icc.p_value), "{icc:?}");
        }
    }
}

#[test]
fn raters_of_different_level_are_consistent_without_agreeing() {
    let forms = table(2, &[1, 2, 2, 3, 4, 5]).unwrap().forms;
    assert!(forms[1].value < 1.0);
    assert_eq!(forms[2].value, 1.0);
}

#[test]
fn equal_means_of_decimals_are_equal() {
    let values = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1].map(Some).to_vec();
    let ratings = Ratings::new(3, values).unwrap();
    let found = intraclass_correlations(&ratings, 0.95, IccConvention::Pingouin).unwrap();
    assert_eq!(found.unwrap_err().to_string(), "all items have the same mean rating");
}

#[test]
fn an_interval_whose_ends_cross_is_none() {
    let forms = table(4, &[1, -1, -3, 0, 1, -1, 1, -1, -1, 2, 0, -2]).unwrap().forms;
    let of_mean = forms.iter().find(|icc| icc.form == IccForm::AgreementMean).unwrap();
    // pingouin 0.7.0: 44.0, with an interval from 4.79 to 0.89.
    assert!((of_mean.value - 44.0).abs() < 1e-9 && of_mean.interval.is_none());
}

#[test]
fn items_that_do_not_differ_have_no_icc() {
    assert_eq!(table(3, &[3; 6]), Err(Undefined::Constant(Side::Gt)));
    for flat in [[3, 4, 4, 3, 4, 4], [3, 4, 4, 4, 3, 4]] {
        assert_eq!(table(3, &flat).unwrap_err().to_string(), "all items have the same mean rating");
    }
}

#[test]
fn many_items_of_a_crowd_are_not_too_few_items() {
    // Each item is rated by two of four raters, and none by all.
    let of = |item: i32, rater: i32| (rater / 2 == item % 2).then_some(f64::from(item % 5 + rater % 2));
    let values = (0..200).flat_map(|item| (0..4).map(move |rater| of(item, rater))).collect();
    let ratings = Ratings::new(4, values).unwrap();
    let reason = intraclass_correlations(&ratings, 0.95, IccConvention::Pingouin).unwrap().unwrap_err();
    assert_eq!(reason.to_string(), "fewer than two items were rated by every rater");
}

#[test]
fn one_way_correlations_of_complete_ratings_are_those_of_the_table() {
    let values = [9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6].map(f64::from);
    for scale in [1.0, 1e-200, 1e300] {
        let values = values.map(|value| Some(value * scale)).to_vec();
        let ratings = Ratings::new(4, values).unwrap();
        let of_table = intraclass_correlations(&ratings, 0.9, IccConvention::Pingouin).unwrap().unwrap().forms;
        let found = one_way_correlations(&ratings, 0.9).unwrap().unwrap();
        for (found, expected) in found.iter().zip([&of_table[0], &of_table[3]]) {
            let ends = [found, expected].map(|icc| icc.interval.unwrap());
            assert_eq!((found.form, found.df1, found.df2), (expected.form, expected.df1, expected.df2));
            for (own, right) in [
                (found.value, expected.value),
                (found.p_value, expected.p_value),
                (ends[0].0, ends[1].0),
                (ends[0].1, ends[1].1),
            ] {
                assert!((own - right).abs() < 1e-11, "{scale}: {found:?} {expected:?}");
            }
        }
    }
}

#[test]
fn one_way_correlations_without_shared_items_or_variance_are_undefined() {
    let of = |values: &[Option<f64>]| one_way_correlations(&Ratings::new(2, values.to_vec()).unwrap(), 0.95).unwrap();
    assert_eq!(of(&[Some(1.0), None, None, Some(2.0)]), Err(Undefined::NoSharedRatings));
    assert_eq!(of(&[Some(3.0); 4]), Err(Undefined::Constant(Side::Gt)));
    assert!(of(&[1.0, 2.0, 2.0, 1.0].map(Some)).unwrap_err().to_string().contains("same mean"));
    let [single, _] = of(&[1.0, 1.0, 2.0, 2.0].map(Some)).unwrap();
    assert_eq!((single.value, single.interval, single.p_value), (1.0, None, 0.0));
}

#[test]
fn one_rater_agrees_with_nobody() {
    assert_eq!(table(1, &[1, 2, 3]), Err(Undefined::NoSharedRatings));
}

#[test]
fn incomplete_items_are_left_out_and_counted() {
    let mut values: Vec<Option<f64>> = [1, 2, 2, 3, 4, 5].map(|v| Some(f64::from(v))).to_vec();
    let complete = table(2, &[1, 2, 2, 3, 4, 5]).unwrap();
    values.extend([Some(1.0), None]);
    let ratings = Ratings::new(2, values).unwrap();
    let found = intraclass_correlations(&ratings, 0.95, IccConvention::Pingouin).unwrap().unwrap();
    assert_eq!((found.n_items, found.n_incomplete), (3, 1));
    assert_eq!(found.forms, complete.forms);
    assert!(intraclass_correlations(&ratings, 1.0, IccConvention::Irr).is_err());
}
