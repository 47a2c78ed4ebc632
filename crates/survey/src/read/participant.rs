//! Who answered a page: the information about the person, and whether the page's code is right.

use crate::make::record::SurveyRecord;
use neurogauge::core::hostile_text;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parameters of a page's address from Prolific and Mechanical Turk; the first two identify a person.
pub(super) const PLATFORM: [&str; 6] = ["PROLIFIC_PID", "workerId", "STUDY_ID", "SESSION_ID", "assignmentId", "hitId"];
const N_IDENTIFYING: usize = 2;
/// Maximum length of a parameter in letters; the page's script cuts longer ones.
const MAX_PARAMETER: usize = 200;

/// The content of a result file besides ratings.
#[derive(Debug, Default)]
pub(super) struct PersonFields {
    pub(super) consent: Option<GivenConsent>,
    pub(super) demographics: BTreeMap<String, Value>,
    pub(super) platform: BTreeMap<String, String>,
    pub(super) completion_code: Option<String>,
}

/// The text that somebody agreed to, and the time by the browser's clock.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenConsent {
    sha256: String,
    time: String,
}

/// A text without control characters and marks of direction, which could make it look different.
pub(super) fn is_plain(text: &str, most: usize) -> bool {
    text.chars().count() <= most && !text.chars().any(|c| c.is_control() || hostile_text::is_direction_mark(c))
}

/// Who answered a page.
#[derive(Debug, Clone)]
pub(crate) struct Participant {
    pub(super) page: String,
    /// The time of consent, if consent is asked for.
    pub(super) consent_time: String,
    /// An answer for each question about the person, empty if unanswered.
    pub(super) demographics: Vec<String>,
    /// Parameters in the order of [`PLATFORM`], empty if the address did not have them.
    pub(super) platform: [String; PLATFORM.len()],
    /// The code in the answers, and whether it is the page's code; `None` if the survey has no codes.
    pub(super) code: Option<(String, bool)>,
}

impl Participant {
    /// The person who answered this page, from a result file; the error names the place in the file.
    pub(super) fn of(fields: &PersonFields, page: &str, survey: &SurveyRecord) -> Result<Self, (String, String)> {
        let consent_time = match (&survey.consent, &fields.consent) {
            (None, _) => String::new(),
            (Some(asked), Some(given)) if given.sha256 == asked.sha256 => given.time.clone(),
            (Some(asked), given) => {
                let found = match given {
                    Some(given) => {
                        format!("consent to another text, with SHA-256 {}", given.sha256)
                    }
                    None => "no consent".to_owned(),
                };
                let reason = format!(
                    "{found}; expected consent to the text with SHA-256 {}. Answers without it are not used: leave them out",
                    asked.sha256
                );
                return Err(("consent".to_owned(), reason));
            }
        };
        for (name, value) in &fields.platform {
            if !PLATFORM.contains(&name.as_str()) || !is_plain(value, MAX_PARAMETER) {
                let reason = format!("{name:?}: unknown, or no plain text of at most {MAX_PARAMETER} letters");
                return Err(("platform".to_owned(), reason));
            }
        }
        let asked =
            |id: &String| survey.demographics.iter().flat_map(|asked| &asked.questions).any(|own| own.id == *id);
        if let Some(id) = fields.demographics.keys().find(|id| !asked(id)) {
            return Err(("demographics".to_owned(), format!("{id:?}: the survey has no such question")));
        }
        let questions = survey.demographics.iter().flat_map(|asked| &asked.questions);
        let demographics = questions.map(|question| {
            let answer = fields.demographics.get(&question.id);
            question.accepted(answer).map_err(|reason| (format!("demographics, {}", question.id), reason))
        });
        let completion = survey.request.participation.completion.as_ref();
        let expected = completion.and_then(|completion| completion.code(&survey.survey, page));
        Ok(Participant {
            page: page.to_owned(),
            consent_time,
            demographics: demographics.collect::<Result<_, _>>()?,
            platform: PLATFORM.map(|name| fields.platform.get(name).cloned().unwrap_or_default()),
            code: expected.map(|expected| {
                let given = fields.completion_code.clone().unwrap_or_default();
                let is_right = given == expected;
                (given, is_right)
            }),
        })
    }

    /// The id that identifies this person on a platform.
    pub(super) fn platform_id(&self) -> Option<&str> {
        self.platform[..N_IDENTIFYING].iter().map(String::as_str).find(|id| !id.is_empty())
    }
}
