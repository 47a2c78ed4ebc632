//! `neurogauge perceive`: observes images or captions and writes the observations.

use crate::Error;
use crate::dataset::mask_names;
use crate::execute::{
    Images, ObserverStep, Perceived, PerceivedLayout, Places, Step, StepInputs, StepOutput, outputs_of, run_steps,
};
use crate::kinds::{CaptionKind, observed};
use crate::observers::box_masks::BoxMaskObserver;
use crate::observers::box_overlay::UserPictures;
use crate::observers::captions::{CaptionObserver, CaptionerChoice};
use crate::observers::detections::{DetectionObserver, DetectorChoice};
use crate::observers::features::{FeaturePass, Models, recipes_of};
use crate::observers::masks::{MaskChoice, MaskObserver};
use crate::observers::scene_graphs::GraphObserver;
use crate::observers::step_of;
use crate::observers::vlm::{VlmChoice, VlmObserver};
use crate::odd_frames::OddFrames;
use crate::option_names::{BOXES, CATEGORIES, MASKS, VLM, VLM_ASKS};
use crate::plan::ordered;
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::settings::{ModelChoices, RunSettings};
use neurogauge_core::image::ImageReading;
use neurogauge_core::option_words::option;
use neurogauge_core::{Captions, ImageSet, LabelList, ObservationKind, Role};
use neurogauge_formats::captions;
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::detections::{BoxUnits, DetectionSource};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::recipe;
use neurogauge_models::segmentation::MaskNames;
use neurogauge_models::{FeatureRecipe, ImagePreset, ModelLayers, ParserOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What to observe, in which images or captions, and how to write it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerceiveRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: Option<PathBuf>,
    /// What stored values mean where files leave it open.
    #[serde(skip_serializing_if = "ImageReading::is_default")]
    pub reading: ImageReading,
    /// A file of captions, for a parser.
    pub captions: Option<PathBuf>,
    /// Image models and their layers.
    pub features: Vec<ModelLayers>,
    /// How images are prepared for image models.
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as the preset has it.
    pub antialias: Option<bool>,
    /// What becomes of a frame that a model of clips has no place for (convention `odd-frames`).
    #[serde(skip_serializing_if = "OddFrames::is_error")]
    pub odd_frames: OddFrames,
    pub captioner: Option<CaptionerChoice>,
    pub detector: Option<DetectorChoice>,
    /// Which categories: `coco_gender`, `coco` or a file of names; empty: `coco_gender`, and of boxes the names in
    /// their files.
    pub labels: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segmenter: Option<MaskChoice>,
    /// The categories in each image, for a segmenter: a folder of categorisations or one file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<PathBuf>,
    /// Boxes that prompt the segmenter instead of a detector's: a folder of detections or one file of boxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boxes: Option<PathBuf>,
    /// The unit of boxes in a folder; `None`: pixels, and boxes that cannot be pixels are refused. A file has shares of
    /// the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub box_units: Option<BoxUnits>,
    /// The lowest score of objects that are drawn over their images; `None`: no drawings.
    pub vis_min_score: Option<f64>,
    /// The parser of the captions and its options.
    pub parser: Option<ParserChoice>,
    /// How captions and detections are written.
    pub layout: PerceivedLayout,
    /// Vision-language models, and what they are asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vlm: Vec<VlmChoice>,
    /// Which weights models have and where they run.
    #[serde(default, skip_serializing_if = "ModelChoices::are_default")]
    pub models: ModelChoices,
}

impl PerceiveRequest {
    /// The same request with absolute paths.
    pub(crate) fn with_absolute_paths(&self) -> PerceiveRequest {
        let mut request = self.clone();
        let parser = request.parser.iter_mut();
        let of_parser = parser.flat_map(|choice| [&mut choice.punkt, &mut choice.wordnet]);
        let paths = [&mut request.images, &mut request.captions, &mut request.categories, &mut request.boxes];
        let paths = paths.into_iter().chain(of_parser).flatten();
        for path in paths.chain(request.models.paths_mut()) {
            *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
        }
        if Path::new(&request.labels).is_file() {
            let absolute = std::path::absolute(&request.labels);
            request.labels = absolute.map_or(request.labels, |path| path.display().to_string());
        }
        request
    }
}

/// The requested parser, and how it reads captions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParserChoice {
    pub model: String,
    /// Beams and limits.
    pub options: ParserOptions,
    /// Folder of Punkt's parameters; `None`: sentences by our own rules.
    pub punkt: Option<PathBuf>,
    /// WordNet's folder: words are written in their base forms, and attributes that end in " of" are left out. `None`:
    /// as the parser wrote them.
    pub wordnet: Option<PathBuf>,
}

/// Observes images or captions and writes the observations, with files beside them that record how they were made:
/// `<out>/features/<model>.<layer>.npy` and `ids.json`; `captions.json` (in SEED's layout `captions.npy`);
/// `scene_graphs.json`; `masks/<stem>.json`; `detections/<stem>.json` (in SEED's layout `preds/<stem>.json`) and on
/// request `vis/<stem>.png`.
///
/// A parser reads the captions that a captioner of the same call writes, and a segmenter the categories that a
/// vision-language model names. Every result is stored by content as soon as it is made, where `score` finds it too: an
/// interrupted call continues where it stopped, and an item is only observed again if it, the weights or the options
/// changed. A failed item is reported and left out, and the others are observed, unless the settings stop at it; a
/// matrix that lacks rows has its ids in `<model>.<layer>.ids.json`.
///
/// Conventions: `parsed-captions`, `parser-source-limit`, `graph-text`, `sentences-punkt`.
///
/// # Errors
/// A device that this build or machine does not have; unknown models and layers; weights that are neither here nor may
/// be downloaded; images, captions, parameters or WordNet files that cannot be read; existing observations or drawings
/// that this program did not write and that would be replaced.
pub fn perceive(
    request: &PerceiveRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Perceived>, Error> {
    let settings = &settings.with_models(&request.models);
    let labels = labels_of(request)?;
    let mut inputs = OneSource::open(request, progress)?;
    let observers = choose(request, &labels, &inputs, settings, progress)?;
    let observers = ordered(observers, &inputs, settings.step_order);
    let outputs = outputs_of(&observers, &inputs);
    let reads_images = |output: &StepOutput| output.reads.contains(&Role::IMAGES);
    let n_readers = outputs.iter().filter(|of_step| of_step.iter().any(reads_images)).count();
    if let Some((source, _)) = &inputs.images
        && n_readers > 1
    {
        source.keep_decoded();
    }
    // A part of the work draws nothing.
    let drawn = request.vis_min_score.filter(|_| settings.shard.is_none());
    let pictures = match (drawn, &inputs.images) {
        (Some(_), Some((source, _))) => Some(UserPictures::open(&settings.out, source)?),
        _ => None,
    };
    let places = Places::of_perceive(&settings.out, request.layout);
    let made = run_steps(observers, &mut inputs, &places, settings, progress)?;
    let mut made: Vec<Perceived> = made.into_iter().flatten().collect();
    for made in &mut made {
        for warning in made.findings.iter().filter(|warning| warning.code == "not_reproducible") {
            progress.note(&format!("{}: {}", warning.subject, warning.message));
        }
        if let (ObservationKind::Detections, Some(min_score), Some(pictures), Some((source, _))) =
            (made.kind, drawn, &pictures, &inputs.images)
            && let Some(detections) = made.paths.first()
        {
            pictures.draw(source, (detections, &labels), min_score, progress)?;
            made.paths.push(pictures.folder().to_owned());
        }
    }
    Ok(made)
}

/// The categories that a detector is asked for, or that boxes have.
fn labels_of(request: &PerceiveRequest) -> Result<LabelList, Error> {
    let has_labels = request.detector.is_some() || request.boxes.is_some();
    if !has_labels {
        return Ok(LabelList::coco_gender());
    }
    let list = ScoreRequest {
        labels: request.labels.clone(),
        ..ScoreRequest::default()
    }
    .label_list()?;
    let Some(boxes) = &request.boxes else {
        return Ok(list);
    };
    let source = DetectionSource::open(boxes, &list, (1.0, 1.0))?;
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

/// The observers of a request, in the order of records. Their weights are found.
fn choose(
    request: &PerceiveRequest,
    labels: &LabelList,
    inputs: &OneSource,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Box<dyn Step>>, Error> {
    let mut observers: Vec<Box<dyn Step>> = Vec::new();
    if let Some(choice) = &request.captioner {
        observers.push(Box::new(ObserverStep(CaptionObserver::find(choice, settings, progress)?)));
    }
    for choice in &request.vlm {
        let mut choice = choice.clone();
        choice.complete()?;
        if choice.asks.is_empty() {
            return Err(Error::Usage(format!("{VLM}: nothing is asked of {}; say what ({VLM_ASKS})", choice.model)));
        }
        if choice.asks.contains(&ObservationKind::VqaScores) {
            return Err(Error::Usage(format!(
                "{VLM}: {} are of pairs, and here is one folder of images; `neurogauge score` asks for them",
                ObservationKind::VqaScores.noun()
            )));
        }
        for observer in VlmObserver::all(&choice, settings, progress)? {
            observers.push(Box::new(ObserverStep(observer)));
        }
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
        observers.push(Box::new(ObserverStep(match &choice.wordnet {
            Some(folder) => found.in_base_forms(folder)?,
            None => found,
        })));
    }
    if let Some(choice) = &request.detector {
        observers.push(Box::new(ObserverStep(DetectionObserver::find(choice, labels, settings, progress)?)));
    }
    let has_names = request.categories.is_some() || makes(&observers, ObservationKind::Categories);
    match (&request.segmenter, &request.boxes) {
        (Some(_), None) if !has_names => {
            let needs = "masks are made of what each image holds; give a folder of categories or a file of all of them";
            return Err(Error::Usage(format!("{MASKS}: {needs} ({CATEGORIES}), or boxes ({BOXES})")));
        }
        (Some(choice), None) => {
            observers.push(Box::new(ObserverStep(MaskObserver::find(choice, settings, progress)?)));
        }
        (Some(choice), Some(boxes)) => {
            let boxes = (boxes.as_path(), request.box_units, labels);
            let found = BoxMaskObserver::find(&choice.model, boxes, settings, progress)?;
            observers.push(Box::new(ObserverStep(found)));
        }
        (None, _) => {}
    }
    observers.extend(settings.custom_observers.iter().filter_map(step_of));
    // Features come first, since a model whose layers were looked up is already in memory.
    let mut all: Vec<Box<dyn Step>> = Vec::new();
    if let (Some(_), [_, ..]) = (inputs.images(ImageSet::Alone), &request.features[..]) {
        let preparation = (request.preset, request.antialias);
        let (with, odd) = (&request.features, request.odd_frames);
        for pass in passes(with, (preparation, odd), settings, progress)? {
            all.push(Box::new(pass));
        }
    }
    all.extend(observers);
    Ok(all)
}

/// The passes of image models over images that are open.
fn passes(
    with: &[ModelLayers],
    (preparation, odd_frames): ((ImagePreset, Option<bool>), OddFrames),
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<FeaturePass>, Error> {
    settings.models.device.check()?;
    let mut models = Models::new(settings, progress);
    let mut recipes: Vec<FeatureRecipe> = Vec::new();
    for ModelLayers { model, layers } in with {
        for recipe in recipes_of((model, layers), preparation, &mut models)? {
            if recipes.iter().all(|known| known.name() != recipe.name()) {
                recipes.push(recipe);
            }
        }
    }
    Ok(FeaturePass::all(&recipes, &[], odd_frames, &mut models))
}

/// The features of images that are open.
pub(crate) fn perceive_features(
    images: (ImageSource, InputRecord),
    with: &[ModelLayers],
    preparation: (ImagePreset, Option<bool>),
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Perceived>, Error> {
    let mut inputs = OneSource {
        images: Some(images),
        ..OneSource::default()
    };
    let mut observers: Vec<Box<dyn Step>> = Vec::new();
    if inputs.images(ImageSet::Alone).is_some() {
        let how = (preparation, OddFrames::default());
        for pass in passes(with, how, settings, progress)? {
            observers.push(Box::new(pass));
        }
    }
    let places = Places::of_perceive(&settings.out, PerceivedLayout::Own);
    Ok(run_steps(observers, &mut inputs, &places, settings, progress)?.into_iter().flatten().collect())
}

/// One folder of images, and their observations.
#[derive(Default)]
struct OneSource {
    images: Option<(ImageSource, InputRecord)>,
    captions: Option<Vec<(String, Captions)>>,
    categories: Option<CategorisationSource>,
    /// Were the categories made by a step of this call? If so, an image may have none.
    has_observed_categories: bool,
    /// The kinds that a placeholder made.
    stand_ins: BTreeSet<ObservationKind>,
}

impl OneSource {
    fn open(request: &PerceiveRequest, progress: &dyn Progress) -> Result<Self, Error> {
        let source = request.images.as_deref().map(ImageSource::open);
        let with_record = |source: ImageSource| {
            for found in source.settle(request.reading, &source.path().display().to_string())? {
                found.tell(progress);
            }
            let record = InputRecord::of_items(Role::IMAGES, &source, progress)?;
            Ok::<_, Error>((source, record))
        };
        let images = source.transpose()?.map(with_record).transpose()?;
        let categories = request.categories.as_deref().map(CategorisationSource::open);
        let captions = request.captions.as_deref().filter(|_| request.parser.is_some());
        let given = [
            (ObservationKind::Captions, captions),
            (ObservationKind::Categories, request.categories.as_deref()),
            (ObservationKind::Detections, request.boxes.as_deref()),
        ];
        let mut stand_ins = BTreeSet::new();
        for (kind, path) in given {
            let mark = path.map(|path| recipe::mark_of(path, kind)).transpose()?;
            stand_ins.extend(mark.flatten().map(|_| kind));
        }
        Ok(OneSource {
            stand_ins,
            captions: captions.map(captions::read).transpose()?,
            categories: categories.transpose()?,
            has_observed_categories: false,
            images,
        })
    }
}

impl StepInputs for OneSource {
    fn image_sets(&self) -> Vec<ImageSet> {
        vec![ImageSet::Alone]
    }

    fn is_stand_in(&self, role: Role) -> bool {
        // Masks of given boxes are made of images alone, as far as steps know.
        self.stand_ins.contains(&role.kind) || self.stand_ins.contains(&ObservationKind::Detections)
    }

    fn n_items(&self, role: Role) -> usize {
        let images = self.images.as_ref().map_or(0, |(source, _)| source.len());
        match role.kind {
            ObservationKind::Captions => self.captions.as_ref().map_or(images, Vec::len),
            _ => images,
        }
    }

    fn images(&self, _of: ImageSet) -> Option<Images<'_>> {
        let (source, record) = self.images.as_ref()?;
        // The frames of a clip are in a folder, a file or a row of a stack.
        let are_frames = source.stems().iter().all(|stem| stem.contains('/'));
        Some(Images {
            source,
            record,
            are_frames,
        })
    }

    fn captions(&self, _of: ImageSet) -> Option<&[(String, Captions)]> {
        self.captions.as_deref()
    }

    fn captions_of_stimuli(&self, _of: ImageSet) -> Option<Vec<Option<String>>> {
        None
    }

    fn mask_names(&self, _of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error> {
        let (Some((source, _)), Some(categories)) = (&self.images, &self.categories) else {
            return Ok(None);
        };
        if self.has_observed_categories {
            let names = source.stems().iter().map(|stem| categories.find(stem).map(MaskNames::of));
            return Ok(Some(names.collect()));
        }
        Ok(Some(mask_names(source, categories, false)?))
    }

    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error> {
        let Some(role) = outputs.first().map(|output| output.writes) else {
            return Ok(());
        };
        let path = places.file(role.of, role.kind);
        match (role.kind, &self.images) {
            (ObservationKind::Captions, Some((source, _))) => {
                self.captions = Some(observed::<CaptionKind>(&path, source.stems())?.0);
            }
            (ObservationKind::Categories, _) => {
                self.categories = Some(CategorisationSource::open_observed(&path)?);
                self.has_observed_categories = true;
            }
            _ => {}
        }
        Ok(())
    }
}
