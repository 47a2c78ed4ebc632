//! The differences between systems, with their tests corrected for many comparisons.

use super::options::{CompareOptions, HolmFamily};
use crate::Error;
use neurogauge_core::{Dimension, Direction};
use neurogauge_stats::{Comparison, Difference, Verdict, sign_test};
use serde::{Serialize, Serializer};
use std::mem::take;
use std::sync::Arc;

/// A difference between two systems, with names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedDifference {
    pub metric: &'static str,
    /// The dimension of the metric, if metrics are compared by dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<Dimension>,
    /// The system subtracted from. All differences share the names.
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
    /// The dimension or metric that it compares.
    pub(super) fn by(&self) -> String {
        match self.dimension {
            Some(dimension) => dimension.label(),
            None => self.metric.to_owned(),
        }
    }
}

/// The differences by one metric or dimension.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tested {
    pub(super) id: &'static str,
    /// The dimension that is compared, if any.
    pub(super) dimension: Option<Dimension>,
    /// Do its p values count?
    pub(super) is_tested: bool,
    pub(super) direction: Direction,
    pub(super) n_pairs: usize,
    pub(super) n_stimuli: usize,
    pub(super) found: Vec<Difference>,
    /// The differences at the level of two one-sided tests, with the bound and the level.
    pub(super) equivalence: Option<(f64, f64, Vec<Difference>)>,
    /// The names of subjects, each with its differences.
    pub(super) subjects: Vec<(String, Vec<Difference>)>,
    /// p after Holm's correction, and the verdict, of each difference that is tested.
    pub(super) corrected: Vec<Option<(f64, Verdict)>>,
}

impl Tested {
    /// Takes the differences out of a comparison.
    pub(super) fn of(
        (id, dimension, is_tested): (&'static str, Option<Dimension>, bool),
        comparison: &mut Comparison,
    ) -> Self {
        Tested {
            id,
            dimension,
            is_tested,
            direction: comparison.direction,
            n_pairs: comparison.n_shared,
            n_stimuli: comparison.n_fewest,
            found: take(&mut comparison.differences),
            equivalence: None,
            subjects: Vec::new(),
            corrected: Vec::new(),
        }
    }

    /// Ranks the systems by the corrected p values.
    pub(super) fn rank(&mut self, comparison: &mut Comparison, alpha: f64) {
        let corrected: Vec<Option<f64>> = self.corrected.iter().map(|found| found.map(|(p, _)| p)).collect();
        comparison.differences = take(&mut self.found);
        comparison.rank_by(&corrected, alpha);
        self.found = take(&mut comparison.differences);
    }

    fn p_value(&self, difference: &Difference) -> Option<f64> {
        difference.p_value.filter(|_| self.is_tested && !difference.is_nothing())
    }

    fn n_tests(&self) -> usize {
        self.corrected.iter().flatten().count()
    }
}

/// Every difference between two systems, metric by metric. They get their names when they are read, since there may be
/// a million.
#[derive(Debug, Clone, PartialEq)]
pub struct Differences {
    systems: Vec<Arc<str>>,
    pub(super) by: Vec<Tested>,
    /// The number of tests of Holm's correction.
    n_family: usize,
    options: CompareOptions,
}

impl Differences {
    /// Corrects the p values of these differences.
    pub(super) fn of(
        systems: &[String],
        by: Vec<Tested>,
        n_family: usize,
        options: &CompareOptions,
    ) -> Result<Self, Error> {
        let mut all = Differences {
            systems: systems.iter().map(|name| name.as_str().into()).collect(),
            by,
            n_family,
            options: options.clone(),
        };
        let alpha = 1.0 - options.bootstrap.level;
        let smallest: Vec<f64> = all.by.iter().map(|own| options.smallest_p(own.n_stimuli, n_family)).collect();
        let n_together = match options.holm {
            HolmFamily::All => all.by.len().max(1),
            HolmFamily::Metric => 1,
        };
        for (family, smallest) in all.by.chunks_mut(n_together).zip(smallest.chunks(n_together)) {
            let tests = family.iter().zip(smallest);
            let tests = tests.flat_map(|(own, smallest)| {
                own.found.iter().filter_map(|found| Some((own.p_value(found)?, *smallest)))
            });
            let mut corrected = Verdict::corrected(&tests.collect::<Vec<_>>(), alpha)?.into_iter();
            for own in family {
                let of_tested = |found| own.p_value(found).and_then(|_| corrected.next());
                own.corrected = own.found.iter().map(of_tested).collect();
            }
        }
        Ok(all)
    }

    pub fn len(&self) -> usize {
        self.by.iter().map(|own| own.found.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = NamedDifference> + '_ {
        self.of_each().flatten()
    }

    /// The differences by each metric or dimension.
    pub(super) fn of_each(&self) -> impl Iterator<Item = impl Iterator<Item = NamedDifference>> {
        self.by.iter().map(move |own| {
            let smallest = self.options.smallest_p(own.n_stimuli, self.n_family);
            (0..own.found.len()).map(move |place| self.named(own, place, smallest))
        })
    }

    /// The verdict on a difference by a metric.
    pub(super) fn verdict(&self, metric: usize, place: usize) -> Option<Verdict> {
        Some((*self.by.get(metric)?.corrected.get(place)?)?.1)
    }

    /// The number of tests, of all or of those corrected together with this one.
    pub(super) fn n_tests(&self, together: Option<&NamedDifference>) -> usize {
        let together = together.filter(|_| self.options.holm == HolmFamily::Metric);
        let is_among =
            |own: &&Tested| together.is_none_or(|found| (found.metric, found.dimension) == (own.id, own.dimension));
        self.by.iter().filter(is_among).map(Tested::n_tests).sum()
    }

    fn named(&self, own: &Tested, place: usize, smallest: f64) -> NamedDifference {
        let (difference, level, n_stimuli) = (&own.found[place], self.options.bootstrap.level, own.n_stimuli);
        let p_value = own.p_value(difference);
        let equivalence = own.equivalence.as_ref().filter(|_| p_value.is_some());
        let equivalence = equivalence.map(|(bound, level, found)| {
            let interval = found[place].interval;
            let is_within = |(low, high): (f64, f64)| -bound < low && high < *bound;
            Box::new(Equivalence {
                bound: *bound,
                level: *level,
                interval,
                is_shown: interval.is_some_and(is_within),
            })
        });
        let subjects = own.subjects.iter().map(|(subject, of)| SubjectDifference {
            subject: subject.clone(),
            difference: of[place].value.as_ref().ok().copied(),
            interval: of[place].interval,
            p_value: own.p_value(&of[place]),
        });
        let subjects: Vec<SubjectDifference> = subjects.collect();
        let could_show = smallest * self.n_family as f64 <= 1.0 - level;
        let (p_holm, verdict) = own.corrected[place].unzip();
        NamedDifference {
            metric: own.id,
            dimension: own.dimension,
            minuend: Arc::clone(&self.systems[difference.minuend]),
            subtrahend: Arc::clone(&self.systems[difference.subtrahend]),
            difference: difference.value.as_ref().ok().copied(),
            n: own.n_pairs,
            n_stimuli: Some(n_stimuli).filter(|n| *n != own.n_pairs),
            interval: difference.interval,
            test: self.options.test_label(),
            p_value,
            smallest_p: p_value.map(|_| smallest),
            p_holm,
            verdict,
            strong_skewness: difference.strong_skewness,
            d_z: difference.d_z(),
            share_better: difference.share_higher.map(|share| match own.direction {
                Direction::Higher => share,
                Direction::Lower => 1.0 - share,
            }),
            detectable: (p_value.filter(|_| could_show))
                .and_then(|_| difference.detectable(n_stimuli, self.n_family, level)),
            equivalence,
            same_direction: SameDirection::of(&subjects).map(Box::new),
            subjects,
        }
    }
}

impl Serialize for Differences {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::{Outcome, synthetic::Synthetic};
    use neurogauge_stats::{PairedTest, compare_systems};

    /// Eight metrics of two equal systems that vary together, over 12 pairs.
    fn of_noise(experiment: usize) -> Vec<Comparison> {
        let noise = |name: String| {
            let values = Synthetic::new(&name, 0);
            move |pair: usize| f64::from(values.uniform(pair as u64))
        };
        let common = ["a", "b"].map(|system| noise(format!("{experiment} {system}")));
        let metric = |metric: usize| {
            let columns = [0, 1].map(|system: usize| -> Vec<Outcome> {
                let own = noise(format!("{experiment} {system} {metric}"));
                (0..12).map(|pair| Ok(common[system](pair) + own(pair))).collect()
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
                let comparisons = of_noise(*experiment).into_iter();
                let tested = comparisons.zip(IDS).map(|(mut found, id)| Tested::of((id, None, true), &mut found));
                let found = Differences::of(&systems, tested.collect(), 8, options).unwrap();
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
