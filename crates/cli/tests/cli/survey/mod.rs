//! `neurogauge survey`: from questionnaires to the table of `meta`.

mod answers;
mod clips;
mod collect;
mod crowd;
mod pages;
mod participation;
mod power;
mod questionnaires;
mod refused;
