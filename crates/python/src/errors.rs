//! The one map from what goes wrong in Rust to Python's exceptions (`neurogauge/_errors.py`).

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

/// The exceptions that failures become; the command's exit code says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exception {
    /// The data (exit code 1).
    Data,
    /// Weights of a model, or what it was given (exit code 1).
    Model,
    /// The call (exit code 2).
    Usage,
    /// Ours (exit code 3).
    Internal,
}

impl Exception {
    fn class(self) -> &'static str {
        match self {
            Exception::Data => "DataError",
            Exception::Model => "ModelError",
            Exception::Usage => "UsageError",
            Exception::Internal => "InternalError",
        }
    }

    /// Whose fault an error is decides; `Error::fault` names every variant.
    fn of(error: &Error) -> Self {
        match (error.fault(), error) {
            (Fault::Data, Error::Model(_) | Error::Image { .. }) => Exception::Model,
            (Fault::Data, _) => Exception::Data,
            (Fault::Usage, _) => Exception::Usage,
            (Fault::Ours, _) => Exception::Internal,
        }
    }

    fn raised(self, message: String) -> PyErr {
        Python::attach(|py| {
            let class = py
                .import("neurogauge._errors")
                .and_then(|module| module.getattr(self.class()));
            match class.and_then(|class| class.call1((message.as_str(),))) {
                Ok(exception) => PyErr::from_value(exception),
                // The package is not there around its extension module.
                Err(_) => PyRuntimeError::new_err(message),
            }
        })
    }
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
            Failure::Facade(error) => Exception::of(&error).raised(error.to_string()),
            Failure::Data(message) => Exception::Data.raised(message),
            Failure::Usage(message) => Exception::Usage.raised(message),
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
        match error {
            StatsError::InvalidOption { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Data(error.to_string()),
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
    Failure::Python(Exception::Internal.raised(
        "this is a bug in neurogauge, not in your data; please report the message above".to_owned(),
    ))
}
