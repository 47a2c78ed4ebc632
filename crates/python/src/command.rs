//! The command line, which comes with the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command that these arguments ask for, the program's name first; gives its exit code.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| neurogauge_cli::run(arguments))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
