//! The observers that a plan takes where the request names none: SEED's captioner and detector, for metrics asked for by name;
//! BASIC's parser and segmenter, where a model behind a server is to say the words.

use crate::Error;
use crate::observations::Located;
use crate::observers::captions::CaptionerChoice;
use crate::observers::detections::DetectorChoice;
use crate::observers::masks::{DEFAULT_MASK_DETECTOR, MaskChoice, MaskPrompts};
use crate::observers::served::{ASKED_KINDS, MllmChoice};
use crate::option_names::{CAPTIONER as CAPTIONER_OPTION, METRICS_NAME, MLLM, MLLM_ASKS};
use crate::request::{GraphParser, ScoreRequest};
use crate::selection::wanted;
use neurogauge_core::{ObservationKind, Side};
use neurogauge_metrics::find;
use neurogauge_models::answering::LocalAnswerer;
use neurogauge_models::detection::{DetectionOptions, GroundingOptions, LocalDetector};
use neurogauge_models::{CaptionOptions, ParserOptions};

/// What SEED describes images with.
pub const CAPTIONER: &str = "git_large_coco";
/// What SEED looks for objects with.
pub const DETECTOR: &str = "mm_grounding_dino_swin_l";
/// What makes masks of what a model behind a server says.
pub(crate) const SEGMENTER: &str = "sam2.1_hiera_large";

/// Where a metric is asked for by name, and there are images but not the captions or detections that it compares, asks for the
/// models that make them: as feature metrics have models of their own. Nothing changes unless all that is lacking can be made.
pub(crate) fn fill_in(request: &mut ScoreRequest, located: &Located) -> Result<(), Error> {
    let wanted = wanted(request.metrics.as_deref())?;
    ask_models(request, located, &wanted)?;
    if !located.has(ObservationKind::Images) {
        return Ok(());
    }
    let lacks = |kind: ObservationKind| {
        let mut metrics = wanted.iter().filter_map(|id| find(id));
        metrics.any(|metric| metric.compute.kind() == Some(kind))
            && !located.has(kind)
            && located.official.is_none()
    };
    let asks =
        |kind: &ObservationKind| request.mllm.iter().any(|choice| choice.asks.contains(kind));
    // A model that only scores is asked about captions and makes none.
    let asks_about_captions =
        asks(&ObservationKind::VqaScores) && !located.has_captions_of_stimuli();
    let lacks_captions = request.captioner.is_none()
        && located.captions_of_stimuli.is_none()
        && !asks(&ObservationKind::Captions)
        && (asks_about_captions || lacks(ObservationKind::Captions));
    let lacks_detections = request.detector.is_none() && lacks(ObservationKind::Detections);
    if lacks_detections && !LocalDetector::ids().contains(&DETECTOR) {
        return Ok(());
    }
    if lacks_captions {
        request.captioner = Some(CaptionerChoice {
            model: CAPTIONER.to_owned(),
            options: CaptionOptions::default(),
        });
    }
    if lacks_detections {
        request.detector = Some(DetectorChoice {
            model: DETECTOR.to_owned(),
            options: DetectionOptions::default(),
        });
    }
    Ok(())
}

/// Completes what models behind a server are asked for: where that is not said, what the metrics asked for by name need and nobody
/// gives. What is made of their words is made as BASIC does.
fn ask_models(request: &mut ScoreRequest, located: &Located, wanted: &[&str]) -> Result<(), Error> {
    if request.mllm.is_empty() {
        return Ok(());
    }
    let compares = |kind: ObservationKind| {
        let mut metrics = wanted.iter().filter_map(|id| find(id));
        metrics.any(|metric| metric.compute.kind() == Some(kind)) && located.official.is_none()
    };
    let makes_graphs =
        compares(ObservationKind::SceneGraphs) && !located.has(ObservationKind::SceneGraphs);
    let makes_masks = compares(ObservationKind::Masks) && !located.has(ObservationKind::Masks);
    if makes_graphs && request.graph_parser == GraphParser::File {
        request.graph_parser = GraphParser::T5(ParserOptions::default());
    }
    if makes_masks && request.segmenter.is_none() {
        request.segmenter = Some(MaskChoice {
            model: SEGMENTER.to_owned(),
            detector: DEFAULT_MASK_DETECTOR.to_owned(),
            options: GroundingOptions::default(),
            prompts: MaskPrompts::default(),
        });
    }
    let asks_scores =
        compares(ObservationKind::VqaScores) && !located.has(ObservationKind::VqaScores);
    let has_categories = Side::BOTH.map(|side| located.categories.side(side).is_some());
    let needed = ASKED_KINDS.into_iter().filter(|kind| match kind {
        ObservationKind::Captions => {
            let are_lacking = (compares(*kind) || makes_graphs) && !located.has(*kind);
            let is_question_lacking = asks_scores && !located.has_captions_of_stimuli();
            (are_lacking || is_question_lacking) && request.captioner.is_none()
        }
        ObservationKind::Categories => {
            compares(ObservationKind::Masks) && !has_categories.contains(&true)
        }
        kind => compares(*kind) && !located.has(*kind),
    });
    let said: Vec<ObservationKind> = request
        .mllm
        .iter()
        .flat_map(|choice| choice.asks.clone())
        .collect();
    let mut needed: Vec<ObservationKind> = needed.filter(|kind| !said.contains(kind)).collect();
    for kind in ASKED_KINDS {
        if said.iter().filter(|said| **said == kind).count() > 1 {
            return Err(Error::Usage(format!(
                "{MLLM}: {} are asked for twice",
                kind.noun()
            )));
        }
    }
    let mut open = request
        .mllm
        .iter_mut()
        .filter(|choice| choice.asks.is_empty());
    if let Some(choice) = open.next() {
        let only_scores = LocalAnswerer::only_scores(&choice.model);
        needed.retain(|kind| !only_scores || *kind == ObservationKind::VqaScores);
        if needed.is_empty() {
            return Err(Error::Usage(format!(
                "{MLLM}: nothing is asked of {}: say what ({MLLM_ASKS}: captions, categories, vlm-categories, vqa-scores), or name metrics that \
                 need its words ({METRICS_NAME})",
                choice.model
            )));
        }
        choice.asks = needed;
    }
    if let Some(other) = open.next() {
        return Err(Error::Usage(format!(
            "{MLLM}: nothing is asked of {}; say what ({MLLM_ASKS})",
            other.model
        )));
    }
    if request.captioner.is_some()
        && request
            .mllm
            .iter()
            .any(|choice| choice.asks.contains(&ObservationKind::Captions))
    {
        return Err(Error::Usage(format!(
            "{CAPTIONER_OPTION} and {MLLM} would both describe the images; leave one of them away"
        )));
    }
    request.mllm.iter_mut().try_for_each(MllmChoice::complete)
}
