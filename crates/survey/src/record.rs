//! `survey.json`: what was made, with the key to all answers.

use crate::make::MakeRequest;
use crate::participation::{Consent, Demographics};
use crate::plan::{PlannedPage, Task};
use crate::questions::Questions;
use neurogauge::core::Warning;
use neurogauge::formats::content_hash;
use neurogauge::{Error, Provenance};
use serde::{Deserialize, Serialize};

pub(crate) const SCHEMA: u32 = 1;
pub(crate) const FILE: &str = "survey.json";
/// The folder of pages beside it.
pub(crate) const PAGES: &str = "pages";

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
    /// What people agree to first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
    /// What they are asked about themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demographics: Option<Demographics>,
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
        let failed = |error: serde_json::Error| Error::Usage(error.to_string());
        let shown = (hashes, &self.questions, &self.pages, &self.tasks);
        let mut all = serde_json::to_vec(&shown).map_err(failed)?;
        // The text of consent is among the hashes of what was read.
        if let Some(demographics) = &self.demographics {
            all.extend(serde_json::to_vec(demographics).map_err(failed)?);
        }
        Ok(content_hash::of_bytes(&all)[..12].to_owned())
    }
}
