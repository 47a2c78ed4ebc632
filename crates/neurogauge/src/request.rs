//! What a user asks for.

use crate::Error;
use crate::captioning::CaptionerChoice;
use crate::detecting::DetectorChoice;
use crate::perceive::PerceptionOptions;
use neurogauge_core::LabelList;
use neurogauge_formats::label_list::read_label_list;
use neurogauge_metrics::Options;
use neurogauge_models::{DeviceChoice, ParserOptions, WeightPrecision};
use neurogauge_stats::BootstrapOptions;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Everything that decides the numbers of a run: the part of `run.json` that repeats it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScoreRequest {
    /// Where the inputs are.
    pub inputs: InputPaths,
    /// Ids of metrics; `None` means all that the inputs allow.
    pub metrics: Option<Vec<String>>,
    /// `coco_gender` (SEED's 82), `coco`, or a file of names.
    pub labels: String,
    /// What boxes in fractions of the image are multiplied by, px (convention `box-scale`).
    pub box_scale_px: (f64, f64),
    /// Size of the images that detections were made on, where the images are not given.
    pub image_size_px: Option<(f64, f64)>,
    /// Model that embeds captions.
    pub text_encoder: String,
    /// Instruction that captions are embedded behind (convention `text-instruction`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_instruction: Option<String>,
    /// Model that embeds the phrases of scene graphs.
    #[serde(default = "default_phrase_encoder")]
    pub phrase_encoder: String,
    /// Where scene graphs come from.
    #[serde(default)]
    pub graph_parser: GraphParser,
    /// What describes the images; `None` where captions are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captioner: Option<CaptionerChoice>,
    /// What looks for objects in the images; `None` where detections are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detector: Option<DetectorChoice>,
    /// How images become features.
    #[serde(default)]
    pub perception: PerceptionOptions,
    /// Options of the metrics.
    pub options: Options,
    /// Intervals.
    pub bootstrap: BootstrapOptions,
}

/// Where the scene graphs of captions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GraphParser {
    /// Files that the user has.
    #[default]
    File,
    /// The FACTUAL parser, from captions.
    T5(ParserOptions),
}

fn default_phrase_encoder() -> String {
    crate::scene_graph_tools::DEFAULT_PHRASE_ENCODER.to_owned()
}

impl Default for ScoreRequest {
    fn default() -> Self {
        ScoreRequest {
            inputs: InputPaths::default(),
            metrics: None,
            labels: "coco_gender".into(),
            box_scale_px: (425.0, 425.0),
            image_size_px: None,
            text_encoder: crate::caption_embeddings::DEFAULT_ENCODER.into(),
            text_instruction: None,
            phrase_encoder: default_phrase_encoder(),
            graph_parser: GraphParser::default(),
            captioner: None,
            detector: None,
            perception: PerceptionOptions::default(),
            options: Options::default(),
            bootstrap: BootstrapOptions::default(),
        }
    }
}

impl ScoreRequest {
    /// The label list by its id, or from a file.
    pub fn label_list(&self) -> Result<LabelList, Error> {
        match LabelList::builtin(&self.labels) {
            Some(list) => Ok(list),
            None if Path::new(&self.labels).is_file() => {
                Ok(read_label_list(Path::new(&self.labels))?)
            }
            None => Err(Error::Usage(format!(
                "--labels {:?}: neither a built-in list (coco_gender, coco) nor a file",
                self.labels
            ))),
        }
    }

    /// The same request with paths that hold from anywhere.
    pub(crate) fn with_absolute_paths(&self) -> ScoreRequest {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut request = self.clone();
        for path in request.inputs.paths_mut().into_iter().flatten() {
            *path = absolute(path);
        }
        if LabelList::builtin(&self.labels).is_none() {
            request.labels = absolute(Path::new(&self.labels)).display().to_string();
        }
        request
    }
}

/// Where the inputs are. Files given for one kind take precedence over `observations`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InputPaths {
    /// Stimuli: a folder of images, a `.npy` stack or a `.pt` file.
    pub gt: Option<PathBuf>,
    /// Reconstructions, likewise.
    pub recon: Option<PathBuf>,
    /// A folder with `gt/` and `recon/` inside, or SEED's `evaluations/<model>/`.
    pub observations: Option<PathBuf>,
    /// Captions of the stimuli.
    pub gt_captions: Option<PathBuf>,
    /// Captions of the reconstructions.
    pub recon_captions: Option<PathBuf>,
    /// Detections in the stimuli.
    pub gt_detections: Option<PathBuf>,
    /// Detections in the reconstructions.
    pub recon_detections: Option<PathBuf>,
    /// Names of categories that a vision-language model sees in the stimuli.
    pub gt_vlm_categories: Option<PathBuf>,
    /// The same in the reconstructions.
    pub recon_vlm_categories: Option<PathBuf>,
    /// Masks of the stimuli.
    pub gt_masks: Option<PathBuf>,
    /// Masks of the reconstructions.
    pub recon_masks: Option<PathBuf>,
    /// Which names of the stimuli's masks are objects, parts and background.
    pub gt_categories: Option<PathBuf>,
    /// The same of the reconstructions'.
    pub recon_categories: Option<PathBuf>,
    /// Folder of feature matrices of the stimuli.
    pub gt_features: Option<PathBuf>,
    /// Folder of feature matrices of the reconstructions.
    pub recon_features: Option<PathBuf>,
    /// The images that identification is repeated among, or a folder of their feature matrices.
    pub pool: Option<PathBuf>,
    /// Scene graphs of the stimuli's captions.
    pub gt_scene_graphs: Option<PathBuf>,
    /// Scene graphs of the reconstructions' captions.
    pub recon_scene_graphs: Option<PathBuf>,
    /// WordNet's folder; `None` means where it is usually installed.
    pub wordnet: Option<PathBuf>,
    /// Folder of Punkt's parameters; `None` means our own rules of sentences.
    pub punkt: Option<PathBuf>,
    /// Folder of a perceptron tagger's weights, for the filter of nouns.
    pub tagger: Option<PathBuf>,
}

impl InputPaths {
    pub(crate) fn paths_mut(&mut self) -> [&mut Option<PathBuf>; 21] {
        [
            &mut self.gt,
            &mut self.recon,
            &mut self.observations,
            &mut self.gt_captions,
            &mut self.recon_captions,
            &mut self.gt_detections,
            &mut self.recon_detections,
            &mut self.gt_vlm_categories,
            &mut self.recon_vlm_categories,
            &mut self.gt_masks,
            &mut self.recon_masks,
            &mut self.gt_categories,
            &mut self.recon_categories,
            &mut self.gt_features,
            &mut self.recon_features,
            &mut self.pool,
            &mut self.gt_scene_graphs,
            &mut self.recon_scene_graphs,
            &mut self.wordnet,
            &mut self.punkt,
            &mut self.tagger,
        ]
    }

    /// These paths, replaced by those that `moved` has.
    pub(crate) fn overridden(&self, moved: &InputPaths) -> InputPaths {
        let (mut paths, mut moved) = (self.clone(), moved.clone());
        for (path, new) in paths.paths_mut().into_iter().zip(moved.paths_mut()) {
            if new.is_some() {
                path.clone_from(new);
            }
        }
        paths
    }
}

/// What does not decide numbers: where to write, where weights are.
#[derive(Debug, Clone, Default)]
pub struct RunSettings {
    /// The run folder.
    pub out: PathBuf,
    /// A folder of weights.
    pub weights: Option<PathBuf>,
    /// May missing weights be downloaded?
    pub allow_download: bool,
    /// Checkpoints to take instead of the published ones, by model. What they hold is recorded.
    pub checkpoints: Vec<(String, PathBuf)>,
    /// Where image models run. It is recorded, and features are kept apart by it.
    pub device: DeviceChoice,
    /// What weights are rounded to when they are read (convention `weight-precision`). The ids of models say it.
    pub weight_precision: WeightPrecision,
    /// Files with the linear heads of LPIPS, one for each network. What they hold is recorded.
    pub lpips_heads: Vec<PathBuf>,
    /// Pairs whose masks are drawn over their images, by stem (`<out>/figures/`).
    pub overlays: Vec<String>,
    /// Also write SEED's official layout under `<out>/evaluations/<name>/`.
    pub export_official: bool,
    /// Earlier runs of the same images: what they observed of them is taken over where image, model and options are
    /// the same.
    pub observed_by: Vec<ObservedBy>,
}

/// An earlier run whose observations serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedBy {
    /// Its folder.
    pub run: PathBuf,
    /// Has it the same reconstructions, too?
    pub same_reconstructions: bool,
}
