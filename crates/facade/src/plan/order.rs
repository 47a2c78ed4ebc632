//! The order of steps: each follows the steps that write its inputs.

use crate::execute::{Step, StepInputs, is_read, outputs_of};
use neurogauge_core::Seed;

/// A plan's observers in the order in which they run: each time, the first in the list whose inputs are ready or, with
/// a seed, a pseudo-random one.
pub(crate) fn ordered<'a>(
    observers: Vec<Box<dyn Step + 'a>>,
    inputs: &dyn StepInputs,
    seed: Option<Seed>,
) -> Vec<Box<dyn Step + 'a>> {
    let outputs = outputs_of(&observers, inputs);
    let waits_for = |place: usize, other: usize| is_read(&outputs[other], std::slice::from_ref(&outputs[place]));
    let mut open: Vec<usize> = (0..observers.len()).collect();
    let mut order = Vec::with_capacity(observers.len());
    while !open.is_empty() {
        let is_free = |place: &usize| !open.iter().any(|other| other != place && waits_for(*place, *other));
        let mut free: Vec<usize> = open.iter().copied().filter(is_free).collect();
        // No kind is made from itself, so one is always free.
        if free.is_empty() {
            free.clone_from(&open);
        }
        // The digits of the seed choose the next.
        let digit = seed.map_or(0, |seed| seed.0 >> (4 * order.len().min(15)));
        let next = free[digit as usize % free.len()];
        open.retain(|place| *place != next);
        order.push(next);
    }
    let mut observers: Vec<Option<_>> = observers.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| observers[place].take()).collect()
}
