//! The request of `score`.

use crate::Error;
use crate::clusters::ClusterChoice;
use crate::observers::captions::CaptionerChoice;
use crate::observers::detections::DetectorChoice;
use crate::observers::features::PerceptionOptions;
use crate::observers::masks::MaskChoice;
use crate::observers::vlm::VlmChoice;
use crate::sample_score::SampleScore;
use crate::settings::ModelChoices;
use crate::shuffled_null::ShuffledNull;
use crate::word_or_file::WordOrFile;
use neurogauge_core::image::ImageReading;
use neurogauge_core::name_pattern::StimulusPattern;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::Pairing;
use neurogauge_core::{InputPaths, LabelList};
use neurogauge_formats::Problem;
use neurogauge_formats::detections::BoxUnits;
use neurogauge_formats::label_list::read_label_list;
use neurogauge_metrics::Options;
use neurogauge_models::ParserOptions;
use neurogauge_stats::BootstrapOptions;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The part of the stimuli themselves that metrics of pixels compare, if no masks are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnRegion {
    Alpha,
}

/// Everything that affects the numbers of a run: the part of `run.json` from which it can be repeated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScoreRequest {
    pub inputs: InputPaths,
    /// Which stems pair up.
    #[serde(skip_serializing_if = "Pairing::is_default")]
    pub pairing: Pairing,
    /// The meaning of stored values that files leave open.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub reading: ImageReading,
    /// The region that metrics of pixels compare (convention `foreground`); `None`: whole images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<WordOrFile<OwnRegion>>,
    /// Ids of metrics; `None` means every metric that the inputs allow.
    pub metrics: Option<Vec<String>>,
    /// `coco_gender` (SEED's 82), `coco`, `god`, or a file of names. If empty, the names in files of detections are
    /// used (convention `labels`), and a detector looks for `coco_gender`.
    pub labels: String,
    /// The unit of boxes in folders of detections. With `None`, they are pixels, and boxes that cannot be pixels are
    /// refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub box_units: Option<BoxUnits>,
    /// The factors, in px, for boxes in fractions of the image (convention `box-scale`).
    pub box_scale_px: (f64, f64),
    /// Size of the images that detections were made on, if the images are not given.
    pub image_size_px: Option<(f64, f64)>,
    pub text_encoder: String,
    /// Instruction that precedes captions when they are embedded (convention `text-instruction`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_instruction: Option<String>,
    /// The model that embeds the phrases of scene graphs.
    pub phrase_encoder: String,
    pub graph_parser: GraphParser,
    /// The captioner; `None` if captions are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captioner: Option<CaptionerChoice>,
    /// The detector; `None` if detections are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detector: Option<DetectorChoice>,
    /// The segmenter; `None` if masks are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segmenter: Option<MaskChoice>,
    /// Vision-language models and their tasks; empty if their observations are given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vlm: Vec<VlmChoice>,
    pub perception: PerceptionOptions,
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub models: ModelChoices,
    /// The pattern of pair names that contain the stimulus (convention `repeated-stimuli`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stimulus_pattern: Option<StimulusPattern>,
    /// How alike stimuli are found (convention `alike-stimuli`).
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub cluster: ClusterChoice,
    /// Random pairings, which show the chance level of metrics without a known one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub null: Option<ShuffledNull>,
    /// The score of an item with several samples.
    #[serde(skip_serializing_if = "SampleScore::is_mean")]
    pub samples: SampleScore,
    /// Numbers of samples of an item (trials of an image) whose features are averaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub averaged: Vec<usize>,
    pub options: Options,
    pub bootstrap: BootstrapOptions,
}

/// The source of the scene graphs of captions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GraphParser {
    /// Files from the user.
    #[default]
    File,
    /// The FACTUAL parser, from captions.
    T5(ParserOptions),
    /// The FACTUAL parser, from captions and their sub-captions, as described in the BASIC paper (convention
    /// `parsed-captions`).
    T5Subcaptions(ParserOptions),
}

impl GraphParser {
    /// The options for parsing captions, if they are parsed, and whether sub-captions are parsed too.
    pub(crate) fn reading(self) -> Option<(ParserOptions, bool)> {
        match self {
            GraphParser::File => None,
            GraphParser::T5(options) => Some((options, false)),
            GraphParser::T5Subcaptions(options) => Some((options, true)),
        }
    }

    /// The options of a parser of captions; `None` if there is none.
    pub fn options(mut self) -> Option<ParserOptions> {
        self.options_mut().copied()
    }

    pub(crate) fn options_mut(&mut self) -> Option<&mut ParserOptions> {
        match self {
            GraphParser::File => None,
            GraphParser::T5(options) | GraphParser::T5Subcaptions(options) => Some(options),
        }
    }
}

impl Default for ScoreRequest {
    fn default() -> Self {
        ScoreRequest {
            inputs: InputPaths::default(),
            pairing: Pairing::default(),
            reading: ImageReading::default(),
            region: None,
            metrics: None,
            labels: String::new(),
            box_units: None,
            box_scale_px: (425.0, 425.0),
            image_size_px: None,
            text_encoder: crate::observers::text_embeddings::DEFAULT_ENCODER.into(),
            text_instruction: None,
            phrase_encoder: crate::observers::text_embeddings::DEFAULT_PHRASE_ENCODER.into(),
            graph_parser: GraphParser::default(),
            captioner: None,
            detector: None,
            segmenter: None,
            vlm: Vec::new(),
            perception: PerceptionOptions::default(),
            models: ModelChoices::default(),
            stimulus_pattern: None,
            cluster: ClusterChoice::default(),
            null: None,
            averaged: Vec::new(),
            samples: SampleScore::default(),
            options: Options::default(),
            bootstrap: BootstrapOptions::default(),
        }
    }
}

/// Refuses paths that a record could not contain as text.
pub(crate) fn refuse_unnamed<'a>(mut paths: impl Iterator<Item = &'a Path>) -> Result<(), Error> {
    let Some(path) = paths.find(|path| path.to_str().is_none()) else {
        return Ok(());
    };
    Err(
        Problem::invalid("path", "not UTF-8; records of runs name it as text, so please rename the file or folder")
            .at(path)
            .into(),
    )
}

impl ScoreRequest {
    pub fn with_absolute_paths(&self) -> ScoreRequest {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut request = self.clone();
        for path in request.inputs.paths_mut() {
            *path = absolute(path);
        }
        for path in request.models.paths_mut() {
            *path = absolute(path);
        }
        if !self.labels.is_empty() && LabelList::builtin(&self.labels).is_none() {
            request.labels = absolute(Path::new(&self.labels)).display().to_string();
        }
        if let ClusterChoice::File(path) = &mut request.cluster {
            *path = absolute(path);
        }
        if let Some(WordOrFile::File(path)) = &mut request.region {
            *path = absolute(path);
        }
        request
    }
}

/// The label list with this id or in this file; `coco_gender` if neither is given.
///
/// # Errors
/// No list has that id, and no file that name; faults of the file.
pub fn label_list(labels: &str) -> Result<LabelList, Error> {
    if labels.is_empty() {
        return Ok(LabelList::coco_gender());
    }
    match LabelList::builtin(labels) {
        Some(list) => Ok(list),
        None if Path::new(labels).is_file() => Ok(read_label_list(Path::new(labels))?),
        None => Err(Error::Usage(format!(
            "{} {labels:?}: neither a built-in list (coco_gender, coco, god) nor a file",
            option("labels", "")
        ))),
    }
}
