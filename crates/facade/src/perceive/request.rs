//! The request of `perceive`.

use crate::execute::PerceivedLayout;
use crate::observers::captions::CaptionerChoice;
use crate::observers::detections::DetectorChoice;
use crate::observers::masks::MaskChoice;
use crate::observers::vlm::VlmChoice;
use crate::odd_frames::OddFrames;
use crate::settings::ModelChoices;
use neurogauge_core::image::ImageReading;
use neurogauge_formats::detections::BoxUnits;
use neurogauge_models::{ImagePreset, ModelLayers, ParserOptions};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What to observe, in which images or captions, and how to write it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerceiveRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: Option<PathBuf>,
    /// The meaning of stored values that files leave open.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub reading: ImageReading,
    /// A file of captions, for a parser.
    pub captions: Option<PathBuf>,
    pub features: Vec<ModelLayers>,
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as in the preset.
    pub antialias: Option<bool>,
    /// What to do with frames that do not fill a model's clip (convention `odd-frames`).
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub odd_frames: OddFrames,
    pub captioner: Option<CaptionerChoice>,
    pub detector: Option<DetectorChoice>,
    /// The categories: `coco_gender`, `coco` or a file of names. If empty, `coco_gender`; for boxes, the names in their
    /// files.
    pub labels: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segmenter: Option<MaskChoice>,
    /// The categories in each image, for a segmenter: a folder of categorisations or one file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<PathBuf>,
    /// Boxes that prompt the segmenter instead of a detector's: a folder of detections or one file of boxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boxes: Option<PathBuf>,
    /// The unit of boxes in a folder. With `None`, they are pixels, and boxes that cannot be pixels are refused. Boxes
    /// in a single file are shares of the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub box_units: Option<BoxUnits>,
    /// The lowest score of objects that are drawn over their images; `None`: no drawings.
    pub vis_min_score: Option<f64>,
    pub parser: Option<ParserChoice>,
    pub layout: PerceivedLayout,
    /// Vision-language models and their tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vlm: Vec<VlmChoice>,
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub models: ModelChoices,
}

impl PerceiveRequest {
    /// The same request with absolute paths.
    pub(crate) fn with_absolute_paths(&self) -> PerceiveRequest {
        let mut request = self.clone();
        let of_parser = request.parser.iter_mut().flat_map(|choice| [&mut choice.punkt, &mut choice.wordnet]);
        let paths = [&mut request.images, &mut request.captions, &mut request.categories, &mut request.boxes];
        for path in paths.into_iter().chain(of_parser).flatten().chain(request.models.paths_mut()) {
            *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
        }
        if Path::new(&request.labels).is_file() {
            let absolute = std::path::absolute(&request.labels);
            request.labels = absolute.map_or(request.labels, |path| path.display().to_string());
        }
        request
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParserChoice {
    pub model: String,
    pub options: ParserOptions,
    /// Folder of Punkt's parameters; `None`: our own rules split sentences.
    pub punkt: Option<PathBuf>,
    /// WordNet's folder. Words are then written in their base forms, and attributes that end in " of" are left out.
    /// `None`: as the parser wrote them.
    pub wordnet: Option<PathBuf>,
}
