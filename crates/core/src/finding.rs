//! Findings about inputs: anything wrong, doubtful or worth knowing.

use crate::Progress;
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
    /// A fact that matters when the numbers are compared with others.
    Note,
    /// What an input was read as where nothing had to be guessed: in records, in reports and by `neurogauge check`, not
    /// below tables.
    Read,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Problem => "problem",
            Severity::Warning => "warning",
            Severity::Note => "note",
            Severity::Read => "read",
        })
    }
}

/// The code of the findings that say what an input was taken for.
pub const TAKEN_FOR: &str = "taken_for";

/// A fact or an assumption about inputs, kept in `run.json`.
///
/// If an input can be read in several ways, the finding says which way was taken, on what evidence, what else it could
/// have been, and which option decides it.
///
/// ```
/// use neurogauge_core::Finding;
/// let finding = Finding::warning("box_units", "detections.json", "coordinates are taken as pixels")
///     .on_evidence("the largest is 412")
///     .or_else("shares of the width and height")
///     .advise("box-units shares reads them so");
/// assert_eq!(finding.brief(), "detections.json: coordinates are taken as pixels");
/// assert_eq!(
///     finding.to_string(),
///     "detections.json: coordinates are taken as pixels (the largest is 412); they could also be shares of the width and height; \
///      box-units shares reads them so"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub severity: Severity,
    /// Stable machine-readable name, e.g. `same_source`.
    pub code: String,
    /// The file, side, stem or model concerned, e.g. `gt images`.
    pub subject: String,
    /// What was found or assumed, and what it means for the numbers.
    pub message: String,
    /// Why it was read this way; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// The other possible readings; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub otherwise: String,
    /// What to do about it, usually the option that decides; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
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
            evidence: String::new(),
            otherwise: String::new(),
            advice: String::new(),
        }
    }

    /// A finding that can change a number.
    pub fn warning(code: impl Into<String>, subject: impl Into<String>, message: impl Into<String>) -> Self {
        Finding::new(Severity::Warning, code, subject, message)
    }

    /// A finding to know when numbers are compared.
    pub fn note(code: impl Into<String>, subject: impl Into<String>, message: impl Into<String>) -> Self {
        Finding::new(Severity::Note, code, subject, message)
    }

    /// What an input was read as, where nothing had to be guessed.
    pub fn read_as(subject: impl Into<String>, message: impl Into<String>) -> Self {
        Finding::new(Severity::Read, TAKEN_FOR, subject, message)
    }

    /// Adds why the input was read this way.
    #[must_use]
    pub fn on_evidence(self, evidence: impl Into<String>) -> Self {
        Finding {
            evidence: evidence.into(),
            ..self
        }
    }

    /// Adds the other possible readings.
    #[must_use]
    pub fn or_else(self, otherwise: impl Into<String>) -> Self {
        Finding {
            otherwise: otherwise.into(),
            ..self
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn advise(self, advice: impl Into<String>) -> Self {
        Finding {
            advice: advice.into(),
            ..self
        }
    }

    /// Adds whose input it is about, where several systems have one.
    #[must_use]
    pub fn about(self, system: &str) -> Self {
        Finding {
            subject: format!("{} of {system}", self.subject),
            ..self
        }
    }

    /// Is it shown below tables?
    pub fn is_shown(&self) -> bool {
        self.severity != Severity::Read
    }

    /// Can it change a number?
    pub fn is_warning(&self) -> bool {
        self.severity == Severity::Warning
    }

    /// Everything but the subject, in one sentence.
    pub fn sentence(&self) -> String {
        let mut sentence = self.message.clone();
        for (before, text, after) in [
            (" (", &self.evidence, ")"),
            ("; they could also be ", &self.otherwise, ""),
            ("; ", &self.advice, ""),
        ] {
            if !text.is_empty() {
                sentence.extend([before, text.as_str(), after]);
            }
        }
        sentence
    }

    /// The finding as a line below a table; a warning starts with `Warning:`.
    pub fn below_table(&self) -> String {
        match self.is_warning() {
            true => format!("Warning: {self}"),
            false => self.to_string(),
        }
    }

    /// Reports the finding at once, for callers whose result cannot carry it.
    pub fn tell(&self, progress: &dyn Progress) {
        match self.is_warning() {
            true => progress.warn(&self.to_string()),
            false => progress.note(&self.to_string()),
        }
    }

    /// The subject and the message, without the rest.
    pub fn brief(&self) -> String {
        format!("{}: {}", self.subject, self.message)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.sentence())
    }
}
