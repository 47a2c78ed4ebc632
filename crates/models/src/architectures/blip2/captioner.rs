//! The public face of BLIP-2: loads a folder as a captioner.

use super::config::Config;
use super::weights;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::text_tokenizer::TextTokenizer;
use crate::observers::captioning::{
    CaptionDecoder, CaptionNetwork, CaptionerMemory, ImageEncoder, NetworkCaptioner, TextLimits, Wording,
};
use neurogauge_core::ModelIdentity;
use std::path::Path;

/// A BLIP-2 with OPT: describes an image in a sentence (blip2-opt-2.7b).
///
/// The image encoder sees 224 x 224 px (both sides to 224 px regardless of the proportions, bicubic as in Pillow,
/// nothing cut off, CLIP's statistics). Without a prompt, as transformers writes captions: the image's tokens, then the
/// start token `</s>`. The text ends at the line break or after [`max_new_tokens`](CaptionOptions::max_new_tokens)
/// (transformers' own default is 20); special tokens are left out of the caption, and blanks and line breaks at its
/// ends.
///
/// Beam search is transformers' with its defaults, as [`Git`](crate::Git)'s. Memory: 4 bytes for each of 3.74 billion
/// weights and for the table of words once more, 15.5 GB for blip2-opt-2.7b; 2 bytes, 7.8 GB, if they fit into 16 bits
/// ([`WeightPrecision`](crate::WeightPrecision)). OPT alone needs 11.1 and 5.6 GB of these, which is enough on a
/// machine without more memory ([`CaptionerMemory`]).
///
/// Conventions: `caption-decoding`.
///
/// Reference: transformers 5.23.0 `Blip2ForConditionalGeneration` (torch 2.15.0) on a synthetic checkpoint: logits of
/// every step within 1e-4 of the largest, ids of greedy search and of three beams equal.
///
/// ```no_run
/// use neurogauge_core::ModelIdentity;
/// use neurogauge_models::{Blip2, CaptionOptions, Captioner, CaptionerMemory, ImagePreset};
/// let identity = ModelIdentity::named("blip2_opt_2_7b");
/// let blip2 = Blip2::load("weights/model.safetensors.index.json".as_ref(), identity, CaptionerMemory::default())?;
/// let steps = ImagePreset::Published.preprocessing("blip2_opt_2_7b", None)?;
/// let image = neurogauge_core::Image::new(600, 400, vec![0.5_f32; 600 * 400 * 3]).unwrap();
/// let captions = blip2.caption(&[steps.apply(&image)?], &CaptionOptions::default(), &|_| {})?;
/// assert_eq!(captions.len(), 1);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct Blip2;

impl Blip2 {
    /// Loads the checkpoint in the file `weights`, which may be an index of several files, and `config.json` and
    /// `tokenizer.json` from the same folder. `identity` identifies the weights, and `memory` says how much of them is
    /// kept in memory.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else than this
    /// architecture, a tokenizer of another model, a tensor that is absent, superfluous or of another shape.
    pub fn load(
        weights: &Path,
        identity: ModelIdentity,
        memory: CaptionerMemory,
    ) -> Result<NetworkCaptioner, ModelError> {
        NetworkCaptioner::load::<Config>(weights, identity, memory)
    }
}

impl CaptionNetwork for Config {
    fn encoder(&self, checkpoint: &mut Checkpoint) -> Result<ImageEncoder, ModelError> {
        weights::encoder(checkpoint, self)
    }

    fn decoder(&self, checkpoint: &mut Checkpoint) -> Result<CaptionDecoder, ModelError> {
        weights::decoder(checkpoint, self)
    }

    fn limits(&self) -> TextLimits {
        TextLimits {
            start: self.text_config.bos_token_id,
            ends: self.ends(),
            max_new_tokens: self.max_new_tokens(),
        }
    }

    fn wording(&self, weights: &Path) -> Result<Wording, ModelError> {
        let path = weights.with_file_name("tokenizer.json");
        let tokenizer = TextTokenizer::of_words(&path, self.text_config.vocab_size)?;
        Ok(wording(tokenizer))
    }
}

fn wording(tokenizer: TextTokenizer) -> Wording {
    Wording {
        tokenizer,
        // With OPT's tokenizer, transformers never joins punctuation to the word before it, regardless of the files.
        joins_marks: false,
        strips_ends: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goldens::{golden, read};

    #[test]
    fn texts_of_ids_equal_those_of_transformers() {
        let golden = golden("blip2_text");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        std::fs::write(&path, golden["tokenizer"].to_string()).unwrap();
        let wording = wording(TextTokenizer::of_words(&path, 300).unwrap());
        let cases = golden["cases"].as_array().unwrap();
        assert!(!cases.is_empty());
        for case in cases {
            let ids: Vec<u32> = read(&case["ids"]);
            let text = wording.text(&ids).unwrap();
            assert_eq!(text, case["text"].as_str().unwrap(), "{ids:?}");
        }
    }
}
