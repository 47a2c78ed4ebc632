//! What a resample draws, and what a jackknife leaves out.

use super::human::HumanScores;
use super::{Grouping, Resampled};
use crate::resample::draw_below;
use crate::{BootstrapOptions, StatsError};

/// Raters and items with the number of times each of them is there.
pub(crate) struct Drawn {
    /// One weight for each rater.
    pub(crate) raters: Vec<u32>,
    /// Positions of the items in the survey, `None` for each of them once.
    pub(crate) items: Option<Vec<u32>>,
    /// For each grouping.
    pub(crate) groups: Vec<GroupWeights>,
}

/// How often each group counts in a mean over groups.
pub(crate) enum GroupWeights {
    Once,
    Drawn(Vec<u32>),
    /// No mean is asked for.
    Nothing,
}

/// The survey as the bootstrap sees it.
pub(crate) struct Units {
    resampled: Resampled,
    n_raters: u32,
    n_items: u32,
    /// Groups of each grouping: no more than there are items.
    n_groups: Vec<u32>,
}

impl Units {
    pub(crate) fn new(
        human: &HumanScores,
        groupings: &[Grouping],
        resampled: Resampled,
    ) -> Result<Self, StatsError> {
        let count =
            |found: usize| u32::try_from(found).map_err(|_| StatsError::TooManyItems { found });
        Ok(Units {
            resampled,
            n_raters: count(human.n_raters())?,
            n_items: count(human.n_items())?,
            n_groups: groupings
                .iter()
                .map(|grouping| grouping.n_groups() as u32)
                .collect(),
        })
    }

    /// Everyone and everything once.
    pub(crate) fn all(&self) -> Drawn {
        Drawn {
            raters: vec![1; self.n_raters as usize],
            items: None,
            groups: self.n_groups.iter().map(|_| GroupWeights::Once).collect(),
        }
    }

    /// Resample `r`, which depends on the seed, `r` and the size of the survey only: it is the same
    /// for every metric. Where items are drawn, means over groups are over drawn groups, each with
    /// all of its items: an item that was drawn twice would be a large part of a small group.
    pub(crate) fn resample(&self, r: u64, options: &BootstrapOptions) -> Drawn {
        let mut rng = options.seed.stream(r);
        let mut drawn = self.all();
        if self.resampled != Resampled::Items {
            let mut raters = vec![0; self.n_raters as usize];
            draw_below(self.n_raters, &mut rng, &mut raters);
            drawn.raters = times(self.n_raters, &raters);
        }
        if self.resampled != Resampled::Raters {
            let mut items = vec![0; self.n_items as usize];
            draw_below(self.n_items, &mut rng, &mut items);
            drawn.items = Some(items);
            let draw = |&n_groups: &u32| {
                let mut groups = vec![0; n_groups as usize];
                draw_below(n_groups, &mut rng, &mut groups);
                GroupWeights::Drawn(times(n_groups, &groups))
            };
            drawn.groups = self.n_groups.iter().map(draw).collect();
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

    /// All but one unit: a rater, or an item and, of means over groups, a group.
    pub(crate) fn without(&self, unit: u32) -> Drawn {
        let mut drawn = self.all();
        match self.resampled {
            Resampled::Raters => drawn.raters[unit as usize] = 0,
            Resampled::Items | Resampled::Both => {
                drawn.items = Some((0..self.n_items).filter(|&item| item != unit).collect());
                let without = |&n_groups: &u32| {
                    if unit >= n_groups {
                        return GroupWeights::Nothing;
                    }
                    let all_but = (0..n_groups).map(|group| u32::from(group != unit));
                    GroupWeights::Drawn(all_but.collect())
                };
                drawn.groups = self.n_groups.iter().map(without).collect();
            }
        }
        drawn
    }
}

/// How often each number below `bound` was drawn.
fn times(bound: u32, drawn: &[u32]) -> Vec<u32> {
    let mut times = vec![0; bound as usize];
    for &number in drawn {
        times[number as usize] += 1;
    }
    times
}
