//! The public face of YOLO-World: loads a checkpoint and detects objects in an image.

use super::ARCHITECTURE;
use super::head::Places;
use super::network::Network;
use super::postprocess::objects;
use crate::architectures::clip::TextOfCheckpoint;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::only_for_training;
use crate::checkpoint::text_tokenizer::TextTokenizer;
use crate::observers::detection::{
    DetectionOptions, Detector, DetectorInput, GroundedBox, GroundingOptions, without_overlaps,
};
use crate::{Arithmetic, ModelError};
use candle_core::{D, Result as EngineResult, Tensor};
use neurogauge_core::parallel;
use neurogauge_core::{Detections, Image, LabelList, ModelIdentity};
use neurogauge_formats::Problem;
use neurogauge_kernels::blocks::{beside, pass_of};
use std::path::Path;

/// Prefix of the names of CLIP's text tower.
const TEXT: &str = "backbone.text_model.model.";
/// The first convolution, whose width tells the model's size.
const STEM: &str = "backbone.image_model.stem.conv.weight";
/// Ids of published models of each size, and the channels of their first convolution.
const WIDTHS: [(&str, usize); 4] =
    [("yolo_world_v2_s", 32), ("yolo_world_v2_m", 48), ("yolo_world_v2_l", 64), ("yolo_world_v2_x", 80)];

/// A YOLO-World v2: finds boxes for a list of names in one pass.
///
/// CLIP's text tower reads each name as it is, without a sentence around it. What is found for a name depends on the
/// whole list, since the maps of the image attend to the best fitting name. An object that fits several names is
/// reported several times (convention `detection-scores`). [`DetectorPreprocessing::yolo_world`] pads images to
/// squares.
///
/// The result is the same to the bit with any number of threads.
///
/// Reference: the network written in PyTorch from its description (`reference/models_yolo_world.py`; torch 2.15.0,
/// transformers 5.23.0 for the text tower) on synthetic checkpoints: maps, logits and distances within 1e-4 of a
/// standard deviation.
///
/// ```no_run
/// use neurogauge_core::{Image, LabelList, ModelIdentity};
/// use neurogauge_models::YoloWorld;
/// use neurogauge_models::detection::{DetectionOptions, Detector, DetectorPreprocessing};
/// let identity = ModelIdentity::named("yolo_world_v2_l");
/// let detector = YoloWorld::load("weights/yolo_world_v2_l/l_stage1-7d280586.pth".as_ref(), identity)?;
/// let image = Image::new(425, 425, vec![0.5_f32; 425 * 425 * 3]).unwrap();
/// let input = DetectorPreprocessing::yolo_world(640).apply(&image)?;
/// let found = detector.detect(&[input], &LabelList::coco(), &DetectionOptions::default(), &|_| {})?;
/// assert!(found[0].items.len() <= 300);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
///
/// [`DetectorPreprocessing::yolo_world`]: crate::detection::DetectorPreprocessing::yolo_world
pub struct YoloWorld {
    model: Model,
    identity: ModelIdentity,
    tokenizer: TextTokenizer,
}

impl YoloWorld {
    /// Loads the authors' `.pth` file `weights`, with `tokenizer.json` (openai/clip-vit-base-patch32's) beside it. The
    /// shapes of the tensors determine the network. `identity` identifies the weights; if it names a size, the file
    /// must have it, since published links of one size have led to the file of another.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a tokenizer of another model, a tensor that is absent,
    /// superfluous or of another shape, or a model of another size.
    pub fn load(weights: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        let checkpoint = Checkpoint::open(weights, ARCHITECTURE, Arithmetic::of(&identity))?;
        check_width(&checkpoint, weights, &identity.id)?;
        let model = Model::from_file(checkpoint)?;
        let tokenizer = model.text.tokenizer(&weights.with_file_name("tokenizer.json"))?;
        Ok(YoloWorld {
            model,
            identity,
            tokenizer,
        })
    }

    fn found(
        &self,
        images: &[DetectorInput],
        names: &[String],
        most: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Detections>, ModelError> {
        if names.is_empty() {
            progress(images.len());
            return Ok(vec![Detections::default(); images.len()]);
        }
        let ids = names.iter().enumerate().map(|(index, name)| self.tokenizer.ids(index, name));
        let names = self.model.names(&ids.collect::<Result<Vec<_>, _>>()?)?;
        let of_image = |input: &DetectorInput| {
            let places = pass_of(images.len(), || self.model.places(&input.image, &names, &mut |_, _| Ok(())))?;
            let found = objects(&places, input.image.width_px(), input.original_px, most)?;
            progress(1);
            Ok(found)
        };
        parallel::try_map_each(images, of_image)
    }
}

impl Detector for YoloWorld {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn detect(
        &self,
        images: &[DetectorInput],
        labels: &LabelList,
        options: &DetectionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Detections>, ModelError> {
        let names: Vec<String> = labels.names().iter().map(|name| options.prompt_names.written(name)).collect();
        self.found(images, &names, options.most, progress)
    }

    fn ground(
        &self,
        input: &DetectorInput,
        names: &[String],
        options: &GroundingOptions,
    ) -> Result<Vec<GroundedBox>, ModelError> {
        let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let found = self.found(std::slice::from_ref(input), &names, usize::MAX, &|_| {})?;
        let items = found.into_iter().flat_map(|found| found.items);
        let named = items.filter(|item| item.score > options.box_threshold).map(|item| {
            let is_named = item.score > options.text_threshold;
            GroundedBox {
                bbox: item.bbox,
                score: item.score,
                label: names[item.category].repeat(usize::from(is_named)),
            }
        });
        let kept = named.filter(|bbox| options.keep_unlabelled || !bbox.label.is_empty()).collect();
        Ok(match options.nms_iou {
            Some(most) => without_overlaps(kept, most),
            None => kept,
        })
    }
}

fn check_width(checkpoint: &Checkpoint, weights: &Path, id: &str) -> Result<(), ModelError> {
    let expected = WIDTHS.iter().find(|(size, _)| id.starts_with(size));
    match (expected, checkpoint.shape_of(STEM)) {
        (Some(&(_, width)), Some(&[found, ..])) if found != width => {
            let size = WIDTHS.iter().find(|(_, width)| *width == found);
            let of = size.map_or("no published size", |(size, _)| size);
            let reason =
                format!("its first convolution has {found} channels, which is {of}; expected the {width} of {id}");
            let path = weights.to_owned();
            Err(ModelError::unreadable(ARCHITECTURE, Problem::new(reason).at(path)))
        }
        _ => Ok(()),
    }
}

/// The network and the text tower.
pub(super) struct Model {
    text: TextOfCheckpoint,
    network: Network,
}

impl Model {
    /// Builds the model from a file with the published names; every tensor must be used.
    pub(super) fn from_file(checkpoint: Checkpoint) -> Result<Self, ModelError> {
        let mut checkpoint = checkpoint.renamed(|name| name.strip_prefix(TEXT).map(str::to_owned))?;
        let model = Model {
            text: TextOfCheckpoint::build(&mut checkpoint)?,
            network: Network::build(&mut checkpoint)?,
        };
        checkpoint.finish(|name| only_for_training(name) || name.ends_with("position_ids"))?;
        Ok(model)
    }

    /// A vector of length 1 for each name, which is given as token ids including the start and end tokens.
    pub(super) fn names(&self, ids: &[Vec<u32>]) -> Result<Tensor, ModelError> {
        let unit = |x: Tensor| -> EngineResult<Tensor> { x.broadcast_div(&x.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?) };
        self.text.vectors(ids).and_then(unit).map_err(ModelError::engine(ARCHITECTURE, "reading the names"))
    }

    /// The head's outputs for a prepared image; `seen` gets the maps, by name.
    pub(super) fn places(
        &self,
        image: &Image<f32>,
        names: &Tensor,
        seen: &mut dyn FnMut(&str, &Tensor) -> EngineResult<()>,
    ) -> Result<Places, ModelError> {
        let shape = (1, image.height_px(), image.width_px(), 3);
        beside(names, image.data().to_vec(), shape)
            .and_then(|image| self.network.forward(&image, names, seen))
            .map_err(ModelError::engine(ARCHITECTURE, "looking for the names"))
    }
}
