//! `survey.json`: what was made, with the key to all answers.

use crate::make::MakeRequest;
use crate::plan::{PlannedPage, Task};
use crate::questions::Questions;
use neurogauge::core::Warning;
use neurogauge::formats::content_hash;
use neurogauge::{Error, Provenance};
use serde::{Deserialize, Serialize};

pub(crate) const SCHEMA: u32 = 1;
pub(crate) const FILE: &str = "survey.json";

/// Everything about a survey.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurveyRecord {
    /// Where it comes from.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Tells this survey from every other: answers carry it.
    pub survey: String,
    /// What was asked for.
    pub request: MakeRequest,
    /// What people are asked.
    pub questions: Questions,
    /// What should be known of the plan.
    pub warnings: Vec<Warning>,
    /// What each rater is shown.
    pub pages: Vec<PlannedPage>,
    /// The same for a crowd; empty where none was asked for.
    pub tasks: Vec<Task>,
}

impl SurveyRecord {
    /// A name made of all that decides what people see.
    pub(crate) fn name(&self) -> Result<String, Error> {
        let hashes: Vec<&str> = self
            .provenance
            .inputs
            .iter()
            .map(|input| input.sha256.as_str())
            .collect();
        let all = serde_json::to_vec(&(hashes, &self.questions, &self.pages, &self.tasks));
        let all = all.map_err(|error| Error::Usage(error.to_string()))?;
        Ok(content_hash::of_bytes(&all)[..12].to_owned())
    }
}
