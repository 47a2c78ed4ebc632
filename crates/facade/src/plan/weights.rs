//! Reports all weights that a run lacks together, and asks for them once.

use super::Resolved;
use crate::Error;
use crate::kinds::{CaptionKind, ObservedKind};
use crate::model_weights::{ask_to_download, missing_weights};
use crate::option_names::OBSERVATIONS;
use crate::selection::are_embedded;
use neurogauge_core::Progress;
use neurogauge_core::option_words::option;
use neurogauge_models::{LocalCaptioner, ModelEntry};

impl Resolved {
    /// The models whose weights are missing. The encoder of captions is not needed if all of their embeddings are in
    /// the store.
    pub(super) fn find_missing_weights(&self) -> Result<Vec<&'static ModelEntry>, Error> {
        let mut missing = missing_weights(self.record.models.iter(), &self.settings)?;
        let encoder = &self.request.text_encoder;
        let is_missing = missing.iter().any(|entry| entry.id == *encoder);
        if is_missing
            && *encoder != self.request.phrase_encoder
            && let Some(captions) = CaptionKind::of(&self.inputs.dataset)
        {
            let captions = captions.sides.gt.0.iter().chain(&captions.sides.recon.0);
            let texts = captions.flat_map(|(_, captions)| &captions.0).map(String::as_str).collect();
            if are_embedded(&texts, &self.request, &self.settings)? {
                missing.retain(|entry| entry.id != *encoder);
            }
        }
        Ok(missing)
    }
}

/// Asks once whether all these weights may be downloaded.
pub(super) fn ask(missing: &[&ModelEntry], progress: &dyn Progress) -> Result<(), Error> {
    match missing {
        [] => Ok(()),
        missing => ask_to_download(missing, progress).map_err(|error| or_captions(error.into(), missing)),
    }
}

/// Extends the error about one model to all missing weights.
pub(super) fn name_all(of_first: Error, missing: &[&ModelEntry]) -> Error {
    or_captions(of_first.with_all_missing(missing), missing)
}

/// The error of missing weights; if a captioner is among them, it also says how captions can be given instead.
fn or_captions(error: Error, missing: &[&ModelEntry]) -> Error {
    let is_captioner = |entry: &&&ModelEntry| LocalCaptioner::entries().any(|own| own == **entry);
    match missing.iter().find(is_captioner) {
        Some(captioner) => error.with_another_way(&format!(
            "Or give captions, so that {} is not needed: {OBSERVATIONS}, or {} and {}",
            captioner.id,
            option("gt-captions", ""),
            option("recon-captions", "")
        )),
        None => error,
    }
}
