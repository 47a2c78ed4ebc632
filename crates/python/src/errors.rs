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
    /// Arrays or lists that cannot be used, or their values.
    Data(String),
    /// An invalid argument.
    Usage(String),
    /// Ctrl-C, or one of Python's own exceptions.
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
            // The extension module is used without its package.
            Err(_) => PyRuntimeError::new_err(message.to_owned()),
        }
    })
}

impl Failure {
    /// A pair that cannot be compared, by index.
    pub(crate) fn of_pair(pair: usize, metric: &'static str, source: MetricError) -> Self {
        Failure::Facade(Error::Metric {
            pair: pair.to_string(),
            metric,
            source,
        })
    }

    /// A quantity over all pairs that cannot be computed.
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

/// The facade checks inputs first, so it counts a refused statistic as its own bug; here the inputs are the caller's.
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

/// A panic, which is a bug of ours; its message is on stderr.
pub(crate) fn bug() -> Failure {
    internal("this is a bug in neurogauge, not in your data; please report the message above")
}

/// Something that should not happen.
pub(crate) fn internal(message: &str) -> Failure {
    Failure::Python(raised(Fault::Ours, message))
}

/// The exception and the command line's exit code for each kind of fault.
#[pyfunction]
pub(crate) fn exceptions() -> Vec<(&'static str, u8)> {
    Fault::ALL.iter().map(|&fault| (class_of(fault), fault.exit_code())).collect()
}
