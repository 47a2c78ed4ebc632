//! The forward pass.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::architectures::t5::{TextDecoder, TextEncoder};
use crate::architectures::vit::VisionTransformer;
use crate::network::{Layer, LayerKind, outputs};
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_core::Image;
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::{Perceptron, Sequences};
use neurogauge_kernels::generation::log_probabilities_of;

pub(super) struct Network {
    /// The image tower without its last block.
    pub(super) tower: VisionTransformer,
    /// The name of the tower layer whose outputs go to the encoder, except for the class token's.
    pub(super) patches: String,
    pub(super) projector: Perceptron,
    pub(super) encoder: TextEncoder,
    pub(super) decoder: TextDecoder,
    /// The token that the decoder begins with.
    pub(super) start: u32,
    /// The device and precision of the weights.
    pub(super) placement: Placement,
}

/// The ids of a prompt before and after the picture.
pub(super) struct Prompt {
    pub(super) before: Vec<u32>,
    pub(super) behind: Vec<u32>,
}

impl Network {
    /// The tower's output for a prepared picture: shape (`n_patches`, width of the tower).
    pub(super) fn patches(&self, picture: &Image<f32>) -> Result<Tensor, ModelError> {
        let layer = Layer::new(self.patches.clone(), LayerKind::TokensWithClass { n_registers: 0 });
        let images = std::slice::from_ref(picture);
        let found = outputs(&self.tower, images, &[&layer], &self.placement)?;
        let without_class = || {
            let tokens = Tensor::cat(&found, 0)?.squeeze(0)?;
            tokens.narrow(0, 1, tokens.dim(0)? - 1)?.contiguous()
        };
        without_class().map_err(ModelError::engine(ARCHITECTURE, "looking at a picture"))
    }

    /// The encoder's output for a prompt that contains a picture with these patches.
    pub(super) fn encoded(&self, patches: &Tensor, prompt: &Prompt) -> EngineResult<Tensor> {
        let embedded = Tensor::cat(
            &[
                &self.encoder.embedded(&prompt.before)?,
                &self.projector.forward(patches)?,
                &self.encoder.embedded(&prompt.behind)?,
            ],
            0,
        )?;
        let sequences = Sequences::new([embedded.dim(0)?]);
        self.encoder.encode(embedded, &sequences)
    }

    /// Natural logarithms of the probabilities of an answer's tokens, each given those before it, among the first
    /// `n_tokens` of the vocabulary.
    pub(super) fn log_probabilities(
        &self,
        picture: &Image<f32>,
        prompt: &Prompt,
        answer: &[u32],
        n_tokens: usize,
    ) -> Result<Vec<f64>, ModelError> {
        let patches = self.patches(picture)?;
        let texts = self.encoded(&patches, prompt).and_then(|encoded| {
            let sequences = Sequences::new([encoded.dim(0)?]);
            self.decoder.begin(&encoded, &sequences)
        });
        let texts = texts.map_err(ModelError::engine(ARCHITECTURE, "going through a prompt"))?;
        let found = log_probabilities_of(&self.decoder, texts, self.start, answer, n_tokens)?;
        Ok(found)
    }
}
