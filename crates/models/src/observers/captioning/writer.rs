//! Joins an image encoder and a decoder: images in, token ids of captions out.

use super::{CaptionDecoder, ImageEncoder};
use crate::blocks::PrefixedTexts;
use crate::blocks::device::Placement;
use crate::blocks::halving::in_parts;
use crate::generation::{Decoder, EarlyStopping, GenerationOptions, generate};
use crate::observers::image_features::{Network, VisionModel};
use crate::{CaptionOptions, ImageModel, LayerRequest, ModelError, Pooling};
use neurogauge_core::{Image, ModelIdentity};

/// An image encoder and a decoder.
pub(crate) struct CaptionWriter {
    pub(super) encoder: Box<dyn ImageModel>,
    decoder: CaptionDecoder,
    /// The encoder's layer that gives the tokens: its last.
    tokens: String,
    limits: TextLimits,
    placement: Placement,
}

/// Where the text of a captioner begins and ends.
pub(crate) struct TextLimits {
    /// What a text begins with.
    pub(crate) start: u32,
    /// What ends it.
    pub(crate) ends: Vec<u32>,
    /// As many tokens as it has positions for, the start not among them.
    pub(crate) max_new_tokens: usize,
}

impl CaptionWriter {
    pub(crate) fn new(
        identity: ModelIdentity,
        encoder: ImageEncoder,
        decoder: CaptionDecoder,
        limits: TextLimits,
        placement: Placement,
    ) -> Self {
        let tokens = encoder.layers().last().map(|layer| layer.name.clone());
        CaptionWriter {
            encoder: Box::new(VisionModel::new(identity, encoder, placement.clone())),
            decoder,
            tokens: tokens.unwrap_or_default(),
            limits,
            placement,
        }
    }

    /// Which model this is.
    pub(super) fn identity(&self) -> &ModelIdentity {
        self.encoder.identity()
    }

    /// The ids of each image's caption, without the start, the end last where it came.
    pub(super) fn ids(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
    ) -> Result<Vec<Vec<u32>>, ModelError> {
        if options.max_new_tokens > self.limits.max_new_tokens {
            return Err(ModelError::TooManyTokens {
                architecture: self.decoder.architecture(),
                asked: options.max_new_tokens,
                limit: self.limits.max_new_tokens,
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
            ends: self.limits.ends.clone(),
        };
        let write = |images: &[Image<f32>]| {
            let first = vec![self.limits.start; images.len()];
            generate(&self.decoder, self.begin(images)?, &first, &options)
        };
        Ok(in_parts(images, &write)?.concat())
    }

    /// The logits behind each of these ids, written one after the other for every image: one matrix for each id,
    /// row-major, shape (image, word).
    pub(super) fn logits(
        &self,
        images: &[Image<f32>],
        ids: &[u32],
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut state = self.begin(images)?;
        ids.iter()
            .map(|&id| self.decoder.step(&mut state, &vec![id; images.len()]))
            .collect()
    }

    /// The logits of the first word of an image's caption.
    pub(super) fn first_logits(&self, image: &Image<f32>) -> Result<Vec<f32>, ModelError> {
        let mut state = self.begin(std::slice::from_ref(image))?;
        self.decoder.step(&mut state, &[self.limits.start])
    }

    /// The state before the first token.
    fn begin(&self, images: &[Image<f32>]) -> Result<PrefixedTexts, ModelError> {
        let request = LayerRequest {
            layer: self.tokens.clone(),
            pooling: Pooling::None,
        };
        let found = self.encoder.features(images, &[request])?.swap_remove(0);
        let width = self.decoder.width;
        let n_rows = found.values.len() / width;
        let n_tokens = (found.n_features / width).max(1);
        (self.placement)
            .tensor(found.values, (n_rows, width))
            .and_then(|tokens| self.decoder.begin(tokens, n_tokens))
            .map_err(|error| ModelError::Engine {
                architecture: self.decoder.architecture(),
                operation: "going through the tokens of the images",
                reason: error.to_string(),
            })
    }
}
