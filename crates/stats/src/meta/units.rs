//! What a resample draws, and what a jackknife leaves out.

use super::Resampled;
use super::human::HumanScores;
use crate::resample::draw_below;
use crate::{BootstrapOptions, StatsError};

/// Raters and items with the number of times each of them is there.
pub(crate) struct Drawn {
    /// One weight for each rater.
    pub(crate) raters: Vec<u32>,
    /// Positions of the items in the survey, `None` for each of them once.
    pub(crate) items: Option<Vec<u32>>,
}

/// The survey as the bootstrap sees it.
pub(crate) struct Units {
    resampled: Resampled,
    n_raters: u32,
    n_items: u32,
}

impl Units {
    pub(crate) fn new(human: &HumanScores, resampled: Resampled) -> Result<Self, StatsError> {
        let count =
            |found: usize| u32::try_from(found).map_err(|_| StatsError::TooManyItems { found });
        Ok(Units {
            resampled,
            n_raters: count(human.n_raters())?,
            n_items: count(human.n_items())?,
        })
    }

    /// Everyone and everything once.
    pub(crate) fn all(&self) -> Drawn {
        Drawn {
            raters: vec![1; self.n_raters as usize],
            items: None,
        }
    }

    /// Resample `r`, which depends on the seed, `r` and the size of the survey only: it is the same
    /// for every metric.
    pub(crate) fn resample(&self, r: u64, options: &BootstrapOptions) -> Drawn {
        let mut rng = options.seed.stream(r);
        let mut drawn = self.all();
        if self.resampled != Resampled::Items {
            let mut raters = vec![0; self.n_raters as usize];
            draw_below(self.n_raters, &mut rng, &mut raters);
            drawn.raters.fill(0);
            for rater in raters {
                drawn.raters[rater as usize] += 1;
            }
        }
        if self.resampled != Resampled::Raters {
            let mut items = vec![0; self.n_items as usize];
            draw_below(self.n_items, &mut rng, &mut items);
            drawn.items = Some(items);
        }
        drawn
    }

    /// Number of units that a jackknife leaves out one at a time.
    pub(crate) fn n_jackknife(&self) -> u32 {
        match self.resampled {
            Resampled::Raters => self.n_raters,
            Resampled::Items | Resampled::Both => self.n_items,
        }
    }

    /// All but one unit.
    pub(crate) fn without(&self, unit: u32) -> Drawn {
        let mut drawn = self.all();
        match self.resampled {
            Resampled::Raters => drawn.raters[unit as usize] = 0,
            Resampled::Items | Resampled::Both => {
                drawn.items = Some((0..self.n_items).filter(|&item| item != unit).collect());
            }
        }
        drawn
    }
}
