//! The public face of GIT: loads a folder as a captioner.

use super::config::Config;
use super::weights;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::read_json;
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::observers::captioning::{
    CaptionDecoder, CaptionNetwork, CaptionerMemory, ImageEncoder, NetworkCaptioner, TextLimits, Wording,
};
use neurogauge_core::ModelIdentity;
use serde::Deserialize;
use std::path::Path;

/// A GIT: describes an image in a sentence without capitals (git-large-coco, git-base-coco).
///
/// The image encoder sees 224 x 224 px (shorter side to 224 px, bicubic as in Pillow, centre, CLIP's
/// statistics). The text begins with `[CLS]` and ends at `[SEP]` or after
/// [`max_new_tokens`](CaptionOptions::max_new_tokens); special tokens are left out of the caption, word pieces are
/// joined, and blanks before punctuation are removed according to the tokenizer's files.
///
/// Beam search is transformers' with its defaults: scores divided by the length, and a search ends when the best
/// unfinished text, with its present score, is not above the worst finished one.
///
/// Conventions: `caption-decoding`.
///
/// Reference: transformers 5.23.0 `GitForCausalLM` (torch 2.15.0) on synthetic checkpoints: logits of every step within
/// 1e-4 of the largest, ids of greedy search and of three beams equal; `batch_decode(skip_special_tokens=True)` equal.
///
/// ```no_run
/// use neurogauge_core::ModelIdentity;
/// use neurogauge_models::{CaptionOptions, Captioner, Git, ImagePreset};
/// let identity = ModelIdentity::named("git_large_coco");
/// let git = Git::load("weights/git-large-coco/model.safetensors".as_ref(), identity)?;
/// let steps = ImagePreset::Published.preprocessing("git_large_coco", None)?;
/// let image = neurogauge_core::Image::new(425, 425, vec![0.5_f32; 425 * 425 * 3]).unwrap();
/// let captions = git.caption(&[steps.apply(&image)?], &CaptionOptions::default(), &|_| {})?;
/// assert_eq!(captions.len(), 1);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct Git;

/// The field of `tokenizer_config.json` that decides how ids become text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TokenizerConfig {
    clean_up_tokenization_spaces: Option<bool>,
}

impl Git {
    /// Loads the checkpoint in the file `weights`, and `config.json`, `tokenizer.json` and, where it exists,
    /// `tokenizer_config.json` from the same folder. `identity` identifies the weights and their precision.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else than this
    /// architecture, a tokenizer of another model, a tensor that is absent, superfluous or of another shape.
    pub fn load(weights: &Path, identity: ModelIdentity) -> Result<NetworkCaptioner, ModelError> {
        NetworkCaptioner::load::<Config>(weights, identity, CaptionerMemory::default())
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
            start: self.bos_token_id,
            ends: self.ends(),
            max_new_tokens: self.max_position_embeddings,
        }
    }

    fn wording(&self, weights: &Path) -> Result<Wording, ModelError> {
        let needs = TokenizerNeeds {
            vocab_size: self.vocab_size,
            max_tokens: self.max_position_embeddings,
            may_have_fewer_tokens: false,
            ends: &["[CLS]", "[SEP]"],
        };
        let tokenizer = TextTokenizer::read(&weights.with_file_name("tokenizer.json"), &needs)?;
        let path = weights.with_file_name("tokenizer_config.json");
        let own = if path.exists() {
            read_json::<TokenizerConfig>(&path)?
        } else {
            TokenizerConfig::default()
        };
        Ok(Wording {
            tokenizer,
            joins_marks: own.clean_up_tokenization_spaces.unwrap_or(false),
            strips_ends: false,
        })
    }
}
