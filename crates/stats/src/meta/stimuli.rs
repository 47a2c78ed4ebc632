//! Items of one stimulus, which are drawn together.

use super::Grouping;

/// For each stimulus, the indices into `items` (positions in the survey) of its items; `None` if no stimulus has
/// several.
pub(crate) fn of_items(stimuli: Option<&Grouping>, items: &[u32]) -> Option<Vec<Vec<u32>>> {
    let mut members = stimuli?.members(items);
    members.retain(|places| !places.is_empty());
    (members.len() < items.len()).then_some(members)
}

pub(super) fn at(values: &[f64], places: &[u32]) -> Vec<f64> {
    places.iter().map(|&place| values[place as usize]).collect()
}

/// The `values` without those at `places`, which are ascending.
pub(super) fn without(values: &[f64], places: &[u32]) -> Vec<f64> {
    let mut left_out = places.iter().peekable();
    let mut kept = Vec::with_capacity(values.len() - places.len());
    for (&value, place) in values.iter().zip(0..) {
        if left_out.next_if(|&&out| out == place).is_none() {
            kept.push(value);
        }
    }
    kept
}
