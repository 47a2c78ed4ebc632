//! The common parts of all figures of a statistic.

use super::{Ceiling, IntervalNote, OneRater, Statistic, StatisticDifference, StatisticEstimate};
use crate::combination::{CompositeStatistic, HeldOut, PartStatistic, StatisticValue};
use neurogauge_core::Outcome;

/// The value of a statistic, with its interval and notes.
pub trait Figure {
    fn statistic(&self) -> Statistic;

    /// Its value, or why there is none.
    fn value(&self) -> &Outcome;

    /// Its interval, if there is one.
    fn interval(&self) -> Option<(f64, f64)> {
        None
    }

    /// Why there is no interval, or why it is doubtful.
    fn interval_note(&self) -> Option<IntervalNote> {
        None
    }
}

/// The figure of a statistic, if it is among these.
pub fn figure_of<F: Figure>(figures: &[F], statistic: Statistic) -> Option<&F> {
    figures.iter().find(|figure| figure.statistic() == statistic)
}

macro_rules! figures {
    (@value) => {
        fn statistic(&self) -> Statistic {
            self.statistic
        }

        fn value(&self) -> &Outcome {
            &self.value
        }
    };
    ($($figure:ty),+; with intervals: $($inferred:ty),+) => {
        $(impl Figure for $figure {
            figures!(@value);
        })+
        $(impl Figure for $inferred {
            figures!(@value);

            fn interval(&self) -> Option<(f64, f64)> {
                self.interval
            }

            fn interval_note(&self) -> Option<IntervalNote> {
                self.interval_note
            }
        })+
    };
}

figures!(
    Ceiling, HeldOut, OneRater, StatisticValue;
    with intervals: CompositeStatistic, PartStatistic, StatisticDifference, StatisticEstimate
);
