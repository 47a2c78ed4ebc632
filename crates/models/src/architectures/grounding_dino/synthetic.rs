//! A Grounding DINO with synthetic weights.

use super::ARCHITECTURE;
use super::config::Config;
use super::detector::Model;
use super::transformers_names::TRANSFORMERS;
use super::weights::build;
use crate::checkpoint::Checkpoint;
use crate::network::PartOutput;
use crate::observers::detection::{PromptTokens, RawDetections};
use crate::{Arithmetic, ModelError};
use neurogauge_core::Image;
use neurogauge_kernels::blocks::host_values;
use std::path::{Path, PathBuf};

/// A network with the weights of the synthetic checkpoint 0: for proofs and for timing. Its outputs mean nothing.
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::{Arithmetic, SyntheticGroundingDino};
/// use neurogauge_models::detection::PromptTokens;
/// let config = r#"{
///     "model_type": "mm-grounding-dino", "d_model": 32, "num_queries": 5, "encoder_layers": 1,
///     "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "num_feature_levels": 2,
///     "backbone_config": {"embed_dim": 8, "depths": [1, 1], "num_heads": [1, 2], "out_indices": [2]},
///     "text_config": {"vocab_size": 1030, "hidden_size": 8, "num_hidden_layers": 1,
///                     "num_attention_heads": 2, "intermediate_size": 8}
/// }"#;
/// let detector = SyntheticGroundingDino::new(config, Arithmetic::default())?;
/// let image = Image::new(30, 20, vec![0.5_f32; 30 * 20 * 3]).unwrap();
/// let prompt = PromptTokens { ids: vec![101, 7, 1012, 102] };
/// let found = detector.detect(&image, &prompt)?;
/// assert_eq!((found.boxes.len(), found.logits.len()), (5, 20));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct SyntheticGroundingDino(Model);

impl SyntheticGroundingDino {
    /// A network of the shape that a `config.json` describes, with transformers' names.
    ///
    /// # Errors
    /// A configuration that is malformed or of something else.
    pub fn new(config: &str, arithmetic: Arithmetic) -> Result<Self, ModelError> {
        let config = Config::from_text(config)?;
        let mut checkpoint = Checkpoint::synthetic(0, &[], ARCHITECTURE)
            .computed(arithmetic)?
            .named_as_by(&TRANSFORMERS)
            .sharing_rows();
        let network = build(&mut checkpoint, &config)?;
        Ok(SyntheticGroundingDino(Model::new(network, config)))
    }

    /// Builds the network from a file with tensors of these names and shapes, in any known format. Without a
    /// configuration the shapes determine it, as for an mmdetection checkpoint. `damped` pairs name suffixes with
    /// factors that such tensors are multiplied by.
    ///
    /// # Errors
    /// As in [`GroundingDino::load`](crate::GroundingDino::load).
    pub fn of_file(
        config: Option<&str>,
        tensors: Vec<(String, Vec<usize>)>,
        damped: &[(String, f32)],
        arithmetic: Arithmetic,
    ) -> Result<Self, ModelError> {
        let path = PathBuf::from("synthetic.safetensors");
        let checkpoint = Checkpoint::synthetic_file(path.clone(), tensors, 0, damped, ARCHITECTURE)?;
        Self::of(config, checkpoint.computed(arithmetic)?, &path)
    }

    /// Builds the network from these tensors: names, shapes, values.
    ///
    /// # Errors
    /// As in [`GroundingDino::load`](crate::GroundingDino::load).
    pub fn of_tensors(config: Option<&str>, tensors: Vec<(String, Vec<usize>, Vec<f32>)>) -> Result<Self, ModelError> {
        let checkpoint = Checkpoint::from_tensors(tensors, ARCHITECTURE)?;
        Self::of(config, checkpoint, Path::new("tensors in memory"))
    }

    fn of(config: Option<&str>, checkpoint: Checkpoint, path: &Path) -> Result<Self, ModelError> {
        let config = match config {
            Some(config) => Config::from_text(config)?,
            None => Config::of_mmdetection(&checkpoint, path)?,
        };
        Model::from_file(checkpoint, config).map(SyntheticGroundingDino)
    }

    /// Like [`GroundingDino::detect`](crate::GroundingDino::detect), with the same errors.
    pub fn detect(&self, image: &Image<f32>, tokens: &PromptTokens) -> Result<RawDetections, ModelError> {
        self.0.detect(image, tokens, &mut |_, _| Ok(()))
    }

    /// Like `detect`, but also returns the outputs of the network's parts: `backbone.N` (for the maps that are used),
    /// `vision` and `text` before the enhancer and `vision.N` and `text.N` after its layers, `proposals` (the boxes
    /// that the queries start from), `decoder.N` (normalised).
    ///
    /// # Errors
    /// As in [`detect`](Self::detect).
    pub fn outputs(
        &self,
        image: &Image<f32>,
        tokens: &PromptTokens,
    ) -> Result<(RawDetections, Vec<PartOutput>), ModelError> {
        let mut outputs = Vec::new();
        let found = self.0.detect(image, tokens, &mut |name, tensor| {
            outputs.push((name.to_owned(), host_values(tensor)?, tensor.dims().to_vec()));
            Ok(())
        })?;
        Ok((found, outputs))
    }
}
