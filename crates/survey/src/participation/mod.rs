//! Everything around the ratings: consent, questions about the person, completion codes, and the submission of answers.

mod completion;
mod consent;
mod demographics;
mod submission;

pub use completion::{Completion, CompletionCode};
pub use consent::Consent;
pub use demographics::{AnswerKind, Demographics, PersonalQuestion, When};
pub use submission::Submission;

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The requested parts other than ratings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ParticipationRequest {
    /// The text that people agree to first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<PathBuf>,
    /// A TOML file of questions about the person, or `standard`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demographics: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion: Option<Completion>,
    /// Where the page sends the answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<Submission>,
}
