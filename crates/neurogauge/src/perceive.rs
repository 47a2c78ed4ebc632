//! `neurogauge perceive`: observes images or captions and writes what is observed.

use crate::Error;
use crate::dataset::InputRecord;
use crate::execute::{Executor, FailedItem, Images, OnFailure, Session};
use crate::model_weights::ModelChoices;
use crate::observers::captions::{CaptionObserver, CaptionerChoice, caption_images};
use crate::observers::detections::{DetectionObserver, DetectorChoice, detect_in_images};
use crate::observers::features::{
    FeatureRecipe, Models, POOLINGS, SourceFeatures, observe_sources, recipes_of,
};
use crate::observers::scene_graphs::{GraphObserver, GraphRecipe, parse_captions};
use crate::observers::{Observer, vis};
use crate::progress::Progress;
use crate::request::{RunSettings, ScoreRequest};
use neurogauge_core::{LabelList, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{FormatError, captions, json, npy, scene_graphs};
use neurogauge_language::WordNet;
use neurogauge_metrics::decoding::basic_h::{NormaliseOptions, normalise};
use neurogauge_models::{ImagePreset, LayerRequest, ParserOptions, Pooling};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::str::FromStr;

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
    /// Objects are drawn over their images from this score on; `None`: they are not drawn.
    pub vis_min_score: Option<f64>,
    /// What parses the captions, and how.
    pub parser: Option<ParserChoice>,
    /// How captions and detections are written.
    pub layout: PerceivedLayout,
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
        let paths = [&mut request.images, &mut request.captions];
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

/// A model and layers of it.
///
/// ```
/// use neurogauge::ModelLayers;
/// let all: ModelLayers = "vit_b_16:encoder.layers.encoder_layer_3:class-token".parse().unwrap();
/// assert_eq!(all.model, "vit_b_16");
/// assert_eq!(all.layers[0].layer, "encoder.layers.encoder_layer_3");
/// assert!("vit_b_16".parse::<ModelLayers>().unwrap().layers.is_empty());
/// assert!("vit_b_16:x:max".parse::<ModelLayers>().unwrap_err().contains("class-token"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelLayers {
    /// Id of the model.
    pub model: String,
    /// Its layers; none means its last one.
    pub layers: Vec<LayerRequest>,
}

impl FromStr for ModelLayers {
    type Err = String;

    /// Reads `MODEL`, `MODEL:LAYER` or `MODEL:LAYER:POOLING`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':').map(str::trim);
        let model = parts.next().unwrap_or_default().to_owned();
        let (layer, pooling) = (parts.next(), parts.next());
        if model.is_empty() || layer == Some("") || parts.next().is_some() {
            return Err(format!(
                "{text:?}: expected MODEL, MODEL:LAYER or MODEL:LAYER:POOLING, for example \
                 alexnet:features.4"
            ));
        }
        let pooling = match pooling {
            None => Pooling::None,
            Some(name) => {
                let found = POOLINGS.iter().find(|(_, known)| *known == name);
                let names = POOLINGS.map(|(_, known)| known).join(", ");
                let unknown = || format!("{text:?}: no pooling is called {name:?}; known: {names}");
                found.ok_or_else(unknown)?.0
            }
        };
        let layers = layer.map(|layer| LayerRequest {
            layer: layer.to_owned(),
            pooling,
        });
        Ok(ModelLayers {
            model,
            layers: layers.into_iter().collect(),
        })
    }
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
    /// Whose rules split captions into sentences, where they were split.
    pub sentence_rules: Option<String>,
}

impl Perceived {
    /// An error if an image has none of it.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(&self) -> Result<(), Error> {
        let what = match self.kind {
            ObservationKind::Captions => "caption",
            ObservationKind::SceneGraphs => "scene graph",
            other => other.noun(),
        };
        FailedItem::check(&self.failed, what)
    }
}

/// Where a command writes.
struct Output<'a> {
    layout: PerceivedLayout,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
}

/// Observes images or captions and writes what is observed, with files beside it that say how it was made:
/// `<out>/features/<model>.<layer>.npy` and `ids.json`; `captions.json` (in SEED's layout `captions.npy`);
/// `scene_graphs.json`; `detections/<stem>.json` (in SEED's layout `preds/<stem>.json`) and on request `vis/<stem>.png`.
///
/// Everything is kept by content as it comes, where `score` finds it too: an interrupted call goes on where it stopped, and
/// an item is observed anew only where it, the weights or the options changed. A failed image stops features, whose
/// rows belong together; of all else it is named and left out, and the others go on, unless the settings say otherwise.
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
    let labels = match (&request.detector, request.labels.as_str()) {
        (None, _) | (_, "") => LabelList::coco_gender(),
        (_, labels) => ScoreRequest {
            labels: labels.to_owned(),
            ..ScoreRequest::default()
        }
        .label_list()?,
    };
    let captioner = request.captioner.as_ref();
    let captioner = captioner.map(|choice| CaptionObserver::find(choice, settings, progress));
    let captioner = captioner.transpose()?;
    let detector = request.detector.as_ref();
    let detector =
        detector.map(|choice| DetectionObserver::find(choice, &labels, settings, progress));
    let detector = detector.transpose()?;
    let mut perceived = Vec::new();
    let source = request
        .images
        .as_deref()
        .map(ImageSource::open)
        .transpose()?;
    let images = match &source {
        Some(source) => {
            let readers = request.features.len()
                + usize::from(captioner.is_some())
                + usize::from(detector.is_some());
            if readers > 1 {
                source.keep_decoded();
            }
            Some((
                source,
                InputRecord::of_items(Role::IMAGES, source, progress)?,
            ))
        }
        None => None,
    };
    let images = images
        .as_ref()
        .map(|(source, record)| Images { source, record });
    if let (Some(images), [_, ..]) = (images, request.features.as_slice()) {
        let preparation = (request.preset, request.antialias);
        perceived.extend(perceive_features(
            images,
            &request.features,
            preparation,
            settings,
            progress,
        )?);
    }
    if let (Some(images), Some(captioner)) = (images, captioner) {
        perceived.push(output.captions(captioner, images)?);
    }
    if let (Some(path), Some(choice)) = (&request.captions, &request.parser) {
        perceived.push(output.scene_graphs(choice, path)?);
    }
    if let (Some(images), Some(detector)) = (images, detector) {
        perceived.push(output.detections(detector, images, &labels, request.vis_min_score)?);
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
    let executor = Executor::of_features(settings, progress);
    let sources = [(source, recipes.clone())];
    let seen = observe_sources(&recipes, &sources, &mut models, executor, settings)?;
    let matrix = |(recipe, n_seen): (FeatureRecipe, usize)| Perceived {
        kind: ObservationKind::Features,
        paths: vec![folder.join(format!("{}.npy", recipe.name()))],
        name: recipe.name(),
        model: recipe.model,
        n_images: images.source.len(),
        n_seen,
        failed: Vec::new(),
        n_malformed: 0,
        sentence_rules: None,
    };
    Ok(seen.into_iter().map(matrix).collect())
}

impl Output<'_> {
    /// A file or folder of `out`, which is not somebody else's, and the file that says how ours are made.
    fn place(&self, name: &str, recipe: &'static str) -> Result<(PathBuf, PathBuf), Error> {
        let out = &self.settings.out;
        let (path, recipe_path) = (out.join(name), out.join(recipe));
        if path.exists() && !recipe_path.exists() {
            return Err(Error::ForeignObservations { path, mark: recipe });
        }
        std::fs::create_dir_all(out).map_err(|source| FormatError::Io {
            path: out.clone(),
            action: "creating",
            source,
        })?;
        Ok((path, recipe_path))
    }

    fn session<O: Observer>(&self, observer: O) -> Session<'_, O> {
        let executor = Executor::new(self.settings, OnFailure::Skip, self.progress);
        Session::new(observer, executor)
    }

    fn perceived<O: Observer>(&self, observer: &O, n_images: usize, n_seen: usize) -> Perceived {
        Perceived {
            kind: O::ABOUT.makes,
            model: observer.identity().clone(),
            name: observer.identity().id.clone(),
            paths: Vec::new(),
            n_images,
            n_seen,
            failed: Vec::new(),
            n_malformed: 0,
            sentence_rules: None,
        }
    }

    fn captions(&self, captioner: CaptionObserver, images: Images<'_>) -> Result<Perceived, Error> {
        let name = match self.layout {
            PerceivedLayout::Own => "captions.json",
            PerceivedLayout::Official => "captions.npy",
        };
        let (path, recipe_path) = self.place(name, "captions.recipe.json")?;
        let mut session = self.session(captioner);
        let own = self.settings.out.join("captions.jsonl");
        let found = caption_images(&mut session, &images, &own, self.settings)?;
        json::write(&recipe_path, session.observer.recipe())?;
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
        Ok(Perceived {
            paths: vec![path],
            failed: found.failed,
            ..self.perceived(&session.observer, images.source.len(), found.n_seen)
        })
    }

    fn detections(
        &self,
        detector: DetectionObserver,
        images: Images<'_>,
        labels: &LabelList,
        vis_min_score: Option<f64>,
    ) -> Result<Perceived, Error> {
        let name = match self.layout {
            PerceivedLayout::Own => "detections",
            PerceivedLayout::Official => "preds",
        };
        let (folder, recipe_path) = self.place(name, "detections.recipe.json")?;
        json::write(&recipe_path, detector.recipe())?;
        let mut session = self.session(detector);
        let out = &self.settings.out;
        let (failed, n_seen) =
            detect_in_images(&mut session, &images, &folder, out, self.settings)?;
        let mut paths = vec![folder];
        if let Some(min_score) = vis_min_score {
            let pictures = out.join("vis");
            vis::draw(
                images.source,
                &paths[0],
                labels,
                min_score,
                &pictures,
                self.progress,
            )?;
            paths.push(pictures);
        }
        Ok(Perceived {
            paths,
            failed,
            ..self.perceived(&session.observer, images.source.len(), n_seen)
        })
    }

    fn scene_graphs(&self, choice: &ParserChoice, path: &Path) -> Result<Perceived, Error> {
        let recipe_name = "scene_graphs.recipe.json";
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
        let (path, recipe_path) = self.place("scene_graphs.json", recipe_name)?;
        let mut session = self.session(parser);
        let own = self.settings.out.join("scene_graphs.jsonl");
        let found = parse_captions(&mut session, "captions", &captions, &own, self.settings)?;
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
        json::write(&recipe_path, &written)?;
        scene_graphs::write_json(&path, &graphs)?;
        Ok(Perceived {
            paths: vec![path],
            n_malformed: found.n_malformed,
            sentence_rules: Some(recipe.sentences.rules.clone()),
            failed: found.failed,
            ..self.perceived(&session.observer, captions.len(), found.n_seen)
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
