//! Joins an image encoder and a decoder, which turn images into the token ids of captions.

use super::CaptionDecoder;
use super::encoder_decoder::EncoderDecoder;
use crate::{CaptionOptions, FeatureMatrix, ImageModel, LayerRequest, ModelError};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::blocks::PrefixedTexts;
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::halving::in_parts;
use neurogauge_kernels::generation::{Decoder, EarlyStopping, GenerationOptions, generate};

/// Number of texts that are written together.
const TOGETHER: usize = 8;

/// An image encoder and a decoder.
pub(crate) struct CaptionWriter {
    pub(crate) identity: ModelIdentity,
    pub(crate) architecture: &'static str,
    pub(crate) parts: EncoderDecoder,
    pub(crate) limits: TextLimits,
    /// Device and precision of both halves.
    pub(crate) placement: Placement,
}

/// Where the text of a captioner begins and ends.
pub(crate) struct TextLimits {
    pub(crate) start: u32,
    /// The tokens that end a text.
    pub(crate) ends: Vec<u32>,
    /// Maximum number of tokens, without the start token.
    pub(crate) max_new_tokens: usize,
}

impl CaptionWriter {
    /// The ids of each image's caption, without the start token; the end token is included if the caption reached it.
    /// `progress` gets the number of images whose captions are finished.
    pub(crate) fn ids(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Vec<u32>>, ModelError> {
        let (asked, limit) = (options.max_new_tokens, self.limits.max_new_tokens);
        if asked > limit {
            return Err(ModelError::too_many_tokens(self.architecture, asked, limit));
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
        let tokens = self.tokens(images)?;
        let decoder = self.parts.decoder.get()?;
        let write = |tokens: &[&[f32]]| {
            let first = vec![self.limits.start; tokens.len()];
            let state = self.begin(&decoder, tokens)?;
            Ok::<_, ModelError>(generate(&*decoder, state, &first, &options)?)
        };
        let mut ids = Vec::with_capacity(images.len());
        for tokens in of_images(&tokens).chunks(TOGETHER) {
            ids.extend(in_parts(tokens, &write)?.concat());
            progress(tokens.len());
        }
        Ok(ids)
    }

    /// The logits after each of these ids, which are written in turn for every image: one row-major matrix of shape
    /// (image, word) for each id.
    pub(crate) fn logits(&self, images: &[Image<f32>], ids: &[u32]) -> Result<Vec<Vec<f32>>, ModelError> {
        let tokens = self.tokens(images)?;
        let decoder = self.parts.decoder.get()?;
        let mut state = self.begin(&decoder, &of_images(&tokens))?;
        ids.iter().map(|&id| Ok(decoder.step(&mut state, &vec![id; images.len()])?)).collect()
    }

    /// The logits of the first word of an image's caption.
    pub(crate) fn first_logits(&self, image: &Image<f32>) -> Result<Vec<f32>, ModelError> {
        Ok(self.logits(std::slice::from_ref(image), &[self.limits.start])?.concat())
    }

    /// The decoder's input: a row per image with its concatenated tokens. The encoder need not be in memory afterwards.
    fn tokens(&self, images: &[Image<f32>]) -> Result<FeatureMatrix, ModelError> {
        let encoder = self.parts.encoder.get()?;
        let layers = encoder.layers();
        let request = LayerRequest::whole(layers.last().copied().unwrap_or_default());
        Ok(encoder.features(images, &[request])?.swap_remove(0))
    }

    /// The decoder's state before the first token, given the tokens of each image.
    fn begin(&self, decoder: &CaptionDecoder, tokens: &[&[f32]]) -> Result<PrefixedTexts, ModelError> {
        let width = decoder.width;
        let n_tokens = tokens.first().map_or(0, |tokens| tokens.len() / width);
        (self.placement)
            .tensor(tokens.concat(), (tokens.len() * n_tokens, width))
            .and_then(|rows| decoder.begin(rows, n_tokens.max(1)))
            .map_err(ModelError::engine(self.architecture, "going through the tokens of the images"))
    }
}

fn of_images(tokens: &FeatureMatrix) -> Vec<&[f32]> {
    tokens.values.chunks_exact(tokens.n_features.max(1)).collect()
}
