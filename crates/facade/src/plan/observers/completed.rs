//! Completes a request with default models (SEED's captioner and detector for metrics requested by name, and BASIC's
//! parser and segmenter if a vision-language model supplies the words), and marks the kinds that its observers will make.

use super::{MAKERS, asks_about_pairs};
use crate::Error;
use crate::observations::Located;
use crate::observers::captions::{CaptionerChoice, DEFAULT_CAPTIONER};
use crate::observers::detections::{DEFAULT_DETECTOR, DetectorChoice};
use crate::observers::masks::{DEFAULT_MASK_DETECTOR, DEFAULT_SEGMENTER, MaskChoice, MaskPrompts};
use crate::observers::vlm::{VLM_KINDS, VlmChoice};
use crate::option_names::{
    CAPTIONER, CAPTIONER_MODEL, GT, MASK_PROMPTS_STIMULUS, MASKS, METRICS_NAME, OBSERVATIONS, RECON, VLM, VLM_ASKS,
};
use crate::request::{GraphParser, ScoreRequest};
use crate::selected::Selection;
use crate::settings::RunSettings;
use neurogauge_core::option_words::option;
use neurogauge_core::{Input, InputPaths, ObservationKind, Side};
use neurogauge_metrics::find;
use neurogauge_models::detection::{DetectionOptions, GroundingOptions, LocalDetector};
use neurogauge_models::local_vlm::LocalVlm;
use neurogauge_models::{CaptionOptions, ParserOptions};
use std::fmt::Display;

/// Fills in default models. If a metric is requested by name, and there are images but not the captions or detections
/// that it compares, the models that make them are added. Nothing is added unless everything that is missing can be
/// made.
pub(crate) fn complete(mut request: ScoreRequest, wanted: &[&str], located: &Located) -> Result<ScoreRequest, Error> {
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
pub(crate) fn mark_made(request: &ScoreRequest, located: &mut Located, settings: &RunSettings) -> Result<(), Error> {
    if !asks_about_pairs(request) {
        located.refuse_captions_of_one_side()?;
    }
    let mut kinds: Vec<ObservationKind> = request.vlm.iter().flat_map(|choice| choice.asks.clone()).collect();
    let are_asked = [
        (ObservationKind::Captions, request.captioner.is_some()),
        (ObservationKind::Detections, request.detector.is_some()),
        (ObservationKind::Masks, request.segmenter.is_some()),
        (ObservationKind::SceneGraphs, request.graph_parser != GraphParser::File),
        (ObservationKind::Custom, !settings.custom_observers.is_empty()),
    ];
    kinds.extend(are_asked.into_iter().filter(|(_, is_asked)| *is_asked).map(|(kind, _)| kind));
    // Inputs of other kinds come first.
    kinds.sort_unstable();
    kinds.into_iter().try_for_each(|kind| observe(kind, &request.inputs, located))
}

/// Marks a kind as made by an observer; fails if the kind is given, or if the observer's inputs are missing.
fn observe(kind: ObservationKind, inputs: &InputPaths, located: &mut Located) -> Result<(), Error> {
    let (asked, does): (&dyn Display, &str) = match MAKERS.into_iter().find(|(made, ..)| *made == kind) {
        Some((_, option, does)) => (option, does),
        None if kind.is_of_pairs() => (&VLM, "says whether reconstructions show it"),
        None => (&VLM, "says what the images hold"),
    };
    if let Some(path) = inputs.given(kind).next() {
        return Err(Error::Usage(format!(
            "{asked} {does}, and there are {} already ({}); leave one of them out",
            kind.noun(),
            path.display()
        )));
    }
    // Its other inputs are checked once the metrics are known.
    if let Some(parent) = kind.made_of().first().filter(|parent| !located.has(**parent)) {
        let needs = match parent {
            ObservationKind::Images => of_images(),
            _ => of_captions(),
        };
        return Err(Error::Usage(format!("{asked} needs {needs}")));
    }
    located.observe(kind);
    Ok(())
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

pub(super) fn check_categories(prompts: MaskPrompts, located: &Located) -> Result<(), Error> {
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
