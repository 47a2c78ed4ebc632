//! A comparison of systems on the pairs that all of them have a value for.

use crate::batched_sign_flips::AT_ONCE;
use crate::columns::check_systems;
use crate::mean_of_means::{MeanOfMeans, intervals};
use crate::moments::strong_skewness;
use crate::paired_test::PairedTest;
use crate::ranks::{TIE, ranks};
use crate::sign_flip::{TestedMean, has_spread};
use crate::stimuli::values_of_stimuli;
use crate::summation::sum;
use crate::system_means::{SystemMeans, values_at};
use crate::u_statistic::{FEWEST_STIMULI, IdentificationScores, interval_of_stimuli, of_stimuli};
use crate::{BootstrapOptions, StatsError, holm, standard_deviation};
use neurogauge_core::parallel;
use neurogauge_core::{Direction, Estimate, Outcome, Undefined};
use serde::{Deserialize, Serialize};

/// The result of [`compare_systems`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub direction: Direction,
    /// Number of pairs in which every system has a value; with several columns, a value in some column.
    pub n_shared: usize,
    /// Number of stimuli that these pairs show; intervals and tests are over stimuli.
    pub n_stimuli: usize,
    /// For a mean of several means, each over its own pairs, the number of stimuli of the mean with the fewest;
    /// otherwise `n_stimuli`. The test of a difference can show no more than this number allows.
    pub n_fewest: usize,
    /// Number of pairs left out because some system has no value.
    pub n_dropped: usize,
    /// The standing of each system, in the order given.
    pub systems: Vec<Standing>,
    /// Every two systems: (0, 1), (0, 2), ..., (1, 2), ...
    pub differences: Vec<Difference>,
}

/// One system among the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub estimate: Estimate,
    /// 1 for the best; tied systems share the mean of their ranks. `None` without shared pairs.
    pub rank: Option<f64>,
    /// Best and worst rank that are consistent with the tests of the differences, after Holm's correction over the
    /// differences of this comparison or over a larger family ([`Comparison::rank_by`]). `None` below two shared pairs.
    pub rank_interval: Option<(f64, f64)>,
    /// The skewness of the system's scores over the shared pairs, if it is so strong that the interval is doubtful
    /// ([`strong_skewness`]).
    pub strong_skewness: Option<f64>,
}

/// The estimate of one system minus that of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    pub minuend: usize,
    pub subtrahend: usize,
    /// Minuend minus subtrahend, over the shared pairs.
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// The differences that the test does not reject; `None` below two shared pairs, if the systems differ by the same
    /// amount in all pairs, or if the test could not reject any difference.
    pub interval: Option<(f64, f64)>,
    /// Two-sided p value of the test; `None` below two shared pairs.
    pub p_value: Option<f64>,
    /// The skewness of the pairs' differences, if it is strong ([`strong_skewness`]).
    pub strong_skewness: Option<f64>,
    /// The standard deviation of the stimuli's differences; `None` if they do not vary.
    pub deviation: Option<f64>,
    /// The share of stimuli at which the minuend is higher; ties count a half. `None` without stimuli.
    pub share_higher: Option<f64>,
}

/// Compares systems over the pairs that all of them have a value for.
///
/// - Shapes: `systems` holds, for each system, the same number of columns of `n_pairs` outcomes, in the same order of
///   pairs. The estimate of a system is the mean of its columns' means, as in [`estimate`](crate::estimate()), each
///   over the pairs for which all systems have a value in that column. So a composite equals the mean of its parts,
///   each compared on its own pairs. If columns lack different pairs, intervals and tests use v_i = m + (1/C) Σ_c √(n
///   (n − 1) / (n_c (n_c − 1))) (x_ic − m_c) over the C columns that have pair i, the influence of a pair.
/// - The interval of a system is that of [`estimate`](crate::estimate()) over the shared pairs.
/// - A difference is tested over the pairs' differences, so the difficulty of a pair for both systems cancels out. Its
///   p value and its interval are those of `test`, so p is above 1 − `level` exactly if the interval contains 0. p is
///   not corrected.
/// - `n_family`: the number of differences in the family of Holm's correction, if more than there are here. With more
///   of them, more random flips are drawn ([`sign_flips`](crate::sign_flips)).
/// - Ranks: 1 is the best in `direction`; systems with equal estimates share the mean of their ranks. The rank interval
///   of a system goes from 1 + (the number of systems that are significantly better) to n − (the number of systems that
///   are significantly worse), by the p values below after Holm's correction over all differences, at 1 − `level`.
///   Holm's correction bounds the chance that any of these decisions is wrong, so with probability `level` or more all
///   intervals contain the true ranks, and none of them claims more than the tests do (Mogstad et al., 2024, Review of
///   Economic Studies).
/// - Undefined: `NoPairs` if no pair is shared; intervals and p values are `None` below two shared pairs, intervals
///   also if nothing varies.
/// - Errors: no system, no column, systems with different numbers of columns, columns of different lengths, a value
///   that is not finite, an option out of its range, more than 2³² pairs.
/// - Reference: NumPy on the same draws, to 1e-12. Rank intervals: pingouin's Holm on three equal systems; for systems
///   that differ, cases by hand and a simulation with known ranks.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::{PairedTest, compare_systems};
/// let weak = [Ok(0.1), Ok(0.5), Ok(0.3)];
/// let strong = [Ok(0.2), Ok(0.6), Ok(0.4)];
/// let systems = [vec![&weak[..]], vec![&strong[..]]];
/// let test = (PairedTest::SignFlip, 1);
/// let comparison = compare_systems(&systems, Direction::Higher, test, &Default::default()).unwrap();
/// assert_eq!(comparison.systems[1].rank, Some(1.0));
/// assert!((comparison.differences[0].value.clone().unwrap() + 0.1).abs() < 1e-15);
/// // Better in every pair: the smallest p that three pairs can show.
/// assert_eq!(comparison.differences[0].p_value, Some(0.25));
/// // ... which leaves both ranks possible.
/// assert_eq!(comparison.systems[1].rank_interval, Some((1.0, 2.0)));
/// ```
pub fn compare_systems(
    systems: &[Vec<&[Outcome]>],
    direction: Direction,
    test: (PairedTest, usize),
    options: &BootstrapOptions,
) -> Result<Comparison, StatsError> {
    let n_pairs = systems.first().map_or(&[][..], Vec::as_slice).first().map_or(0, |column| column.len());
    let stimuli: Vec<usize> = (0..n_pairs).collect();
    compare_over_stimuli(systems, &stimuli, direction, test, options)
}

/// [`compare_systems`] for several pairs per stimulus: intervals and tests are over stimuli, each with all its pairs.
///
/// Estimates are means over pairs. Where [`compare_systems`] uses the values of pairs, this uses one value for each
/// stimulus, as in [`estimate_over_stimuli`](crate::estimate_over_stimuli()).
///
/// - Shapes: as in [`compare_systems`]; `stimuli` has the stimulus of each pair.
/// - Undefined, errors: as in [`compare_systems`], with stimuli instead of pairs.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::{PairedTest, compare_over_stimuli};
/// // The second system is better at all four pairs, which show two stimuli: two differences cannot show anything.
/// let (weak, strong) = ([0.1, 0.2, 0.5, 0.6].map(Ok), [0.2, 0.3, 0.6, 0.8].map(Ok));
/// let systems = [vec![&weak[..]], vec![&strong[..]]];
/// let test = (PairedTest::SignFlip, 1);
/// let found = compare_over_stimuli(&systems, &[0, 0, 1, 1], Direction::Higher, test, &Default::default()).unwrap();
/// assert_eq!((found.n_shared, found.n_stimuli), (4, 2));
/// assert_eq!(found.differences[0].p_value, Some(0.5));
/// ```
pub fn compare_over_stimuli(
    systems: &[Vec<&[Outcome]>],
    stimuli: &[usize],
    direction: Direction,
    (test, n_family): (PairedTest, usize),
    options: &BootstrapOptions,
) -> Result<Comparison, StatsError> {
    options.check()?;
    let n_pairs = check_systems(systems)?;
    let means = SystemMeans::of(systems, stimuli);
    compare_means(means, n_pairs, None, direction, (test, n_family), options)
}

/// Standings and differences. For identification, `identified` has how far each system's values are too low, and the
/// values that tell which system is higher at a stimulus, since pseudo-values are tested.
pub(crate) fn compare_means(
    means: SystemMeans,
    n_pairs: usize,
    identified: Option<(&[f64], &[Vec<f64>])>,
    direction: Direction,
    test: (PairedTest, usize),
    options: &BootstrapOptions,
) -> Result<Comparison, StatsError> {
    let SystemMeans {
        estimates,
        values,
        n_stimuli,
        n_fewest,
        n_shared,
        n_named,
    } = means;
    let scores = identified.map_or(&values[..], |(_, scores)| scores);
    let mut differences = differences((&values, scores), estimates.as_deref(), test, options)?;
    if n_fewest < n_stimuli {
        // Stimuli that a part lacks get its mean difference, which is no evidence of their own.
        let smallest = test.0.smallest_p(n_fewest, test.1, options);
        for found in &mut differences {
            found.p_value = found.p_value.map(|p| p.max(smallest));
            found.interval = found.interval.filter(|_| smallest <= 1.0 - options.level);
        }
    }
    let mut standings = standings(&values, estimates.as_deref(), direction, options)?;
    for (s, standing) in standings.iter_mut().enumerate() {
        standing.estimate.n = n_named;
        if let (Some((too_low_by, _)), Ok(mean)) = (identified, &standing.estimate.value) {
            standing.estimate.interval = interval_of_stimuli(too_low_by[s], *mean, &values[s], options)?;
        }
    }
    let found = Comparison {
        direction,
        n_shared,
        n_stimuli,
        n_fewest,
        n_dropped: n_pairs - n_shared,
        systems: standings,
        differences,
    };
    found.ranked(options)
}

/// Compares systems by a metric whose pairs are each other's distractors, over the pairs that all systems have a value
/// for.
///
/// It works like [`compare_systems`], with one jackknife pseudo-value for each stimulus instead of the values of pairs:
/// differences of pseudo-values are the pseudo-values of the estimates' difference, with the stimulus as a target and
/// as a distractor in both systems ([`u_statistic`](crate::u_statistic)). The intervals of single systems are those of
/// [`estimate_of_stimuli`](crate::u_statistic::estimate_of_stimuli).
///
/// - Shapes: `stimuli` has the stimulus of each pair.
/// - Undefined, errors: as in [`compare_systems`], which is used instead if the shared pairs have fewer than three
///   stimuli.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::{IdentificationScores, PairedTest, compare_identifications};
/// let (one, other) = ([Ok(1.0), Ok(0.5), Ok(0.5)], [Ok(1.0), Ok(1.0), Ok(0.5)]);
/// let pseudo = [[Ok(1.0), Ok(0.0), Ok(1.0)], [Ok(0.5), Ok(1.5), Ok(0.5)]];
/// let systems = [IdentificationScores::of(&one, &pseudo[0]), IdentificationScores::of(&other, &pseudo[1])];
/// let test = (PairedTest::SignFlip, 1);
/// let found =
///     compare_identifications(&systems, &[0, 1, 2], Direction::Higher, test, &Default::default()).unwrap();
/// assert!((found.differences[0].value.clone().unwrap() + 1.0 / 6.0).abs() < 1e-15);
/// // By the values alone, two of three pairs do not differ, and the other by a half: here the signs differ.
/// assert_eq!(found.differences[0].p_value, Some(1.0));
/// ```
pub fn compare_identifications(
    systems: &[IdentificationScores<'_>],
    stimuli: &[usize],
    direction: Direction,
    test: (PairedTest, usize),
    options: &BootstrapOptions,
) -> Result<Comparison, StatsError> {
    options.check()?;
    let columns: Vec<Vec<&[Outcome]>> = systems.iter().map(|system| vec![system.outcomes]).collect();
    let n_pairs = check_systems(&columns)?;
    let has_all = |pair: &usize| systems.iter().all(|system| system.outcomes[*pair].is_ok());
    let shared: Vec<usize> = (0..n_pairs).filter(has_all).collect();
    let means: Vec<f64> = (systems.iter())
        .map(|system| sum(&values_at(system.outcomes, &shared)) / shared.len() as f64)
        .collect();
    let of_shared: Vec<usize> = shared.iter().map(|&pair| stimuli[pair]).collect();
    let pseudo = |(mean, system): (&f64, &IdentificationScores<'_>)| {
        let pseudo = shared.iter().map(|&pair| system.pseudo_values[pair].clone());
        of_stimuli(*mean, &pseudo.collect::<Vec<Outcome>>(), &of_shared)
    };
    let pseudo: Vec<Vec<f64>> = means.iter().zip(systems).map(pseudo).collect();
    let n_stimuli = pseudo.first().map_or(0, Vec::len);
    if n_stimuli < FEWEST_STIMULI || pseudo.iter().any(|values| values.len() != n_stimuli) {
        return compare_over_stimuli(&columns, stimuli, direction, test, options);
    }
    let too_low_by: Vec<f64> = systems.iter().map(|system| system.too_low_by).collect();
    let means = SystemMeans {
        estimates: Some(means),
        values: pseudo,
        n_stimuli,
        n_fewest: n_stimuli,
        n_shared: shared.len(),
        n_named: shared.len(),
    };
    let scores = systems.iter().map(|system| values_of_stimuli(&values_at(system.outcomes, &shared), &of_shared));
    let scores: Vec<Vec<f64>> = scores.collect();
    compare_means(means, n_pairs, Some((&too_low_by[..], &scores[..])), direction, test, options)
}

impl Comparison {
    /// Computes rank intervals from these p values of the differences, at `alpha`: a significant difference puts one
    /// system before the other, and a missing p value says nothing.
    ///
    /// It serves p values that were corrected over more than this comparison's differences, such as those of all
    /// metrics of a table.
    ///
    /// ```
    /// use neurogauge_core::Direction;
    /// use neurogauge_stats::{PairedTest, compare_systems};
    /// let (weak, strong) = ([0.1, 0.5, 0.3, 0.2, 0.4, 0.6].map(Ok), [0.2, 0.6, 0.4, 0.3, 0.5, 0.8].map(Ok));
    /// let systems = [vec![&weak[..]], vec![&strong[..]]];
    /// let test = (PairedTest::SignFlip, 1);
    /// let mut found = compare_systems(&systems, Direction::Higher, test, &Default::default()).unwrap();
    /// assert_eq!((found.differences[0].p_value, found.systems[1].rank_interval), (Some(0.03125), Some((1.0, 1.0))));
    /// // As one of two tests it shows nothing.
    /// found.rank_by(&[Some(0.0625)], 0.05);
    /// assert_eq!(found.systems[1].rank_interval, Some((1.0, 2.0)));
    /// ```
    pub fn rank_by(&mut self, corrected: &[Option<f64>], alpha: f64) {
        let n_systems = self.systems.len();
        let mut possible = vec![(1.0, n_systems as f64); n_systems];
        for (difference, _) in self.differences.iter().zip(corrected).filter(|(_, p)| p.is_some_and(|p| p <= alpha)) {
            let is_higher = difference.value.as_ref().is_ok_and(|&value| value > 0.0);
            let (better, worse) = match is_higher == (self.direction == Direction::Higher) {
                true => (difference.minuend, difference.subtrahend),
                false => (difference.subtrahend, difference.minuend),
            };
            possible[better].1 -= 1.0;
            possible[worse].0 += 1.0;
        }
        for (standing, possible) in self.systems.iter_mut().zip(possible) {
            standing.rank_interval = standing.rank_interval.map(|_| possible);
        }
    }

    /// Adds rank intervals by Holm's correction over the comparison's own differences.
    pub(crate) fn ranked(mut self, options: &BootstrapOptions) -> Result<Self, StatsError> {
        let p_values: Vec<f64> = self.differences.iter().filter_map(|d| d.p_value).collect();
        let mut corrected = holm(&p_values)?.into_iter();
        let corrected: Vec<Option<f64>> = self.differences.iter().map(|d| d.p_value.and(corrected.next())).collect();
        self.rank_by(&corrected, 1.0 - options.level);
        Ok(self)
    }
}

fn standings(
    of_pairs: &[Vec<f64>],
    estimates: Option<&[f64]>,
    direction: Direction,
    options: &BootstrapOptions,
) -> Result<Vec<Standing>, StatsError> {
    let largest = (of_pairs.iter().flatten()).fold(0.0_f64, |most, value| most.max(value.abs()));
    let ranks = estimates.map(|values| ranks(values, TIE * largest, direction));
    let n_shared = of_pairs.first().map_or(0, Vec::len);
    let means: Vec<MeanOfMeans> = of_pairs.iter().cloned().map(MeanOfMeans::of_values).collect();
    let intervals = intervals(&means.iter().collect::<Vec<_>>(), options)?;
    let standing = |(s, interval): (usize, Option<(f64, f64)>)| Standing {
        estimate: Estimate::of(estimates.map(|v| v[s]).ok_or(Undefined::NoPairs), interval, n_shared),
        rank: ranks.as_ref().map(|ranks| ranks[s]),
        rank_interval: (n_shared >= 2).then_some((1.0, of_pairs.len() as f64)),
        strong_skewness: means[s].strong_skewness(),
    };
    Ok(intervals.into_iter().enumerate().map(standing).collect())
}

/// `of_pairs` is what is tested, `values` decides which system is better. They are the same unless pseudo-values are
/// tested.
fn differences(
    (of_pairs, values): (&[Vec<f64>], &[Vec<f64>]),
    estimates: Option<&[f64]>,
    (test, n_family): (PairedTest, usize),
    options: &BootstrapOptions,
) -> Result<Vec<Difference>, StatsError> {
    let n_systems = of_pairs.len();
    let pairs: Vec<(usize, usize)> = (0..n_systems).flat_map(|a| (a + 1..n_systems).map(move |b| (a, b))).collect();
    let tested = test.of_all(of_pairs, &pairs, n_family.max(pairs.len()), options)?;
    let difference = |(a, b): (usize, usize), tested: Option<TestedMean>| {
        let minus = |of: &[Vec<f64>]| -> Vec<f64> { of[a].iter().zip(&of[b]).map(|(a, b)| a - b).collect() };
        let tests = minus(of_pairs);
        Difference {
            minuend: a,
            subtrahend: b,
            value: estimates.map(|v| v[a] - v[b]).ok_or(Undefined::NoPairs),
            p_value: tested.map(|found| found.p_value),
            interval: tested.and_then(|found| found.interval),
            strong_skewness: strong_skewness(&tests),
            deviation: standard_deviation(&tests).filter(|_| has_spread(&tests)),
            share_higher: share_higher(&minus(values)),
        }
    };
    // There may be a million, which are made a few at a time, so that they are in memory once.
    let mut found = Vec::with_capacity(pairs.len());
    for (pairs, tested) in pairs.chunks(AT_ONCE).zip(tested.chunks(AT_ONCE)) {
        found.extend(parallel::map(pairs.len(), |place| difference(pairs[place], tested[place])));
    }
    Ok(found)
}

/// The share of differences above 0; zeros count a half.
fn share_higher(differences: &[f64]) -> Option<f64> {
    // Whole numbers, without a check of each addition, are added several at a time.
    let halves = |n: u64, d: &f64| n.wrapping_add(2 * u64::from(*d > 0.0) + u64::from(*d == 0.0));
    let n_halves = differences.iter().fold(0, halves) as f64;
    (!differences.is_empty()).then(|| 0.5 * n_halves / differences.len() as f64)
}
