//! Masks of names: a detector finds boxes, a segmenter their masks.

use super::{MaskPrompt, Segmenter, SegmenterInput};
use crate::ModelError;
use crate::observers::detection::{Detector, DetectorInput, GroundedBox, GroundingOptions};
use neurogauge_core::{Categorisation, InstanceMask, Masks};
use serde::{Deserialize, Serialize};

/// The names of the wanted masks: things (objects and background), and their parts, which have a separate prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MaskNames {
    /// Objects, then background.
    pub things: Vec<String>,
    pub parts: Vec<String>,
}

impl MaskNames {
    /// The names in a categorisation without repetitions, in its order.
    ///
    /// ```
    /// use neurogauge_core::{BackgroundElement, Categorisation, ForegroundObject};
    /// use neurogauge_models::segmentation::MaskNames;
    /// let zebra = ForegroundObject {
    ///     name: "zebra".to_owned(),
    ///     semantic_category: "animal".to_owned(),
    ///     parts: vec!["tail".to_owned(), "legs".to_owned()],
    /// };
    /// let grass = BackgroundElement { name: "grass".to_owned(), semantic_category: String::new() };
    /// let names = MaskNames::of(&Categorisation {
    ///     foreground: vec![zebra.clone(), zebra],
    ///     background: vec![grass],
    /// });
    /// assert_eq!(names.things, ["zebra", "grass"]);
    /// assert_eq!(names.parts, ["tail", "legs"]);
    /// ```
    pub fn of(categories: &Categorisation) -> Self {
        let objects = categories.foreground.iter();
        let behind = categories.background.iter().map(|element| &element.name);
        MaskNames {
            things: distinct(objects.clone().map(|object| &object.name).chain(behind)),
            parts: distinct(objects.flat_map(|object| &object.parts)),
        }
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names.map(|name| name.trim()) {
        if !name.is_empty() && !distinct.iter().any(|known| known == name) {
            distinct.push(name.to_owned());
        }
    }
    distinct
}

/// The input of both models for an image.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedInput {
    pub detector: DetectorInput,
    pub segmenter: SegmenterInput,
    pub names: MaskNames,
}

/// A detector, and a segmenter that gets its boxes as prompts (convention `grounded-boxes`).
pub struct GroundedSegmenter {
    pub detector: Box<dyn Detector>,
    /// Makes a mask of each box.
    pub segmenter: Box<dyn Segmenter>,
}

impl GroundedSegmenter {
    /// A mask for each box that the detector finds: things first, then parts. A mask's name is the box's words (empty
    /// if no word fits well enough). Its score is the overlap that the segmenter predicts, as in Grounded SAM 2.
    ///
    /// # Errors
    /// Errors of both models.
    ///
    /// ```
    /// use neurogauge_core::Image;
    /// use neurogauge_models::detection::{DetectorPreprocessing, GroundingOptions};
    /// use neurogauge_models::segmentation::{
    ///     GroundedInput, GroundedSegmenter, MaskNames, SegmenterPreprocessing,
    /// };
    /// use neurogauge_models::{BoxMasks, ColourBoxes};
    /// let grey = Image::new(40, 20, vec![0.5_f32; 40 * 20 * 3]).unwrap();
    /// let input = GroundedInput {
    ///     detector: DetectorPreprocessing::mmdetection().apply(&grey)?,
    ///     segmenter: SegmenterPreprocessing::sam2().apply(&grey)?,
    ///     names: MaskNames { things: vec!["zebra".to_owned()], parts: vec!["tail".to_owned()] },
    /// };
    /// let models = GroundedSegmenter {
    ///     detector: Box::new(ColourBoxes),
    ///     segmenter: Box::new(BoxMasks),
    /// };
    /// let all = GroundingOptions { box_threshold: -1.0, text_threshold: -1.0, ..GroundingOptions::default() };
    /// let masks = models.masks(&input, &all)?;
    /// assert_eq!((masks.size_px, masks.items.len()), ((40, 20), 10)); // 5 places, two prompts
    /// assert_eq!((masks.items[0].name.as_str(), masks.items[5].name.as_str()), ("zebra", "tail"));
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn masks(&self, input: &GroundedInput, options: &GroundingOptions) -> Result<Masks, ModelError> {
        let mut boxes: Vec<GroundedBox> = Vec::new();
        for names in [&input.names.things, &input.names.parts] {
            boxes.extend(self.detector.ground(&input.detector, names, options)?);
        }
        let prompts: Vec<MaskPrompt> = (boxes.iter()).map(|found| MaskPrompt::Box(found.bbox)).collect();
        let masks = self.segmenter.segment(&input.segmenter, &prompts)?;
        let (width_px, height_px) = input.segmenter.original_px;
        let items = boxes.into_iter().zip(masks).map(|(found, predicted)| InstanceMask {
            name: found.label,
            score: predicted.score,
            bbox: found.bbox,
            mask: predicted.mask,
        });
        Ok(Masks::of((width_px as u32, height_px as u32), items.collect(), None))
    }
}
