//! Things about a number that should be known.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A value was computed, and the reader of it should know this. Kept in `run.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable machine-readable name, e.g. `scores_not_descending`.
    pub code: String,
    /// File, stem or model that it is about.
    pub subject: String,
    /// The finding, and its meaning for the numbers.
    pub message: String,
}

impl Warning {
    /// A warning with the given code, subject and message.
    pub fn new(
        code: impl Into<String>,
        subject: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Warning {
            code: code.into(),
            subject: subject.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.message)
    }
}
