//! What all figures of a statistic have in common.

use super::{Ceiling, Statistic, StatisticDifference, StatisticEstimate};
use crate::combination::{HeldOut, StatisticValue};
use neurogauge_core::Outcome;

/// The value of a statistic, with whatever else is known of it.
pub trait Figure {
    /// Which statistic.
    fn statistic(&self) -> Statistic;

    /// Its value, or why there is none.
    fn value(&self) -> &Outcome;
}

/// The figure of a statistic among those of all, if it is there.
pub fn figure_of<F: Figure>(figures: &[F], statistic: Statistic) -> Option<&F> {
    figures
        .iter()
        .find(|figure| figure.statistic() == statistic)
}

macro_rules! figures {
    ($($figure:ty),+ $(,)?) => {$(
        impl Figure for $figure {
            fn statistic(&self) -> Statistic {
                self.statistic
            }

            fn value(&self) -> &Outcome {
                &self.value
            }
        }
    )+};
}

figures!(
    Ceiling,
    HeldOut,
    StatisticDifference,
    StatisticEstimate,
    StatisticValue
);
