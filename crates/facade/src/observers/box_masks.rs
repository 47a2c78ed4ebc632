//! Segmenters prompted by given boxes: masks from images and boxes.

use super::masks::{mask_files, prompt_in_key, write_masks};
use super::{About, Observer};
use crate::Error;
use crate::execute::{Found, PromptedImages, SourceItems, StepContext, StepObserver, StepResult};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::{BoxXyxy, Image, ImageSet, InstanceMask, LabelList, Masks, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::Problem;
use neurogauge_formats::detections::{BoxUnits, DetectionSource};
use neurogauge_formats::item_source::ItemSource;
use neurogauge_formats::store::Store;
use neurogauge_models::ModelError;
use neurogauge_models::segmentation::{LocalSegmenter, MaskPrompt, Segmenter, SegmenterInput, SegmenterPreprocessing};
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct GivenBox {
    label: String,
    #[serde(serialize_with = "corners")]
    bbox: BoxXyxy,
}

fn corners<S: Serializer>(bbox: &BoxXyxy, serializer: S) -> Result<S::Ok, S::Error> {
    bbox.edges().serialize(serializer)
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct BoxMaskRecipe {
    pub(crate) model: ModelIdentity,
    pub(crate) preprocessing: SegmenterPreprocessing,
}

/// A segmenter whose weights are on this machine.
pub(crate) struct BoxMaskObserver {
    recipe: BoxMaskRecipe,
    segmenter: LocalSegmenter,
    boxes: PathBuf,
    units: Option<BoxUnits>,
    labels: LabelList,
}

impl BoxMaskObserver {
    /// Finds the weights; missing ones are downloaded if allowed.
    pub(crate) fn find(
        model: &str,
        (boxes, units, labels): (&Path, Option<BoxUnits>, &LabelList),
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let segmenter: LocalSegmenter = obtain(model, settings, progress)?;
        Ok(BoxMaskObserver {
            recipe: BoxMaskRecipe {
                model: segmenter.identity().clone(),
                preprocessing: segmenter.preprocessing(),
            },
            segmenter,
            boxes: boxes.to_owned(),
            units,
            labels: labels.clone(),
        })
    }
}

impl Observer for BoxMaskObserver {
    type Item = (Image<f32>, Vec<GivenBox>);
    type Recipe = BoxMaskRecipe;
    type Model = dyn Segmenter;
    type Input = (SegmenterInput, Vec<GivenBox>);
    type Output = Masks;

    const ABOUT: About = About::of("box_masks", "0.1.0", ObservationKind::Masks, 2);

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &BoxMaskRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<dyn Segmenter>, Error> {
        Ok(self.segmenter.load()?)
    }

    fn prepare(&self, (image, boxes): Self::Item) -> Result<Self::Input, ModelError> {
        Ok((self.recipe.preprocessing.apply(&image)?, boxes))
    }

    fn observe(
        &self,
        segmenter: &dyn Segmenter,
        inputs: &[Self::Input],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Masks>, ModelError> {
        let masks = inputs.iter().map(|(image, boxes)| {
            let prompts: Vec<MaskPrompt> = (boxes.iter()).map(|given| MaskPrompt::Box(given.bbox)).collect();
            let predicted = segmenter.segment(image, &prompts)?;
            let (width_px, height_px) = image.original_px;
            let items = boxes.iter().zip(predicted).map(|(given, predicted)| InstanceMask {
                name: given.label.clone(),
                score: predicted.score,
                bbox: given.bbox,
                mask: predicted.mask,
            });
            progress(1);
            Ok(Masks::of((width_px as u32, height_px as u32), items.collect(), None))
        });
        masks.collect()
    }
}

/// The image size for boxes that are given as shares of the image.
const SHARES: (f64, f64) = (1.0, 1.0);

impl StepObserver for BoxMaskObserver {
    fn reads(&self, of: ImageSet) -> Vec<Role> {
        vec![Role::new(of, ObservationKind::Images)]
    }

    /// Boxes are labelled with the names of categories. An image without a file of boxes is an error.
    fn items<'a>(&self, step: &StepContext<'a>, of: ImageSet) -> Result<Option<SourceItems<'a, Self::Item>>, Error> {
        let Some(images) = step.inputs.images(of) else {
            return Ok(None);
        };
        let mut source = DetectionSource::open(&self.boxes, &self.labels, SHARES)?;
        if self.units == Some(BoxUnits::Shares) {
            source.set_shares(SHARES);
        }
        let stems = images.source.stems().iter().enumerate();
        let asked = stems.map(|(index, stem)| {
            let place = source.stems().iter().position(|known| known == stem).ok_or_else(|| {
                let expected =
                    format!("boxes for every image of {}; {stem:?} has none", images.source.path().display());
                Error::from(Problem::not_found(expected).at(&self.boxes))
            })?;
            let found = source.load(place)?;
            let (width, height) = match found.image_size_px == Some(SHARES) {
                true => {
                    let image = images.source.load(index)?;
                    (image.width_px() as f64, image.height_px() as f64)
                }
                false => (1.0, 1.0),
            };
            let given = found.items.into_iter().map(|object| GivenBox {
                label: self.labels.names()[object.category].clone(),
                bbox: BoxXyxy::of(std::array::from_fn(|edge| object.bbox.edges()[edge] * [width, height][edge % 2])),
            });
            Ok(Some(given.collect()))
        });
        let prompted = PromptedImages {
            asked: asked.collect::<Result<_, Error>>()?,
            images,
            lacking: "it has no boxes, so there is nothing to make masks of",
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
