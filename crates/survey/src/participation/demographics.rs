//! Questions about the rater.

use crate::questions::fault_of_id;
use neurogauge::formats::{FormatError, Problem};
use neurogauge::{Error, read_toml, toml_from_str};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// Age, gender and eyesight.
const STANDARD: &str = include_str!("../../questions/demographics-standard.toml");
/// The name by which these questions are requested.
const STANDARD_NAME: &str = "standard";
const MAX_QUESTIONS: usize = 30;
const MAX_OPTIONS: usize = 40;
/// Names of other columns in the table of participants.
const RESERVED: [&str; 8] =
    ["rater", "pages", "consent_time", "completion_code", "code", "counts", "approve", "why_not"];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demographics {
    #[serde(default)]
    pub when: When,
    pub questions: Vec<PersonalQuestion>,
}

/// When questions about the person are asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Before the pairs.
    #[default]
    Start,
    /// After the pairs.
    End,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonalQuestion {
    /// Its column in the table of participants.
    pub id: String,
    pub text: String,
    pub kind: AnswerKind,
    /// The options of a choice, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// May it be left unanswered?
    #[serde(default)]
    pub required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    Choice,
    Number,
    Text,
}

impl Demographics {
    /// Reads the questions of a TOML file, or `standard`: age, gender and eyesight.
    ///
    /// # Errors
    /// [`Error::Usage`] for a file that is not TOML with questions, [`Error::Format`] for invalid questions.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let found: Demographics = match Self::is_standard(path) {
            true => toml_from_str(path, STANDARD)?,
            false => read_toml(path)?,
        };
        found.check(path)?;
        Ok(found)
    }

    /// Is this the name of the built-in questions?
    pub(crate) fn is_standard(path: &Path) -> bool {
        path == Path::new(STANDARD_NAME)
    }

    fn check(&self, path: &Path) -> Result<(), FormatError> {
        let wrong = |place: String, reason: String| Problem::invalid(place, reason).at(path);
        if !(1..=MAX_QUESTIONS).contains(&self.questions.len()) {
            let reason = format!("{} of them; expected 1 to {MAX_QUESTIONS}", self.questions.len());
            return Err(wrong("questions".to_owned(), reason));
        }
        for (place, question) in self.questions.iter().enumerate() {
            let earlier = self.questions[..place].iter().map(|other| other.id.as_str());
            let fault = fault_of_id(&question.id, earlier, &RESERVED).or_else(|| question.fault());
            if let Some(reason) = fault {
                return Err(wrong(format!("question {}", place + 1), reason));
            }
        }
        Ok(())
    }
}

impl PersonalQuestion {
    /// Why the question is invalid.
    fn fault(&self) -> Option<String> {
        let is_choice = self.kind == AnswerKind::Choice;
        let has_range = self.min.is_some() || self.max.is_some();
        let repeated = (1..self.options.len()).find(|&place| self.options[..place].contains(&self.options[place]));
        if self.text.trim().is_empty() {
            Some("no text".to_owned())
        } else if is_choice && !(2..=MAX_OPTIONS).contains(&self.options.len()) {
            Some(format!("{} options; a choice has 2 to {MAX_OPTIONS}", self.options.len()))
        } else if !is_choice && !self.options.is_empty() {
            Some("options; only a choice has them".to_owned())
        } else if let Some(place) = repeated {
            Some(format!("the option {:?} twice", self.options[place]))
        } else if self.options.iter().any(|option| option.trim().is_empty()) {
            Some("an option without text".to_owned())
        } else if has_range && self.kind != AnswerKind::Number {
            Some("min or max; only a number has them".to_owned())
        } else if self.min.zip(self.max).is_some_and(|(min, max)| min > max) {
            Some("min is greater than max".to_owned())
        } else {
            None
        }
    }

    /// An answer as written to the table of participants, empty if unanswered; the error describes an invalid answer.
    pub(crate) fn accepted(&self, answer: Option<&Value>) -> Result<String, String> {
        match (self.kind, answer) {
            (_, None | Some(Value::Null)) if self.required => {
                Err("no answer; expected one, as the question is required".to_owned())
            }
            (_, None | Some(Value::Null)) => Ok(String::new()),
            (AnswerKind::Choice, Some(Value::String(text))) if self.options.contains(text) => Ok(text.clone()),
            (AnswerKind::Choice, Some(other)) => Err(format!("{other}; expected one of {}", self.options.join(", "))),
            (AnswerKind::Number, Some(other)) => {
                let (min, max) = (self.min.unwrap_or(f64::NEG_INFINITY), self.max.unwrap_or(f64::INFINITY));
                match other.as_f64() {
                    Some(number) if (min..=max).contains(&number) => Ok(number.to_string()),
                    _ => Err(format!("{other}; expected a number from {min} to {max}")),
                }
            }
            (AnswerKind::Text, Some(Value::String(text))) => Ok(text.clone()),
            (AnswerKind::Text, Some(other)) => Err(format!("{other}; expected a text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(text: &str) -> Result<Demographics, String> {
        let found: Demographics = toml_from_str("d.toml".as_ref(), text).map_err(|error| error.to_string())?;
        found.check(Path::new("d.toml")).map(|()| found).map_err(|error| error.to_string())
    }

    #[test]
    fn the_standard_questions_are_sound() {
        let standard = Demographics::open(Path::new("standard")).unwrap();
        let ids: Vec<&str> = standard.questions.iter().map(|q| q.id.as_str()).collect();
        assert_eq!(ids, ["age", "gender", "vision"]);
        let gender = &standard.questions[1];
        assert!(gender.options.contains(&"prefer not to say".to_owned()) && gender.required);
    }

    #[test]
    fn questions_that_cannot_be_asked_are_refused() {
        let one = |rest: &str| parsed(&format!("[[questions]]\n{rest}"));
        assert!(one("id = 'a'\ntext = 'A?'\nkind = 'text'").is_ok());
        for (rest, part) in [
            ("id = 'rater'\ntext = 'A?'\nkind = 'text'", "\"rater\""),
            ("id = 'A'\ntext = 'A?'\nkind = 'text'", "small letters"),
            ("id = 'a'\ntext = ' '\nkind = 'text'", "no text"),
            ("id = 'a'\ntext = 'A?'\nkind = 'date'", "unknown value"),
            ("id = 'a'\ntext = 'A?'\nkind = 'choice'\noptions = ['x']", "1 options"),
            ("id = 'a'\ntext = 'A?'\nkind = 'choice'\noptions = ['x', 'x']", "twice"),
            ("id = 'a'\ntext = 'A?'\nkind = 'choice'\noptions = ['x', '']", "without text"),
            ("id = 'a'\ntext = 'A?'\nkind = 'text'\noptions = ['x', 'y']", "only a choice"),
            ("id = 'a'\ntext = 'A?'\nkind = 'text'\nmin = 1", "only a number"),
            ("id = 'a'\ntext = 'A?'\nkind = 'number'\nmin = 2\nmax = 1", "greater"),
            ("id = 'a'\ntext = 'A?'\nkind = 'number'\nmaximum = 1", "unknown key"),
        ] {
            assert!(one(rest).unwrap_err().contains(part), "{rest}");
        }
        let twice = "[[questions]]\nid = 'a'\ntext = 'A?'\nkind = 'text'\n".repeat(2);
        assert!(parsed(&twice).unwrap_err().contains("question 2"));
        assert!(parsed("questions = []").unwrap_err().contains("0 of them"));
    }

    #[test]
    fn answers_are_of_their_kind() {
        let found = parsed(
            "when = 'end'\n[[questions]]\nid = 'n'\ntext = 'N?'\nkind = 'number'\nmin = 18\n\
             [[questions]]\nid = 'c'\ntext = 'C?'\nkind = 'choice'\noptions = ['x', 'y']\nrequired = true\n\
             [[questions]]\nid = 't'\ntext = 'T?'\nkind = 'text'",
        )
        .unwrap();
        assert_eq!(found.when, When::End);
        let [number, choice, text] = found.questions.as_slice() else {
            panic!("three questions");
        };
        assert_eq!(number.accepted(Some(&json!(31))).unwrap(), "31");
        assert_eq!(number.accepted(Some(&json!(18.5))).unwrap(), "18.5");
        assert_eq!(number.accepted(None).unwrap(), "");
        assert!(number.accepted(Some(&json!(17))).is_err());
        assert!(number.accepted(Some(&json!("31"))).is_err());
        assert_eq!(choice.accepted(Some(&json!("y"))).unwrap(), "y");
        assert!(choice.accepted(Some(&json!("z"))).is_err());
        assert!(choice.accepted(Some(&Value::Null)).is_err());
        assert_eq!(text.accepted(Some(&json!("ä, b"))).unwrap(), "ä, b");
        assert!(text.accepted(Some(&json!(1))).is_err());
    }
}
