//! The results of pages: files, or copied codes.

use super::participant::{Participant, PersonFields};
use super::{Answer, Sitting, code, has_ending};
use crate::make::record::SurveyRecord;
use neurogauge::Error;
use neurogauge::formats::{FormatError, IoResult, Problem};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

const FORMAT: &str = "neurogauge-survey-result";
const VERSION: u32 = 1;

#[derive(Deserialize)]
struct ResultFile {
    format: String,
    version: u32,
    survey: String,
    page: String,
    result: String,
    rater: String,
    /// The ratings by question, one for each trial.
    ratings: BTreeMap<String, Vec<Option<u32>>>,
    seconds: Vec<f64>,
    #[serde(flatten)]
    person: PersonFields,
}

pub(super) struct PageResult<'a> {
    /// The unique id of the result.
    pub(super) result: String,
    pub(super) page: &'a str,
    /// The id that identifies the person on a platform.
    pub(super) platform_id: Option<String>,
    /// Whether the rater typed a name.
    pub(super) is_named: bool,
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

/// Page and name of the result in these bytes, which must be valid answers to the survey.
///
/// # Errors
/// Invalid answers; `path` is for the message.
pub(crate) fn checked<'a>(
    bytes: &[u8],
    path: &Path,
    survey: &'a SurveyRecord,
) -> Result<(&'a str, String), FormatError> {
    sitting(bytes, path, survey).map(|found| (found.page, found.result))
}

fn invalid(path: &Path, place: &str, reason: String) -> FormatError {
    Problem::invalid(place, reason).at(path)
}

fn sitting<'a>(bytes: &[u8], path: &Path, survey: &'a SurveyRecord) -> Result<PageResult<'a>, FormatError> {
    let wrong = |place: &str, reason: String| invalid(path, place, reason);
    let found: ResultFile = serde_json::from_slice(bytes)
        .map_err(|error| Problem::content(error.to_string(), "a result of a survey's page").at(path))?;
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
    let participant =
        Participant::of(&found.person, &page.id, survey).map_err(|(place, reason)| wrong(&place, reason))?;
    let name = found.rater.trim();
    let rater = if name.is_empty() { &page.id } else { name };
    Ok(PageResult {
        result: found.result,
        page: &page.id,
        platform_id: participant.platform_id().map(str::to_owned),
        is_named: !name.is_empty(),
        sitting: Sitting {
            rater: rater.to_owned(),
            answers: answers.collect(),
            participant: Some(participant),
        },
    })
}
