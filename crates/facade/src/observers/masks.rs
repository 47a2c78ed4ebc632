//! Segmenters behind a detector: images and names to masks.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    FailedItem, Images, Keyed, Perceived, PromptedImages, Seen, Session, Step, StepContext, StepInputs, StepMemory,
    StepOutput, has_kind, n_pixels, prefix,
};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::{Kept, StoreFolder};
use neurogauge_core::{Image, ImageSet, Masks, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::masks::{read_grounded_sam, write_grounded_sam};
use neurogauge_formats::stem_listing::remove_others;
use neurogauge_formats::store::{ContentKey, Files, KeyPrefix, Store};
use neurogauge_models::detection::{DetectorPreprocessing, GroundingOptions, LocalDetector};
use neurogauge_models::segmentation::{
    GroundedInput, GroundedSegmenter, LocalSegmenter, MaskNames, SegmenterPreprocessing,
};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The folder in which a run without a cache keeps masks by content.
const BY_CONTENT: &str = "masks_by_content";

/// The detector of Grounded SAM 2 when it loads its models from the Hub.
pub const DEFAULT_MASK_DETECTOR: &str = "grounding_dino_tiny";

/// The requested segmenter, the detector that prompts it, and their options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskChoice {
    pub model: String,
    /// Id of the detector whose boxes prompt it.
    #[serde(default = "default_detector")]
    pub detector: String,
    /// Which boxes are kept (convention `grounded-boxes`).
    #[serde(default)]
    pub options: GroundingOptions,
    /// Whose categories are in the prompts for reconstructions (convention `mask-prompts`).
    #[serde(default)]
    pub prompts: MaskPrompts,
}

/// Whose categories are in the prompts for reconstructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskPrompts {
    /// The categories of the reconstruction itself.
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
    /// Which weights make masks. It is marked as a placeholder if either model is one.
    pub model: ModelIdentity,
    /// How images were preprocessed for the segmenter.
    pub preprocessing: SegmenterPreprocessing,
    /// Which weights find boxes.
    pub detector: ModelIdentity,
    /// How images were preprocessed for the detector.
    pub detector_preprocessing: DetectorPreprocessing,
    /// Which boxes were kept.
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

    const ABOUT: About = About {
        name: "masks",
        revision: "0.1.0",
        makes: ObservationKind::Masks,
        // Prepared for both models, an image needs up to 26 MB.
        batch: 2,
    };

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

impl Step for MaskObserver {
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

    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput> {
        let kind = Self::ABOUT.makes;
        let output = |&of: &ImageSet| {
            let mut reads: Vec<Role> = kind.reads(of).collect();
            if of == ImageSet::Reconstructions && self.prompts == MaskPrompts::Stimulus {
                let of_stimuli = reads.iter_mut().skip(1);
                of_stimuli.for_each(|role| role.of = ImageSet::Stimuli);
            }
            StepOutput {
                reads,
                writes: Role::new(of, kind),
                features: None,
            }
        };
        image_sets.iter().filter(|of| has_kind(**of, kind)).map(output).collect()
    }

    fn kept(&self, step: &StepContext<'_>) -> Result<Kept, Error> {
        let (own, id) = (step.places.kept().join(BY_CONTENT), &self.recipe.model.id);
        Ok(Kept::files(Self::ABOUT.makes, id, &own, step.settings))
    }

    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        let of = output.writes.of;
        let (Some(images), Some(names)) = (step.inputs.images(of), step.inputs.mask_names(of)?) else {
            return Ok(None);
        };
        let keys = keys_of(&prefix(self)?, &asked_for(images, names))?;
        Ok(Some(self.kept(step)?.count(&keys)))
    }

    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        masks_of(self, step, |of, images| {
            let names = step.inputs.mask_names(of)?.unwrap_or_default();
            Ok(asked_for(images, names))
        })
    }
}

/// Makes the masks of every source, with the prompts that `asked` returns for its images.
pub(super) fn masks_of<'a, O, T>(
    observer: O,
    step: &StepContext<'a>,
    asked: impl Fn(ImageSet, Images<'a>) -> Result<PromptedImages<'a, T>, Error>,
) -> Result<Vec<Perceived>, Error>
where
    O: Observer<Item = (Image<f32>, T), Output = Masks>,
    T: Clone + Serialize + Sync,
{
    let kind = O::ABOUT.makes;
    let mut made = Perceived::by(kind, observer.identity());
    let mut session = step.session(observer);
    for (of, images) in step.images(kind) {
        let folder = step.writes.then(|| step.places.folder(of, kind));
        let (asked, own) = (asked(of, images)?, step.places.kept());
        let found = mask_images(&mut session, &asked, folder.as_deref(), own, step.settings)?;
        made.n_masks += found.n_masks;
        made.n_unlabelled += found.n_unlabelled;
        made.paths.extend(folder);
        made.count(images.source.len(), found.n_seen, found.failed);
    }
    Ok(vec![made])
}

/// The images of a source, and the names in the prompt for each.
fn asked_for<'a>(images: Images<'a>, names: Vec<Option<MaskNames>>) -> PromptedImages<'a, MaskNames> {
    PromptedImages {
        images,
        asked: names,
        lacking: "it has no categories, so there is nothing to ask masks for",
    }
}

/// The outcome for the images of one source.
#[derive(Default)]
struct SourceMasks {
    failed: Vec<FailedItem>,
    n_seen: usize,
    /// The number of masks, and how many of them have no label.
    n_masks: usize,
    n_unlabelled: usize,
}

/// The key of each image with its prompt.
fn keys_of<T: Serialize>(prefix: &KeyPrefix, images: &PromptedImages<'_, T>) -> Result<Vec<ContentKey>, Error> {
    let record = images.images.record;
    let items = record.items.iter().zip(&images.asked);
    let key = |((_, sha256), asked): (&(String, String), &Option<T>)| {
        let asked = serde_json::to_string(asked)
            .map_err(|error| Error::Usage(format!("what masks are of cannot be written: {error}")))?;
        Ok(prefix.key(&[&record.form, sha256, &asked]))
    };
    items.map(key).collect()
}

/// Makes the masks that the prompts ask for in the images of a source and writes `<folder>/<stem>.json`, if there is a
/// folder, and removes files of other images there. Masks in the store are not made again; without a cache, the store
/// is below `own`.
fn mask_images<O, T>(
    session: &mut Session<'_, O>,
    images: &PromptedImages<'_, T>,
    folder: Option<&Path>,
    own: &Path,
    settings: &RunSettings,
) -> Result<SourceMasks, Error>
where
    O: Observer<Item = (Image<f32>, T), Output = Masks>,
    T: Clone + Serialize + Sync,
{
    let prefix = prefix(&session.observer)?;
    let model = session.observer.identity().id.clone();
    let keys = keys_of(&prefix, images)?;
    let mut store = Files {
        // Masks of thousands of images are too much for a journal, which is read into memory.
        folder: StoreFolder::of_observer(ObservationKind::Masks.id(), &model, &own.join(BY_CONTENT), settings)?,
        read: Box::new(read_grounded_sam),
        write: |path, masks| write_grounded_sam(path, masks, ""),
    };
    let (source, record) = (images.images.source, images.images.record);
    let stage = format!("{model} {}", record.role);
    let mut sink = Keyed {
        keys: &keys,
        store: &mut store,
    };
    let Seen { failures, n_seen } = session.observe(images, &stage, &mut sink)?;
    let failed = session.executor.failed_images(&images.images, failures);
    let mut made = SourceMasks {
        failed,
        n_seen,
        ..SourceMasks::default()
    };
    let Some(folder) = folder else {
        return Ok(made);
    };
    let mut known = Vec::with_capacity(keys.len());
    for (item, (stem, key)) in source.stems().iter().zip(&keys).enumerate() {
        if let Some(masks) = store.get(key)? {
            made.n_masks += masks.items.len();
            made.n_unlabelled += masks.items.iter().filter(|mask| mask.name.is_empty()).count();
            let image = source.file_path(item).and_then(Path::file_name);
            let image = image.map_or_else(|| stem.clone().into(), |name| name.to_string_lossy());
            write_grounded_sam(&folder.join(format!("{stem}.json")), &masks, &image)?;
            known.push(stem.as_str());
        }
    }
    // Files of other images from an earlier call would be mistaken for results of this one.
    remove_others(folder, "json", known)?;
    Ok(made)
}
