//! Summaries over target units.

use crate::selection::{mean, standard_error};
use crate::{AlignmentError, Profile};
use neurogauge_stats::quantile;
use neurogauge_stats::summation::sum;
use serde::{Deserialize, Serialize};

/// A mean over all entries of all target units, with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UnitEstimate {
    /// The mean over all entries; `None` without an entry.
    pub mean: Option<f64>,
    /// The ends of its interval; `None` if there are too few subjects or target units (`UnitIntervals`).
    pub interval: Option<(f64, f64)>,
    pub n: usize,
    /// Number of resamples that contain an entry; 0 without resampling.
    pub n_resamples: usize,
}

impl UnitEstimate {
    /// The mean of all entries, with a percentile interval from these resamples of target units. If a unit is drawn,
    /// all its entries are. Resamples of units without any entry are left out.
    ///
    /// - Shapes: `units` has the entries of each target unit, a draw the positions of a resample's units.
    ///
    /// ```
    /// use neurogauge_alignment::UnitEstimate;
    /// let (units, draws) = ([vec![1.0, 2.0], vec![6.0]], [vec![0, 0], vec![0, 1], vec![1, 1]]);
    /// let estimate = UnitEstimate::from_draws(&units, &draws, 0.5)?;
    /// assert_eq!((estimate.mean, estimate.interval), (Some(3.0), Some((2.25, 4.5))));
    /// # Ok::<(), neurogauge_alignment::AlignmentError>(())
    /// ```
    pub fn from_draws(units: &[Vec<f64>], draws: &[Vec<usize>], level: f64) -> Result<Self, AlignmentError> {
        if let Some(found) = draws.iter().flatten().find(|&&unit| unit >= units.len()) {
            return Err(AlignmentError::option("drawn unit", found, "a position of a target unit, counted from 0"));
        }
        let totals: Vec<(f64, usize)> = units.iter().map(|u| (sum(u), u.len())).collect();
        let mean_of = |drawn: &mut dyn Iterator<Item = (f64, usize)>| {
            let (total, n) = drawn.fold((0.0, 0), |(total, n), unit| (total + unit.0, n + unit.1));
            (n > 0).then(|| total / n as f64)
        };
        let replicates: Vec<f64> =
            draws.iter().filter_map(|drawn| mean_of(&mut drawn.iter().map(|&unit| totals[unit]))).collect();
        let tail = (1.0 - level) / 2.0;
        let interval = match replicates.is_empty() {
            true => None,
            false => Some((quantile(&replicates, tail)?, quantile(&replicates, 1.0 - tail)?)),
        };
        Ok(UnitEstimate {
            mean: mean_of(&mut totals.iter().copied()),
            interval,
            n: units.iter().map(Vec::len).sum(),
            n_resamples: replicates.len(),
        })
    }
}

/// The band of the donors' curves of a target unit, for each k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Band {
    pub mean: Vec<f64>,
    /// Standard error of the mean (divisor n - 1; 0 for one donor).
    pub standard_error: Vec<f64>,
    pub median: Vec<f64>,
    /// Quartiles, by linear interpolation.
    pub quartiles: Vec<(f64, f64)>,
    pub range: Vec<(f64, f64)>,
}

impl Band {
    /// The band of these curves, up to the end of the shortest one.
    pub fn new(donors: &[Profile]) -> Result<Self, AlignmentError> {
        let Some(n_ranks) = donors.iter().map(|donor| donor.top_k.len()).min() else {
            return Err(AlignmentError::empty("profile"));
        };
        let mut band = Band {
            mean: Vec::new(),
            standard_error: Vec::new(),
            median: Vec::new(),
            quartiles: Vec::new(),
            range: Vec::new(),
        };
        for rank in 0..n_ranks {
            let values: Vec<f64> = donors.iter().map(|donor| donor.top_k[rank]).collect();
            band.mean.push(mean(&values));
            band.standard_error.push(standard_error(&values));
            band.median.push(quantile(&values, 0.5)?);
            band.quartiles.push((quantile(&values, 0.25)?, quantile(&values, 0.75)?));
            band.range.push((quantile(&values, 0.0)?, quantile(&values, 1.0)?));
        }
        Ok(band)
    }
}
