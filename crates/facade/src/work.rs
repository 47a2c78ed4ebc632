//! `plan.json`: work that several processes share.

use crate::execute::ShardDone;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::settings::{RunSettings, Shard};
use crate::{Error, PerceiveRequest, perceive, plan_score, score};
use neurogauge_core::Silent;
use neurogauge_formats::{IoResult, Problem, json};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Increased when older `plan.json` files can no longer be read.
const SCHEMA: u32 = 1;
const FILE: &str = "plan.json";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", content = "request", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Work {
    Score(Box<ScoreRequest>),
    Perceive(Box<PerceiveRequest>),
}

/// `plan.json`: a command that several processes work on, each on a shard of the items, and that one of them finishes.
/// They share the folder, and the cache if there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkPlan {
    schema: u32,
    #[serde(flatten)]
    pub work: Work,
    /// Settings on which no number depends.
    pub settings: RunSettings,
    /// Hash of everything that affects the numbers of a run; shards with other inputs are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
}

impl WorkPlan {
    /// Plans a command and writes `<out>/plan.json`. Returns the plan in words.
    ///
    /// # Errors
    /// Errors of the command before the first item is observed; the folder cannot be written.
    pub fn write(work: Work, settings: &RunSettings, progress: &dyn Progress) -> Result<String, Error> {
        let path = settings.out.join(FILE);
        let (work, fingerprint, words) = match work {
            Work::Score(request) => {
                let record = score::begin(&request, settings, progress)?;
                let (request, words) = (record.request.clone(), record.explain());
                (Work::Score(Box::new(request)), Some(record.fingerprint), words)
            }
            Work::Perceive(request) => {
                let request = request.with_absolute_paths();
                let words = format!("{}\n", settings.out.display());
                (Work::Perceive(Box::new(request)), None, words)
            }
        };
        std::fs::create_dir_all(&settings.out).when("creating", &settings.out)?;
        let plan = WorkPlan {
            schema: SCHEMA,
            work,
            settings: settings.clone(),
            fingerprint,
        };
        json::write(&path, &plan)?;
        Ok(words)
    }

    /// The plan of a folder.
    ///
    /// # Errors
    /// The folder has no plan, or one of another version.
    pub fn read(folder: &Path) -> Result<WorkPlan, Error> {
        let path = folder.join(FILE);
        if !path.exists() {
            let expected =
                "a folder with a plan.json, and a request.json of an alignment (written by `neurogauge cluster plan`)";
            return Err(Problem::not_found(expected).at(path).into());
        }
        let mut plan: WorkPlan = json::read_of_schema(&path, SCHEMA, "plan again")?;
        plan.settings.out = folder.to_owned();
        Ok(plan)
    }

    /// Checks that the inputs, models and settings of a planned run of `score` are still the planned ones. Observes and
    /// writes nothing.
    ///
    /// # Errors
    /// [`Error::PlanChanged`]; errors of [`plan_score`](crate::plan_score).
    pub fn check(&self) -> Result<(), Error> {
        match (&self.work, &self.fingerprint) {
            (Work::Score(request), Some(planned)) => {
                let now = plan_score(request, &self.settings, &Silent)?;
                Error::check_plan(&self.settings.out, planned, &now.record.fingerprint)
            }
            _ => Ok(()),
        }
    }

    /// Does one shard of the work. Finished items are not done again.
    ///
    /// # Errors
    /// Errors of the command; [`Error::PlanChanged`] if inputs have changed since the plan was made.
    pub fn work(&self, shard: Shard, progress: &dyn Progress) -> Result<ShardDone, Error> {
        let settings = RunSettings {
            shard: Some(shard),
            ..self.settings.clone()
        };
        match &self.work {
            Work::Score(request) => {
                let fingerprint = self.fingerprint.as_deref().unwrap_or_default();
                score::observe_shard(request, fingerprint, &settings, progress)
            }
            Work::Perceive(request) => {
                let made = perceive(request, &settings, progress)?;
                let n_images = made.iter().map(|made| made.n_images).max();
                Ok(ShardDone {
                    n_items: shard.items(n_images.unwrap_or(0)).len(),
                    failed: made.into_iter().flat_map(|made| made.outcome.failed).collect(),
                })
            }
        }
    }
}
