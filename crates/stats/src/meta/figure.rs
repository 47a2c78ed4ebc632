//! The common interface of all results for a statistic.

use super::{Ceiling, IntervalNote, OneRater, Statistic, StatisticDifference, StatisticEstimate};
use neurogauge_core::Outcome;

/// The value of a statistic, with its interval and notes.
pub trait Figure {
    fn statistic(&self) -> Statistic;

    fn value(&self) -> &Outcome;

    fn interval(&self) -> Option<(f64, f64)> {
        None
    }

    fn interval_note(&self) -> Option<IntervalNote> {
        None
    }
}

/// The figure of a statistic, if it is present.
pub fn figure_of<F: Figure>(figures: &[F], statistic: Statistic) -> Option<&F> {
    figures.iter().find(|figure| figure.statistic() == statistic)
}

macro_rules! figures {
    (@value) => {
        fn statistic(&self) -> $crate::meta::Statistic {
            self.statistic
        }

        fn value(&self) -> &neurogauge_core::Outcome {
            &self.value
        }
    };
    ($($figure:ty),+; with intervals: $($inferred:ty),+) => {
        $(impl $crate::meta::Figure for $figure {
            $crate::meta::figures!(@value);
        })+
        $(impl $crate::meta::Figure for $inferred {
            $crate::meta::figures!(@value);

            fn interval(&self) -> Option<(f64, f64)> {
                self.interval
            }

            fn interval_note(&self) -> Option<$crate::meta::IntervalNote> {
                self.interval_note
            }
        })+
    };
}

pub(crate) use figures;

figures!(Ceiling, OneRater; with intervals: StatisticDifference, StatisticEstimate);
