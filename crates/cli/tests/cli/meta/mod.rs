//! `neurogauge meta`.

mod agreement;
mod combinations;
mod figures;
mod inference;
mod questions;
mod surveys;
