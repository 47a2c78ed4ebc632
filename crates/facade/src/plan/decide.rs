//! Decides what a run observes and compares, and with which models.

use super::asked::Asked;
use super::choose::{check_captions, encoders, keep_needed, observers_of};
use crate::Error;
use crate::execute::Step;
use crate::observers::features::{FeaturePass, Models};
use crate::observers::text_embeddings::identity;
use crate::selected::Selection;
use crate::selection::Decider;
use crate::settings::RunSettings;
use neurogauge_core::{ModelIdentity, Progress};

pub(super) struct Decided {
    pub(super) observers: Vec<Box<dyn Step>>,
    pub(super) selection: Selection,
    /// The text encoders, with their ranks among the models of records.
    pub(super) encoders: Vec<(u8, ModelIdentity)>,
}

/// Finds the models that a request needs, and selects its metrics. Observes nothing. The settings are those of the
/// request, or they postpone downloads.
pub(super) fn decide(asked: &Asked<'_>, settings: &RunSettings, progress: &dyn Progress) -> Result<Decided, Error> {
    let Asked { request, located, .. } = asked;
    let mut observers = observers_of(asked, settings, progress)?;
    let mut models = Models::new(settings, progress);
    let selection = Decider::of(request, settings, located, &mut models)?.select()?;
    for note in selection.skipped_notes() {
        progress.note(&note);
    }
    check_captions(&selection, located)?;
    keep_needed(&mut observers, &selection);
    let of_pool = selection.perceived_of_pool();
    for pass in FeaturePass::all(&selection.perceived, &of_pool, request.perception.odd_frames, &mut models) {
        observers.push(Box::new(pass));
    }
    // Weights without a published hash are found on disk.
    let identified = encoders(request, &selection).into_iter();
    let identified = identified.map(|(rank, encoder)| Ok((rank, identity(encoder, settings, progress)?)));
    Ok(Decided {
        encoders: identified.collect::<Result<_, Error>>()?,
        observers,
        selection,
    })
}
