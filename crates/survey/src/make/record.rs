//! `survey.json`: the survey, with the key to all answers.

use super::MakeRequest;
use crate::participation::{Consent, Demographics};
use crate::plan::{PlannedPage, Task};
use crate::questions::Questions;
use neurogauge::core::Finding;
use neurogauge::formats::names_below::own_file;
use neurogauge::formats::{FormatError, Problem, content_hash, json};
use neurogauge::{Error, Provenance};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub(crate) const SCHEMA: u32 = 1;
pub(crate) const FILE: &str = "survey.json";
/// Name of the folder with the pages, beside `survey.json`.
pub(crate) const PAGES: &str = "pages";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurveyRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The unique id of this survey, which every answer contains.
    pub survey: String,
    pub request: MakeRequest,
    pub questions: Questions,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demographics: Option<Demographics>,
    pub findings: Vec<Finding>,
    pub pages: Vec<PlannedPage>,
    /// The tasks for a crowd; empty unless requested.
    pub tasks: Vec<Task>,
}

impl SurveyRecord {
    /// Reads the survey in a folder.
    ///
    /// # Errors
    /// A folder that `neurogauge survey make` did not write.
    pub(crate) fn read(folder: &Path) -> Result<SurveyRecord, FormatError> {
        let path = own_file(folder, FILE);
        json::read(&path).map_err(|error| match error.problem {
            Problem::NotFound(_) => Problem::not_found("a folder that `neurogauge survey make` wrote").at(path),
            _ => error,
        })
    }

    /// An id derived from everything that affects what people see.
    pub(crate) fn name(&self) -> Result<String, Error> {
        let hashes: Vec<&str> = self.provenance.inputs.iter().map(|input| input.sha256.as_str()).collect();
        let failed = |error: serde_json::Error| Error::Usage(error.to_string());
        let shown = (hashes, &self.questions, &self.pages, &self.tasks);
        let mut all = serde_json::to_vec(&shown).map_err(failed)?;
        // The hashes of the inputs cover the consent text.
        if let Some(demographics) = &self.demographics {
            all.extend(serde_json::to_vec(demographics).map_err(failed)?);
        }
        Ok(content_hash::of_bytes(&all)[..12].to_owned())
    }
}
