//! A metric's agreement with people, in the survey and in resamples of it.

use super::human::HumanScores;
use super::item_scores::{ItemScores, Prepared, ScoreSample, Values};
use super::studentized::Studied;
use super::units::{Drawn, Units};
use super::within_groups::Within;
use super::{Grouping, IntervalMethod, MetaOptions};
use crate::{StatsError, skewness};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;

/// From this skewness on, a sample's correlation says too little about the population's: the tail decides it, and a
/// sample has little of the tail. In simulations, intervals cover 90 to 95% at a skewness of 2 to 3, and 84 to 87%
/// beyond; a bootstrap covers no more.
const LARGEST_SKEWNESS: f64 = 2.0;

/// A metric over the items that have a score.
pub(crate) struct Subject {
    /// Positions of the items in the survey, ascending.
    pub(crate) items: Vec<u32>,
    pub(crate) prepared: Prepared,
    /// One for each grouping.
    pub(crate) within: Vec<Within>,
}

/// The statistics in the survey, and their sampling variability.
pub(crate) struct MetricStatistics {
    pub(crate) reading: ItemScores,
    pub(super) spread: Spread,
    /// Are the metric's scores so skewed that intervals of Pearson's correlation are too narrow?
    pub(super) has_long_tail: bool,
}

/// The data that intervals are computed from.
pub(super) enum Spread {
    Studied(Studied),
    /// The statistics in each resample and with each unit left out.
    Resampled {
        replicates: Vec<Values>,
        jackknife: Vec<Values>,
    },
}

impl Subject {
    /// Measures those of `items` that have a score.
    pub(crate) fn new(column: &[Option<f64>], items: &[u32], groupings: &[Grouping]) -> Result<Self, StatsError> {
        let scored = items.iter().filter_map(|&item| Some((item, column[item as usize]?)));
        let (items, scores): (Vec<u32>, Vec<f64>) = scored.unzip();
        let within = groupings.iter().map(|grouping| Within::new(grouping, &items, &scores));
        Ok(Subject {
            within: within.collect::<Result<_, _>>()?,
            prepared: Prepared::new(scores)?,
            items,
        })
    }

    pub(crate) fn measure(
        &self,
        human: &HumanScores,
        units: &Units,
        options: &MetaOptions,
    ) -> Result<MetricStatistics, StatsError> {
        let drawn = units.all();
        let reading = self.read(human, &drawn)?;
        let spread = match options.method() {
            IntervalMethod::Studentized => {
                let human = self.human_scores(human, &drawn);
                Spread::Studied(Studied::of(self, &human, units.stimuli_of(&self.items), &reading)?)
            }
            method => Spread::Resampled {
                replicates: self.replicates(human, units, options)?,
                jackknife: match method {
                    IntervalMethod::Bca => self.jackknife(human, units)?,
                    _ => Vec::new(),
                },
            },
        };
        let skewness = skewness(&self.prepared.scores).unwrap_or(0.0);
        Ok(MetricStatistics {
            reading,
            spread,
            has_long_tail: skewness.abs() > LARGEST_SKEWNESS,
        })
    }

    fn replicates(&self, human: &HumanScores, units: &Units, options: &MetaOptions) -> Result<Vec<Values>, StatsError> {
        parallel::try_map(options.bootstrap.resamples, |r| {
            Ok(self.read(human, &units.resample(r as u64, &options.bootstrap))?.values())
        })
    }

    fn jackknife(&self, human: &HumanScores, units: &Units) -> Result<Vec<Values>, StatsError> {
        parallel::try_map(units.n_jackknife() as usize, |unit| {
            Ok(self.read(human, &units.without(unit as u32))?.values())
        })
    }

    /// The human score of each item; NaN without a rating.
    fn human_scores(&self, human: &HumanScores, drawn: &Drawn) -> Vec<f64> {
        let means = human.means(&drawn.raters);
        self.items.iter().map(|&item: &u32| means[item as usize].unwrap_or(f64::NAN)).collect()
    }

    /// The statistics in a draw. Pairs of scores are sorted once for all draws.
    pub(crate) fn read(&self, human: &HumanScores, drawn: &Drawn) -> Result<ItemScores, StatsError> {
        stop_if_asked();
        let by_place = self.human_scores(human, drawn);
        let is_whole = drawn.items.is_none() && by_place.iter().all(|mean| !mean.is_nan());
        let mut reading = if is_whole {
            self.prepared.read(&by_place)?
        } else {
            self.read_sample(drawn, &by_place, human.n_items())?
        };
        for (within, weights) in self.within.iter().zip(&drawn.groups) {
            reading.push(within.read(&self.prepared.scores, &by_place, weights)?);
        }
        Ok(reading)
    }

    fn read_sample(&self, drawn: &Drawn, by_place: &[f64], n_items: usize) -> Result<ItemScores, StatsError> {
        let mut place_of = vec![None; n_items];
        for (&item, place) in self.items.iter().zip(0..) {
            place_of[item as usize] = Some(place).filter(|&place: &usize| !by_place[place].is_nan());
        }
        let places = drawn.items.as_deref().unwrap_or(&self.items).iter().filter_map(|&item| place_of[item as usize]);
        let mut weights = vec![0; by_place.len()];
        let (mut scores, mut human) = (Vec::new(), Vec::new());
        for place in places {
            weights[place] += 1;
            scores.push(self.prepared.scores[place]);
            human.push(by_place[place]);
        }
        self.prepared.read_sample(&ScoreSample {
            scores: &scores,
            human: &human,
            weights: &weights,
            human_by_item: by_place,
        })
    }
}
