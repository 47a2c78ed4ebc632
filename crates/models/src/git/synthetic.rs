//! A GIT with synthetic weights.

use super::ARCHITECTURE;
use super::captioner::writer;
use super::config::Config;
use super::decoder::TextDecoder;
use super::encoder::ImageEncoder;
use crate::caption_writer::CaptionWriter;
use crate::checkpoint::Checkpoint;
use crate::{CaptionOptions, ImageModel, ModelError};
use neurogauge_core::{Image, ModelIdentity};

/// A network with the weights of the synthetic checkpoint 0: for proofs and for timing. What it says about images means
/// nothing.
///
/// ```
/// use neurogauge_models::SyntheticGit;
/// let config = r#"{
///     "vision_config": {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 1,
///                       "intermediate_size": 90, "patch_size": 10, "image_size": 20},
///     "vocab_size": 30, "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2,
///     "intermediate_size": 40, "max_position_embeddings": 10, "bos_token_id": 1, "eos_token_id": 2
/// }"#;
/// let git = SyntheticGit::new(config)?;
/// let image = neurogauge_core::Image::new(20, 20, vec![0.5_f32; 20 * 20 * 3]).unwrap();
/// let logits = git.logits(&[image], &[1, 7])?;
/// assert_eq!((logits.len(), logits[0].len()), (2, 30));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct SyntheticGit {
    writer: CaptionWriter<ImageEncoder, TextDecoder>,
    tensors: Vec<(String, Vec<usize>)>,
}

impl SyntheticGit {
    /// Of the shape that a `config.json` describes.
    ///
    /// # Errors
    /// A configuration that is malformed or of something else.
    pub fn new(config: &str) -> Result<Self, ModelError> {
        let config = Config::from_text(config)?;
        let mut checkpoint = Checkpoint::synthetic(0, &[], ARCHITECTURE);
        let identity = ModelIdentity {
            id: "git-synthetic".to_owned(),
            revision: "synthetic checkpoint 0".to_owned(),
            sha256: String::new(),
            stand_in: true,
        };
        Ok(SyntheticGit {
            writer: writer(&mut checkpoint, &config, identity)?,
            tensors: checkpoint.taken().to_vec(),
        })
    }

    /// Names and shapes of the tensors that it took.
    pub fn tensors(&self) -> &[(String, Vec<usize>)] {
        &self.tensors
    }

    /// The image encoder and the projection behind it, `visual_projection`.
    pub fn encoder(&self) -> &dyn ImageModel {
        &self.writer.encoder
    }

    /// The logits behind each of these ids, written one after the other for every image: one matrix for each id,
    /// row-major, shape (image, word).
    ///
    /// # Errors
    /// Images of another size than the model takes; ids that it does not have.
    pub fn logits(&self, images: &[Image<f32>], ids: &[u32]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.writer.logits(images, ids)
    }

    /// The ids of each image's caption, without the start id, the end id last where it came.
    ///
    /// # Errors
    /// Those of [`Captioner::caption`](crate::Captioner::caption).
    pub fn ids(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
    ) -> Result<Vec<Vec<u32>>, ModelError> {
        self.writer.ids(images, options)
    }
}
