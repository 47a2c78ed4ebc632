//! Whether the encoders of captions and of phrases are available without a download.

use crate::Error;
use crate::observations::{Located, Source};
use crate::observers::text_embeddings::{are_kept, is_here};
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::settings::RunSettings;
use neurogauge_core::{Captions, ObservationKind, Sides};
use neurogauge_formats::captions;
use neurogauge_metrics::{Compute, Metric};
use std::collections::{BTreeMap, BTreeSet};

/// The text encoders of a run.
pub(crate) struct Encoders<'a> {
    pub(crate) request: &'a ScoreRequest,
    pub(crate) settings: &'a RunSettings,
    pub(crate) located: &'a Located,
}

impl Encoders<'_> {
    /// The encoder that a metric of given texts needs and whose weights are not on this machine. If a captioner or a
    /// parser was requested, its texts are to be compared, so the encoder may be downloaded.
    pub(super) fn lacking(&self, metric: &Metric) -> Result<Option<&str>, Error> {
        let kind = metric.compute.kind();
        let encoder = match kind {
            _ if matches!(metric.compute, Compute::CaptionWords { .. }) => return Ok(None),
            Some(ObservationKind::Captions) => &self.request.text_encoder,
            Some(ObservationKind::SceneGraphs) if self.request.options.basic_h.needs_embeddings() => {
                &self.request.phrase_encoder
            }
            _ => return Ok(None),
        };
        let source = kind.and_then(|kind| self.located.sources[kind].as_ref());
        let is_compared = source.is_some_and(|source| *source != Source::Observed);
        if !is_compared || is_here(encoder, self.settings)? {
            return Ok(None);
        }
        if kind == Some(ObservationKind::Captions) && self.are_captions_known()? {
            return Ok(None);
        }
        Ok(Some(encoder))
    }

    /// Are the captions of all shared stems already embedded?
    fn are_captions_known(&self) -> Result<bool, Error> {
        let Some(paths) = self.located.files(ObservationKind::Captions) else {
            return Ok(false);
        };
        let sides: Sides<BTreeMap<String, Captions>> =
            Sides::of(|side| Ok::<_, Error>(captions::read(paths.side(side))?.into_iter().collect()))?;
        let both = sides.gt.iter().filter_map(|(stem, gt)| Some((gt, sides.recon.get(stem)?)));
        let texts = both.flat_map(|(gt, recon)| gt.0.iter().chain(&recon.0));
        let texts: BTreeSet<&str> = texts.map(String::as_str).collect();
        are_kept(
            &texts,
            &self.request.text_encoder,
            self.request.text_instruction.as_deref(),
            &RunFolder::caption_embeddings_in(&self.settings.out),
            self.settings,
        )
    }
}
