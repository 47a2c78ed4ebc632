//! The command line, which comes with the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command that these arguments ask for, the program's name first; gives its exit code. Where the process does nothing
/// else, Ctrl-C ends it with a line that says what is kept.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>, is_program: bool) -> u8 {
    py.detach(|| match is_program {
        true => neurogauge_cli::run_program(arguments),
        false => neurogauge_cli::run(arguments),
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
