//! `neurogauge survey`: from questionnaires to the table of `meta`.

mod answers;
mod crowd;
mod pages;
mod power;
mod questionnaires;
mod refused;
