//! `neurogauge study`: three systems, ratings of one of them, eight combinations of components.

mod basic;
mod configuration;
mod of_data;
mod page;
mod pooled;
mod published;
mod released;
mod repetition;
mod tables;
mod written_papers;
