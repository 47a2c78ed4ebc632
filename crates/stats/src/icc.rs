//! Intraclass correlations: how well raters agree on items that all of them rated.

use crate::distributions::{f_exceeded_with, f_exceeds};
use crate::overflow_guard::divisor;
use crate::summation::sum;
use crate::variance_components::VarianceComponents;
use crate::{Ratings, StatsError};
use neurogauge_core::{Side, Undefined};
use serde::{Deserialize, Serialize};

/// The six forms of Shrout and Fleiss (1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IccForm {
    /// ICC(1,1): one rating; raters differ from item to item.
    OneWaySingle,
    /// ICC(2,1): one rating by a random rater; absolute agreement.
    AgreementSingle,
    /// ICC(3,1): one rating by these raters; consistency up to a rater's level.
    ConsistencySingle,
    /// ICC(1,k): the mean of all ratings.
    OneWayMean,
    /// ICC(2,k): the mean rating of random raters; absolute agreement.
    AgreementMean,
    /// ICC(3,k): the mean rating of these raters; consistency.
    ConsistencyMean,
}

impl IccForm {
    /// All forms, in the order of tables.
    pub const ALL: [IccForm; 6] = [
        IccForm::OneWaySingle,
        IccForm::AgreementSingle,
        IccForm::ConsistencySingle,
        IccForm::OneWayMean,
        IccForm::AgreementMean,
        IccForm::ConsistencyMean,
    ];

    /// The name that tables print.
    pub fn label(self) -> &'static str {
        match self {
            IccForm::OneWaySingle => "ICC(1,1)",
            IccForm::AgreementSingle => "ICC(2,1)",
            IccForm::ConsistencySingle => "ICC(3,1)",
            IccForm::OneWayMean => "ICC(1,k)",
            IccForm::AgreementMean => "ICC(2,k)",
            IccForm::ConsistencyMean => "ICC(3,k)",
        }
    }
}

/// Whose test and interval to report; the correlations themselves are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IccConvention {
    /// pingouin (and the R package psych): the agreement forms are tested with (n − 1)(k − 1)
    /// degrees of freedom, and the interval of ICC(2,k) is that of ICC(2,1) stepped up.
    #[default]
    Pingouin,
    /// The R package irr 0.84.1: the agreement forms are tested with Satterthwaite's degrees of
    /// freedom, and for ICC(2,k) those are computed from ICC(2,k) itself, for its interval too.
    Irr,
}

/// One intraclass correlation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Icc {
    /// Which of the six.
    pub form: IccForm,
    /// At most 1; negative if raters agree less than by chance. ICC(2,k) alone can be above 1, where its denominator is
    /// negative.
    pub value: f64,
    /// F of the test that it is zero; infinite if only items vary.
    pub f: f64,
    /// Degrees of freedom of the numerator.
    pub df1: f64,
    /// Degrees of freedom of the denominator.
    pub df2: f64,
    /// p value of the test.
    pub p_value: f64,
    /// Interval; `None` if F is infinite, or if the lower end comes out above the upper one, as for ICC(2,k) of raters
    /// who contradict each other.
    pub interval: Option<(f64, f64)>,
}

/// The result of [`intraclass_correlations`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IccTable {
    /// Number of items that every rater rated.
    pub n_items: usize,
    /// Number of items left out because a rating is missing.
    pub n_incomplete: usize,
    pub n_raters: usize,
    /// All forms, in the order of [`IccForm::ALL`].
    pub forms: [Icc; 6],
}

/// The six intraclass correlations, from the mean squares of items (B), raters (J), residuals (E)
/// and of all within items (W): ICC(1,1) = (B − W)/(B + (k − 1)W),
/// ICC(2,1) = (B − E)/(B + (k − 1)E + k(J − E)/n), ICC(3,1) = (B − E)/(B + (k − 1)E),
/// ICC(1,k) = (B − W)/B, ICC(2,k) = (B − E)/(B + (J − E)/n), ICC(3,k) = (B − E)/B.
///
/// - Shapes: n items by k raters; items with a missing rating are left out and counted.
/// - Range: at most 1; higher is more agreement; 0 if items differ no more than by chance. The denominator of ICC(2,k)
///   is negative where raters contradict each other and differ little in level: then its formula gives more than 1.
/// - Intervals are those of McGraw and Wong (1996), with coverage `level`.
/// - Undefined: a single rater (`NoSharedRatings`); fewer than two items that every rater rated; all ratings equal
///   (`Constant`, side `Gt`), or all items with the same mean rating, so that there is nothing to agree on.
/// - Errors: [`StatsError::InvalidOption`] for a `level` outside 0 to 1.
/// - Reference: `pingouin.intraclass_corr` 0.7.0 to 1e-12 (p values and intervals to 1e-11), and
///   the formulas of the R package irr 0.84.1 on SciPy's F distribution.
///
/// ```
/// use neurogauge_stats::{IccConvention, Ratings, intraclass_correlations};
/// // Shrout and Fleiss (1979), table 2: six items, four judges.
/// let table = [9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7];
/// let ratings = Ratings::new(4, table.map(|v| Some(f64::from(v))).to_vec()).unwrap();
/// let found = intraclass_correlations(&ratings, 0.95, IccConvention::Pingouin).unwrap().unwrap();
/// let rounded = found.forms.map(|icc| (icc.value * 100.0).round() / 100.0);
/// assert_eq!(rounded, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]);
/// ```
pub fn intraclass_correlations(
    ratings: &Ratings,
    level: f64,
    convention: IccConvention,
) -> Result<Result<IccTable, Undefined>, StatsError> {
    check_level(level)?;
    if ratings.n_raters() < 2 {
        return Ok(Err(Undefined::NoSharedRatings));
    }
    let complete = ratings.complete_items();
    let because = |reason: &'static str| Ok(Err(Undefined::Because(reason.into())));
    if complete.len() < 2 {
        return because("fewer than two items were rated by every rater");
    }
    if complete.concat().windows(2).all(|two| two[0] == two[1]) {
        return Ok(Err(Undefined::Constant(Side::Gt)));
    }
    let components = VarianceComponents::of(&complete);
    if components.items == 0.0 {
        return because("all items have the same mean rating");
    }
    let tail = (1.0 - level) / 2.0;
    Ok(Ok(IccTable {
        n_items: complete.len(),
        n_incomplete: ratings.n_items() - complete.len(),
        n_raters: ratings.n_raters(),
        forms: IccForm::ALL.map(|form| components.icc(form, tail, convention)),
    }))
}

fn check_level(level: f64) -> Result<(), StatsError> {
    match level > 0.0 && level < 1.0 {
        true => Ok(()),
        false => Err(StatsError::InvalidOption {
            option: "level",
            found: level.to_string(),
            expected: "a number between 0 and 1, exclusive",
        }),
    }
}

/// ICC(1,1) and ICC(1,k) of all ratings, however many each item has: a crowd, or raters who dropped out.
///
/// From the mean squares between items B and within items W: (B − W)/(B + (k₀ − 1)W) and (B − W)/B. k₀ = (N −
/// Σkᵢ²/N)/(n − 1), where item i has kᵢ of the N ratings of n items, stands for the number of raters. Every item is
/// supposed to have raters of its own, so differences between the levels of raters count as disagreement.
///
/// - Shapes, range, direction: as of [`intraclass_correlations`]; no item is left out.
/// - The interval is exact for equal numbers of ratings, and else uses k₀.
/// - Undefined: no item was rated by two raters (`NoSharedRatings`); all ratings equal (`Constant`, side `Gt`), or all
///   items with the same mean rating.
/// - Errors: [`StatsError::InvalidOption`] for a `level` outside 0 to 1.
/// - Reference: equal to ICC(1,1) and ICC(1,k) of [`intraclass_correlations`] where no rating is missing; Searle,
///   Casella and McCulloch (1992), section 3.6.
///
/// ```
/// use neurogauge_stats::{Ratings, one_way_correlations};
/// // Means 1.5, 4 and 7; B = 15.15, W = 1.25, k₀ = 1.6.
/// let ratings = [Some(1.0), Some(2.0), Some(4.0), None, Some(6.0), Some(8.0)];
/// let [single, mean] = one_way_correlations(&Ratings::new(2, ratings.to_vec()).unwrap(), 0.95).unwrap().unwrap();
/// assert!((single.value - 13.9 / 15.9).abs() < 1e-12);
/// assert!((mean.value - 13.9 / 15.15).abs() < 1e-12);
/// ```
pub fn one_way_correlations(ratings: &Ratings, level: f64) -> Result<Result<[Icc; 2], Undefined>, StatsError> {
    check_level(level)?;
    let all = || ratings.items().flatten().flatten().copied();
    // Squares of huge ratings are out of range.
    let scale = divisor(all()).unwrap_or(1.0);
    let items = ratings
        .items()
        .map(|item| -> Vec<f64> { item.iter().flatten().map(|value| value / scale).collect() });
    let items: Vec<Vec<f64>> = items.filter(|item| !item.is_empty()).collect();
    let n = items.len() as f64;
    let sizes: Vec<f64> = items.iter().map(|item| item.len() as f64).collect();
    let n_ratings = sum(&sizes);
    let (df1, df2) = (n - 1.0, n_ratings - n);
    if df1 < 1.0 || df2 < 1.0 {
        return Ok(Err(Undefined::NoSharedRatings));
    }
    let first = items[0][0];
    if items.iter().flatten().all(|value| *value == first) {
        return Ok(Err(Undefined::Constant(Side::Gt)));
    }
    let from_first = |item: &Vec<f64>| sum(&item.iter().map(|value| value - first).collect::<Vec<f64>>());
    let sums: Vec<f64> = items.iter().map(from_first).collect();
    let mean = sum(&sums) / n_ratings;
    let squares = sums.iter().zip(&sizes).map(|(total, k)| k * (total / k - mean).powi(2));
    let between = sum(&squares.collect::<Vec<f64>>()) / df1;
    let deviations = items.iter().zip(&sums).flat_map(|(item, total)| {
        let mean = total / item.len() as f64;
        item.iter().map(move |value| (value - first - mean).powi(2))
    });
    let within = sum(&deviations.collect::<Vec<f64>>()) / df2;
    if between <= 1e-28 {
        return Ok(Err(Undefined::Because("all items have the same mean rating".into())));
    }
    let k = (n_ratings - sum(&sizes.iter().map(|k| k * k).collect::<Vec<f64>>()) / n_ratings) / df1;
    let (f, tail) = (between / within, (1.0 - level) / 2.0);
    let ends = (f / f_exceeded_with(tail, df1, df2), f * f_exceeded_with(tail, df2, df1));
    let icc = |form, of: &dyn Fn(f64) -> f64| Icc {
        form,
        value: if f.is_finite() { of(f) } else { 1.0 },
        f,
        df1,
        df2,
        p_value: f_exceeds(f, df1, df2),
        interval: f.is_finite().then(|| (of(ends.0), of(ends.1))),
    };
    Ok(Ok([
        icc(IccForm::OneWaySingle, &|f| (f - 1.0) / (f + k - 1.0)),
        icc(IccForm::OneWayMean, &|f| (f - 1.0) / f),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let found = intraclass_correlations(&ratings, 0.95, convention).unwrap();
            for icc in found.unwrap().forms {
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
            let reason = table(3, &flat).unwrap_err().to_string();
            assert_eq!(reason, "all items have the same mean rating");
        }
    }

    #[test]
    fn many_items_of_a_crowd_are_not_too_few_items() {
        // Each item by two of four raters, and none by all.
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
        let of =
            |values: &[Option<f64>]| one_way_correlations(&Ratings::new(2, values.to_vec()).unwrap(), 0.95).unwrap();
        let alone = [Some(1.0), None, None, Some(2.0)];
        assert_eq!(of(&alone), Err(Undefined::NoSharedRatings));
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
}
