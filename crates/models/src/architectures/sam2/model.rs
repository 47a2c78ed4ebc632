//! The public face of SAM 2: loads a checkpoint and makes masks for boxes and points.

use super::config::{Config, N_MASKS};
use super::image_encoder::{Embedding, ImageEncoder};
use super::mask_decoder::{Chosen, ENLARGEMENT, MaskDecoder};
use super::original_names::{SECOND_FREQUENCIES, is_left_over};
use super::prompt_encoder::PromptEncoder;
use super::weights::{FREQUENCIES, build};
use super::{ARCHITECTURE, FORMATS};
use crate::checkpoint::Checkpoint;
use crate::observers::preprocess::check_finite;
use crate::observers::segmentation::{MaskPrompt, PredictedMask, Segmenter, SegmenterInput, enlarged_mask};
use crate::{Arithmetic, ModelError};
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::blocks::{beside, host_values};
use std::path::Path;

/// Prompts that the decoder processes together; each needs 30 MB.
const BATCH: usize = 8;

/// A SAM 2 or SAM 2.1 for images: a mask for each prompt, a box or points.
///
/// The image is encoded once, regardless of the number of prompts. The network makes four masks for a prompt. The first
/// is taken if it is stable, otherwise the one of the other three with the largest predicted overlap (convention
/// `mask-choice`). All threads share the work on an image; the result is the same to the bit with any number of them,
/// and does not depend on the other prompts.
///
/// Reference: transformers 5.23.0 `Sam2Model` (torch 2.15.0) on synthetic checkpoints: maps, predicted overlaps and
/// logits within 1e-4 of a standard deviation, masks equal except where a logit is that close to 0.
///
/// ```no_run
/// use neurogauge_core::{BoxXyxy, Image, ModelIdentity};
/// use neurogauge_models::Sam2;
/// use neurogauge_models::segmentation::{MaskPrompt, Segmenter, SegmenterInput};
/// let identity = ModelIdentity::named("sam2.1_hiera_tiny");
/// let weights = "weights/sam2.1_hiera_tiny.pt";
/// let segmenter = Sam2::load("sam2.1_hiera_tiny", weights.as_ref(), identity)?;
/// let image = Image::new(1024, 1024, vec![0.0_f32; 1024 * 1024 * 3]).unwrap();
/// let input = SegmenterInput { image, original_px: (425, 425) };
/// let whole = BoxXyxy { x0: 10.0, y0: 10.0, x1: 300.0, y1: 200.0 };
/// let masks = segmenter.segment(&input, &[MaskPrompt::Box(whole)])?;
/// assert_eq!(masks[0].mask.width_px(), 425);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct Sam2 {
    model: Model,
    identity: ModelIdentity,
}

impl Sam2 {
    /// Loads the checkpoint in the file `weights`: SAM 2's own `.pt`, or transformers' safetensors. `model` is the id
    /// of the published model with the same network shape; `identity` identifies the weights.
    ///
    /// # Errors
    /// An id of another model; a file that is missing, cut short or malformed; a tensor that is absent, superfluous or
    /// of another shape.
    pub fn load(model: &str, weights: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        let config = Config::of(model).ok_or_else(|| {
            let known = "those that sam2_hiera_ and sam2.1_hiera_ begin, of the sizes tiny, small, base_plus and large";
            ModelError::unknown_model(model, ["sam2.1_hiera_large"], known)
        })?;
        let checkpoint = Checkpoint::open(weights, ARCHITECTURE, Arithmetic::of(&identity))?;
        Ok(Sam2 {
            model: Model::from_file(checkpoint, config)?,
            identity,
        })
    }
}

/// The masks that the network makes for a prompt, in the network's order.
pub(crate) struct Candidates {
    pub(crate) overlaps: Vec<f32>,
    /// Logits of each mask row by row, before it is enlarged.
    pub(crate) logits: Vec<Vec<f32>>,
    /// Index of the chosen mask.
    pub(crate) chosen: usize,
}

impl Sam2 {
    /// For each prompt: all masks, what the choice depends on, and the chosen one.
    pub(crate) fn candidates(
        &self,
        input: &SegmenterInput,
        prompts: &[MaskPrompt],
    ) -> Result<Vec<Candidates>, ModelError> {
        let (mut overlaps, mut logits) = (Vec::new(), Vec::new());
        let found = self.model.segment(input, prompts, &mut |name, tensor| {
            let values = || host_values(tensor);
            match name {
                "iou" => overlaps.extend(values()?),
                "logits" => logits.extend(values()?),
                _ => {}
            }
            Ok(())
        })?;
        let side = ENLARGEMENT * self.model.config.side();
        let masks: Vec<Vec<f32>> = logits.chunks(side * side).map(<[f32]>::to_vec).collect();
        let all = overlaps.chunks(N_MASKS).zip(masks.chunks(N_MASKS));
        let each = all.zip(found).map(|((overlaps, logits), found)| Candidates {
            overlaps: overlaps.to_vec(),
            logits: logits.to_vec(),
            chosen: found.candidate,
        });
        Ok(each.collect())
    }

    /// A network with synthetic weights, as if it had been read.
    #[cfg(test)]
    pub(crate) fn synthetic(config: &str) -> Self {
        let checkpoint = Checkpoint::synthetic(0, &[], ARCHITECTURE);
        let config = serde_json::from_str(config).unwrap();
        Sam2 {
            model: Model::synthetic(checkpoint, config).unwrap(),
            identity: ModelIdentity::placeholder("sam2.1_hiera_tiny", "synthetic"),
        }
    }
}

impl Segmenter for Sam2 {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn segment(&self, input: &SegmenterInput, prompts: &[MaskPrompt]) -> Result<Vec<PredictedMask>, ModelError> {
        self.model.segment(input, prompts, &mut |_, _| Ok(()))
    }
}

pub(super) struct Network {
    pub(super) image_encoder: ImageEncoder,
    pub(super) prompt_encoder: PromptEncoder,
    pub(super) mask_decoder: MaskDecoder,
}

/// Refuses a file that has the position frequencies a second time, under the prompt encoder's name, with other values:
/// the network uses the same ones for images and prompts.
fn refuse_other_frequencies(checkpoint: &mut Checkpoint, frequencies: &[f32]) -> Result<(), ModelError> {
    let Some(shape) = checkpoint.shape_of(SECOND_FREQUENCIES) else {
        return Ok(());
    };
    let shape = shape.to_vec();
    match checkpoint.take_values(SECOND_FREQUENCIES, &shape)? == frequencies {
        true => Ok(()),
        false => Err(checkpoint.contradiction(FREQUENCIES, SECOND_FREQUENCIES)),
    }
}

/// A network with its configuration.
pub(super) struct Model {
    network: Network,
    config: Config,
}

impl Model {
    /// Builds the network from a file in one of the known formats; every tensor must be used.
    pub(super) fn from_file(checkpoint: Checkpoint, config: Config) -> Result<Self, ModelError> {
        let mut checkpoint = checkpoint.in_format_of(&FORMATS)?.sharing_rows();
        let network = build(&mut checkpoint, &config)?;
        refuse_other_frequencies(&mut checkpoint, &network.prompt_encoder.frequencies)?;
        checkpoint.finish(is_left_over)?;
        Ok(Model { network, config })
    }

    /// Builds the network from a checkpoint that has every requested tensor.
    pub(super) fn synthetic(checkpoint: Checkpoint, config: Config) -> Result<Self, ModelError> {
        let mut checkpoint = checkpoint.sharing_rows();
        let network = build(&mut checkpoint, &config)?;
        Ok(Model { network, config })
    }

    /// Makes masks; `seen` gets the outputs of the network's parts, by name.
    pub(super) fn segment(
        &self,
        input: &SegmenterInput,
        prompts: &[MaskPrompt],
        seen: &mut dyn FnMut(&str, &Tensor) -> EngineResult<()>,
    ) -> Result<Vec<PredictedMask>, ModelError> {
        self.check(input, prompts)?;
        if prompts.is_empty() {
            return Ok(Vec::new());
        }
        let embedding = self.embed(&input.image, &mut *seen)?;
        let like = &self.network.mask_decoder.first_tokens;
        let mut found = Vec::with_capacity(prompts.len());
        for alike in prompts.chunk_by(|a, b| PromptEncoder::n_tokens(a) == PromptEncoder::n_tokens(b)) {
            for batch in alike.chunks(BATCH) {
                neurogauge_core::stopping::stop_if_asked();
                let tokens = (batch.iter())
                    .flat_map(|prompt| self.network.prompt_encoder.tokens(prompt, input.original_px))
                    .collect();
                let shape = (batch.len(), PromptEncoder::n_tokens(&batch[0]), self.config.width);
                let masks = beside(like, tokens, shape)
                    .and_then(|tokens| {
                        seen("sparse", &tokens)?;
                        self.network.mask_decoder.forward(&embedding, &tokens, &mut *seen)
                    })
                    .map_err(ModelError::engine(ARCHITECTURE, "making masks"))?;
                for mask in masks {
                    found.push(self.mask(&mask, found.len(), input.original_px)?);
                }
            }
        }
        Ok(found)
    }

    /// The embedding of an image, independent of prompts.
    pub(super) fn embed(
        &self,
        image: &Image<f32>,
        seen: &mut dyn FnMut(&str, &Tensor) -> EngineResult<()>,
    ) -> Result<Embedding, ModelError> {
        let px = self.config.image_px;
        let like = &self.network.mask_decoder.first_tokens;
        beside(like, image.data().to_vec(), (1, px, px, 3))
            .and_then(|image| self.network.image_encoder.forward(&image, seen))
            .map_err(ModelError::engine(ARCHITECTURE, "making maps of the image"))
    }

    fn mask(
        &self,
        Chosen {
            logits,
            overlap,
            candidate,
        }: &Chosen,
        prompt: usize,
        original_px: (usize, usize),
    ) -> Result<PredictedMask, ModelError> {
        if !overlap.is_finite() || !logits.iter().all(|logit| logit.is_finite()) {
            return Err(ModelError::item(format_args!(
                "{ARCHITECTURE}: the mask of prompt {prompt} has logits that are not numbers; are the weights sound?"
            )));
        }
        Ok(PredictedMask {
            mask: enlarged_mask(logits, ENLARGEMENT * self.config.side(), original_px)?,
            score: f64::from(*overlap),
            candidate: *candidate,
        })
    }

    fn check(&self, input: &SegmenterInput, prompts: &[MaskPrompt]) -> Result<(), ModelError> {
        let px = self.config.image_px;
        let (width_px, height_px) = (input.image.width_px(), input.image.height_px());
        if (width_px, height_px) != (px, px) {
            let expected = format_args!("{px} x {px} px, as it is prepared");
            return Err(ModelError::image_size(ARCHITECTURE, 0, (width_px, height_px), expected));
        }
        check_finite(&input.image)?;
        for (index, prompt) in prompts.iter().enumerate() {
            if let Some(reason) = prompt.fault() {
                return Err(ModelError::mask_prompt(index, reason));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_that_are_there_twice_must_be_the_same() {
        let frequencies = [0.5_f32, -1.0];
        for (second, is_same) in [([0.5_f32, -1.0], true), ([0.5, 1.0], false)] {
            let tensor = (SECOND_FREQUENCIES.to_owned(), vec![2, 1], second.to_vec());
            let mut checkpoint = Checkpoint::from_tensors(vec![tensor], ARCHITECTURE).unwrap();
            let found = refuse_other_frequencies(&mut checkpoint, &frequencies);
            assert_eq!(found.is_ok(), is_same);
        }
        let mut none = Checkpoint::from_tensors(Vec::new(), ARCHITECTURE).unwrap();
        assert!(refuse_other_frequencies(&mut none, &frequencies).is_ok());
    }
}
