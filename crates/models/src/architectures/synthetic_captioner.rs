//! Captioners with synthetic weights.

use super::{blip2, git};
use crate::checkpoint::Checkpoint;
use crate::observers::captioning::{CaptionNetwork, CaptionWriter, CaptionerMemory};
use crate::{Arithmetic, CaptionOptions, ImageModel, ModelError};
use neurogauge_core::{Image, ModelIdentity};
use std::sync::Arc;

/// A network with the weights of the synthetic checkpoint 0: for proofs and for timing. Its captions mean nothing.
pub struct SyntheticCaptioner {
    writer: CaptionWriter,
    tensors: Vec<(String, Vec<usize>)>,
}

impl SyntheticCaptioner {
    /// A [`Git`](crate::Git) of the shape that a `config.json` describes, in this arithmetic.
    ///
    /// # Errors A configuration that is malformed or of something else; a device that
    /// [`DeviceChoice::check`](crate::DeviceChoice::check) refuses.
    ///
    /// ```
    /// use neurogauge_models::{Arithmetic, SyntheticCaptioner};
    /// let config = r#"{
    ///     "vision_config": {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 1,
    ///                       "intermediate_size": 90, "patch_size": 10, "image_size": 20},
    ///     "vocab_size": 30, "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2,
    ///     "intermediate_size": 40, "max_position_embeddings": 10, "bos_token_id": 1, "eos_token_id": 2
    /// }"#;
    /// let git = SyntheticCaptioner::git(config, Arithmetic::default())?;
    /// let image = neurogauge_core::Image::new(20, 20, vec![0.5_f32; 20 * 20 * 3]).unwrap();
    /// let logits = git.logits(&[image], &[1, 7])?;
    /// assert_eq!((logits.len(), logits[0].len()), (2, 30));
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn git(config: &str, arithmetic: Arithmetic) -> Result<Self, ModelError> {
        Self::new::<git::Config>("git-synthetic", config, arithmetic, CaptionerMemory::Whole)
    }

    /// A [`Blip2`](crate::Blip2) of the shape that a `config.json` describes, in this arithmetic.
    ///
    /// # Errors A configuration that is malformed or of something else; a device that
    /// [`DeviceChoice::check`](crate::DeviceChoice::check) refuses.
    ///
    /// ```
    /// use neurogauge_models::{Arithmetic, CaptionerMemory, SyntheticCaptioner};
    /// let config = r#"{
    ///     "vision_config": {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2,
    ///                       "intermediate_size": 30, "patch_size": 10, "image_size": 20},
    ///     "qformer_config": {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    ///                        "intermediate_size": 20},
    ///     "text_config": {"vocab_size": 30, "hidden_size": 12, "num_hidden_layers": 1,
    ///                     "num_attention_heads": 2, "ffn_dim": 20, "max_position_embeddings": 10},
    ///     "num_query_tokens": 3
    /// }"#;
    /// let blip2 = SyntheticCaptioner::blip2(config, Arithmetic::default(), CaptionerMemory::Whole)?;
    /// let image = neurogauge_core::Image::new(20, 20, vec![0.5_f32; 20 * 20 * 3]).unwrap();
    /// let logits = blip2.logits(&[image], &[2, 7])?;
    /// assert_eq!((logits.len(), logits[0].len()), (2, 30));
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn blip2(config: &str, arithmetic: Arithmetic, memory: CaptionerMemory) -> Result<Self, ModelError> {
        Self::new::<blip2::Config>("blip2-synthetic", config, arithmetic, memory)
    }

    fn new<C: CaptionNetwork>(
        id: &str,
        config: &str,
        arithmetic: Arithmetic,
        memory: CaptionerMemory,
    ) -> Result<Self, ModelError> {
        let config = C::from_text(config)?;
        let open = move || Checkpoint::synthetic(0, &[], C::ARCHITECTURE).computed(arithmetic);
        let identity = ModelIdentity::placeholder(id, "synthetic checkpoint 0");
        let (writer, checkpoint) = config.writer(identity, memory, open)?;
        Ok(SyntheticCaptioner {
            writer,
            tensors: checkpoint.taken().to_vec(),
        })
    }

    /// Names and shapes of the tensors that the network took.
    pub fn tensors(&self) -> &[(String, Vec<usize>)] {
        &self.tensors
    }

    /// The image encoder up to the tokens that the decoder gets: `visual_projection` of GIT, `language_projection` of
    /// BLIP-2.
    ///
    /// # Errors
    /// Errors of reading the encoder, if it is not in memory.
    pub fn encoder(&self) -> Result<Arc<dyn ImageModel>, ModelError> {
        Ok(self.writer.parts.encoder.get()?)
    }

    /// The logits after each of these ids, which are written in turn for every image: one row-major matrix of shape
    /// (image, word) for each id.
    ///
    /// # Errors
    /// Images of a size that the model does not take; ids outside its vocabulary.
    pub fn logits(&self, images: &[Image<f32>], ids: &[u32]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.writer.logits(images, ids)
    }

    /// The ids of each image's caption, without the start id; the end id is included if the caption reached it.
    ///
    /// # Errors
    /// As in [`Captioner::caption`](crate::Captioner::caption).
    pub fn ids(&self, images: &[Image<f32>], options: &CaptionOptions) -> Result<Vec<Vec<u32>>, ModelError> {
        self.writer.ids(images, options, &|_| {})
    }
}
