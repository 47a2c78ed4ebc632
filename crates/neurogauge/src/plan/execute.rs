//! Follows a plan: observes what it says, into the run folder.

use super::Resolved;
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use crate::{Error, captioning, detecting, parsing, perceive};

impl Resolved<'_> {
    /// Lets the observers make what the plan says, each step after those that it reads from. What they make lies in the run
    /// folder then; the record says which items failed.
    pub(crate) fn execute(
        &mut self,
        folder: &RunFolder,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<RunRecord, Error> {
        let mut record = self.record.clone();
        let (observers, dataset) = (&mut self.observers, &mut self.dataset);
        if let Some(captioner) = observers.captioner.take() {
            record.uncaptioned =
                captioning::caption_inputs(captioner, dataset, folder, settings, progress)?;
        }
        if let Some(detector) = observers.detector.take() {
            let labels = &self.labels;
            record.undetected =
                detecting::detect_inputs(detector, dataset, labels, folder, settings, progress)?;
        }
        if let Some(parser) = observers.parser.take() {
            record.unparsed = parsing::parse_inputs(parser, dataset, folder, settings, progress)?;
        }
        if let Some(models) = observers.models.take() {
            perceive::perceive_inputs(&self.selection, dataset, folder, models, progress)?;
        }
        Ok(record)
    }

    /// Opens what a finished run keeps of what its observers made.
    pub(crate) fn open_observed(&mut self, folder: &RunFolder) -> Result<(), Error> {
        if self.observers.captioner.is_some() {
            captioning::read_captions(&mut self.dataset, folder)?;
        }
        if self.observers.detector.is_some() {
            detecting::read_detections(&mut self.dataset, &self.labels, folder);
        }
        Ok(())
    }
}
