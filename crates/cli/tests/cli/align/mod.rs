//! `neurogauge align`.

mod aggregates;
mod bad_input;
mod controls;
mod encoding;
mod figures;
mod given;
#[cfg(feature = "hdf5")]
mod hdf5;
mod inputs;
mod layouts;
mod models;
mod non_finite;
mod nsd;
mod nsd_refused;
mod own_features;
mod precision;
mod preset;
mod repetition;
mod rsa;
mod shards;
mod side_by_side;
mod source_parts;
mod trial_axes;
