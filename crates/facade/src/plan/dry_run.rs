//! What a run would do and which weights it lacks.

use super::Resolved;
use crate::Error;
use crate::kinds::{CaptionKind, ObservedKind};
use crate::memory_forecast::MemoryForecast;
use crate::model_weights::{fetching, missing_weights, size, with_sizes};
use crate::observers::text_embeddings::are_kept;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::settings::RunSettings;
use neurogauge_models::{ModelEntry, ModelError};

/// The result of [`plan_score`](crate::plan_score).
#[derive(Debug, Clone)]
pub struct DryRun {
    /// `run.json` before anything is observed.
    pub record: RunRecord,
    /// Models that the run needs and whose weights are not on this machine.
    pub missing_weights: Vec<&'static ModelEntry>,
    /// The main memory that the run takes.
    pub memory: MemoryForecast,
}

impl DryRun {
    /// The plan in words, with the missing weights, their sizes and the command that downloads them.
    pub fn explain(&self) -> String {
        let mut text = self.record.explain();
        text.push_str(&format!("memory: {}\n", self.memory.words()));
        if !self.missing_weights.is_empty() {
            text.push_str("missing weights\n");
            let missing = self.missing_weights.iter();
            text.extend(missing.map(|entry| format!("  {}: {}\n", entry.id, size(entry))));
            text.push_str(&format!("  fetch them: {}\n", fetching(&self.missing_weights)));
        }
        text
    }

    /// Could the run be done?
    ///
    /// # Errors
    /// [`ModelError::WeightsNotFound`], which names all missing weights; [`Error::OtherRun`], [`Error::NotARun`] and
    /// [`Error::InputInRun`] where the folder of the settings, if it has a name, holds something else.
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

impl Resolved {
    /// The models that the run needs and whose weights are not on this machine. The encoder of captions is not needed
    /// if all of their embeddings are in the store.
    pub(crate) fn missing_weights(&self, settings: &RunSettings) -> Result<Vec<&'static ModelEntry>, Error> {
        let settings = &settings.with_models(&self.request.models);
        let mut missing = missing_weights(self.record.models.iter(), settings)?;
        let encoder = &self.request.text_encoder;
        let is_missing = missing.iter().any(|entry| entry.id == *encoder);
        if is_missing && *encoder != self.request.phrase_encoder && self.are_embedded(settings)? {
            missing.retain(|entry| entry.id != *encoder);
        }
        Ok(missing)
    }

    /// Are the embeddings of all captions in the store?
    fn are_embedded(&self, settings: &RunSettings) -> Result<bool, Error> {
        let Some(captions) = CaptionKind::of(&self.dataset) else {
            return Ok(false);
        };
        let captions = captions.sides.gt.0.iter().chain(&captions.sides.recon.0);
        let texts = captions.flat_map(|(_, captions)| &captions.0);
        are_kept(
            &texts.map(String::as_str).collect(),
            &self.request.text_encoder,
            self.request.text_instruction.as_deref(),
            &RunFolder::caption_embeddings_in(&settings.out),
            settings,
        )
    }
}
