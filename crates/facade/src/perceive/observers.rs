//! Chooses the observers of a request of `perceive`.

use super::PerceiveRequest;
use super::one_source::OneSource;
use crate::Error;
use crate::execute::{Step, step};
use crate::observers::box_masks::BoxMaskObserver;
use crate::observers::captions::CaptionObserver;
use crate::observers::detections::DetectionObserver;
use crate::observers::features::{FeaturePass, Models, recipes_of};
use crate::observers::masks::MaskObserver;
use crate::observers::scene_graphs::GraphObserver;
use crate::observers::step_of;
use crate::observers::vlm::VlmObserver;
use crate::option_names::{BOXES, CATEGORIES, MASKS, VLM, VLM_ASKS};
use crate::request::label_list;
use crate::settings::RunSettings;
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, LabelList, ObservationKind, Progress, counted};
use neurogauge_formats::detections::{BoxUnits, DetectionSource};
use neurogauge_formats::item_source::ItemSource;
use neurogauge_models::{FeatureRecipe, ModelLayers};

/// The categories that a detector is asked for, or that given boxes have.
pub(super) fn labels_of(request: &PerceiveRequest, taken: &mut Vec<Finding>) -> Result<LabelList, Error> {
    let has_labels = request.detector.is_some() || request.boxes.is_some();
    if !has_labels {
        return Ok(LabelList::coco_gender());
    }
    let list = label_list(&request.labels)?;
    let Some(boxes) = &request.boxes else {
        return Ok(list);
    };
    let source = DetectionSource::open(boxes, &list, (1.0, 1.0))?;
    let words = format!("of {}, {}", counted(source.stems().len(), "image"), source.taken_for().words);
    taken.push(Finding::read_as("boxes", words));
    let seen = source.seen()?;
    match request.box_units {
        None => source.check_pixels(&seen, "the image")?,
        Some(BoxUnits::Pixels) if boxes.is_file() => {
            return Err(Error::Usage(format!(
                "{} {}: a file of boxes by category has shares of the image; expected a folder of mmdetection's JSON for boxes in pixels",
                option("boxes", ""),
                boxes.display()
            )));
        }
        Some(_) => {}
    }
    if !request.labels.is_empty() {
        return Ok(list);
    }
    seen.refuse_unnamed()?;
    Ok(seen.names_of_numbers.map_or(list, |names| LabelList::of_names(&names)))
}

/// The observers of a request, in the order of records. Finds their weights.
pub(super) fn observers_of(
    request: &PerceiveRequest,
    labels: &LabelList,
    inputs: &OneSource,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Box<dyn Step>>, Error> {
    let mut observers: Vec<Box<dyn Step>> = Vec::new();
    if let Some(choice) = &request.captioner {
        observers.push(step(CaptionObserver::find(choice, settings, progress)?));
    }
    for choice in &request.vlm {
        let mut choice = choice.clone();
        choice.complete()?;
        if choice.asks.is_empty() {
            return Err(Error::Usage(format!("{VLM}: nothing is asked of {}; say what ({VLM_ASKS})", choice.model)));
        }
        if let Some(kind) = choice.asks.iter().find(|kind| kind.is_of_pairs()) {
            return Err(Error::Usage(format!(
                "{VLM}: {} are of pairs, and here is one folder of images; `neurogauge score` asks for them",
                kind.noun()
            )));
        }
        observers.extend(VlmObserver::all(&choice, settings, progress)?.into_iter().map(step));
    }
    let makes = |observers: &[Box<dyn Step>], kind| observers.iter().any(|observer| observer.makes() == kind);
    if let Some(choice) = &request.parser {
        if request.captions.is_none() && !makes(&observers, ObservationKind::Captions) {
            return Err(Error::Usage(format!(
                "{}: a parser reads captions, and there are none and nothing that writes them",
                choice.model
            )));
        }
        let (punkt, options) = (choice.punkt.as_deref(), choice.options);
        let found = GraphObserver::find(&choice.model, options, punkt, settings, progress)?;
        observers.push(step(match &choice.wordnet {
            Some(folder) => found.in_base_forms(folder)?,
            None => found,
        }));
    }
    if let Some(choice) = &request.detector {
        observers.push(step(DetectionObserver::find(choice, labels, settings, progress)?));
    }
    let has_names = request.categories.is_some() || makes(&observers, ObservationKind::Categories);
    match (&request.segmenter, &request.boxes) {
        (Some(_), None) if !has_names => {
            let needs = "masks are made of what each image holds; give a folder of categories or a file of all of them";
            return Err(Error::Usage(format!("{MASKS}: {needs} ({CATEGORIES}), or boxes ({BOXES})")));
        }
        (Some(choice), None) => observers.push(step(MaskObserver::find(choice, settings, progress)?)),
        (Some(choice), Some(boxes)) => {
            let boxes = (boxes.as_path(), request.box_units, labels);
            observers.push(step(BoxMaskObserver::find(&choice.model, boxes, settings, progress)?));
        }
        (None, _) => {}
    }
    observers.extend(settings.custom_observers.iter().filter_map(step_of));
    // Features come first, since a model whose layers were looked up is already in memory.
    let mut all = match inputs.images.is_some() && !request.features.is_empty() {
        true => passes(request, settings, progress)?,
        false => Vec::new(),
    };
    all.extend(observers);
    Ok(all)
}

/// The passes of image models over images that are open.
pub(super) fn passes(
    request: &PerceiveRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Box<dyn Step>>, Error> {
    settings.models.device.check()?;
    let mut models = Models::new(settings, progress);
    let mut recipes: Vec<FeatureRecipe> = Vec::new();
    for ModelLayers { model, layers } in &request.features {
        for recipe in recipes_of((model, layers), (request.preset, request.antialias), &mut models)? {
            if recipes.iter().all(|known| known.name() != recipe.name()) {
                recipes.push(recipe);
            }
        }
    }
    let passes = FeaturePass::all(&recipes, &[], request.odd_frames, &mut models).into_iter();
    Ok(passes.map(|pass| Box::new(pass) as Box<dyn Step>).collect())
}
