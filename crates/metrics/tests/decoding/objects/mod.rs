//! Object Recall, Precision and F1: against the reference, by hand, and invariances.

pub(crate) mod boxes;
mod by_hand;
mod golden;
mod invariances;
