//! Intraclass correlations: how well raters agree on items that all of them rated.

use crate::distributions::{f_exceeded_with, f_exceeds};
use crate::error::check_level;
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
    pub const ALL: [IccForm; 6] = [
        IccForm::OneWaySingle,
        IccForm::AgreementSingle,
        IccForm::ConsistencySingle,
        IccForm::OneWayMean,
        IccForm::AgreementMean,
        IccForm::ConsistencyMean,
    ];

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

/// Which test and interval to report; the correlations themselves are the same.
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Icc {
    pub form: IccForm,
    /// At most 1; negative if raters agree less than by chance. Only ICC(2,k) can exceed 1, if its denominator is
    /// negative.
    pub value: f64,
    /// F of the test that it is zero; infinite if only items vary.
    pub f: f64,
    pub df1: f64,
    pub df2: f64,
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
    pub forms: [Icc; 6],
}

/// The six intraclass correlations, from the mean squares of items (B), raters (J), residuals (E) and everything within
/// items (W): ICC(1,1) = (B − W)/(B + (k − 1)W), ICC(2,1) = (B − E)/(B + (k − 1)E + k(J − E)/n), ICC(3,1) =
/// (B − E)/(B + (k − 1)E), ICC(1,k) = (B − W)/B, ICC(2,k) = (B − E)/(B + (J − E)/n), ICC(3,k) = (B − E)/B.
///
/// - Shapes: n items by k raters; items with a missing rating are left out and counted.
/// - Range: at most 1; higher is more agreement; 0 if items differ no more than by chance. The denominator of ICC(2,k)
///   is negative if raters contradict each other and differ little in level: then its formula gives more than 1.
/// - Intervals are those of McGraw and Wong (1996), with coverage `level`.
/// - Undefined: a single rater (`NoSharedRatings`); fewer than two items that every rater rated; all ratings equal
///   (`Constant`, side `Gt`), or all items with the same mean rating, so that there is nothing to agree on.
/// - Errors: a `level` outside 0 to 1.
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

impl VarianceComponents {
    fn icc(&self, form: IccForm, tail: f64, convention: IccConvention) -> Icc {
        let (n, k) = (self.n, self.k);
        let one_way = matches!(form, IccForm::OneWaySingle | IccForm::OneWayMean);
        let agreement = matches!(form, IccForm::AgreementSingle | IccForm::AgreementMean);
        let single = matches!(form, IccForm::OneWaySingle | IccForm::AgreementSingle | IccForm::ConsistencySingle);
        let (error, df2) = if one_way {
            (self.within, n * (k - 1.0))
        } else {
            (self.residual, (n - 1.0) * (k - 1.0))
        };
        let value = self.value(form);
        let f = self.items / error;
        let df1 = n - 1.0;
        let satterthwaite = self.satterthwaite(match convention {
            IccConvention::Pingouin => self.value(IccForm::AgreementSingle),
            IccConvention::Irr => value,
        });
        let tested_df2 = match convention {
            IccConvention::Irr if agreement && satterthwaite.is_finite() => satterthwaite,
            _ => df2,
        };
        let mut icc = Icc {
            form,
            value,
            f,
            df1,
            df2: tested_df2,
            p_value: f_exceeds(f, df1, tested_df2),
            interval: None,
        };
        if f.is_finite() {
            let (low, high) = if agreement {
                self.agreement_interval(tail, satterthwaite)
            } else {
                let low = f / f_exceeded_with(tail, df1, df2);
                let high = f * f_exceeded_with(tail, df2, df1);
                ((low - 1.0) / (low + k - 1.0), (high - 1.0) / (high + k - 1.0))
            };
            let (low, high) = match single {
                true => (low, high),
                false => (self.stepped_up(low), self.stepped_up(high)),
            };
            icc.interval = (low <= high).then_some((low, high));
        }
        icc
    }

    fn value(&self, form: IccForm) -> f64 {
        let (n, k) = (self.n, self.k);
        let (items, raters) = (self.items, self.raters);
        let (residual, within) = (self.residual, self.within);
        match form {
            IccForm::OneWaySingle => (items - within) / (items + (k - 1.0) * within),
            IccForm::AgreementSingle => {
                let spread = (k - 1.0) * residual + k * (raters - residual) / n;
                (items - residual) / (items + spread)
            }
            IccForm::ConsistencySingle => (items - residual) / (items + (k - 1.0) * residual),
            IccForm::OneWayMean => (items - within) / items,
            IccForm::AgreementMean => (items - residual) / (items + (raters - residual) / n),
            IccForm::ConsistencyMean => (items - residual) / items,
        }
    }

    /// Degrees of freedom of the mix of rater and residual mean squares that an agreement of `icc` implies.
    fn satterthwaite(&self, icc: f64) -> f64 {
        let (n, k) = (self.n, self.k);
        let raters = k * icc * (self.raters / self.residual);
        let residual = n * (1.0 + (k - 1.0) * icc) - k * icc;
        let spread = (n - 1.0) * raters * raters + residual * residual;
        (n - 1.0) * (k - 1.0) * (raters + residual) * (raters + residual) / spread
    }

    fn agreement_interval(&self, tail: f64, df2: f64) -> (f64, f64) {
        let (n, k, items) = (self.n, self.k, self.items);
        let others = k * self.raters + (k * n - k - n) * self.residual;
        let low = f_exceeded_with(tail, n - 1.0, df2);
        let high = f_exceeded_with(tail, df2, n - 1.0);
        (
            n * (items - low * self.residual) / (low * others + n * items),
            n * (high * items - self.residual) / (others + n * high * items),
        )
    }

    /// The reliability of the mean of all raters, from the reliability of one (Spearman and Brown).
    fn stepped_up(&self, single: f64) -> f64 {
        single * self.k / (1.0 + single * (self.k - 1.0))
    }
}

/// ICC(1,1) and ICC(1,k) of all ratings, however many each item has, such as for a crowd or after raters dropped out.
///
/// From the mean squares between items B and within items W: (B − W)/(B + (k₀ − 1)W) and (B − W)/B. k₀ = (N −
/// Σkᵢ²/N)/(n − 1), where item i has kᵢ of the N ratings of n items, stands for the number of raters. Every item is
/// assumed to have different raters, so differences between the levels of raters count as disagreement.
///
/// - Shapes, range, direction: as for [`intraclass_correlations`]; no item is left out.
/// - The interval is exact for equal numbers of ratings, and otherwise uses k₀.
/// - Undefined: no item was rated by two raters (`NoSharedRatings`); all ratings equal (`Constant`, side `Gt`), or all
///   items with the same mean rating.
/// - Errors: a `level` outside 0 to 1.
/// - Reference: equal to ICC(1,1) and ICC(1,k) of [`intraclass_correlations`] if no rating is missing; Searle, Casella
///   and McCulloch (1992), section 3.6.
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
    // Squares of huge ratings would overflow.
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
