//! The differences between systems, with their tests corrected for many comparisons.

use super::options::{CompareOptions, HolmFamily};
use crate::Error;
use neurogauge_core::{Dimension, Direction};
use neurogauge_stats::{Comparison, Difference, Verdict, sign_test};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// A difference between two systems, with names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedDifference {
    pub metric: &'static str,
    /// The dimension of the metric, if metrics are compared by dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<Dimension>,
    /// The system subtracted from. All differences share the names, since there may be a million.
    #[serde(serialize_with = "as_text")]
    pub minuend: Arc<str>,
    /// The system subtracted.
    #[serde(serialize_with = "as_text")]
    pub subtrahend: Arc<str>,
    /// The difference; `None` if it is undefined.
    pub difference: Option<f64>,
    /// Number of pairs behind it.
    pub n: usize,
    /// Number of stimuli of these pairs, if several pairs show the same one. For a composite whose parts have values
    /// for different pairs, it is the number of the part with the fewest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_stimuli: Option<usize>,
    /// The differences that the test does not reject (convention `paired-test`).
    pub interval: Option<(f64, f64)>,
    pub test: &'static str,
    /// Two-sided p value of the test (convention `paired-test`), not corrected for many comparisons. `None` if nothing
    /// is tested: for placeholder models, for metrics that were only reported along with a requested one, and if the
    /// systems score the same everywhere.
    pub p_value: Option<f64>,
    /// The smallest p value that the test could give for this number of pairs and differences.
    pub smallest_p: Option<f64>,
    /// The p value after Holm's correction over its [`HolmFamily`].
    pub p_holm: Option<f64>,
    /// The verdict at significance level 1 − the level of the intervals.
    pub verdict: Option<Verdict>,
    /// The skewness of the pairs' differences, if it is strong (convention `strong-skewness`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strong_skewness: Option<f64>,
    /// The difference divided by the standard deviation of the stimuli's differences (convention `paired-test`).
    pub d_z: Option<f64>,
    /// The share of stimuli at which the minuend is better; ties count a half.
    pub share_better: Option<f64>,
    /// The smallest difference that the test would detect with a power of 80%; `None` if it could detect none.
    pub detectable: Option<f64>,
    /// Whether the difference is shown to be small, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<Box<Equivalence>>,
    /// The difference of each subject, if the systems have the same ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<SubjectDifference>,
    /// How many subjects differ in the same direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_direction: Option<Box<SameDirection>>,
}

fn as_text<S: Serializer>(name: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

/// Two one-sided tests of a difference (convention `paired-test`).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equivalence {
    /// Differences up to this size count as zero.
    pub bound: f64,
    /// The level of the interval: 1 − 2 α / m for m differences.
    pub level: f64,
    /// The interval of the difference at this level, by the same test.
    pub interval: Option<(f64, f64)>,
    /// Is the interval within the bound on both sides?
    pub is_shown: bool,
}

/// A difference of two systems for one subject and new stimuli; p is not corrected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubjectDifference {
    pub subject: String,
    /// As in [`NamedDifference`].
    pub difference: Option<f64>,
    /// As in [`NamedDifference`].
    pub interval: Option<(f64, f64)>,
    /// As in [`NamedDifference`].
    pub p_value: Option<f64>,
}

/// The number of subjects that differ in the more frequent direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SameDirection {
    pub n: usize,
    /// Number of subjects whose difference is not 0.
    pub of: usize,
    /// p of the exact two-sided sign test ([`sign_test`]), not corrected.
    pub p_value: f64,
}

impl SameDirection {
    fn of(subjects: &[SubjectDifference]) -> Option<Self> {
        let count =
            |is_meant: fn(&f64) -> bool| subjects.iter().filter_map(|of| of.difference).filter(is_meant).count();
        let (above, below) = (count(|d| *d > 0.0), count(|d| *d < 0.0));
        let (n, of) = (above.max(below), above + below);
        (!subjects.is_empty()).then(|| SameDirection {
            n,
            of,
            p_value: sign_test(n, of),
        })
    }
}

impl NamedDifference {
    /// Do both compare the same metric and dimension?
    pub(super) fn is_by_same(&self, other: &NamedDifference) -> bool {
        (self.metric, self.dimension) == (other.metric, other.dimension)
    }

    /// The dimension or metric that it compares.
    pub(super) fn by(&self) -> String {
        match self.dimension {
            Some(dimension) => dimension.label(),
            None => self.metric.to_owned(),
        }
    }
}

pub(super) struct Tested<'a> {
    pub(super) id: &'static str,
    /// The dimension that is compared, if any.
    pub(super) dimension: Option<Dimension>,
    /// Do its p values count?
    pub(super) is_tested: bool,
    pub(super) comparison: &'a Comparison,
    /// The comparison at the level of two one-sided tests, with the bound and the level.
    pub(super) equivalence: Option<(f64, f64, &'a Comparison)>,
    /// The names of subjects, each with its differences.
    pub(super) subjects: Vec<(&'a str, &'a [Difference])>,
}

/// Every difference between two systems, comparison by comparison.
pub(super) fn differences<'a>(
    systems: &[String],
    compared: impl ExactSizeIterator<Item = Tested<'a>>,
    n_family: usize,
    options: &CompareOptions,
) -> Result<Vec<NamedDifference>, Error> {
    let systems: Vec<Arc<str>> = systems.iter().map(|name| name.as_str().into()).collect();
    let of_metric = |tested: Tested<'a>| {
        let Tested {
            id,
            dimension,
            is_tested,
            comparison,
            equivalence,
            subjects,
        } = tested;
        let found = comparison.differences.iter().enumerate();
        let (n_pairs, n_stimuli) = (comparison.n_shared, comparison.n_fewest);
        let smallest = options.smallest_p(n_stimuli, n_family);
        let systems = &systems;
        found.map(move |(place, difference)| {
            let p_value = difference.p_value.filter(|_| is_tested && !difference.is_nothing());
            let equivalence = equivalence.filter(|_| p_value.is_some());
            let equivalence = equivalence.map(|(bound, level, found)| {
                let interval = found.differences[place].interval;
                let is_within = |(low, high): (f64, f64)| -bound < low && high < bound;
                Box::new(Equivalence {
                    bound,
                    level,
                    interval,
                    is_shown: interval.is_some_and(is_within),
                })
            });
            let subjects = subjects.iter().map(|(subject, of)| SubjectDifference {
                subject: (*subject).to_owned(),
                difference: of[place].value.as_ref().ok().copied(),
                interval: of[place].interval,
                p_value: of[place].p_value.filter(|_| is_tested && !of[place].is_nothing()),
            });
            let subjects: Vec<SubjectDifference> = subjects.collect();
            let could_show = smallest * n_family as f64 <= 1.0 - options.bootstrap.level;
            let detectable = difference.detectable(n_stimuli, n_family, options.bootstrap.level);
            NamedDifference {
                metric: id,
                dimension,
                minuend: Arc::clone(&systems[difference.minuend]),
                subtrahend: Arc::clone(&systems[difference.subtrahend]),
                difference: difference.value.as_ref().ok().copied(),
                n: n_pairs,
                n_stimuli: Some(n_stimuli).filter(|n| *n != n_pairs),
                interval: difference.interval,
                test: options.test_label(),
                p_value,
                smallest_p: p_value.map(|_| smallest),
                p_holm: None,
                verdict: None,
                strong_skewness: difference.strong_skewness,
                d_z: difference.d_z(),
                share_better: difference.share_higher.map(|share| match comparison.direction {
                    Direction::Higher => share,
                    Direction::Lower => 1.0 - share,
                }),
                detectable: detectable.filter(|_| p_value.is_some() && could_show),
                equivalence,
                same_direction: SameDirection::of(&subjects).map(Box::new),
                subjects,
            }
        })
    };
    // There may be a million, which a growing list would hold twice.
    let mut found = Vec::with_capacity(compared.len() * systems.len() * systems.len().saturating_sub(1) / 2);
    found.extend(compared.flat_map(of_metric));
    let alpha = 1.0 - options.bootstrap.level;
    match options.holm {
        HolmFamily::Metric => {
            found.chunk_by_mut(|one, next| one.is_by_same(next)).try_for_each(|family| correct(family, alpha))?;
        }
        HolmFamily::All => correct(&mut found, alpha)?,
    }
    Ok(found)
}

fn correct(family: &mut [NamedDifference], alpha: f64) -> Result<(), Error> {
    let tested = |found: &NamedDifference| Some((found.p_value?, found.smallest_p?));
    let tests: Vec<(f64, f64)> = family.iter().filter_map(tested).collect();
    let corrected = Verdict::corrected(&tests, alpha)?;
    let with_p = family.iter_mut().filter(|found| found.p_value.is_some());
    for (difference, (p, verdict)) in with_p.zip(corrected) {
        (difference.p_holm, difference.verdict) = (Some(p), Some(verdict));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::{Outcome, synthetic::Synthetic};
    use neurogauge_stats::{PairedTest, compare_systems};

    /// Eight metrics of two equal systems that vary together, over 20 pairs.
    fn of_noise(experiment: usize) -> Vec<Comparison> {
        let noise = |name: String| {
            let values = Synthetic::new(&name, 0);
            move |pair: usize| f64::from(values.uniform(pair as u64))
        };
        let common = ["a", "b"].map(|system| noise(format!("{experiment} {system}")));
        let metric = |metric: usize| {
            let columns = [0, 1].map(|system: usize| -> Vec<Outcome> {
                let own = noise(format!("{experiment} {system} {metric}"));
                (0..20).map(|pair| Ok(common[system](pair) + own(pair))).collect()
            });
            let systems = [vec![&columns[0][..]], vec![&columns[1][..]]];
            let test = (PairedTest::SignFlip, 8);
            compare_systems(&systems, Direction::Higher, test, &Default::default()).unwrap()
        };
        (0..8).map(metric).collect()
    }

    #[test]
    fn of_noise_the_default_calls_nothing_different() {
        const IDS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
        const N: usize = 100;
        let systems = ["a".to_owned(), "b".to_owned()];
        let claims = |options: &CompareOptions| {
            let is_claimed = |experiment: &usize| {
                let comparisons = of_noise(*experiment);
                let tested = comparisons.iter().zip(IDS).map(|(comparison, id)| Tested {
                    id,
                    dimension: None,
                    is_tested: true,
                    comparison,
                    equivalence: None,
                    subjects: Vec::new(),
                });
                let found = differences(&systems, tested, 8, options).unwrap();
                found.iter().any(|one| one.verdict == Some(Verdict::Different))
            };
            (0..N).filter(is_claimed).count()
        };
        let default = claims(&CompareOptions::default());
        let holm = HolmFamily::Metric;
        let by_metric = claims(&CompareOptions {
            holm,
            ..CompareOptions::default()
        });
        // The tolerance is 5 of 100 plus four standard errors.
        assert!(default <= 14, "{default}");
        assert!(by_metric > 17, "{by_metric}: there is something to correct");
    }

    #[test]
    fn subjects_agree_by_the_sign_test() {
        let of = |differences: &[f64]| {
            let subjects = differences.iter().map(|&difference| SubjectDifference {
                subject: String::new(),
                difference: Some(difference),
                interval: None,
                p_value: None,
            });
            SameDirection::of(&subjects.collect::<Vec<_>>()).map(|of| (of.n, of.of, of.p_value))
        };
        assert_eq!(of(&[-0.1, -0.2, -0.3, -0.1]), Some((4, 4, 0.125)));
        // A difference of 0 counts for neither direction.
        assert_eq!(of(&[0.1, 0.2, 0.0, -0.1]), Some((2, 3, 1.0)));
        assert_eq!(of(&[]), None);
    }
}
