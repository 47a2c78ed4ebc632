//! Object Recall, Precision and F1: against the reference, by hand, and what must not matter.

pub(crate) mod boxes;
mod by_hand;
mod golden;
mod invariances;
