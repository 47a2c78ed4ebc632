//! Who answered a page: the information about the person, and whether the page's code is right.

use crate::make::record::SurveyRecord;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parameters of a page's address from Prolific and Mechanical Turk; the first two identify a person.
pub(super) const PLATFORM: [&str; 6] = ["PROLIFIC_PID", "workerId", "STUDY_ID", "SESSION_ID", "assignmentId", "hitId"];
const N_IDENTIFYING: usize = 2;

/// The content of a result file besides ratings.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PersonFields {
    consent: Option<GivenConsent>,
    #[serde(default)]
    demographics: BTreeMap<String, Value>,
    #[serde(default)]
    platform: BTreeMap<String, String>,
    completion_code: Option<String>,
}

/// The text that somebody agreed to, and the time by the browser's clock.
#[derive(Debug, Deserialize)]
struct GivenConsent {
    sha256: String,
    time: String,
}

/// Who answered a page.
#[derive(Debug, Clone)]
pub(crate) struct Participant {
    pub(super) page: String,
    /// The time of consent, if consent is asked for.
    pub(super) consent_time: String,
    /// One for each question about the person, empty if unanswered.
    pub(super) demographics: Vec<String>,
    /// In the order of [`PLATFORM`], empty if the address had none.
    pub(super) platform: [String; PLATFORM.len()],
    /// The code in the answers, and whether it is the page's; `None` if the survey has no codes.
    pub(super) code: Option<(String, bool)>,
}

impl Participant {
    /// The person who answered this page, from a result file; the error names the faulty place.
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
        let demographics = survey.demographics.iter().flat_map(|asked| &asked.questions).map(|question| {
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
