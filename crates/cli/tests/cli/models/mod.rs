//! `neurogauge models`, and how models are run.

mod devices;
mod doctor;
mod fetch;
mod list;
mod selftest;
mod weight_precision;
