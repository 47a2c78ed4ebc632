//! The questions of a survey: a versioned file of words.

use neurogauge::Error;
use neurogauge::core::pair::listed;
use neurogauge::formats::{FormatError, Problem, json};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The SEED paper's two questions with a scale of five points, about pictures and about clips.
const SEED: [(&str, &str); 2] = [
    ("questions/seed-1.json", include_str!("../questions/seed-1.json")),
    ("questions/seed-clips-1.json", include_str!("../questions/seed-clips-1.json")),
];
const FORMAT: &str = "neurogauge-survey-questions";
const VERSION: u32 = 1;
const MAX_POINTS: usize = 9;
const MAX_QUESTIONS: usize = 6;
/// Columns of the ratings, and names that `meta` would take for them.
const RESERVED: [&str; 16] = [
    "item",
    "rater",
    "stem",
    "system",
    "value",
    "rating",
    "answer",
    "score",
    "stimulus",
    "image",
    "id",
    "worker",
    "annotator",
    "participant",
    "subject",
    "workerid",
];

/// The words of a questionnaire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// Always `neurogauge-survey-questions`.
    pub format: String,
    pub version: u32,
    /// The name of this wording, with a number that changes with any word.
    pub id: String,
    /// The language of the words, as a tag such as `en`.
    pub language: String,
    /// Heading of the first screen.
    pub title: String,
    /// Paragraphs of the first screen.
    pub instructions: Vec<String>,
    /// The label below the stimulus.
    pub stimulus: String,
    /// The label below the reconstruction.
    pub reconstruction: String,
    pub questions: Vec<Question>,
}

/// One question, answered on a scale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its column in the ratings.
    pub id: String,
    pub text: String,
    /// A word for each point, the lowest first; points start at 1.
    pub scale: Vec<String>,
}

impl Questions {
    /// Reads the questions of a file, or the SEED paper's, which mention clips if clips are shown.
    ///
    /// # Errors
    /// [`Error::Format`] for a file that does not contain questions.
    pub fn open(path: Option<&Path>, about_clips: bool) -> Result<Self, Error> {
        let (path, found): (&Path, Questions) = match path {
            Some(path) => (path, json::read(path)?),
            None => {
                let (path, words) = SEED[usize::from(about_clips)];
                let path = Path::new(path);
                let invalid = |error: serde_json::Error| invalid(path, "the file", error.to_string());
                (path, serde_json::from_str(words).map_err(invalid)?)
            }
        };
        check(&found, path)?;
        Ok(found)
    }

    /// The ids of the questions, in order.
    pub fn ids(&self) -> Vec<&str> {
        self.questions.iter().map(|question| question.id.as_str()).collect()
    }
}

impl Question {
    /// The highest rating.
    pub fn n_points(&self) -> u32 {
        self.scale.len() as u32
    }
}

fn invalid(path: &Path, place: impl Into<String>, reason: String) -> FormatError {
    Problem::invalid(place.into(), reason).at(path)
}

/// Why a question cannot have this id, which becomes a column beside reserved ones.
pub(crate) fn fault_of_id<'a>(
    id: &str,
    mut earlier: impl Iterator<Item = &'a str>,
    reserved: &[&str],
) -> Option<String> {
    let is_name = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !is_name || reserved.contains(&id) {
        let reserved = reserved.join(", ");
        return Some(format!(
            "the id {id:?}; expected small letters, digits and _, beginning with a letter, and none of {reserved}"
        ));
    }
    earlier.any(|other| other == id).then(|| format!("the id {id:?} is that of an earlier question"))
}

fn check(questions: &Questions, path: &Path) -> Result<(), FormatError> {
    let Questions {
        format,
        version,
        language,
        ..
    } = questions;
    if format != FORMAT || *version != VERSION {
        let reason = format!("{format:?}, version {version}; expected {FORMAT:?}, version {VERSION}");
        return Err(invalid(path, "format", reason));
    }
    let is_tag = !language.is_empty() && language.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !is_tag {
        return Err(invalid(path, "language", format!("{language:?}; expected a language tag such as en or pt-BR")));
    }
    if !(1..=MAX_QUESTIONS).contains(&questions.questions.len()) {
        let reason = format!("{} of them; expected 1 to {MAX_QUESTIONS}", questions.questions.len());
        return Err(invalid(path, "questions", reason));
    }
    for (place, question) in questions.questions.iter().enumerate() {
        let at = format!("question {}", place + 1);
        let earlier = questions.questions[..place].iter().map(|other| other.id.as_str());
        if let Some(reason) = fault_of_id(&question.id, earlier, &RESERVED) {
            return Err(invalid(path, at, reason));
        }
        if !(2..=MAX_POINTS).contains(&question.scale.len()) {
            let words = listed(question.scale.iter().map(String::as_str));
            let reason = format!("{} points ({words}); expected 2 to {MAX_POINTS}", question.scale.len());
            return Err(invalid(path, at, reason));
        }
    }
    Ok(())
}
