//! Object Recall, Precision and F1: against the reference, by hand, and what must not matter.

pub(crate) mod boxes;
pub(crate) mod by_hand;
mod golden;
mod invariances;
