//! `neurogauge._neurogauge`: the extension module of the Python package (`python/neurogauge`).
//!
//! Arrays are read in place, and outcomes are returned as NumPy arrays and reasons. Names, defaults, documentation and
//! results are in Python; numbers come from the crates. Each file registers its own functions.

#![allow(clippy::needless_pass_by_value, reason = "what Python gives is owned by the call")]

mod align;
mod arrays;
mod captioning;
mod captions;
mod category_names;
mod command;
mod composites;
mod detections;
mod errors;
mod feature_accuracy;
mod features;
mod images;
mod losses;
mod masks;
mod meta;
mod models;
mod options;
mod outcomes;
mod perceptual;
mod point_clouds;
mod retrieval;
mod run_images;
mod runs;
mod scene_graphs;
mod specs;
mod statistics;
mod threads;
mod work;

use neurogauge::core::option_words::write_options_as;
use pyo3::prelude::*;

/// From now on, messages name options as keywords of Python.
fn write_options_as_keywords() {
    write_options_as(|option, f| {
        let (name, value) = (option.name.replace('-', "_"), option.value);
        // Words in capitals are placeholders for the reader.
        let is_placeholder = value.chars().all(|c| c.is_ascii_uppercase());
        match is_placeholder {
            true => write!(f, "{name}={value}"),
            false => write!(f, "{name}={value:?}"),
        }
    });
}

/// The extension module.
#[pymodule]
fn _neurogauge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    write_options_as_keywords();
    align::register(module)?;
    arrays::register(module)?;
    captioning::register(module)?;
    captions::register(module)?;
    category_names::register(module)?;
    command::register(module)?;
    composites::register(module)?;
    detections::register(module)?;
    errors::register(module)?;
    feature_accuracy::register(module)?;
    features::register(module)?;
    images::register(module)?;
    losses::register(module)?;
    masks::register(module)?;
    meta::register(module)?;
    models::register(module)?;
    outcomes::register(module)?;
    perceptual::register(module)?;
    point_clouds::register(module)?;
    retrieval::register(module)?;
    run_images::register(module)?;
    runs::register(module)?;
    scene_graphs::register(module)?;
    specs::register(module)?;
    statistics::register(module)
}
