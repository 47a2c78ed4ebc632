//! `neurogauge perceive`: observes images or captions and writes what is observed.

use crate::Error;
use crate::dataset::{InputRecord, names_of};
use crate::execute::{AskedImages, Executor, FailedItem, Images, Session};
use crate::observers::box_masks::{BoxMaskObserver, with_boxes};
use crate::observers::captions::{CaptionObserver, CaptionerChoice, caption_images};
use crate::observers::detections::{DetectionObserver, DetectorChoice, detect_in_images};
use crate::observers::features::{
    FeatureRecipe, Models, SeenFeatures, SourceFeatures, observe_sources, recipes_of,
};
use crate::observers::masks::{MaskChoice, MaskObserver, asked_for, mask_images};
use crate::observers::scene_graphs::{GraphObserver, GraphRecipe, parse_captions};
use crate::observers::served::{
    MllmChoice, ServedObserver, ask_about_images, asked_about, not_reproducible, write_said,
};
use crate::observers::{Observer, vis};
use crate::option_names::{BOXES, CATEGORIES, MASKS, MLLM, MLLM_ASKS};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::settings::ModelChoices;
use crate::settings::RunSettings;
use neurogauge_core::{Image, LabelList, Masks, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{FormatError, captions, json, npy, scene_graphs};
use neurogauge_language::WordNet;
use neurogauge_metrics::decoding::basic_h::{NormaliseOptions, normalise};
use neurogauge_models::{ImagePreset, ModelLayers, ParserOptions};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What is to be observed, of which images or captions, and how it is written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerceiveRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: Option<PathBuf>,
    /// A file of captions, for a parser.
    pub captions: Option<PathBuf>,
    /// Image models and their layers.
    pub features: Vec<ModelLayers>,
    /// How images are prepared for image models.
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as the preset has it.
    pub antialias: Option<bool>,
    /// What describes the images, and how.
    pub captioner: Option<CaptionerChoice>,
    /// What looks for objects, and how.
    pub detector: Option<DetectorChoice>,
    /// Which categories: `coco_gender`, `coco` or a file of names; empty: `coco_gender`.
    pub labels: String,
    /// What makes masks of what the images hold, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segmenter: Option<MaskChoice>,
    /// What each image holds: a folder of categorisations or one file, for a segmenter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<PathBuf>,
    /// Boxes whose masks the segmenter makes instead of a detector's: a folder of detections or one file of boxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boxes: Option<PathBuf>,
    /// Objects are drawn over their images from this score on; `None`: they are not drawn.
    pub vis_min_score: Option<f64>,
    /// What parses the captions, and how.
    pub parser: Option<ParserChoice>,
    /// How captions and detections are written.
    pub layout: PerceivedLayout,
    /// Models behind a server, and what they are asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mllm: Vec<MllmChoice>,
    /// Which weights models have and where they run.
    #[serde(default, skip_serializing_if = "ModelChoices::are_default")]
    pub models: ModelChoices,
}

impl PerceiveRequest {
    /// The same request with paths that hold from anywhere.
    pub(crate) fn with_absolute_paths(&self) -> PerceiveRequest {
        let mut request = self.clone();
        let parser = request.parser.iter_mut();
        let of_parser = parser.flat_map(|choice| [&mut choice.punkt, &mut choice.wordnet]);
        let paths = [
            &mut request.images,
            &mut request.captions,
            &mut request.categories,
            &mut request.boxes,
        ];
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

/// The parser that is asked for, and how it reads captions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParserChoice {
    /// Its id.
    pub model: String,
    /// Beams and limits.
    pub options: ParserOptions,
    /// Folder of Punkt's parameters; `None`: sentences by our own rules.
    pub punkt: Option<PathBuf>,
    /// WordNet's folder: words are written in their base forms, attributes with " of" left out. `None`: as the
    /// parser wrote them.
    pub wordnet: Option<PathBuf>,
}

/// How observations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PerceivedLayout {
    /// `captions.json`, `detections/<stem>.json`.
    #[default]
    Own,
    /// As SEED's code has them: `captions.npy` (a pickled dictionary by file name), `preds/<stem>.json`.
    Official,
}

/// What one observer made.
#[derive(Debug, Clone, PartialEq)]
pub struct Perceived {
    /// Of which kind it is.
    pub kind: ObservationKind,
    /// Which model made it.
    pub model: ModelIdentity,
    /// The feature matrix, or the model.
    pub name: String,
    /// The files or folders that were written.
    pub paths: Vec<PathBuf>,
    /// Images.
    pub n_images: usize,
    /// Items that the model had to see; the rest was known.
    pub n_seen: usize,
    /// Images that have none of it, with the reason.
    pub failed: Vec<FailedItem>,
    /// Facts that a parser wrote and that are not of three parts.
    pub n_malformed: usize,
    /// Masks that a segmenter made.
    pub n_masks: usize,
    /// Those of them that no word of the prompt names.
    pub n_unlabelled: usize,
    /// Whose rules split captions into sentences, where they were split.
    pub sentence_rules: Option<String>,
}

impl Perceived {
    /// An error if an image has none of it.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(&self) -> Result<(), Error> {
        FailedItem::check(&self.failed, FailedItem::lacked(self.kind))
    }

    fn of(
        (kind, model): (ObservationKind, &ModelIdentity),
        paths: Vec<PathBuf>,
        n_images: usize,
        (n_seen, failed): (usize, Vec<FailedItem>),
    ) -> Self {
        Perceived {
            kind,
            model: model.clone(),
            name: model.id.clone(),
            paths,
            n_images,
            n_seen,
            failed,
            n_malformed: 0,
            n_masks: 0,
            n_unlabelled: 0,
            sentence_rules: None,
        }
    }
}

/// The files of what an observer makes.
struct Place {
    path: PathBuf,
    /// Says how it was made.
    recipe: PathBuf,
    /// What is known of it, where there is no cache.
    journal: PathBuf,
}

/// What prompts a segmenter: the boxes that a detector finds for names, or boxes that are given.
enum Segmenting<'a> {
    Named(Box<MaskObserver>),
    Boxes(Box<BoxMaskObserver>, &'a Path),
}

/// Where a command writes.
struct Output<'a> {
    layout: PerceivedLayout,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
}

/// Observes images or captions and writes what is observed, with files beside it that say how it was made:
/// `<out>/features/<model>.<layer>.npy` and `ids.json`; `captions.json` (in SEED's layout `captions.npy`);
/// `scene_graphs.json`; `masks/<stem>.json`; `detections/<stem>.json` (in SEED's layout `preds/<stem>.json`) and on request `vis/<stem>.png`.
///
/// Everything is kept by content as it comes, where `score` finds it too: an interrupted call goes on where it stopped, and
/// an item is observed anew only where it, the weights or the options changed. An item that fails is named and left out, and
/// the others go on, unless the settings say otherwise; a matrix that lacks rows has its ids in `<model>.<layer>.ids.json`.
///
/// Conventions: `parsed-captions`, `parser-source-limit`, `graph-text`, `sentences-punkt`.
///
/// # Errors
/// A device that this build or machine does not have; unknown models and layers; weights that are neither here nor may be
/// downloaded; images, captions, parameters or WordNet files that cannot be read; observations that were not written here
/// in the way.
pub fn perceive(
    request: &PerceiveRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Perceived>, Error> {
    let settings = &settings.with_models(&request.models);
    let output = Output {
        layout: request.layout,
        settings,
        progress,
    };
    let has_labels = request.detector.is_some() || request.boxes.is_some();
    let labels = match (has_labels, request.labels.as_str()) {
        (false, _) | (_, "") => LabelList::coco_gender(),
        (true, labels) => ScoreRequest {
            labels: labels.to_owned(),
            ..ScoreRequest::default()
        }
        .label_list()?,
    };
    let find = |choice| CaptionObserver::find(choice, settings, progress);
    let captioner = request.captioner.as_ref().map(find).transpose()?;
    let find = |choice| DetectionObserver::find(choice, &labels, settings, progress);
    let detector = request.detector.as_ref().map(find).transpose()?;
    let mut served = Vec::new();
    for choice in &request.mllm {
        let mut choice = choice.clone();
        choice.complete()?;
        if choice.asks.is_empty() {
            return Err(Error::Usage(format!(
                "{MLLM}: nothing is asked of {}; say what ({MLLM_ASKS})",
                choice.model
            )));
        }
        if choice.asks.contains(&ObservationKind::VqaScores) {
            return Err(Error::Usage(format!(
                "{MLLM}: {} are of pairs, and here is one folder of images; `neurogauge score` asks for them",
                ObservationKind::VqaScores.noun()
            )));
        }
        served.extend(ServedObserver::all(&choice, settings, progress)?);
    }
    let needs_names = request.segmenter.is_some() && request.boxes.is_none();
    if needs_names && request.categories.is_none() {
        let needs = "masks are made of what each image holds; give a folder of categories or a file of all of them";
        return Err(Error::Usage(format!(
            "{MASKS}: {needs} ({CATEGORIES}), or boxes ({BOXES})"
        )));
    }
    let segmenter = match (&request.segmenter, &request.boxes) {
        (None, _) => None,
        (Some(choice), None) => {
            let observer = MaskObserver::find(choice, settings, progress)?;
            Some(Segmenting::Named(Box::new(observer)))
        }
        (Some(choice), Some(boxes)) => {
            let observer = BoxMaskObserver::find(&choice.model, settings, progress)?;
            Some(Segmenting::Boxes(Box::new(observer), boxes))
        }
    };
    let mut perceived = Vec::new();
    let source = request.images.as_deref().map(ImageSource::open);
    let source = source.transpose()?;
    let others = [captioner.is_some(), detector.is_some(), segmenter.is_some()].map(usize::from);
    let others = others.iter().sum::<usize>() + served.len();
    if let Some(source) = &source
        && request.features.len() + others > 1
    {
        source.keep_decoded();
    }
    let record = source
        .as_ref()
        .map(|source| InputRecord::of_items(Role::IMAGES, source, progress));
    let record = record.transpose()?;
    let images = source.as_ref().zip(record.as_ref());
    let images = images.map(|(source, record)| Images { source, record });
    let categories = request
        .categories
        .as_deref()
        .map(CategorisationSource::open);
    let names = (source.as_ref().zip(categories.transpose()?))
        .map(|(source, categories)| names_of(source, &categories));
    let names = names.transpose()?.unwrap_or_default();
    if let (Some(images), [_, ..]) = (images, request.features.as_slice()) {
        let preparation = (request.preset, request.antialias);
        let with = &request.features;
        perceived.extend(perceive_features(
            images,
            with,
            preparation,
            settings,
            progress,
        )?);
    }
    if let (Some(images), Some(captioner)) = (images, captioner) {
        perceived.push(output.captions(captioner, images)?);
    }
    if let Some(images) = images {
        for observer in served {
            perceived.push(output.answers(observer, images)?);
        }
    }
    if let (Some(path), Some(choice)) = (&request.captions, &request.parser) {
        perceived.push(output.scene_graphs(choice, path)?);
    }
    if let (Some(images), Some(detector)) = (images, detector) {
        perceived.push(output.detections(detector, images, &labels, request.vis_min_score)?);
    }
    if let (Some(images), Some(segmenter)) = (images, segmenter) {
        perceived.push(match segmenter {
            Segmenting::Named(observer) => {
                let names = names.into_iter().map(Some).collect();
                output.masks(*observer, &asked_for(images, names))?
            }
            Segmenting::Boxes(observer, boxes) => {
                output.masks(*observer, &with_boxes(images, boxes, &labels)?)?
            }
        });
    }
    Ok(perceived)
}

/// The features of images that are open.
pub(crate) fn perceive_features(
    images: Images<'_>,
    with: &[ModelLayers],
    preparation: (ImagePreset, Option<bool>),
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<Perceived>, Error> {
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
    if let Some(found) = images.source.beyond_unit()? {
        progress.note(&format!("{}: {found}", images.source.path().display()));
    }
    let folder = settings.out.join(ObservationKind::Features.id());
    let source = SourceFeatures {
        images,
        folder: &folder,
        label: "",
    };
    let sources = [(source, recipes.clone())];
    let seen = observe_sources(&recipes, &sources, &mut models, settings, progress)?;
    let matrix = |seen: SeenFeatures| {
        let (name, about) = (
            seen.recipe.name(),
            (ObservationKind::Features, &seen.recipe.model),
        );
        let paths = vec![folder.join(format!("{name}.npy"))];
        let became = (seen.n_seen, seen.failed);
        Perceived {
            name,
            ..Perceived::of(about, paths, images.source.len(), became)
        }
    };
    Ok(seen.into_iter().map(matrix).collect())
}

impl Output<'_> {
    /// Files of `out`, unless what lies there is somebody else's.
    fn place(&self, kind: ObservationKind) -> Result<Place, Error> {
        let out = &self.settings.out;
        let name = match (self.layout, kind) {
            (PerceivedLayout::Official, ObservationKind::Captions) => "captions.npy",
            (PerceivedLayout::Official, ObservationKind::Detections) => "preds",
            _ => kind.file_names().first().copied().unwrap_or_default(),
        };
        let mark = format!("{kind}.recipe.json");
        let (path, recipe) = (out.join(name), out.join(&mark));
        if path.exists() && !recipe.exists() {
            return Err(Error::ForeignObservations { path, mark });
        }
        std::fs::create_dir_all(out).map_err(|source| FormatError::Io {
            path: out.clone(),
            action: "creating",
            source,
        })?;
        let journal = out.join(format!("{kind}.jsonl"));
        Ok(Place {
            path,
            recipe,
            journal,
        })
    }

    fn session<O: Observer>(&self, observer: O) -> Session<'_, O> {
        Session::new(observer, Executor::new(self.settings, self.progress))
    }

    fn captions(&self, captioner: CaptionObserver, images: Images<'_>) -> Result<Perceived, Error> {
        let kind = ObservationKind::Captions;
        let Place {
            path,
            recipe,
            journal,
        } = self.place(kind)?;
        let mut session = self.session(captioner);
        let found = caption_images(&mut session, &images, &journal, self.settings)?;
        json::write(&recipe, session.observer.recipe())?;
        match self.layout {
            PerceivedLayout::Own => captions::write_json(&path, &found.known())?,
            PerceivedLayout::Official => {
                let entries = found.captions.into_iter().enumerate();
                let entries = entries.filter_map(|(item, (_, mut texts))| {
                    Some((file_name(images.source, item), texts.0.pop()?))
                });
                npy::write_pickled_dict(&path, &entries.collect::<Vec<_>>())?;
            }
        }
        let (about, became) = (
            (kind, session.observer.identity()),
            (found.n_seen, found.failed),
        );
        Ok(Perceived::of(
            about,
            vec![path],
            images.source.len(),
            became,
        ))
    }

    /// What a model behind a server says of images.
    fn answers(&self, observer: ServedObserver, images: Images<'_>) -> Result<Perceived, Error> {
        let kind = observer.recipe().makes;
        let Place {
            path,
            recipe,
            journal,
        } = self.place(kind)?;
        let path = path.with_extension("json");
        let mut session = self.session(observer);
        let asked = asked_about(images, None);
        let found = ask_about_images(&mut session, &asked, &journal, self.settings)?;
        json::write(&recipe, session.observer.recipe())?;
        write_said(&path, kind, &found)?;
        let model = session.observer.identity();
        if let Some(said) = not_reproducible(model) {
            self.progress.note(&format!("{}: {said}", kind.noun()));
        }
        let became = (found.n_seen, found.failed);
        Ok(Perceived::of(
            (kind, model),
            vec![path],
            images.source.len(),
            became,
        ))
    }

    fn detections(
        &self,
        detector: DetectionObserver,
        images: Images<'_>,
        labels: &LabelList,
        vis_min_score: Option<f64>,
    ) -> Result<Perceived, Error> {
        let (kind, settings) = (ObservationKind::Detections, self.settings);
        let Place { path, recipe, .. } = self.place(kind)?;
        json::write(&recipe, detector.recipe())?;
        let mut session = self.session(detector);
        let (failed, n_seen) =
            detect_in_images(&mut session, &images, &path, &settings.out, settings)?;
        let mut paths = vec![path];
        if let Some(min_score) = vis_min_score {
            let (source, pictures) = (images.source, settings.out.join("vis"));
            vis::draw(
                source,
                &paths[0],
                labels,
                min_score,
                &pictures,
                self.progress,
            )?;
            paths.push(pictures);
        }
        let about = (kind, session.observer.identity());
        Ok(Perceived::of(
            about,
            paths,
            images.source.len(),
            (n_seen, failed),
        ))
    }

    fn masks<O, T>(&self, segmenter: O, asked: &AskedImages<'_, T>) -> Result<Perceived, Error>
    where
        O: Observer<Item = (Image<f32>, T), Output = Masks>,
        T: Clone + Serialize + Sync,
    {
        let (kind, settings) = (ObservationKind::Masks, self.settings);
        let Place { path, recipe, .. } = self.place(kind)?;
        json::write(&recipe, segmenter.recipe())?;
        let mut session = self.session(segmenter);
        let made = mask_images(&mut session, asked, &path, &settings.out, settings)?;
        let about = (kind, session.observer.identity());
        let became = (made.n_seen, made.failed);
        Ok(Perceived {
            n_masks: made.n_masks,
            n_unlabelled: made.n_unlabelled,
            ..Perceived::of(about, vec![path], asked.images.source.len(), became)
        })
    }

    fn scene_graphs(&self, choice: &ParserChoice, path: &Path) -> Result<Perceived, Error> {
        let captions = captions::read(path)?;
        let wordnet = match &choice.wordnet {
            Some(folder) => {
                let record = InputRecord::of_files("wordnet".to_owned(), folder, &WordNet::FILES);
                Some((WordNet::open(folder)?, record?.sha256))
            }
            None => None,
        };
        let ParserChoice {
            model,
            options,
            punkt,
            ..
        } = choice;
        let punkt = punkt.as_deref();
        let parser = GraphObserver::find(model, *options, punkt, self.settings, self.progress)?;
        let kind = ObservationKind::SceneGraphs;
        let place = self.place(kind)?;
        let mut session = self.session(parser);
        let (role, journal) = (ObservationKind::Captions.id(), &place.journal);
        let found = parse_captions(&mut session, role, &captions, journal, self.settings)?;
        let mut graphs = found.known();
        if let Some((wordnet, _)) = &wordnet {
            for (_, graph) in &mut graphs {
                let as_written = std::slice::from_ref(graph);
                *graph = normalise(as_written, wordnet, &NormaliseOptions::default());
            }
        }
        let recipe = session.observer.recipe();
        let written = WrittenRecipe {
            recipe,
            wordnet_sha256: wordnet.map(|(_, sha256)| sha256),
        };
        json::write(&place.recipe, &written)?;
        scene_graphs::write_json(&place.path, &graphs)?;
        let became = (found.n_seen, found.failed);
        Ok(Perceived {
            n_malformed: found.n_malformed,
            sentence_rules: Some(recipe.sentences.rules.clone()),
            ..Perceived::of(
                (kind, &recipe.model),
                vec![place.path],
                captions.len(),
                became,
            )
        })
    }
}

/// What stands beside scene graphs.
#[derive(Serialize)]
struct WrittenRecipe<'a> {
    #[serde(flatten)]
    recipe: &'a GraphRecipe,
    /// SHA-256 of WordNet's files, where words stand in their base forms.
    wordnet_sha256: Option<String>,
}

/// The name of an image's file, by which SEED's code knows it; an image of a stack would be a PNG.
fn file_name(source: &ImageSource, item: usize) -> String {
    let name = source.file_path(item).and_then(|path| path.file_name());
    name.map_or_else(
        || format!("{}.png", source.stems()[item]),
        |name| name.to_string_lossy().into_owned(),
    )
}
