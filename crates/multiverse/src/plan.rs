//! `plan.json` of a multiverse: runs that several processes share.

use crate::MultiverseRequest;
use crate::run::resolved;
use neurogauge::core::counted;
use neurogauge::formats::json;
use neurogauge::work::{Work, WorkPlan};
use neurogauge::{Error, Progress, RunSettings, Shard, ShardDone};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Increased when older `plan.json` files can no longer be read.
const SCHEMA: u32 = 1;
const FILE: &str = "plan.json";

/// The command in `plan.json`, which distinguishes this plan from those of single runs.
const COMMAND: &str = "multiverse";

/// A planned multiverse: the `plan.json` in its folder. Each of its runs has a separate plan, in the form of
/// `neurogauge cluster plan score`, and a shard of the multiverse is the same shard of every run. All share one store, so what
/// two runs need is observed once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MultiversePlan {
    schema: u32,
    command: String,
    /// The request, with absolute paths.
    pub request: MultiverseRequest,
    /// Settings that affect no number.
    pub settings: RunSettings,
}

impl MultiversePlan {
    /// Plans every run and writes `<out>/plan.json` last. Returns the plan in words.
    ///
    /// # Errors
    /// Errors of [`multiverse`](crate::multiverse()) before the first item is observed; the folder cannot be written.
    pub fn write(
        request: &MultiverseRequest,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<String, Error> {
        let plan = MultiversePlan {
            schema: SCHEMA,
            command: COMMAND.to_owned(),
            request: request.with_absolute_paths(),
            settings: settings.clone(),
        };
        let (_, conventions) = resolved(&plan.request)?;
        let systems = &plan.request.systems;
        let mut words =
            format!("score {} under {}\n", counted(systems.len(), "system"), counted(conventions.len(), "convention"));
        for convention in &conventions {
            words += &format!("  {}: {}\n", convention.name, convention.metrics.join(", "));
            for (place, asked) in convention.runs(systems) {
                let settings = plan.settings_of(settings.out.join(place));
                WorkPlan::write(Work::Score(Box::new(asked)), &settings, progress)?;
            }
        }
        json::write(&settings.out.join(FILE), &plan)?;
        Ok(words)
    }

    /// The plan in a folder; `None` if there is none, or that of another command.
    ///
    /// # Errors
    /// The plan cannot be read.
    pub fn read(folder: &Path) -> Result<Option<MultiversePlan>, Error> {
        #[derive(Deserialize)]
        struct Kind {
            command: String,
        }
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let kind: Kind = json::read(&path)?;
        if kind.command != COMMAND {
            return Ok(None);
        }
        let mut plan: MultiversePlan = json::read_of_schema(&path, SCHEMA, "plan again")?;
        plan.settings.out = folder.to_owned();
        Ok(Some(plan))
    }

    /// The folders of its runs, grouped by convention.
    ///
    /// # Errors
    /// This version does not have a metric.
    pub fn runs(&self) -> Result<Vec<Vec<PathBuf>>, Error> {
        let (_, conventions) = resolved(&self.request)?;
        let folders = |runs: Vec<(String, _)>| runs.into_iter().map(|(place, _)| self.settings.out.join(place));
        Ok(conventions.iter().map(|own| folders(own.runs(&self.request.systems)).collect()).collect())
    }

    /// Does a shard of every run. Sizes that cannot be compared under a convention end only that convention, as in a
    /// single call.
    ///
    /// # Errors
    /// Errors of the runs; [`Error::PlanChanged`] if inputs have changed since the plan was made.
    pub fn work(&self, shard: Shard, progress: &dyn Progress) -> Result<ShardDone, Error> {
        let mut done = ShardDone::default();
        for folders in self.runs()? {
            for folder in folders {
                let mut plan = WorkPlan::read(&folder)?;
                plan.settings = self.settings_of(folder);
                let of_run = match plan.work(shard, progress) {
                    Ok(of_run) => of_run,
                    Err(Error::Shapes { .. }) => break,
                    Err(error) => return Err(error),
                };
                done.n_items = done.n_items.max(of_run.n_items);
                for item in of_run.failed {
                    if !done.failed.contains(&item) {
                        done.failed.push(item);
                    }
                }
            }
        }
        Ok(done)
    }

    /// The settings of a run in this folder.
    fn settings_of(&self, out: PathBuf) -> RunSettings {
        RunSettings {
            out,
            ..self.settings.clone()
        }
    }
}
