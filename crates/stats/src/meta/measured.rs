//! A metric's agreement with people, in the survey and in resamples of it.

use super::human::HumanScores;
use super::reading::{Prepared, Reading, Values};
use super::units::{Drawn, Units};
use super::{IntervalMethod, MetaOptions};
use crate::{StatsError, bca_interval};
use rayon::prelude::*;

/// A metric over the items that count for it.
pub(crate) struct Subject {
    /// Positions of the items in the survey, ascending.
    pub(crate) items: Vec<u32>,
    /// For each item of the survey its score, higher is better, if it counts.
    scores: Vec<Option<f64>>,
    pub(crate) prepared: Prepared,
}

/// What the statistics are in the survey, in each resample and with each unit left out.
pub(crate) struct Measured {
    pub(crate) reading: Reading,
    pub(crate) replicates: Vec<Values>,
    pub(crate) jackknife: Vec<Values>,
}

impl Subject {
    /// Of those `items` that have a score.
    pub(crate) fn new(column: &[Option<f64>], items: &[u32]) -> Result<Self, StatsError> {
        let mut scores = vec![None; column.len()];
        for &item in items {
            scores[item as usize] = column[item as usize];
        }
        let prepared = Prepared::new(scores.iter().flatten().copied().collect())?;
        let counting = (0_u32..).zip(&scores).filter(|(_, score)| score.is_some());
        Ok(Subject {
            items: counting.map(|(item, _)| item).collect(),
            prepared,
            scores,
        })
    }

    pub(crate) fn measure(
        &self,
        human: &HumanScores,
        units: &Units,
        options: &MetaOptions,
    ) -> Result<Measured, StatsError> {
        let replicates = (0..options.bootstrap.resamples as u64)
            .into_par_iter()
            .map(|r| {
                let drawn = units.resample(r, &options.bootstrap);
                Ok(self.read(human, &drawn)?.values())
            })
            .collect::<Result<Vec<Values>, StatsError>>()?;
        let jackknife = match options.interval {
            IntervalMethod::Percentile => Vec::new(),
            IntervalMethod::Bca => (0..units.n_jackknife())
                .into_par_iter()
                .map(|unit| Ok(self.read(human, &units.without(unit))?.values()))
                .collect::<Result<Vec<Values>, StatsError>>()?,
        };
        Ok(Measured {
            reading: self.read(human, &units.all())?,
            replicates,
            jackknife,
        })
    }

    /// The statistics in what was drawn. Pairs of scores are sorted anew only where the items are
    /// not those that they were sorted for.
    pub(crate) fn read(&self, human: &HumanScores, drawn: &Drawn) -> Result<Reading, StatsError> {
        let means = human.means(&drawn.raters);
        let items = drawn.items.as_deref().unwrap_or(&self.items);
        let (scores, means): (Vec<f64>, Vec<f64>) = items
            .iter()
            .filter_map(|&item| Some((self.scores[item as usize]?, means[item as usize]?)))
            .unzip();
        if drawn.items.is_none() && scores.len() == self.items.len() {
            return self.prepared.read(&means);
        }
        Prepared::new(scores)?.read(&means)
    }
}

/// The interval of an estimate, with the number of resamples that have no value.
pub(crate) fn interval(
    estimate: Option<f64>,
    replicates: impl ExactSizeIterator<Item = Option<f64>>,
    jackknife: impl Iterator<Item = Option<f64>>,
    options: &MetaOptions,
) -> Result<(Option<(f64, f64)>, usize), StatsError> {
    let n = replicates.len();
    let replicates: Vec<f64> = replicates.flatten().collect();
    let n_undefined = n - replicates.len();
    let Some(estimate) = estimate else {
        return Ok((None, n_undefined));
    };
    let ends = match options.interval {
        IntervalMethod::Percentile => options.bootstrap.percentile_interval(replicates),
        IntervalMethod::Bca => {
            let jackknife: Vec<f64> = jackknife.flatten().collect();
            bca_interval(estimate, &replicates, &jackknife, options.bootstrap.level)?
        }
    };
    Ok((ends, n_undefined))
}
