//! Every format against text written out by hand.

mod checks;
mod data;
mod fixtures;
mod latex;
mod markdown;
mod text;
