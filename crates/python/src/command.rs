//! The command line, which is part of the package.

use crate::{work, write_options_as_keywords};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments and returns its exit code. The first argument is the program's name. If the
/// process does nothing else (`is_program`), Ctrl-C ends it with a line that says what is kept.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>, is_program: bool) -> u8 {
    let code = py.detach(|| match is_program {
        true => neurogauge_command::run_program(arguments),
        false => neurogauge_command::run(arguments),
    });
    // The command names options as in a shell; restore Python's form for later calls.
    write_options_as_keywords();
    code
}

/// Warnings, and the text to print.
type Output = (Vec<String>, Option<String>);

/// Runs `neurogauge report`, `gallery`, `study` or `survey` with these arguments; the command's name comes first. If a
/// result was written although some items failed, that is a warning.
#[pyfunction]
pub(crate) fn write_result(
    py: Python<'_>,
    arguments: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Output> {
    let done = work::run(py, progress, |work| Ok(neurogauge_command::write(arguments, work)?))?;
    let mut warnings = done.warnings;
    warnings.extend(done.failed.map(|failed| failed.to_string()));
    Ok((warnings, done.printed.map(|(_, text)| text)))
}
