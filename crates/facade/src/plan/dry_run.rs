//! What a run would do, and which weights it lacks.

use super::resolve;
use crate::Error;
use crate::memory_forecast::{MemoryForecast, Phases};
use crate::model_weights::{fetching, with_sizes};
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::settings::RunSettings;
use crate::time_forecast::TimeForecast;
use neurogauge_core::Progress;
use neurogauge_models::{ModelEntry, ModelError};

#[derive(Debug, Clone)]
pub struct DryRun {
    /// `run.json` before anything is observed.
    pub record: RunRecord,
    /// Models that the run needs but whose weights are not on this machine.
    pub missing_weights: Vec<&'static ModelEntry>,
    pub memory: MemoryForecast,
    /// `None` for a run without networks whose operations are counted.
    pub time: Option<TimeForecast>,
}

impl DryRun {
    /// The plan in words, with the missing weights, their sizes, and the command that downloads them.
    pub fn explain(&self) -> String {
        let mut text = self.record.explain();
        text.push_str(&format!("memory: {}\n", self.memory.words()));
        text.extend(self.time.iter().map(|time| format!("time: {}\n", time.words())));
        if !self.missing_weights.is_empty() {
            text.push_str("missing weights\n");
            text.extend(self.missing_weights.iter().map(|entry| format!("  {}: {}\n", entry.id, entry.size())));
            text.push_str(&format!("  fetch them: {}\n", fetching(&self.missing_weights)));
        }
        text
    }

    /// Could the run be done?
    ///
    /// # Errors
    /// [`ModelError::WeightsNotFound`], which names all missing weights; [`Error::OtherRun`] and [`Error::Data`] if the
    /// folder of the settings is named and holds something else.
    pub fn check(&self, settings: &RunSettings) -> Result<(), Error> {
        if self.missing_weights.is_empty() {
            let out = &settings.out;
            return match out.as_os_str().is_empty() {
                true => Ok(()),
                false => RunFolder::would_take(out, &self.record, settings),
            };
        }
        Err(Error::Model(ModelError::WeightsNotFound {
            model: with_sizes(&self.missing_weights),
            reason: "a dry run downloads nothing",
            instructions: format!("Fetch them: {}", fetching(&self.missing_weights)),
        }))
    }
}

/// Plans what [`score`](crate::score()) would do, before anything is observed, computed, downloaded or written.
///
/// # Errors
/// Errors of [`score`](crate::score()) that come before the first item is observed, except for missing weights; a model
/// behind a server without an address.
pub fn plan_score(request: &ScoreRequest, settings: &RunSettings, progress: &dyn Progress) -> Result<DryRun, Error> {
    let settings = RunSettings {
        is_dry_run: true,
        ..settings.clone()
    };
    let program = Phases::program();
    let mut resolved = resolve(request, &settings, None, progress)?;
    resolved.count_cached()?;
    Ok(DryRun {
        memory: resolved.memory(program)?,
        time: resolved.time()?,
        record: resolved.record,
        missing_weights: resolved.missing_weights,
    })
}
