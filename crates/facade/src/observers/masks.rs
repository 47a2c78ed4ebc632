//! Segmenters behind a detector: masks from images and names.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    Found, PromptedImages, SourceItems, StepContext, StepInputs, StepMemory, StepObserver, StepResult, n_pixels,
};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::{Image, ImageSet, Masks, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::masks::{read_grounded_sam, write_grounded_sam};
use neurogauge_formats::store::{Files, Store};
use neurogauge_models::detection::{DetectorPreprocessing, GroundingOptions, LocalDetector};
use neurogauge_models::segmentation::{
    GroundedInput, GroundedSegmenter, LocalSegmenter, MaskNames, SegmenterPreprocessing,
};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::{Deserialize, Serialize};

/// The detector of Grounded SAM 2 when it loads its models from the Hub.
pub const DEFAULT_MASK_DETECTOR: &str = "grounding_dino_tiny";

/// The segmenter for categories named by a vision-language model.
pub(crate) const DEFAULT_SEGMENTER: &str = "sam2.1_hiera_large";

/// The requested segmenter, the detector that prompts it, and their options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskChoice {
    pub model: String,
    /// Id of the detector whose boxes prompt it.
    #[serde(default = "default_detector")]
    pub detector: String,
    /// How boxes are selected (convention `grounded-boxes`).
    #[serde(default)]
    pub options: GroundingOptions,
    /// The source of the categories in prompts for reconstructions (convention `mask-prompts`).
    #[serde(default)]
    pub prompts: MaskPrompts,
}

impl MaskChoice {
    /// A model with its default options.
    pub fn of(model: String) -> Self {
        MaskChoice {
            model,
            detector: default_detector(),
            options: GroundingOptions::default(),
            prompts: MaskPrompts::default(),
        }
    }
}

/// The source of the categories in prompts for reconstructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskPrompts {
    #[default]
    Own,
    /// The categories of its stimulus.
    Stimulus,
}

fn default_detector() -> String {
    DEFAULT_MASK_DETECTOR.to_owned()
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaskRecipe {
    /// The weights that make masks. It is marked as a placeholder if either model is one.
    pub model: ModelIdentity,
    pub preprocessing: SegmenterPreprocessing,
    pub detector: ModelIdentity,
    pub detector_preprocessing: DetectorPreprocessing,
    pub options: GroundingOptions,
}

/// A detector and a segmenter whose weights are on this machine.
pub(crate) struct MaskObserver {
    recipe: MaskRecipe,
    prompts: MaskPrompts,
    detector: LocalDetector,
    segmenter: LocalSegmenter,
}

impl MaskObserver {
    /// Finds the weights of both models; missing ones are downloaded if allowed.
    pub(crate) fn find(choice: &MaskChoice, settings: &RunSettings, progress: &dyn Progress) -> Result<Self, Error> {
        let segmenter: LocalSegmenter = obtain(&choice.model, settings, progress)?;
        let detector: LocalDetector = obtain(&choice.detector, settings, progress)?;
        let of_detector = detector.identity();
        Ok(MaskObserver {
            recipe: MaskRecipe {
                model: ModelIdentity {
                    stand_in: segmenter.identity().stand_in || of_detector.stand_in,
                    ..segmenter.identity().clone()
                },
                preprocessing: segmenter.preprocessing(),
                detector: of_detector.clone(),
                detector_preprocessing: detector.preprocessing(),
                options: choice.options,
            },
            prompts: choice.prompts,
            detector,
            segmenter,
        })
    }
}

impl Observer for MaskObserver {
    type Item = (Image<f32>, MaskNames);
    type Recipe = MaskRecipe;
    type Model = GroundedSegmenter;
    type Input = GroundedInput;
    type Output = Masks;

    // Prepared for both models, an image needs up to 26 MB.
    const ABOUT: About = About::of("masks", "0.1.0", ObservationKind::Masks, 2);

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &MaskRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<GroundedSegmenter>, Error> {
        Ok(Box::new(GroundedSegmenter {
            detector: self.detector.load()?,
            segmenter: self.segmenter.load()?,
        }))
    }

    fn prepare(&self, (image, names): Self::Item) -> Result<GroundedInput, ModelError> {
        Ok(GroundedInput {
            detector: self.recipe.detector_preprocessing.apply(&image)?,
            segmenter: self.recipe.preprocessing.apply(&image)?,
            names,
        })
    }

    fn observe(
        &self,
        models: &GroundedSegmenter,
        inputs: &[GroundedInput],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Masks>, ModelError> {
        let masks = inputs.iter().map(|input| {
            let masks = models.masks(input, &self.recipe.options)?;
            progress(1);
            Ok(masks)
        });
        masks.collect()
    }
}

impl StepObserver for MaskObserver {
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let of_segmenter = self.segmenter.weight_memory(DeviceChoice::of(self.segmenter.identity()))?;
        let of_detector = self.detector.weight_memory(DeviceChoice::of(self.detector.identity()))?;
        let prepared = |(width_px, height_px)| {
            let of_detector = &self.recipe.detector_preprocessing;
            n_pixels(self.recipe.preprocessing.size()) + n_pixels(of_detector.size(width_px, height_px))
        };
        let id = format!("{} and {}", self.recipe.detector.id, self.recipe.model.id);
        let weights = of_segmenter.zip(of_detector).map(|(segmenter, detector)| segmenter.and(detector));
        Ok(StepMemory::of_large_images(&id, weights, Self::ABOUT, inputs, prepared))
    }

    fn models(&self) -> Vec<&ModelIdentity> {
        vec![&self.recipe.detector, &self.recipe.model]
    }

    fn reads(&self, of: ImageSet) -> Vec<Role> {
        let mut reads: Vec<Role> = Self::ABOUT.makes.reads(of).collect();
        if of == ImageSet::Reconstructions && self.prompts == MaskPrompts::Stimulus {
            reads.iter_mut().skip(1).for_each(|role| role.of = ImageSet::Stimuli);
        }
        reads
    }

    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error> {
        let (Some(images), Some(names)) = (step.inputs.images(of), step.inputs.mask_names(of)?) else {
            return Ok(None);
        };
        let prompted = PromptedImages {
            images,
            asked: names,
            lacking: "it has no categories, so there is nothing to ask masks for",
        };
        SourceItems::of_images(self, prompted, prompt_in_key).map(Some)
    }

    fn store(&self, step: &StepContext<'_>) -> Result<Box<dyn Store<Masks> + Send>, Error> {
        mask_files(step, &self.recipe.model.id)
    }

    fn write(&self, found: &Found<'_, Self>, made: &mut StepResult) -> Result<(), Error> {
        write_masks(found, made)
    }
}

/// The part of an image's key that comes from the prompt for its masks.
pub(super) fn prompt_in_key<T: Serialize>(prompt: &Option<T>) -> Result<Vec<String>, Error> {
    let prompt = serde_json::to_string(prompt);
    Ok(vec![prompt.map_err(|error| Error::Usage(format!("what masks are of cannot be written: {error}")))?])
}

/// A store of files: masks of thousands of images are too much for a journal, which is read into memory.
pub(super) fn mask_files(step: &StepContext<'_>, model: &str) -> Result<Box<dyn Store<Masks> + Send>, Error> {
    Ok(Box::new(Files {
        folder: step.files(ObservationKind::Masks, model)?,
        read: Box::new(read_grounded_sam),
        write: |path, masks| write_grounded_sam(path, masks, ""),
    }))
}

/// Writes the masks of a source under the names of the images' files, and counts them.
pub(super) fn write_masks<O: StepObserver<Output = Masks>>(
    found: &Found<'_, O>,
    made: &mut StepResult,
) -> Result<(), Error> {
    let (mut n_masks, mut n_unlabelled) = (0, 0);
    found.write_each(made, |path, place, masks| {
        n_masks += masks.items.len();
        n_unlabelled += masks.items.iter().filter(|mask| mask.name.is_empty()).count();
        let image = found.file_name(place).unwrap_or_else(|| found.stem(place).to_owned());
        write_grounded_sam(path, &masks, &image)
    })?;
    made.n_masks += n_masks;
    made.n_unlabelled += n_unlabelled;
    Ok(())
}
