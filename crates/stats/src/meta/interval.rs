//! The interval of a figure, and reasons to doubt it.

use super::metric_statistics::{MetricStatistics, Spread};
use super::studentized::JointPairs;
use super::{IntervalMethod, MetaOptions, Statistic};
use crate::replicates::two_sided_p;
use crate::{StatsError, bca_interval};
use neurogauge_core::Outcome;
use serde::{Serialize, Serializer};
use std::fmt;

/// Why there is no interval, or why it is doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntervalNote {
    /// No interval: fewer than four items.
    TooFewItems,
    /// No interval: fewer than four stimuli, whose items are drawn together.
    TooFewStimuli,
    /// No interval: fewer than three groups have a value.
    TooFewGroups,
    /// No interval: nothing varies, for example because agreement is perfect or all resamples are equal.
    NoSpread,
    /// No interval: without one of the items the correlation would be perfect or undefined.
    RestsOnOneItem,
    /// No interval: without one of the stimuli the correlation would be perfect or undefined.
    RestsOnOneStimulus,
    /// No interval: BCa's correction is undefined if all resamples are on one side of the value.
    OneSidedResamples,
    /// The value is on an end of the interval or beyond it.
    ValueAtEdge,
    /// The metric's scores have a long tail, which dominates Pearson's correlation.
    LongTail,
}

impl IntervalNote {
    /// Does it mark a doubtful interval?
    pub fn is_of_doubt(self) -> bool {
        matches!(self, IntervalNote::ValueAtEdge | IntervalNote::LongTail)
    }
}

impl fmt::Display for IntervalNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IntervalNote::TooFewItems => "no interval: fewer than four items",
            IntervalNote::TooFewStimuli => "no interval: fewer than four stimuli",
            IntervalNote::TooFewGroups => "no interval: fewer than three groups",
            IntervalNote::NoSpread => "no interval: nothing varies",
            IntervalNote::RestsOnOneItem => {
                "no interval: without one of the items the correlation is perfect or undefined"
            }
            IntervalNote::RestsOnOneStimulus => {
                "no interval: without one of the stimuli the correlation is perfect or undefined"
            }
            IntervalNote::OneSidedResamples => {
                "no interval: all resamples lie on one side of the value"
            }
            IntervalNote::ValueAtEdge => {
                "biased interval: the value is at its edge or outside, so it does not cover at its level"
            }
            IntervalNote::LongTail => {
                "interval too narrow: scores have a long tail (skewness above 2), where 95% intervals of Pearson's r cover 79 to 95%; Spearman \
                 and Kendall do not depend on it"
            }
        })
    }
}

impl Serialize for IntervalNote {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The interval, note and p value of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Inference {
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) note: Option<IntervalNote>,
    pub(crate) n_undefined_resamples: usize,
    /// Only differences have one.
    pub(crate) p_value: Option<f64>,
}

impl Inference {
    /// The inference of a figure without a value.
    pub(crate) fn none(n_undefined_resamples: usize) -> Self {
        Inference {
            n_undefined_resamples,
            ..Inference::default()
        }
    }

    /// Marks an interval of Pearson's correlation that a long tail makes too narrow.
    fn of_tail(mut self, s: usize, has_long_tail: bool) -> Self {
        if s == Statistic::Pearson as usize && has_long_tail && self.interval.is_some() {
            self.note.get_or_insert(IntervalNote::LongTail);
        }
        self
    }

    fn of(value: f64, interval: Result<(f64, f64), IntervalNote>) -> Self {
        let (interval, note) = match interval {
            Ok((low, high)) if low == high => (None, Some(IntervalNote::NoSpread)),
            Ok((low, high)) => {
                let is_within = low < value && value < high;
                let note = (!is_within).then_some(IntervalNote::ValueAtEdge);
                (Some((low, high)), note)
            }
            Err(note) => (None, Some(note)),
        };
        Inference {
            interval,
            note,
            ..Inference::default()
        }
    }
}

pub(crate) fn of_estimate(
    measured: &MetricStatistics,
    s: usize,
    options: &MetaOptions,
) -> Result<Inference, StatsError> {
    let value = measured.reading.outcomes[s].as_ref().ok().copied();
    let found = match &measured.spread {
        Spread::Studied(studied) => Ok(value.map_or(Inference::default(), |value| {
            Inference::of(value, studied.interval(s, value, options.bootstrap.level))
        })),
        Spread::Resampled { replicates, jackknife } => resampled(
            value,
            replicates.iter().map(|values| values[s]),
            jackknife.iter().map(|values| values[s]),
            options,
        ),
    };
    Ok(found?.of_tail(s, measured.has_long_tail))
}

/// Two metrics over the same items.
pub(crate) struct Pair<'a> {
    a: &'a MetricStatistics,
    b: &'a MetricStatistics,
    joint: Option<JointPairs>,
}

impl<'a> Pair<'a> {
    pub(crate) fn of(a: &'a MetricStatistics, b: &'a MetricStatistics) -> Self {
        let joint = match (&a.spread, &b.spread) {
            (Spread::Studied(a), Spread::Studied(b)) => Some(a.joint(b)),
            _ => None,
        };
        Pair { a, b, joint }
    }

    pub(crate) fn difference(&self, s: usize, options: &MetaOptions) -> Result<(Outcome, Inference), StatsError> {
        let outcome = |measured: &MetricStatistics| measured.reading.outcomes[s].clone();
        let difference = outcome(self.a).and_then(|a| Ok(a - outcome(self.b)?));
        let value = difference.as_ref().ok().copied();
        let inference = match (&self.a.spread, &self.b.spread, &self.joint, value) {
            (Spread::Studied(a), Spread::Studied(b), Some(joint), Some(value)) => {
                let level = options.bootstrap.level;
                let (interval, p_value) = a.difference(b, joint, (s, value), level);
                Inference {
                    p_value,
                    ..Inference::of(value, interval)
                }
            }
            (
                Spread::Resampled {
                    replicates: a,
                    jackknife: without_a,
                },
                Spread::Resampled {
                    replicates: b,
                    jackknife: without_b,
                },
                ..,
            ) => {
                let minus = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
                let replicates = a.iter().zip(b).map(|(a, b)| minus(a[s], b[s]));
                let jackknife = without_a.iter().zip(without_b).map(|(a, b)| minus(a[s], b[s]));
                let there: Vec<f64> = replicates.clone().flatten().collect();
                Inference {
                    p_value: value.and_then(|_| two_sided_p(&there)),
                    ..resampled(value, replicates, jackknife, options)?
                }
            }
            _ => Inference::default(),
        };
        let has_long_tail = self.a.has_long_tail || self.b.has_long_tail;
        Ok((difference, inference.of_tail(s, has_long_tail)))
    }
}

fn resampled(
    value: Option<f64>,
    replicates: impl ExactSizeIterator<Item = Option<f64>>,
    jackknife: impl Iterator<Item = Option<f64>>,
    options: &MetaOptions,
) -> Result<Inference, StatsError> {
    let n = replicates.len();
    let replicates: Vec<f64> = replicates.flatten().collect();
    let n_undefined = n - replicates.len();
    let Some(value) = value else {
        return Ok(Inference::none(n_undefined));
    };
    let ends = match options.method() {
        IntervalMethod::Bca => {
            let jackknife: Vec<f64> = jackknife.flatten().collect();
            bca_interval(value, &replicates, &jackknife, options.bootstrap.level)?
        }
        IntervalMethod::Percentile | IntervalMethod::Studentized => options.bootstrap.percentile_interval(replicates),
    };
    Ok(Inference {
        n_undefined_resamples: n_undefined,
        ..Inference::of(value, ends.ok_or(IntervalNote::OneSidedResamples))
    })
}
