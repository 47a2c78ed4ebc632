//! Captioners that are networks: they write token ids, and a tokenizer turns these into text.

use super::encoder_decoder::EncoderDecoder;
use super::{CaptionDecoder, CaptionWriter, Captioner, CaptionerMemory, ImageEncoder, TextLimits};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::ConfigJson;
use crate::checkpoint::text_tokenizer::TextTokenizer;
use crate::{Arithmetic, CaptionOptions, ModelError};
use neurogauge_core::{Image, ModelIdentity};
use std::path::Path;

/// What an architecture tells about one of its models.
pub(crate) trait CaptionNetwork: ConfigJson + Clone + Send + Sync + 'static {
    /// Builds the image encoder from a checkpoint.
    fn encoder(&self, checkpoint: &mut Checkpoint) -> Result<ImageEncoder, ModelError>;

    /// Builds the decoder from everything that the encoder does not use.
    fn decoder(&self, checkpoint: &mut Checkpoint) -> Result<CaptionDecoder, ModelError>;

    /// Where a text begins and ends.
    fn limits(&self) -> TextLimits;

    /// How ids become text; some models say so in files beside `weights`.
    fn wording(&self, weights: &Path) -> Result<Wording, ModelError>;

    /// The encoder and decoder together, and the rest of the checkpoint, which `open` opens again each time.
    fn writer(
        &self,
        identity: ModelIdentity,
        memory: CaptionerMemory,
        open: impl Fn() -> Result<Checkpoint, ModelError> + Clone + Send + Sync + 'static,
    ) -> Result<(CaptionWriter, Checkpoint), ModelError> {
        let (parts, checkpoint) = EncoderDecoder::read(self, &identity, memory, open)?;
        let writer = CaptionWriter {
            identity,
            architecture: Self::ARCHITECTURE,
            parts,
            limits: self.limits(),
            placement: checkpoint.placement().clone(),
        };
        Ok((writer, checkpoint))
    }
}

/// How the ids of a caption become text.
pub(crate) struct Wording {
    pub(crate) tokenizer: TextTokenizer,
    /// Is punctuation joined to the word before it?
    pub(crate) joins_marks: bool,
    /// Are blanks and line breaks removed at both ends, as Python's `str.strip` does?
    pub(crate) strips_ends: bool,
}

/// A captioner that is a network: what [`Git`](crate::Git) and [`Blip2`](crate::Blip2) load.
pub struct NetworkCaptioner {
    writer: CaptionWriter,
    wording: Wording,
}

impl NetworkCaptioner {
    /// Loads the checkpoint in the file `weights` and the files beside it.
    pub(crate) fn load<C: CaptionNetwork>(
        weights: &Path,
        identity: ModelIdentity,
        memory: CaptionerMemory,
    ) -> Result<Self, ModelError> {
        let config = C::read(&weights.with_file_name("config.json"))?;
        let wording = config.wording(weights)?;
        let arithmetic = Arithmetic::of(&identity);
        let file = Checkpoint::file(weights, C::ARCHITECTURE)?;
        let open = move || Checkpoint::of_file(file.clone(), C::ARCHITECTURE, arithmetic);
        let (writer, checkpoint) = config.writer(identity, memory, open)?;
        // These tensors are just 0, 1, 2, ...
        checkpoint.finish(|name| name.ends_with(".position_ids"))?;
        Ok(NetworkCaptioner { writer, wording })
    }

    /// The logits of the first word of an image's caption.
    pub(crate) fn first_logits(&self, image: &Image<f32>) -> Result<Vec<f32>, ModelError> {
        self.writer.first_logits(image)
    }
}

impl Captioner for NetworkCaptioner {
    fn identity(&self) -> &ModelIdentity {
        &self.writer.identity
    }

    fn caption(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError> {
        let ids = self.writer.ids(images, options, progress)?;
        ids.iter().map(|ids| self.wording.text(ids)).collect()
    }

    fn images_per_call(&self) -> usize {
        if self.writer.parts.loads_one_at_a_time() { 64 } else { 8 }
    }
}

impl Wording {
    pub(crate) fn text(&self, ids: &[u32]) -> Result<String, ModelError> {
        let text = self.tokenizer.text(ids, self.joins_marks)?;
        Ok(if self.strips_ends {
            stripped(&text).to_owned()
        } else {
            text
        })
    }
}

/// Removes the characters at both ends that Python's `str.strip` removes, which include four ASCII separators.
fn stripped(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\x1c'..='\x1f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_stripped_as_python_does() {
        assert_eq!(stripped(" a dog\n"), "a dog");
        assert_eq!(stripped("\u{85}\x1c a\x1fdog\u{3000}\x1f"), "a\x1fdog");
        assert_eq!(stripped("\u{200b}a"), "\u{200b}a");
        assert_eq!(stripped(" \n"), "");
    }
}
