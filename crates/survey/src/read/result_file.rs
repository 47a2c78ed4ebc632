//! Reads the results of pages, from files or copied codes.

use super::participant::{GivenConsent, Participant, PersonFields, is_plain};
use super::{Answer, Sitting, code, has_ending};
use crate::make::record::SurveyRecord;
use neurogauge::Error;
use neurogauge::formats::{FormatError, IoResult, Problem, json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const FORMAT: &str = "neurogauge-survey-result";
const VERSION: u32 = 1;

/// The field that `survey collect` adds to answers.
pub(crate) const RECEIVED: &str = "received";
/// Maximum length of a name in letters.
const MAX_NAME: usize = 100;

/// When answers arrived at `survey collect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Received {
    /// Counted from 1, in the order of arrival.
    pub(crate) number: u64,
    /// By the server's clock, s since 1970.
    pub(crate) unix_seconds: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultFile {
    format: String,
    version: u32,
    survey: String,
    page: String,
    result: String,
    rater: String,
    /// The ratings of all trials, by question.
    ratings: BTreeMap<String, Vec<Option<u32>>>,
    seconds: Vec<f64>,
    consent: Option<GivenConsent>,
    #[serde(default)]
    demographics: BTreeMap<String, Value>,
    #[serde(default)]
    platform: BTreeMap<String, String>,
    completion_code: Option<String>,
    received: Option<Received>,
}

pub(super) struct PageResult<'a> {
    /// The unique id of the result.
    pub(super) result: String,
    pub(super) page: &'a str,
    /// The id that identifies the person on a platform.
    pub(super) platform_id: Option<String>,
    /// Did the rater type a name?
    pub(super) is_named: bool,
    /// When it arrived, if a server recorded it.
    pub(super) received: Option<Received>,
    pub(super) sitting: Sitting<'a>,
}

pub(super) fn read<'a>(path: &Path, survey: &'a SurveyRecord) -> Result<Vec<PageResult<'a>>, Error> {
    let bytes = neurogauge::formats::regular_file::read(path).when("reading", path)?;
    if has_ending(path, "json") {
        return Ok(vec![sitting(&bytes, path, survey)?]);
    }
    let codes = code::results(&String::from_utf8_lossy(&bytes)).map_err(|reason| invalid(path, "its text", reason))?;
    codes.iter().map(|bytes| Ok(sitting(bytes, path, survey)?)).collect()
}

/// Page and name of the result in these bytes, which must be valid answers to the survey that arrive now.
pub(crate) fn checked<'a>(
    bytes: &[u8],
    path: &Path,
    survey: &'a SurveyRecord,
) -> Result<(&'a str, String), FormatError> {
    let found = sitting(bytes, path, survey)?;
    if found.received.is_some() {
        return Err(invalid(path, RECEIVED, "only the server adds it".to_owned()));
    }
    Ok((found.page, found.result))
}

fn invalid(path: &Path, place: &str, reason: String) -> FormatError {
    Problem::invalid(place, reason).at(path)
}

fn sitting<'a>(bytes: &[u8], path: &Path, survey: &'a SurveyRecord) -> Result<PageResult<'a>, FormatError> {
    let wrong = |place: &str, reason: String| invalid(path, place, reason);
    let found: ResultFile = json::parse(path, bytes, "a result of a survey's page")?;
    if found.format != FORMAT || found.version != VERSION {
        let reason = format!("{:?}, version {}; expected {FORMAT:?}, version {VERSION}", found.format, found.version);
        return Err(wrong("format", reason));
    }
    if found.survey != survey.survey {
        let reason = format!("of the survey {:?}; the folder holds the survey {:?}", found.survey, survey.survey);
        return Err(wrong("survey", reason));
    }
    let page = survey.pages.iter().find(|page| page.id == found.page);
    let page = page.ok_or_else(|| wrong("page", format!("the survey has no page {:?}", found.page)))?;
    let n_trials = page.trials.len();
    if let Some(id) = found.ratings.keys().find(|id| !survey.questions.ids().contains(&id.as_str())) {
        return Err(wrong("ratings", format!("the survey has no question {id:?}")));
    }
    if found.seconds.len() > n_trials {
        return Err(wrong("seconds", format!("{} times; expected {n_trials}", found.seconds.len())));
    }
    let ratings = survey.questions.questions.iter().map(|question| {
        let given = found.ratings.get(&question.id);
        let given = given.filter(|given| given.len() == n_trials);
        let given = given.ok_or_else(|| wrong(&question.id, format!("expected {n_trials} ratings")))?;
        match given.iter().flatten().find(|rating| !(1..=question.n_points()).contains(*rating)) {
            Some(rating) => {
                Err(wrong(&question.id, format!("a rating of {rating}; expected 1 to {}", question.n_points())))
            }
            None => Ok(given),
        }
    });
    let ratings = ratings.collect::<Result<Vec<_>, FormatError>>()?;
    let answers = page.trials.iter().enumerate().map(|(place, trial)| Answer {
        trial,
        ratings: ratings.iter().map(|of_question| of_question[place]).collect(),
        seconds: found.seconds.get(place).copied().filter(|seconds| seconds.is_finite()),
    });
    let person = PersonFields {
        consent: found.consent,
        demographics: found.demographics,
        platform: found.platform,
        completion_code: found.completion_code,
    };
    let participant = Participant::of(&person, &page.id, survey).map_err(|(place, reason)| wrong(&place, reason))?;
    let name = found.rater.trim();
    if !is_plain(name, MAX_NAME) {
        let shown: String = name.chars().take(MAX_NAME).collect();
        return Err(wrong("rater", format!("{shown:?}; expected a name of one line, of at most {MAX_NAME} letters")));
    }
    let rater = if name.is_empty() { &page.id } else { name };
    Ok(PageResult {
        result: found.result,
        page: &page.id,
        platform_id: participant.platform_id().map(str::to_owned),
        is_named: !name.is_empty(),
        received: found.received,
        sitting: Sitting {
            rater: rater.to_owned(),
            answers: answers.collect(),
            participant: Some(participant),
        },
    })
}
