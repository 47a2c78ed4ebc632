//! Checks whether text encoders, or the embeddings that they would make, are on this machine.

use super::Decider;
use crate::Error;
use crate::model_weights::may_download;
use crate::observations::Source;
use crate::observers::text_embeddings::{are_kept, is_here};
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::selected::encoder_of;
use crate::settings::RunSettings;
use neurogauge_core::{Captions, ObservationKind, Sides};
use neurogauge_formats::captions;
use neurogauge_metrics::{EmbeddingFunction, Metric};
use std::collections::{BTreeMap, BTreeSet};

impl Decider<'_, '_> {
    /// If a metric cannot be computed, are its values taken from SEED's layout?
    pub(super) fn takes_recorded(&self, metric: &Metric) -> bool {
        let may_take = self.request.metrics.is_none() || !may_download(self.settings);
        may_take && self.recorded(metric).is_some()
    }

    /// The missing encoder. Without it, a metric is left out or its recorded values are taken.
    pub(super) fn unavailable_encoder(&self, metric: &Metric) -> Result<Option<&str>, Error> {
        match self.leaves_out || self.takes_recorded(metric) {
            true => self.lacking_encoder(metric),
            false => Ok(None),
        }
    }

    /// The encoder that a metric of given texts needs but whose weights are not on this machine. If a captioner or a
    /// parser was requested, its texts are to be compared, so the encoder may be downloaded.
    fn lacking_encoder(&self, metric: &Metric) -> Result<Option<&str>, Error> {
        let encoder = encoder_of(metric, self.request);
        let (Some(kind), Some(encoder)) = (metric.compute.kind(), encoder) else {
            return Ok(None);
        };
        let source = self.located.sources[kind].as_ref();
        let is_known = source.is_none_or(|source| *source == Source::Observed)
            || is_here(encoder, self.settings)?
            || metric.compute.function::<EmbeddingFunction>().is_some() && self.are_captions_known(kind)?;
        Ok((!is_known).then_some(encoder))
    }

    fn are_captions_known(&self, kind: ObservationKind) -> Result<bool, Error> {
        let Some(paths) = self.located.files(kind) else {
            return Ok(false);
        };
        let sides: Sides<BTreeMap<String, Captions>> =
            Sides::of(|side| Ok::<_, Error>(captions::read(paths.side(side))?.into_iter().collect()))?;
        let both = sides.gt.iter().filter_map(|(stem, gt)| Some((gt, sides.recon.get(stem)?)));
        let texts = both.flat_map(|(gt, recon)| gt.0.iter().chain(&recon.0));
        let texts: BTreeSet<&str> = texts.map(String::as_str).collect();
        are_embedded(&texts, self.request, self.settings)
    }
}

/// Are the embeddings of these captions in the store?
pub(crate) fn are_embedded(
    captions: &BTreeSet<&str>,
    request: &ScoreRequest,
    settings: &RunSettings,
) -> Result<bool, Error> {
    let (encoder, instruction) = (&request.text_encoder, request.text_instruction.as_deref());
    are_kept(captions, encoder, instruction, &RunFolder::caption_embeddings_in(&settings.out), settings)
}
