//! Chooses the observers of a run: those in the request; by default SEED's captioner and detector for metrics requested
//! by name, and BASIC's parser and segmenter if a vision-language model supplies the words.

use super::asked::Asked;
use crate::Error;
use crate::execute::{Step, step};
use crate::observations::Located;
use crate::observers::captions::{CaptionObserver, CaptionerChoice, DEFAULT_CAPTIONER};
use crate::observers::detections::{DEFAULT_DETECTOR, DetectionObserver, DetectorChoice};
use crate::observers::masks::{DEFAULT_MASK_DETECTOR, DEFAULT_SEGMENTER, MaskChoice, MaskObserver, MaskPrompts};
use crate::observers::scene_graphs::{DEFAULT_PARSER, GraphObserver};
use crate::observers::step_of;
use crate::observers::text_embeddings::encoder_beside_images;
use crate::observers::vlm::{VLM_KINDS, VlmChoice, VlmObserver};
use crate::option_names::{
    CAPTIONER, CAPTIONER_MODEL, DETECTOR, GT, MASK_PROMPTS_STIMULUS, MASKS, METRICS_NAME, OBSERVATIONS, PARSER_T5,
    RECON, VLM, VLM_ASKS,
};
use crate::request::{GraphParser, ScoreRequest};
use crate::selected::{MetricSource, Selected, Selection};
use crate::settings::RunSettings;
use neurogauge_core::option_words::option;
use neurogauge_core::{ByKind, Input, InputPaths, ModelIdentity, ObservationKind, Progress, Side};
use neurogauge_metrics::find;
use neurogauge_models::detection::{DetectionOptions, GroundingOptions, LocalDetector};
use neurogauge_models::local_vlm::LocalVlm;
use neurogauge_models::{CaptionOptions, ParserOptions};

/// Fills in default models. If a metric is requested by name, and there are images but not the captions or detections
/// that it compares, the models that make them are added. Nothing is added unless everything that is missing can be
/// made.
pub(super) fn complete(mut request: ScoreRequest, wanted: &[&str], located: &Located) -> Result<ScoreRequest, Error> {
    let compares = |kind: ObservationKind| {
        let mut metrics = wanted.iter().filter_map(|id| find(id));
        metrics.any(|metric| metric.compute.kind() == Some(kind)) && located.official.is_none()
    };
    let lacks = |kind: ObservationKind| compares(kind) && !located.has(kind);
    if !request.vlm.is_empty() {
        // BASIC's models make graphs and masks from the words of vision-language models.
        if lacks(ObservationKind::SceneGraphs) && request.graph_parser == GraphParser::File {
            request.graph_parser = GraphParser::T5(ParserOptions::default());
        }
        if lacks(ObservationKind::Masks) && request.segmenter.is_none() {
            request.segmenter = Some(MaskChoice {
                model: DEFAULT_SEGMENTER.to_owned(),
                detector: DEFAULT_MASK_DETECTOR.to_owned(),
                options: GroundingOptions::default(),
                prompts: MaskPrompts::default(),
            });
        }
        let has_categories = Side::BOTH.iter().any(|side| located.categories.side(*side).is_some());
        let needed = VLM_KINDS.into_iter().map(|(kind, _)| kind).filter(|kind| match kind {
            ObservationKind::Captions => {
                let are_lacking = (compares(*kind) || lacks(ObservationKind::SceneGraphs)) && !located.has(*kind);
                let lacks_answers = ObservationKind::ALL.into_iter().any(|kind| kind.is_of_pairs() && lacks(kind));
                let is_question_lacking = lacks_answers && !located.has_captions_of_stimuli();
                (are_lacking || is_question_lacking) && request.captioner.is_none()
            }
            ObservationKind::Categories => compares(ObservationKind::Masks) && !has_categories,
            kind => lacks(*kind),
        });
        ask(&mut request.vlm, needed.collect())?;
        if request.captioner.is_some() && asks(&request, ObservationKind::Captions) {
            return Err(Error::Usage(format!(
                "{CAPTIONER} and {VLM} would both describe the images; leave one of them out"
            )));
        }
        request.vlm.iter_mut().try_for_each(VlmChoice::complete)?;
    }
    if !located.has(ObservationKind::Images) {
        return Ok(request);
    }
    // A model that is asked only about pairs needs captions but makes none.
    let asks_about_captions = asks_about_pairs(&request) && !located.has_captions_of_stimuli();
    let lacks_captions = request.captioner.is_none()
        && located.captions_of_stimuli.is_none()
        && !asks(&request, ObservationKind::Captions)
        && (asks_about_captions || lacks(ObservationKind::Captions));
    let lacks_detections = request.detector.is_none() && lacks(ObservationKind::Detections);
    if lacks_detections && !LocalDetector::ids().contains(&DEFAULT_DETECTOR) {
        return Ok(request);
    }
    if lacks_captions {
        request.captioner = Some(CaptionerChoice {
            model: DEFAULT_CAPTIONER.to_owned(),
            options: CaptionOptions::default(),
        });
    }
    if lacks_detections {
        request.detector = Some(DetectorChoice {
            model: DEFAULT_DETECTOR.to_owned(),
            options: DetectionOptions::default(),
        });
    }
    Ok(request)
}

fn asks(request: &ScoreRequest, kind: ObservationKind) -> bool {
    request.vlm.iter().any(|choice| choice.asks.contains(&kind))
}

/// Are models asked about reconstructions, using the captions of their stimuli?
fn asks_about_pairs(request: &ScoreRequest) -> bool {
    request.vlm.iter().any(|choice| choice.asks.iter().any(|kind| kind.is_of_pairs()))
}

/// Asks the only vision-language model without tasks for what is needed and not requested from any other.
fn ask(choices: &mut [VlmChoice], mut needed: Vec<ObservationKind>) -> Result<(), Error> {
    let asked: Vec<ObservationKind> = choices.iter().flat_map(|choice| choice.asks.clone()).collect();
    needed.retain(|kind| !asked.contains(kind));
    for (kind, _) in VLM_KINDS {
        if asked.iter().filter(|asked| **asked == kind).count() > 1 {
            return Err(Error::Usage(format!("{VLM}: {} are asked for twice", kind.noun())));
        }
    }
    let mut open = choices.iter_mut().filter(|choice| choice.asks.is_empty());
    if let Some(choice) = open.next() {
        let only_scores = LocalVlm::only_scores(&choice.model);
        needed.retain(|kind| !only_scores || kind.is_of_pairs());
        if needed.is_empty() {
            return Err(Error::Usage(format!(
                "{VLM}: nothing is asked of {}: say what ({VLM_ASKS}: {}), or name metrics that need its words ({METRICS_NAME})",
                choice.model,
                VLM_KINDS.map(|(kind, _)| kind.id().replace('_', "-")).join(", ")
            )));
        }
        choice.asks = needed;
    }
    match open.next() {
        Some(other) => Err(Error::Usage(format!("{VLM}: nothing is asked of {}; say what ({VLM_ASKS})", other.model))),
        None => Ok(()),
    }
}

/// Marks the kinds that observers of a completed request will make.
pub(super) fn mark_made(request: &ScoreRequest, located: &mut Located, settings: &RunSettings) -> Result<(), Error> {
    if !asks_about_pairs(request) {
        located.refuse_captions_of_one_side()?;
    }
    let mut kinds: Vec<ObservationKind> = request.vlm.iter().flat_map(|choice| choice.asks.clone()).collect();
    let named = [
        (ObservationKind::Captions, request.captioner.is_some()),
        (ObservationKind::Detections, request.detector.is_some()),
        (ObservationKind::Masks, request.segmenter.is_some()),
        (ObservationKind::SceneGraphs, request.graph_parser != GraphParser::File),
        (ObservationKind::Custom, !settings.custom_observers.is_empty()),
    ];
    kinds.extend(named.into_iter().filter(|(_, is_named)| *is_named).map(|(kind, _)| kind));
    // Inputs of other kinds come first.
    kinds.sort_unstable();
    kinds.into_iter().try_for_each(|kind| observe(kind, &request.inputs, located))
}

/// The observers of a completed request, in the order of the models in records. Finds their weights; observes nothing.
pub(super) fn observers_of(
    Asked {
        request,
        labels,
        located,
        ..
    }: &Asked<'_>,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Box<dyn Step>>, Error> {
    let mut observers: Vec<Box<dyn Step>> = Vec::new();
    for choice in &request.vlm {
        observers.extend(VlmObserver::all(choice, settings, progress)?.into_iter().map(step));
    }
    if let Some(choice) = &request.captioner {
        observers.push(step(CaptionObserver::find(choice, settings, progress)?));
    }
    if let Some(choice) = &request.detector {
        observers.push(step(DetectionObserver::find(choice, labels, settings, progress)?));
    }
    if let Some(choice) = &request.segmenter {
        check_categories(choice.prompts, located)?;
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
pub(super) fn keep_needed(observers: &mut Vec<Box<dyn Step>>, selection: &Selection) {
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

/// Fails if models are to be asked about pairs but the stimuli have no captions.
pub(super) fn check_captions(selection: &Selection, located: &Located) -> Result<(), Error> {
    let is_asked =
        |kind: &ObservationKind| kind.is_of_pairs() && located.is_observed(*kind) && selection.compares(*kind);
    let asked = ObservationKind::ALL.into_iter().find(is_asked);
    if let Some(asked) = asked.filter(|_| !located.has_captions_of_stimuli()) {
        return Err(Error::Usage(format!(
            "{} are asked with the captions of the stimuli: they need {}",
            asked.noun(),
            of_captions()
        )));
    }
    if located.is_observed(ObservationKind::Custom) && !located.has(ObservationKind::Captions) {
        return Err(Error::Usage(format!("a custom observer needs {}", of_captions())));
    }
    Ok(())
}

/// The ranks of text encoders among the models of records: each follows the observers of its texts.
const OF_CAPTIONS: u8 = 1;
const OF_PHRASES: u8 = 7;
const OF_NETWORKS: u8 = 11;
/// The encoder of captions that are compared with images.
const OF_IMAGES: u8 = 12;

/// The text encoders that a run needs, with their ranks.
pub(super) fn encoders<'r>(request: &'r ScoreRequest, selection: &Selection) -> Vec<(u8, &'r str)> {
    let compares_phrases =
        request.options.basic_h.needs_embeddings() && selection.compares(ObservationKind::SceneGraphs);
    let of_images = selection.encoder_of_images();
    let all = [
        (OF_CAPTIONS, selection.embeds_captions().then_some(request.text_encoder.as_str())),
        (OF_PHRASES, compares_phrases.then_some(request.phrase_encoder.as_str())),
        (OF_IMAGES, of_images.map(|of_model| encoder_beside_images(of_model, &request.text_encoder))),
    ];
    all.into_iter().filter_map(|(rank, encoder)| Some((rank, encoder?))).collect()
}

/// The encoder behind a metric's values.
pub(super) fn encoder_behind<'e>(
    selected: &Selected,
    encoders: &'e [(u8, ModelIdentity)],
) -> Option<&'e ModelIdentity> {
    let rank = match selected.metric.compute.kind() {
        _ if selected.metric.compute.texts_of_images().is_some() => OF_IMAGES,
        Some(ObservationKind::Captions) if selected.source == MetricSource::Compared => OF_CAPTIONS,
        Some(ObservationKind::SceneGraphs) if selected.source == MetricSource::Compared => OF_PHRASES,
        _ => return None,
    };
    encoders.iter().find(|(of, _)| *of == rank).map(|(_, encoder)| encoder)
}

/// Every model of a run, without duplicates, in the order of records: captions and answers, boxes, masks, graphs and
/// features, each followed by the encoder that compares its results.
pub(super) fn models_in_order(
    observers: &[Box<dyn Step + '_>],
    encoders: &[(u8, ModelIdentity)],
    of_networks: impl Iterator<Item = ModelIdentity>,
) -> Vec<ModelIdentity> {
    let rank = |kind: ObservationKind| match kind {
        ObservationKind::Detections => 2,
        ObservationKind::Masks => 4,
        ObservationKind::SceneGraphs => 6,
        ObservationKind::Custom => 8,
        ObservationKind::Features => 10,
        _ => 0,
    };
    let of_observers = observers.iter().flat_map(|observer| {
        let rank = rank(observer.makes());
        observer.models().into_iter().map(move |model| (rank, model.clone()))
    });
    let of_networks = of_networks.map(|model| (OF_NETWORKS, model));
    let mut ranked: Vec<(u8, ModelIdentity)> =
        of_observers.chain(encoders.iter().cloned()).chain(of_networks).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut models: Vec<ModelIdentity> = Vec::new();
    for (_, model) in ranked {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}

/// Marks a kind as made by an observer; fails if the kind is given, or if the observer's inputs are missing.
fn observe(kind: ObservationKind, inputs: &InputPaths, located: &mut Located) -> Result<(), Error> {
    let (asked, does, needs) = match kind {
        ObservationKind::Captions => (CAPTIONER.to_string(), "describes the images", of_images()),
        ObservationKind::Detections => (DETECTOR.to_string(), "looks at the images", of_images()),
        ObservationKind::Masks => (MASKS.to_string(), "makes masks of the images", of_images()),
        ObservationKind::Custom => ("a custom observer".to_owned(), "looks at the images", of_images()),
        ObservationKind::SceneGraphs => (PARSER_T5.to_string(), "parses captions", of_captions()),
        kind if kind.is_of_pairs() => (VLM.to_string(), "says whether reconstructions show it", of_images()),
        _ => (VLM.to_string(), "says what the images hold", of_images()),
    };
    if let Some(path) = inputs.given(kind).next() {
        return Err(Error::Usage(format!(
            "{asked} {does}, and there are {} already ({}); leave one of them out",
            kind.noun(),
            path.display()
        )));
    }
    // Its other inputs are checked once the metrics are known.
    if kind.made_of().iter().take(1).any(|parent| !located.has(*parent)) {
        return Err(Error::Usage(format!("{asked} needs {needs}")));
    }
    located.observe(kind);
    Ok(())
}

fn check_categories(prompts: MaskPrompts, located: &Located) -> Result<(), Error> {
    let has = |side: Side| located.has(ObservationKind::Categories) || located.categories.side(side).is_some();
    let of_both = prompts == MaskPrompts::Own;
    if has(Side::Gt) && (has(Side::Recon) || !of_both) {
        return Ok(());
    }
    let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, ObservationKind::Categories).flag());
    let instead = match has(Side::Gt) {
        true => format!("; {MASK_PROMPTS_STIMULUS} asks reconstructions for the categories of their stimuli"),
        false => String::new(),
    };
    Err(Error::Usage(format!(
        "{MASKS} asks each image for its categories, and {} have none (categories.json in {OBSERVATIONS}, or {gt} and \
         {recon}){instead}",
        match (has(Side::Gt), of_both && !has(Side::Recon)) {
            (false, true) => "the images",
            (false, false) => "the stimuli",
            (true, _) => "the reconstructions",
        }
    )))
}

fn of_images() -> String {
    format!("images of both sides ({GT}, {RECON})")
}

fn of_captions() -> String {
    let [gt, recon] = Side::BOTH.map(|side| Input::Of(side, ObservationKind::Captions).flag());
    format!(
        "captions of both sides (captions.json in {OBSERVATIONS}, or {gt} and {recon}), or {} and {CAPTIONER_MODEL}; graphs \
         may come from files as well: {}",
        of_images(),
        option("parser", "file")
    )
}
