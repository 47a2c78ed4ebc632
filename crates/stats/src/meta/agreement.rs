//! How well raters agree with each other.

use super::human::HumanScores;
use super::item_scores::{ItemScores, in_words_of_surveys};
use super::metric_statistics::Subject;
use super::units::Units;
use super::{Grouping, HumanScore, Resampled, Statistic, ceiling};
use crate::krippendorff::{Measurement, krippendorff_alpha};
use crate::summation::sum;
use crate::{Icc, IccConvention, IccTable, Ratings, StatsError, intraclass_correlations, one_way_correlations};
use neurogauge_core::parallel;
use neurogauge_core::{Outcome, Undefined};
use serde::{Serialize, Serializer};

/// Agreement among the raters of a survey.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RaterAgreement {
    /// The six intraclass correlations, over the items that every rater rated.
    #[serde(with = "neurogauge_core::recorded")]
    pub icc: Result<IccTable, Undefined>,
    /// ICC(1,1) and ICC(1,k) of all ratings; `None` if no rating is missing.
    pub icc_of_all_ratings: Option<[Icc; 2]>,
    /// Krippendorff's alpha of the ranks of ratings.
    #[serde(with = "neurogauge_core::recorded")]
    pub alpha_ordinal: Outcome,
    /// Krippendorff's alpha of the ratings themselves.
    #[serde(with = "neurogauge_core::recorded")]
    pub alpha_interval: Outcome,
    pub ceilings: Vec<Ceiling>,
    pub one_rater: Vec<OneRater>,
    /// The ceilings within groups, for each grouping.
    pub grouped: Vec<GroupedCeilings>,
    /// Raters who are left out of all of [`one_rater`](Self::one_rater), for example because they gave a single rating.
    pub raters_left_out: Vec<RaterLeftOut>,
}

/// A rater who cannot be compared with the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RaterLeftOut {
    pub rater: usize,
    #[serde(serialize_with = "in_words")]
    pub reason: Undefined,
}

/// How well a perfect metric, and one rater, would agree with people within groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupedCeilings {
    pub grouping: String,
    pub ceilings: Vec<Ceiling>,
    pub one_rater: Vec<OneRater>,
}

/// How well a metric that knows the true quality of each item would agree with the human scores, which are means of few
/// raters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ceiling {
    pub statistic: Statistic,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
}

/// How well one rater agrees with all others, measured as for metrics: each rater in turn plays the metric, and the
/// others' score plays people. This is no ceiling: a metric may be less noisy than one rater, whose few levels tie.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OneRater {
    pub statistic: Statistic,
    /// The mean over the raters who have a value.
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// The value of each rater, in their order.
    pub raters: Vec<Option<f64>>,
}

/// Intraclass correlations, Krippendorff's alpha, the ceiling of a metric, and each rater against the others.
///
/// The ceiling is that of a perfect metric, which knows the true quality of each item. For Pearson's correlation it is
/// the root of the reliability of the human score, √ρ, and with k raters of an item ρ = k·r/(1 + (k − 1)·r), where r is
/// the correlation of two raters (Spearman and Brown). It is computed in the same way for all statistics: the variance
/// σ² of the quality is the mean covariance of two raters, and the error of item i has variance v/kᵢ, so that both add
/// up to the variance of the human scores h. Qualities that fit the scores are drawn, h̄ + ρᵢ(hᵢ − h̄) + σ√(1 − ρᵢ)·z
/// with ρᵢ = σ²/(σ² + v/kᵢ) and normal z, and each statistic of these against h is averaged. Ties of human scores count
/// as they do for a metric.
///
/// - Shapes: n items by k raters, ratings may be missing; a rater is compared with the others on the
///   items that this rater and at least one other rated.
/// - Range: see [`intraclass_correlations`], [`krippendorff_alpha`] and [`Statistic`].
/// - Conventions: `human-score`, `rater-ceiling`.
/// - Undefined, separately for each: too few items to compare, all ratings tied, no item that two raters rated (for
///   example if only one figure for each item is published).
/// - Errors: a `level` outside 0 to 1.
///
/// ```
/// use neurogauge_stats::Ratings;
/// use neurogauge_stats::meta::{HumanScore, rater_agreement};
/// let survey = [1, 1, 2, 3, 4, 2, 5, 5].map(|v| Some(f64::from(v)));
/// let ratings = Ratings::new(2, survey.to_vec()).unwrap();
/// let found = rater_agreement(&ratings, HumanScore::Mean, 0.95).unwrap();
/// // Of six pairs of items the raters order five alike and one (items 2 and 3) differently.
/// let tau = &found.one_rater[2];
/// assert!((tau.value.clone().unwrap() - 4.0 / 6.0).abs() < 1e-15);
/// // The reliability of the mean of both, ICC(3,2), is 0.855.
/// let pearson = found.ceilings[3].value.clone().unwrap();
/// assert!((pearson - 0.855_f64.sqrt()).abs() < 0.05);
/// ```
pub fn rater_agreement(ratings: &Ratings, score: HumanScore, level: f64) -> Result<RaterAgreement, StatsError> {
    rater_agreement_within(ratings, &[], score, level)
}

/// [`rater_agreement`], also within groups.
pub(crate) fn rater_agreement_within(
    ratings: &Ratings,
    groupings: &[Grouping],
    score: HumanScore,
    level: f64,
) -> Result<RaterAgreement, StatsError> {
    let icc = intraclass_correlations(ratings, level, IccConvention::default())?;
    let alpha = |measurement| {
        krippendorff_alpha(ratings, measurement).map_err(|reason| match reason {
            Undefined::NoPairs => Undefined::NoSharedRatings,
            other => tied(other),
        })
    };
    let human = HumanScores::new(ratings, score);
    let mut readings = readings(&human, groupings)?;
    if let [alone] = readings.as_mut_slice() {
        let nobody = |outcome: &mut Outcome| *outcome = Err(Undefined::NoSharedRatings);
        alone.outcomes.iter_mut().for_each(nobody);
    }
    let mut one_rater = one_rater(&readings);
    let within = one_rater.split_off(Statistic::ALL.len());
    let within = within.chunks(Statistic::ALL.len());
    let ceilings = |grouping: Option<&Grouping>| {
        let values = ceiling::ceilings(&human, grouping)?.into_iter();
        let ceilings = Statistic::ALL.into_iter().zip(values).map(|(statistic, value)| Ceiling { statistic, value });
        Ok::<Vec<Ceiling>, StatsError>(ceilings.collect())
    };
    let grouped = groupings.iter().zip(within).map(|(grouping, one_rater)| {
        Ok(GroupedCeilings {
            grouping: grouping.name.clone(),
            ceilings: ceilings(Some(grouping))?,
            one_rater: one_rater.to_vec(),
        })
    });
    let of_all_ratings = match ratings.n_missing() {
        0 => None,
        _ => one_way_correlations(ratings, level)?.ok(),
    };
    Ok(RaterAgreement {
        icc: icc.map_err(tied),
        icc_of_all_ratings: of_all_ratings,
        alpha_ordinal: alpha(Measurement::Ordinal),
        alpha_interval: alpha(Measurement::Interval),
        ceilings: ceilings(None)?,
        one_rater,
        grouped: grouped.collect::<Result<_, StatsError>>()?,
        raters_left_out: raters_left_out(&readings),
    })
}

/// The "metric" is a rater here, so the constant sample is a set of ratings.
fn tied(reason: Undefined) -> Undefined {
    match in_words_of_surveys(reason) {
        Undefined::ConstantMetric => Undefined::TiedRatings,
        other => other,
    }
}

/// Reads each rater in turn as if it were the metric.
fn readings(human: &HumanScores, groupings: &[Grouping]) -> Result<Vec<ItemScores>, StatsError> {
    let units = Units::new(human, groupings, None, Resampled::Raters)?;
    let items: Vec<u32> = (0..human.n_items() as u32).collect();
    parallel::try_map(human.n_raters(), |rater| {
        let others = units.without(rater as u32);
        let means = human.means(&others.raters);
        let shared = |item: &u32| means[*item as usize].is_some();
        let items: Vec<u32> = items.iter().copied().filter(shared).collect();
        Subject::new(&human.of_rater(rater), &items, groupings)?.read(human, &others)
    })
}

fn raters_left_out(readings: &[ItemScores]) -> Vec<RaterLeftOut> {
    let of_rater = |(rater, reading): (usize, &ItemScores)| {
        let has_value = reading.outcomes.iter().any(Result::is_ok);
        let reason = reading.outcomes.iter().find_map(|o| o.as_ref().err())?;
        (!has_value).then(|| RaterLeftOut {
            rater,
            reason: tied(reason.clone()),
        })
    };
    readings.iter().enumerate().filter_map(of_rater).collect()
}

/// The mean over raters of each outcome of a reading.
fn one_rater(readings: &[ItemScores]) -> Vec<OneRater> {
    let of_statistic = |s: usize| {
        let outcomes = readings.iter().map(|reading| &reading.outcomes[s]);
        let raters: Vec<Option<f64>> = outcomes.clone().map(|o| o.as_ref().ok().copied()).collect();
        let values: Vec<f64> = raters.iter().flatten().copied().collect();
        let reason = outcomes.filter_map(|o| o.as_ref().err()).next();
        let value = match reason {
            Some(reason) if values.is_empty() => Err(tied(reason.clone())),
            _ => Ok(sum(&values) / values.len() as f64),
        };
        OneRater {
            statistic: Statistic::ALL[s % Statistic::ALL.len()],
            value,
            raters,
        }
    };
    let n_outcomes = readings.first().map_or(0, |reading| reading.outcomes.len());
    (0..n_outcomes).map(of_statistic).collect()
}

fn in_words<S: Serializer>(reason: &Undefined, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(reason)
}
