//! Groups of items: items are compared only within a group.

use crate::StatsError;
use std::collections::HashMap;

/// A way to put the items of a survey into groups: by the stimulus that several systems decoded, or
/// by the system that decoded several stimuli.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// The name of the grouping, such as the column of the survey that has the labels.
    pub name: String,
    group: Vec<u32>,
    n_groups: usize,
}

impl Grouping {
    /// Makes groups from the label of each item of the survey: equal labels are one group.
    ///
    /// ```
    /// use neurogauge_stats::meta::Grouping;
    /// let systems = Grouping::new("system", &["a", "b", "a"]).unwrap();
    /// assert_eq!(systems.n_groups(), 2);
    /// ```
    pub fn new(name: impl Into<String>, labels: &[impl AsRef<str>]) -> Result<Self, StatsError> {
        let found = labels.len();
        u32::try_from(found).map_err(|_| StatsError::too_many_items(found))?;
        let mut known: HashMap<&str, u32> = HashMap::new();
        let group = labels
            .iter()
            .map(|label| {
                let next = known.len() as u32;
                *known.entry(label.as_ref()).or_insert(next)
            })
            .collect();
        Ok(Grouping {
            name: name.into(),
            group,
            n_groups: known.len(),
        })
    }

    pub fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// The index of an item's group.
    ///
    /// ```
    /// use neurogauge_stats::meta::Grouping;
    /// let systems = Grouping::new("system", &["a", "b", "a"]).unwrap();
    /// assert_eq!(systems.group_of(0), systems.group_of(2));
    /// ```
    pub fn group_of(&self, item: usize) -> usize {
        self.group[item] as usize
    }

    pub(crate) fn n_items(&self) -> usize {
        self.group.len()
    }

    /// For each group, the indices into `items` (positions in the survey) of its members.
    pub(crate) fn members(&self, items: &[u32]) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.n_groups];
        for (&item, place) in items.iter().zip(0..) {
            members[self.group[item as usize] as usize].push(place);
        }
        members
    }
}
