//! A SAM 2 with synthetic weights.

use super::ARCHITECTURE;
use super::config::Config;
use super::model::Model;
use crate::checkpoint::Checkpoint;
use crate::network::PartOutput;
use crate::observers::segmentation::{MaskPrompt, PredictedMask, SegmenterInput};
use crate::{Arithmetic, ModelError};
use neurogauge_core::Image;
use neurogauge_kernels::blocks::host_values;
use std::path::{Path, PathBuf};

/// A network with the weights of the synthetic checkpoint 0: for proofs and for timing. Its outputs mean nothing.
///
/// ```
/// use neurogauge_core::{BoxXyxy, Image};
/// use neurogauge_models::SyntheticSam2;
/// use neurogauge_models::segmentation::{MaskPrompt, SegmenterInput};
/// let config = r#"{
///     "n_channels": 8, "blocks": [1, 1, 1, 1], "heads": [1, 2, 2, 4], "windows": [8, 4, 14, 7],
///     "global_blocks": [], "background": 7, "image_px": 64, "width": 64, "n_inner": 32
/// }"#;
/// let segmenter = SyntheticSam2::new(config, &[])?;
/// let image = Image::new(64, 64, vec![0.5_f32; 64 * 64 * 3]).unwrap();
/// let input = SegmenterInput { image, original_px: (30, 20) };
/// let whole = MaskPrompt::Box(BoxXyxy { x0: 0.0, y0: 0.0, x1: 30.0, y1: 20.0 });
/// let masks = segmenter.segment(&input, &[whole])?;
/// assert_eq!((masks[0].mask.width_px(), masks[0].mask.height_px()), (30, 20));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct SyntheticSam2(Model);

impl SyntheticSam2 {
    /// A network of the shape that `config` describes in JSON: `n_channels`, `blocks`, `heads`, `windows`,
    /// `global_blocks`, `background`, `image_px`, `width`, `n_inner`. `damped` pairs name suffixes with factors that
    /// such tensors are multiplied by.
    ///
    /// # Errors
    /// A configuration that is malformed.
    pub fn new(config: &str, damped: &[(String, f32)]) -> Result<Self, ModelError> {
        let checkpoint = Checkpoint::synthetic(0, damped, ARCHITECTURE);
        Model::synthetic(checkpoint, read(config)?).map(SyntheticSam2)
    }

    /// A network with the shape of a published model.
    ///
    /// # Errors
    /// [`ModelError::UnknownModel`].
    pub fn published(id: &str, damped: &[(String, f32)], arithmetic: Arithmetic) -> Result<Self, ModelError> {
        let entry = crate::find(id)?;
        let unknown = || ModelError::unknown_model(id, ["sam2.1_hiera_large"], "the models of SAM 2");
        let config = Config::of(entry.id).ok_or_else(unknown)?;
        let checkpoint = Checkpoint::synthetic(0, damped, ARCHITECTURE);
        Model::synthetic(checkpoint.computed(arithmetic)?, config).map(SyntheticSam2)
    }

    /// Builds the network from a file with tensors of these names and shapes, in any known format.
    ///
    /// # Errors
    /// As in [`Sam2::load`](crate::Sam2::load).
    pub fn of_file(
        config: &str,
        tensors: Vec<(String, Vec<usize>)>,
        damped: &[(String, f32)],
        arithmetic: Arithmetic,
    ) -> Result<Self, ModelError> {
        let path = PathBuf::from("synthetic.safetensors");
        let checkpoint = Checkpoint::synthetic_file(path, tensors, 0, damped, ARCHITECTURE)?;
        Model::from_file(checkpoint.computed(arithmetic)?, read(config)?).map(SyntheticSam2)
    }

    /// Encodes a prepared image without any prompt: returns the map that prompts would be compared with, position by
    /// position.
    ///
    /// # Errors
    /// An image of another size.
    pub fn embed(&self, image: &Image<f32>) -> Result<Vec<f32>, ModelError> {
        let mut map = Vec::new();
        self.0.embed(image, &mut |name, tensor| {
            if name == "embedding" {
                map = host_values(tensor)?;
            }
            Ok(())
        })?;
        Ok(map)
    }

    /// Like [`Segmenter::segment`](crate::segmentation::Segmenter::segment), with the same errors.
    pub fn segment(&self, input: &SegmenterInput, prompts: &[MaskPrompt]) -> Result<Vec<PredictedMask>, ModelError> {
        self.0.segment(input, prompts, &mut |_, _| Ok(()))
    }

    /// Like `segment`, but also returns the outputs of the network's parts: `stage.N` of the trunk, `feature.0`,
    /// `feature.1` and `embedding` (the maps that the decoder reads), `sparse` (the tokens of the prompts), `iou` and
    /// `logits` of all four masks.
    ///
    /// # Errors
    /// As in [`segment`](Self::segment).
    pub fn outputs(
        &self,
        input: &SegmenterInput,
        prompts: &[MaskPrompt],
    ) -> Result<(Vec<PredictedMask>, Vec<PartOutput>), ModelError> {
        let mut outputs = Vec::new();
        let found = self.0.segment(input, prompts, &mut |name, tensor| {
            outputs.push((name.to_owned(), host_values(tensor)?, tensor.dims().to_vec()));
            Ok(())
        })?;
        Ok((found, outputs))
    }
}

fn read(config: &str) -> Result<Config, ModelError> {
    serde_json::from_str(config).map_err(|error| ModelError::malformed(Path::new("config.json"), error))
}
