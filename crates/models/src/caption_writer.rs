//! What captioners have in common: images become tokens, behind which a decoder writes.

use crate::blocks::PrefixedTexts;
use crate::generation::{Decoder, EarlyStopping, GenerationOptions, generate};
use crate::vision_model::{Network, VisionModel};
use crate::{CaptionOptions, ImageModel, LayerRequest, ModelError, Pooling};
use candle_core::{Device, Result as EngineResult, Tensor};
use neurogauge_core::{Image, ModelIdentity};

/// A decoder whose texts stand behind the tokens of an image.
pub(crate) trait CaptionDecoder: Decoder<State = PrefixedTexts> {
    /// Features of a token.
    fn width(&self) -> usize;

    /// A row for each image, none of which has a text yet. `tokens` are those of the images, end to end, `n_tokens`
    /// each: shape (token, feature).
    fn begin(&self, tokens: Tensor, n_tokens: usize) -> EngineResult<PrefixedTexts>;
}

/// An image encoder and a decoder.
pub(crate) struct CaptionWriter<N, D> {
    pub(crate) encoder: VisionModel<N>,
    pub(crate) decoder: D,
    /// The encoder's layer that gives the tokens.
    pub(crate) tokens: &'static str,
    /// What a text begins with.
    pub(crate) start: u32,
    /// What ends it.
    pub(crate) ends: Vec<u32>,
    /// As many tokens as it has positions for, the start not among them.
    pub(crate) max_new_tokens: usize,
}

impl<N: Network, D: CaptionDecoder> CaptionWriter<N, D> {
    /// Which model this is.
    pub(crate) fn identity(&self) -> &ModelIdentity {
        self.encoder.identity()
    }

    /// The ids of each image's caption, without the start, the end last where it came.
    pub(crate) fn ids(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
    ) -> Result<Vec<Vec<u32>>, ModelError> {
        if options.max_new_tokens > self.max_new_tokens {
            return Err(ModelError::TooManyTokens {
                architecture: self.decoder.architecture(),
                asked: options.max_new_tokens,
                limit: self.max_new_tokens,
            });
        }
        if images.is_empty() {
            return Ok(Vec::new());
        }
        let options = GenerationOptions {
            n_beams: options.n_beams,
            max_new_tokens: options.max_new_tokens,
            length_penalty: 1.0,
            early_stopping: EarlyStopping::WhenUnlikelyToImprove,
            ends: self.ends.clone(),
        };
        let first = vec![self.start; images.len()];
        generate(&self.decoder, self.begin(images)?, &first, &options)
    }

    /// The logits behind each of these ids, written one after the other for every image: one matrix for each id,
    /// row-major, shape (image, word).
    pub(crate) fn logits(
        &self,
        images: &[Image<f32>],
        ids: &[u32],
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut state = self.begin(images)?;
        ids.iter()
            .map(|&id| self.decoder.step(&mut state, &vec![id; images.len()]))
            .collect()
    }

    /// The state before the first token.
    fn begin(&self, images: &[Image<f32>]) -> Result<PrefixedTexts, ModelError> {
        let request = LayerRequest {
            layer: self.tokens.to_owned(),
            pooling: Pooling::None,
        };
        let found = self.encoder.features(images, &[request])?.swap_remove(0);
        let width = self.decoder.width();
        let n_rows = found.values.len() / width;
        let n_tokens = (found.n_features / width).max(1);
        Tensor::from_vec(found.values, (n_rows, width), &Device::Cpu)
            .and_then(|tokens| self.decoder.begin(tokens, n_tokens))
            .map_err(|error| ModelError::Engine {
                architecture: self.decoder.architecture(),
                operation: "going through the tokens of the images",
                reason: error.to_string(),
            })
    }
}
