//! Chooses the observers of a run and, with them, the metrics.

mod completed;

pub(super) use completed::{complete, mark_made};

use super::asked::Asked;
use crate::Error;
use crate::execute::{Step, step};
use crate::observers::captions::CaptionObserver;
use crate::observers::detections::DetectionObserver;
use crate::observers::features::{FeaturePass, Models};
use crate::observers::masks::MaskObserver;
use crate::observers::scene_graphs::{DEFAULT_PARSER, GraphObserver};
use crate::observers::step_of;
use crate::observers::text_embeddings::{encoder_beside_images, identity};
use crate::observers::vlm::VlmObserver;
use crate::option_names::{CAPTIONER, DETECTOR, MASKS, PARSER_T5};
use crate::request::ScoreRequest;
use crate::selected::{Selected, Selection};
use crate::selection::Decider;
use crate::settings::RunSettings;
use completed::{check_captions, check_categories};
use neurogauge_core::{ByKind, Input, ModelIdentity, ObservationKind, Progress};
use neurogauge_metrics::Compute;
use std::fmt::Display;

/// The steps of observers.
type Steps = Vec<Box<dyn Step>>;

/// Kinds with a maker of their own: the kind, the option that asks for it, and what the maker does, in messages. The
/// models of records have this order, after the vision-language models, which make several kinds.
const MAKERS: [(ObservationKind, &dyn Display, &str); 5] = [
    (ObservationKind::Captions, &CAPTIONER, "describes the images"),
    (ObservationKind::Detections, &DETECTOR, "looks at the images"),
    (ObservationKind::Masks, &MASKS, "makes masks of the images"),
    (ObservationKind::SceneGraphs, &PARSER_T5, "parses captions"),
    (ObservationKind::Custom, &"a custom observer", "looks at the images"),
];

/// Are models asked about reconstructions, using the captions of their stimuli?
fn asks_about_pairs(request: &ScoreRequest) -> bool {
    request.vlm.iter().any(|choice| choice.asks.iter().any(|kind| kind.is_of_pairs()))
}

/// What a run observes and compares, with which models.
pub(super) struct Chosen {
    pub(super) observers: Steps,
    pub(super) selection: Selection,
    pub(super) encoders: Encoders,
}

/// Finds the models that a request needs, and selects its metrics. Observes nothing. The settings are those of the
/// request, or they postpone downloads.
pub(super) fn choose(asked: &Asked<'_>, settings: &RunSettings, progress: &dyn Progress) -> Result<Chosen, Error> {
    let Asked { request, located, .. } = asked;
    let mut observers = observers_of(asked, settings, progress)?;
    let mut models = Models::new(settings, progress);
    let selection = Decider::of(request, settings, located, &mut models)?.select()?;
    check_captions(&selection, located)?;
    keep_needed(&mut observers, &selection);
    let (recipes, of_pool) = (selection.perceived(|_| true), selection.perceived(Compute::needs_pool));
    for pass in FeaturePass::all(&recipes, &of_pool, request.perception.odd_frames, &mut models) {
        observers.push(Box::new(pass));
    }
    // Weights whose hash is not published are found.
    let identified = encoders(request, &selection).into_iter();
    let identified = identified.map(|(kind, encoder)| Ok((kind, identity(encoder, settings, progress)?)));
    Ok(Chosen {
        encoders: identified.collect::<Result<_, Error>>()?,
        observers,
        selection,
    })
}

/// The observers of a completed request. Finds their weights; observes nothing.
fn observers_of(asked: &Asked<'_>, settings: &RunSettings, progress: &dyn Progress) -> Result<Steps, Error> {
    let request = &asked.request;
    let mut observers: Steps = Vec::new();
    for choice in &request.vlm {
        observers.extend(VlmObserver::all(choice, settings, progress)?.into_iter().map(step));
    }
    if let Some(choice) = &request.captioner {
        observers.push(step(CaptionObserver::find(choice, settings, progress)?));
    }
    if let Some(choice) = &request.detector {
        observers.push(step(DetectionObserver::find(choice, &asked.labels, settings, progress)?));
    }
    if let Some(choice) = &request.segmenter {
        check_categories(choice.prompts, &asked.located)?;
        observers.push(step(MaskObserver::find(choice, settings, progress)?));
    }
    if let Some((options, reads_subcaptions)) = request.graph_parser.reading() {
        let punkt = request.inputs.get(Input::Punkt);
        let found = GraphObserver::find(DEFAULT_PARSER, options, punkt, settings, progress)?;
        observers.push(step(found.with_subcaptions(reads_subcaptions)));
    }
    observers.extend(settings.custom_observers.iter().filter_map(step_of));
    Ok(observers)
}

/// Keeps only the observers that a selection of metrics needs: for the kinds that metrics compare, and for the kinds
/// that those are made from.
fn keep_needed(observers: &mut Steps, selection: &Selection) {
    let made: Vec<ObservationKind> = observers.iter().map(|observer| observer.makes()).collect();
    let mut is_needed = ByKind::from_fn(|kind| kind == ObservationKind::Custom || selection.needs(kind));
    // In this list, parents come before their children.
    for kind in ObservationKind::ALL.into_iter().rev().filter(|kind| made.contains(kind)) {
        if is_needed[kind] {
            for &parent in kind.made_of() {
                is_needed[parent] = true;
            }
        }
    }
    observers.retain(|observer| is_needed[observer.makes()]);
}

/// Text encoders, each with the kind that it compares. Captions that are compared with images count as features.
pub(super) type Encoders<E = ModelIdentity> = Vec<(ObservationKind, E)>;

/// The text encoders that a run needs.
pub(super) fn encoders<'r>(request: &'r ScoreRequest, selection: &Selection) -> Encoders<&'r str> {
    let compares_phrases =
        request.options.basic_h.needs_embeddings() && selection.compares(ObservationKind::SceneGraphs);
    let of_images = selection.encoder_of_images().map(|own| encoder_beside_images(own, &request.text_encoder));
    let all = [
        (ObservationKind::Captions, selection.embeds_captions().then_some(request.text_encoder.as_str())),
        (ObservationKind::SceneGraphs, compares_phrases.then_some(request.phrase_encoder.as_str())),
        (ObservationKind::Features, of_images),
    ];
    all.into_iter().filter_map(|(kind, encoder)| Some((kind, encoder?))).collect()
}

/// The encoder behind a metric's values.
pub(super) fn encoder_behind<'e>(selected: &Selected, encoders: &'e Encoders) -> Option<&'e ModelIdentity> {
    let compute = &selected.metric.compute;
    let of = match compute.texts_of_images() {
        Some(_) => ObservationKind::Features,
        None => compute.kind().filter(|_| selected.source.is_compared())?,
    };
    if of == ObservationKind::Captions && !selected.embeds_captions() {
        return None;
    }
    encoders.iter().find(|(kind, _)| *kind == of).map(|(_, encoder)| encoder)
}

/// Every model of a run, without duplicates, in the order of records: captions and answers, boxes, masks, graphs and
/// features, each followed by the models that compare them.
pub(super) fn models_in_order(
    observers: &[Box<dyn Step + '_>],
    encoders: &Encoders,
    of_networks: impl Iterator<Item = ModelIdentity>,
) -> Vec<ModelIdentity> {
    let place = |kind: ObservationKind| match kind {
        ObservationKind::Features => MAKERS.len(),
        kind => MAKERS.iter().position(|(made, ..)| *made == kind).unwrap_or(0),
    };
    let of_observers = observers.iter().flat_map(|observer| {
        let key = (place(observer.makes()), false);
        observer.models().into_iter().map(move |model| (key, model.clone()))
    });
    let of_networks = of_networks.map(|model| ((place(ObservationKind::Features), true), model));
    let of_encoders = encoders.iter().map(|(kind, encoder)| ((place(*kind), true), encoder.clone()));
    let mut placed: Vec<_> = of_observers.chain(of_networks).chain(of_encoders).collect();
    placed.sort_by_key(|(key, _)| *key);
    let mut models: Vec<ModelIdentity> = Vec::new();
    for (_, model) in placed {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}
