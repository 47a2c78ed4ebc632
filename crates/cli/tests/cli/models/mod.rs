//! `neurogauge models`, and options of models.

mod devices;
mod doctor;
mod fetch;
mod list;
mod selftest;
mod weight_precision;
