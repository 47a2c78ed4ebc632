//! The units that a resample draws and that a jackknife leaves out.

use super::human::HumanScores;
use super::{Grouping, Resampled, stimuli};
use crate::resample::draw_below;
use crate::{BootstrapOptions, StatsError};

/// Raters and items, with how often each was drawn.
pub(crate) struct Drawn {
    pub(crate) raters: RaterWeights,
    /// Positions of the items in the survey; `None` means each item once.
    pub(crate) items: Option<Vec<u32>>,
    /// One for each grouping.
    pub(crate) groups: Vec<GroupWeights>,
}

/// How often each rater was drawn.
pub enum RaterWeights {
    Once,
    /// Every rater once, except one.
    Without(usize),
    Drawn(Vec<u32>),
}

/// How often each group was drawn for a mean over groups.
pub(crate) enum GroupWeights {
    Once,
    Drawn(Vec<u32>),
    /// No mean over groups is computed.
    Nothing,
}

/// The units of a survey for the bootstrap.
pub(crate) struct Units {
    resampled: Resampled,
    n_raters: u32,
    n_items: u32,
    /// Items of each stimulus, if some have several: they are drawn and left out together.
    stimuli: Option<Vec<Vec<u32>>>,
    of_stimuli: Option<Grouping>,
    /// The number of groups in each grouping, at most the number of items.
    n_groups: Vec<u32>,
}

impl Units {
    pub(crate) fn new(
        human: &HumanScores,
        groupings: &[Grouping],
        of_stimuli: Option<&Grouping>,
        resampled: Resampled,
    ) -> Result<Self, StatsError> {
        let count = |found: usize| u32::try_from(found).map_err(|_| StatsError::too_many_items(found));
        let n_items = count(human.n_items())?;
        let items: Vec<u32> = (0..n_items).collect();
        Ok(Units {
            resampled,
            n_raters: count(human.n_raters())?,
            n_items,
            stimuli: stimuli::of_items(of_stimuli, &items),
            of_stimuli: of_stimuli.cloned(),
            n_groups: groupings.iter().map(|grouping| grouping.n_groups() as u32).collect(),
        })
    }

    /// Stimuli of the survey, if some have several items.
    pub(crate) fn n_stimuli(&self) -> Option<usize> {
        self.stimuli.as_ref().map(Vec::len)
    }

    /// For each stimulus, the indices into `items` of its items; `None` if no stimulus has several.
    pub(crate) fn stimuli_of(&self, items: &[u32]) -> Option<Vec<Vec<u32>>> {
        stimuli::of_items(self.of_stimuli.as_ref(), items)
    }

    pub(crate) fn all(&self) -> Drawn {
        Drawn {
            raters: RaterWeights::Once,
            items: None,
            groups: self.n_groups.iter().map(|_| GroupWeights::Once).collect(),
        }
    }

    /// Resample `r` depends only on the seed, `r` and the size of the survey, so it is the same for every metric. Items
    /// of a stimulus are drawn together. If items are drawn, means over groups use drawn groups, each with all of its
    /// items, because an item that was drawn twice would dominate a small group.
    pub(crate) fn resample(&self, r: u64, options: &BootstrapOptions) -> Drawn {
        let mut rng = options.seed.stream(r);
        let mut drawn = self.all();
        if self.resampled != Resampled::Items {
            let mut raters = vec![0; self.n_raters as usize];
            draw_below(self.n_raters, &mut rng, &mut raters);
            drawn.raters = RaterWeights::Drawn(times(self.n_raters, &raters));
        }
        if self.resampled != Resampled::Raters {
            let n_units = self.n_units();
            let mut units = vec![0; n_units as usize];
            draw_below(n_units, &mut rng, &mut units);
            drawn.items = Some(match &self.stimuli {
                None => units,
                Some(stimuli) => units.iter().flat_map(|&unit| &stimuli[unit as usize]).copied().collect(),
            });
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
            Resampled::Items | Resampled::Both => self.n_groups.iter().copied().fold(self.n_units(), u32::max),
        }
    }

    /// The number of stimuli, or of items if each has its own stimulus.
    fn n_units(&self) -> u32 {
        self.stimuli.as_ref().map(|stimuli| stimuli.len() as u32).unwrap_or(self.n_items)
    }

    /// The items of all units except one; empty if there is no such unit.
    fn items_without(&self, unit: u32) -> Vec<u32> {
        if unit >= self.n_units() {
            return Vec::new();
        }
        match &self.stimuli {
            None => (0..self.n_items).filter(|&item| item != unit).collect(),
            Some(stimuli) => (0..)
                .zip(stimuli)
                .filter(|(other, _)| *other != unit)
                .flat_map(|(_, items)| items)
                .copied()
                .collect(),
        }
    }

    /// Everything except one unit: a rater, or an item or stimulus and, for means over groups, a group.
    pub(crate) fn without(&self, unit: u32) -> Drawn {
        let mut drawn = self.all();
        match self.resampled {
            Resampled::Raters => drawn.raters = RaterWeights::Without(unit as usize),
            Resampled::Items | Resampled::Both => {
                drawn.items = Some(self.items_without(unit));
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
