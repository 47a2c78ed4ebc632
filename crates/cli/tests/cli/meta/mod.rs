//! `neurogauge meta`.

mod agreement;
mod combinations;
mod figures;
mod inference;
mod joins;
mod questions;
mod raters;
mod released;
mod stimuli;
mod surveys;
