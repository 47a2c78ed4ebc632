//! Findings about inputs: anything wrong, doubtful or worth knowing.

use crate::Warning;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Scoring would end with an error.
    Problem,
    /// Scoring continues, but the numbers are probably not what the user wants.
    Warning,
    /// What to know when the numbers are compared with others.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Problem => "problem",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// Something that was found out about inputs, and what to do about it.
///
/// ```
/// use neurogauge_core::{Finding, Severity};
/// let finding = Finding::new(Severity::Note, "sizes", "gt images", "they have 2 sizes")
///     .advise("resize them to one");
/// assert_eq!(finding.to_string(), "note: gt images: they have 2 sizes; resize them to one");
/// assert_eq!(finding.to_warning().to_string(), "gt images: they have 2 sizes; resize them to one");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// Stable machine-readable name, e.g. `same_source`.
    pub code: String,
    /// What it is about, e.g. `gt images`.
    pub subject: String,
    /// What was found.
    pub message: String,
    /// What to do about it; may be empty.
    pub advice: String,
}

impl Finding {
    /// A finding without advice.
    pub fn new(
        severity: Severity,
        code: impl Into<String>,
        subject: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Finding {
            severity,
            code: code.into(),
            subject: subject.into(),
            message: message.into(),
            advice: String::new(),
        }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn advise(self, advice: impl Into<String>) -> Self {
        Finding {
            advice: advice.into(),
            ..self
        }
    }

    /// The finding and the advice, in one sentence.
    pub fn sentence(&self) -> String {
        match self.advice.as_str() {
            "" => self.message.clone(),
            advice => format!("{}; {advice}", self.message),
        }
    }

    /// As a warning of a run.
    pub fn to_warning(&self) -> Warning {
        Warning::new(&self.code, &self.subject, self.sentence())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}: {}",
            self.severity,
            self.subject,
            self.sentence()
        )
    }
}
