//! Intervals of means over the entries of target units.

use crate::{AlignmentError, Unit, UnitEstimate};
use neurogauge_core::{counted, parallel};
use neurogauge_stats::{BootstrapOptions, draw_to_front, student_exceeds, student_reach_of};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How the interval of a mean over target units is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnitInterval {
    /// Student's t over subjects, or over the units of a single subject.
    #[default]
    T,
    /// Percentiles of resamples that draw target units, as if those of one subject were independent.
    Percentile,
}

/// A value of one target unit.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitEntry<'a> {
    pub unit: &'a Unit,
    /// Other subjects whose responses the value was computed from, such as the source of a donor's entry.
    pub donors: Vec<&'a str>,
    pub value: f64,
}

impl<'a> UnitEntry<'a> {
    /// A value that does not involve other subjects' responses.
    pub fn new(unit: &'a Unit, value: f64) -> Self {
        UnitEntry {
            unit,
            donors: Vec::new(),
            value,
        }
    }

    /// A source's value; the source's name is the subject if it is a donor.
    pub fn of_source(unit: &'a Unit, (source, donor): (&'a str, bool), value: f64) -> Self {
        UnitEntry {
            donors: donor.then_some(source).into_iter().collect(),
            ..UnitEntry::new(unit, value)
        }
    }
}

/// How intervals of a study's means are computed, and the population that they refer to.
#[derive(Debug, Clone)]
pub struct UnitIntervals<'a> {
    method: UnitInterval,
    options: BootstrapOptions,
    fewest: usize,
    units: Vec<&'a Unit>,
    subjects: BTreeSet<&'a str>,
}

impl<'a> UnitIntervals<'a> {
    /// The intervals of a study with these target units.
    ///
    /// - `options`: level of both methods; resamples and seed of [`UnitInterval::Percentile`].
    /// - `fewest`: the fewest clusters for an interval.
    pub fn new(
        method: UnitInterval,
        options: BootstrapOptions,
        fewest: usize,
        units: impl IntoIterator<Item = &'a Unit>,
    ) -> Self {
        let units: Vec<&Unit> = units.into_iter().collect();
        UnitIntervals {
            method,
            options,
            fewest,
            subjects: units.iter().map(|unit| unit.subject.as_str()).collect(),
            units,
        }
    }

    /// The intervals if only these units of the study can have entries.
    pub fn among(&self, units: impl IntoIterator<Item = &'a Unit>) -> Self {
        UnitIntervals {
            units: units.into_iter().collect(),
            ..self.clone()
        }
    }

    /// The mean of all entries with its interval.
    ///
    /// By [`UnitInterval::T`], the interval of n entries with mean m is m ± t·s. Clusters are subjects, or the target
    /// units in a study of a single subject. s² = (C − 1)/C · Σ_c (m_(c) − m)², where m_(c) is the mean without the
    /// entries that involve cluster c, as target or as donor (the delete-one jackknife of a statistic with one or two
    /// roles). t is Student's quantile with (Σ n_c)² / Σ n_c² − 1 degrees of freedom, where n_c is the number of these
    /// entries. With equally many entries in each cluster and no donors, this is the t interval of the C cluster means,
    /// with C − 1 degrees of freedom.
    ///
    /// By [`UnitInterval::Percentile`], resample r draws target units from stream r of the seed
    /// ([`UnitEstimate::from_draws`]).
    ///
    /// - Undefined: there is no interval with fewer clusters than `fewest` or two, nor if one cluster is involved in
    ///   every entry.
    /// - Reference: Arvesen (1969), Jackknifing U-statistics, Annals of Mathematical Statistics 40(6).
    ///
    /// ```
    /// use neurogauge_alignment::{Unit, UnitEntry, UnitInterval, UnitIntervals};
    /// let units = ["a", "b", "c"].map(|subject| Unit::new(subject, "lh", "V1"));
    /// let intervals = UnitIntervals::new(UnitInterval::T, Default::default(), 2, &units);
    /// let entries = units.iter().zip([1.0, 2.0, 6.0]).map(|(unit, value)| UnitEntry::new(unit, value));
    /// let estimate = intervals.estimate(entries)?;
    /// let (low, high) = estimate.interval.unwrap();
    /// assert_eq!(estimate.mean, Some(3.0));
    /// assert!((low + 3.5724).abs() < 1e-4 && (high - 9.5724).abs() < 1e-4);
    /// # Ok::<(), neurogauge_alignment::AlignmentError>(())
    /// ```
    pub fn estimate(&self, entries: impl IntoIterator<Item = UnitEntry<'a>>) -> Result<UnitEstimate, AlignmentError> {
        self.options.check()?;
        let entries: Vec<UnitEntry<'_>> = entries.into_iter().collect();
        let mut by_unit: BTreeMap<&Unit, Vec<f64>> = BTreeMap::new();
        for entry in &entries {
            by_unit.entry(entry.unit).or_default().push(entry.value);
        }
        // A unit without a value can be drawn too.
        let units: Vec<Vec<f64>> = self.units.iter().map(|unit| by_unit.remove(unit).unwrap_or_default()).collect();
        let draws = match self.method {
            UnitInterval::T => Vec::new(),
            UnitInterval::Percentile => self.draws(),
        };
        let estimate = UnitEstimate::from_draws(&units, &draws, self.options.level)?;
        let n_with_entry = units.iter().filter(|unit| !unit.is_empty()).count();
        let interval = match self.method {
            UnitInterval::T => estimate.mean.and_then(|mean| {
                let (standard_error, df) = self.jackknife(&entries, mean)?;
                self.reach(mean, standard_error, df)
            }),
            UnitInterval::Percentile => estimate.interval.filter(|_| n_with_entry >= self.fewest),
        };
        Ok(UnitEstimate { interval, ..estimate })
    }

    /// The mean over target units and folds with its t interval, and the two-sided p of a mean of 0.
    ///
    /// `units` has a value for each fold of each unit; all units have the same folds, whose test stimuli are different.
    /// With means d_(u·) of units, d_(·f) of K folds and m of all, the variance of m is s_c² + Σ_f (d_(·f) − m)² / (K
    /// (K − 1)), where s_c² is that of [`estimate`](Self::estimate) over subjects. Degrees of freedom are
    /// Satterthwaite's. So the interval refers to new subjects and new stimuli; an interval over subjects alone ignores
    /// that all of them saw the same stimuli. It is cautious, since noise of single values counts in both parts.
    ///
    /// - Undefined: there is no interval and no p if [`estimate`](Self::estimate) has no interval, with fewer than two
    ///   folds, and if nothing varies.
    /// - Reference: Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1(2), for the variance.
    ///
    /// ```
    /// use neurogauge_alignment::{Unit, UnitInterval, UnitIntervals};
    /// let units = ["a", "b", "c"].map(|subject| Unit::new(subject, "lh", "V1"));
    /// let intervals = UnitIntervals::new(UnitInterval::T, Default::default(), 2, &units);
    /// let values = [vec![1.0, 3.0], vec![2.0, 4.0], vec![3.0, 5.0]];
    /// let (found, p) = intervals.over_folds(&units.iter().zip(values).collect::<Vec<_>>())?;
    /// // Units 2, 3, 4 (variance of the mean 1/3) and folds 2, 4 (1): t = 3 / √(4/3) with 1.684 degrees of freedom.
    /// assert_eq!(found.mean, Some(3.0));
    /// assert!((p.unwrap() - 0.1444).abs() < 1e-4, "{p:?}");
    /// # Ok::<(), neurogauge_alignment::AlignmentError>(())
    /// ```
    pub fn over_folds(&self, units: &[(&'a Unit, Vec<f64>)]) -> Result<(UnitEstimate, Option<f64>), AlignmentError> {
        let average = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let entries = units.iter().filter(|(_, folds)| !folds.is_empty());
        let entries: Vec<UnitEntry<'_>> = entries.map(|(unit, folds)| UnitEntry::new(unit, average(folds))).collect();
        let estimate = UnitEstimate {
            interval: None,
            ..self.estimate(entries.clone())?
        };
        let tested = estimate.mean.and_then(|mean| {
            let (of_subjects, df) = self.jackknife(&entries, mean)?;
            let n_folds = units.iter().map(|(_, folds)| folds.len()).min().filter(|&n| n > 1)?;
            let n = n_folds as f64;
            let of_fold = |fold: usize| average(&units.iter().map(|own| own.1[fold]).collect::<Vec<_>>());
            let squares = (0..n_folds).map(|fold| (of_fold(fold) - mean).powi(2));
            let (subjects, folds) = (of_subjects.powi(2), squares.sum::<f64>() / (n * (n - 1.0)));
            let variance = subjects + folds;
            let df = variance.powi(2) / (subjects.powi(2) / df + folds.powi(2) / (n - 1.0));
            let standard_error = variance.sqrt();
            let interval = self.reach(mean, standard_error, df).filter(|_| variance > 0.0)?;
            let p = 2.0 * student_exceeds(mean.abs() / standard_error, df);
            Some((interval, p.min(1.0)))
        });
        let (interval, p) = tested.unzip();
        Ok((UnitEstimate { interval, ..estimate }, p))
    }

    fn reach(&self, mean: f64, standard_error: f64, df: f64) -> Option<(f64, f64)> {
        let reach = standard_error * student_reach_of(df, self.options.level);
        reach.is_finite().then_some((mean - reach, mean + reach))
    }

    /// The standard error of the mean, and its degrees of freedom.
    fn jackknife(&self, entries: &[UnitEntry<'_>], mean: f64) -> Option<(f64, f64)> {
        // For each cluster, the sum of deviations of its entries, and their number.
        let mut clusters: BTreeMap<(&str, Option<&Unit>), (f64, usize)> = BTreeMap::new();
        for entry in entries {
            let subjects = entry.donors.iter().copied().chain([&*entry.unit.subject]);
            let parts: BTreeSet<(&str, Option<&Unit>)> = match self.over_subjects() {
                true => subjects.map(|subject| (subject, None)).collect(),
                false => BTreeSet::from([("", Some(entry.unit))]),
            };
            for cluster in parts {
                let (sum, n) = clusters.entry(cluster).or_default();
                *sum += entry.value - mean;
                *n += 1;
            }
        }
        let (n, n_clusters) = (entries.len(), clusters.len());
        let is_enough = n_clusters >= self.fewest.max(2);
        if !is_enough || clusters.values().any(|&(_, own)| own == n) {
            return None;
        }
        let shift = |&(sum, own): &(f64, usize)| sum / (n - own) as f64;
        let squares: f64 = clusters.values().map(|own| shift(own).powi(2)).sum();
        let (n_clusters, sizes) = (n_clusters as f64, clusters.values().map(|own| own.1 as f64));
        let (total, of_squares) = sizes.fold((0.0, 0.0), |(sum, squares), own| (sum + own, squares + own * own));
        let df = total * total / of_squares - 1.0;
        Some((((n_clusters - 1.0) / n_clusters * squares).sqrt(), df))
    }

    /// The positions of the target units of each resample.
    fn draws(&self) -> Vec<Vec<usize>> {
        let n_units = self.units.len();
        parallel::map(self.options.resamples, |resample| {
            let mut rng = self.options.seed.stream(resample as u64);
            let mut places: Vec<usize> = (0..n_units).collect();
            let mut draw = || draw_to_front(&mut places, 1, &mut rng).to_vec();
            (0..n_units).flat_map(|_| draw()).collect()
        })
    }

    fn over_subjects(&self) -> bool {
        self.method == UnitInterval::T && self.subjects.len() > 1
    }

    /// Do brains predict models?
    fn are_models(&self) -> bool {
        self.units.iter().all(|unit| unit.is_model())
    }

    /// The number of independent clusters: subjects (or models that brains predict), or target units.
    pub fn n_clusters(&self) -> usize {
        match self.over_subjects() {
            true => self.subjects.len(),
            false => self.units.len(),
        }
    }

    /// The clusters in words: `8 subjects`, `6 target units`.
    pub fn clusters(&self) -> String {
        let name = match (self.over_subjects(), self.are_models()) {
            (true, true) => "model",
            (true, false) => "subject",
            (false, _) => "target unit",
        };
        counted(self.n_clusters(), name)
    }

    pub fn method(&self) -> UnitInterval {
        self.method
    }

    pub fn level(&self) -> f64 {
        self.options.level
    }

    /// Are there enough clusters for intervals?
    pub fn are_given(&self) -> bool {
        self.n_clusters() >= self.fewest
    }

    /// For captions and notes: how the intervals are computed and what they refer to, or why there are none.
    ///
    /// ```
    /// use neurogauge_alignment::{Unit, UnitInterval, UnitIntervals};
    /// let units = ["V1", "V2", "V3"].map(|roi| Unit::new("a", "lh", roi));
    /// let words = |fewest| UnitIntervals::new(UnitInterval::T, Default::default(), fewest, &units).words();
    /// assert_eq!(words(5), "no intervals: there are 3 target units, fewer than 5");
    /// assert_eq!(
    ///     words(3),
    ///     "95% t intervals over 3 target units of one subject: they speak of new units of this subject, not of new \
    ///      subjects, and of these stimuli"
    /// );
    /// ```
    pub fn words(&self) -> String {
        let (clusters, fewest) = (self.clusters(), self.fewest);
        if !self.are_given() {
            let verb = match self.n_clusters() {
                1 => "is",
                _ => "are",
            };
            return format!("no intervals: there {verb} {clusters}, fewer than {fewest}");
        }
        let percent = format!("{}%", 100.0 * self.options.level);
        match (self.method, self.over_subjects()) {
            (UnitInterval::T, true) if self.are_models() => format!(
                "{percent} t intervals over {clusters}: they speak of new models, and of these brains and stimuli"
            ),
            (UnitInterval::T, true) => format!(
                "{percent} t intervals over {clusters}: they speak of new subjects, and of these \
                 regions and stimuli"
            ),
            (UnitInterval::T, false) => format!(
                "{percent} t intervals over {clusters} of one subject: they speak of new units of this subject, not of new \
                 subjects, and of these stimuli"
            ),
            (UnitInterval::Percentile, _) => format!(
                "{percent} percentile intervals of {} resamples of {clusters} (seed {}), which are too narrow: units of one \
                 subject count as independent",
                self.options.resamples, self.options.seed.0
            ),
        }
    }
}
