//! Follows a plan: observes what it says, into the run folder.

use super::Resolved;
use crate::Error;
use crate::execute::inputs::{RunInputs, read_captions, read_detections};
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::run_folder::RunFolder;
use crate::run_record::RunRecord;
use neurogauge_core::ObservationKind;

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
        let selection = &self.selection;
        let readers = [observers.captioner.is_some(), observers.detector.is_some()];
        let n_readers = readers.map(usize::from).iter().sum::<usize>()
            + selection.perceived.len()
            + selection.lpips.len()
            + usize::from(selection.compares(ObservationKind::Images));
        if n_readers > 1 {
            dataset.keep_decoded();
        }
        let run = RunInputs {
            folder,
            settings,
            progress,
        };
        if let Some(captioner) = observers.captioner.take() {
            record.uncaptioned = run.captions(captioner, dataset)?;
        }
        if let Some(detector) = observers.detector.take() {
            record.undetected = run.detections(detector, dataset, &self.labels)?;
        }
        if let Some(parser) = observers.parser.take() {
            record.unparsed = run.scene_graphs(parser, dataset)?;
        }
        if let Some(models) = observers.models.take() {
            run.features(selection, dataset, models)?;
        }
        Ok(record)
    }

    /// Opens what a finished run keeps of what its observers made.
    pub(crate) fn open_observed(&mut self, folder: &RunFolder) -> Result<(), Error> {
        if self.observers.captioner.is_some() {
            read_captions(&mut self.dataset, folder)?;
        }
        if self.observers.detector.is_some() {
            read_detections(&mut self.dataset, &self.labels, folder);
        }
        Ok(())
    }
}
