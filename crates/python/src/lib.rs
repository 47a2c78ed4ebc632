//! `neurogauge._neurogauge`: what the Python package (`python/neurogauge`) calls.
//!
//! Arrays come in where they lie, outcomes go out as NumPy arrays and reasons. Names, defaults,
//! documentation and results are Python's; numbers are the crates'. Each file registers its own
//! functions.

mod arrays;
mod captioning;
mod command;
mod errors;
mod outcomes;
mod specs;
mod work;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
fn _neurogauge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    captioning::register(module)?;
    command::register(module)?;
    outcomes::register(module)?;
    specs::register(module)
}
