//! The only mapping from Rust errors to Python exceptions (`neurogauge/_errors.py`).

use neurogauge::alignment::AlignmentError;
use neurogauge::metrics::MetricError;
use neurogauge::models::ModelError;
use neurogauge::stats::StatsError;
use neurogauge::{Error, Fault};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Anything that stops a call.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A command or a model.
    Facade(Error),
    /// Arrays, lists or values of them that cannot be used.
    Data(String),
    /// An argument that makes no sense.
    Usage(String),
    /// Ctrl-C, or an exception of Python's own.
    Python(PyErr),
}

/// The exception class for a fault (`neurogauge/_errors.py`).
fn class_of(fault: Fault) -> &'static str {
    match fault {
        Fault::Data => "DataError",
        Fault::Model => "ModelError",
        Fault::Usage => "UsageError",
        Fault::Ours => "InternalError",
    }
}

fn raised(fault: Fault, message: &str) -> PyErr {
    Python::attach(|py| {
        let class = py.import("neurogauge._errors").and_then(|module| module.getattr(class_of(fault)));
        match class.and_then(|class| class.call1((message,))) {
            Ok(exception) => PyErr::from_value(exception),
            // The package is not there around its extension module.
            Err(_) => PyRuntimeError::new_err(message.to_owned()),
        }
    })
}

impl Failure {
    /// A pair that cannot be compared, by its place.
    pub(crate) fn of_pair(pair: usize, metric: &'static str, source: MetricError) -> Self {
        Failure::Facade(Error::Metric {
            pair: pair.to_string(),
            metric,
            source,
        })
    }

    /// A figure over all pairs.
    pub(crate) fn of_all(figure: &'static str, source: MetricError) -> Self {
        Failure::Facade(Error::AllPairs { figure, source })
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Facade(error) => raised(error.fault(), &error.to_string()),
            Failure::Data(message) => raised(Fault::Data, &message),
            Failure::Usage(message) => raised(Fault::Usage, &message),
            Failure::Python(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Facade(error)
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Failure::Facade(error.into())
    }
}

impl From<AlignmentError> for Failure {
    fn from(error: AlignmentError) -> Self {
        Failure::Facade(error.into())
    }
}

/// The facade counts a refused statistic as its own fault, since it checked the inputs before; here they
/// are the caller's.
impl From<StatsError> for Failure {
    fn from(error: StatsError) -> Self {
        match error.fault() {
            Fault::Usage => Failure::Usage(error.to_string()),
            Fault::Data | Fault::Model | Fault::Ours => Failure::Data(error.to_string()),
        }
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Python(error)
    }
}

/// A panic is a bug of ours; its message is on stderr.
pub(crate) fn bug() -> Failure {
    internal("this is a bug in neurogauge, not in your data; please report the message above")
}

/// Something that should not happen.
pub(crate) fn internal(message: &str) -> Failure {
    Failure::Python(raised(Fault::Ours, message))
}

/// For each fault, its exception and the command line's exit code.
#[pyfunction]
pub(crate) fn exceptions() -> Vec<(&'static str, u8)> {
    Fault::ALL.iter().map(|&fault| (class_of(fault), fault.exit_code())).collect()
}
