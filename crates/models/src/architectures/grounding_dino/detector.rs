//! The public face of Grounding DINO: loads a checkpoint and detects objects in an image.

use super::config::Config;
use super::network::{Network, Prompt};
use super::weights::{build, is_left_over};
use super::{ARCHITECTURE, FORMATS};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::observers::detection::{GroundingNetwork, PromptTokens, RawDetections};
use crate::observers::preprocess::check_finite;
use crate::{Arithmetic, ModelError};
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::blocks::beside;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A Grounding DINO or MM-Grounding-DINO: finds boxes, and says how well the content of each fits every token of a
/// prompt.
///
/// The image may have any size; all of it is valid (one image at a time, so there is no padding and no mask of it).
/// It is padded with zeros to whole patches of 4 px. Tokens of the prompt only attend to their own phrase, which a
/// full stop or a question mark ends.
///
/// The queries start from the positions with the largest maximal logit. Ties are in the order of `torch.topk` on a CPU.
/// All threads share the work on an image; the result is the same to the bit with any number of them. The text
/// encoder's output for the last prompt is kept.
///
/// Reference: transformers 5.23.0 `MMGroundingDinoForObjectDetection` and `GroundingDinoForObjectDetection` (torch
/// 2.15.0) on synthetic checkpoints: maps of the backbone, enhancer, decoder, logits and boxes within 1e-4 of a
/// standard deviation.
///
/// ```no_run
/// use neurogauge_core::{Image, ModelIdentity};
/// use neurogauge_models::GroundingDino;
/// let identity = ModelIdentity::named("mm_grounding_dino_tiny");
/// let weights = "weights/mm_grounding_dino_tiny/model.safetensors";
/// let detector = GroundingDino::load(weights.as_ref(), identity)?;
/// let image = Image::new(800, 800, vec![0.0_f32; 800 * 800 * 3]).unwrap();
/// let found = detector.detect(&image, &detector.tokens("person. traffic light.")?)?;
/// assert_eq!(found.boxes.len(), 900);
/// assert_eq!(found.logits.len(), 900 * found.n_tokens);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct GroundingDino {
    model: Model,
    identity: ModelIdentity,
    tokenizer: TextTokenizer,
}

impl GroundingDino {
    /// Loads the checkpoint in the file `weights`: transformers' safetensors, with `config.json` beside it, or
    /// mmdetection's `.pth`, whose tensor shapes determine the configuration if there is no such file. `tokenizer.json`
    /// (bert-base-uncased's) must be in the same folder. `identity` identifies the weights.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else than this
    /// architecture, a tokenizer of another model, a tensor that is absent, superfluous or of another shape.
    pub fn load(weights: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        let checkpoint = Checkpoint::open(weights, ARCHITECTURE, Arithmetic::of(&identity))?;
        let path = weights.with_file_name("config.json");
        let of_mmdetection = checkpoint.shape_of(super::mmdet_names::MMDETECTION.mark).is_some();
        let config = if of_mmdetection && !path.exists() {
            Config::of_mmdetection(&checkpoint, weights)?
        } else {
            Config::read(&path)?
        };
        let tokenizer = tokenizer(weights, config.text.vocab_size, config.max_text_len)?;
        Ok(GroundingDino {
            model: Model::from_file(checkpoint, config)?,
            identity,
            tokenizer,
        })
    }

    /// Identifies the weights.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The tokens of a prompt, `[CLS]` first and `[SEP]` last, cut to the model's maximum (256).
    ///
    /// # Errors
    /// A text that the tokenizer refuses.
    pub fn tokens(&self, prompt: &str) -> Result<PromptTokens, ModelError> {
        let ids = self.tokenizer.ids(0, prompt)?;
        Ok(PromptTokens { ids })
    }

    /// Like `tokens`, with the byte range of the prompt that each token covers; `[CLS]` and `[SEP]` have empty ranges.
    pub(crate) fn pieces(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError> {
        GroundingDino::read(&self.tokenizer, prompt)
    }

    /// Reads the tokenizer beside the weights, without reading the weights.
    pub(crate) fn tokenizer(weights: &Path) -> Result<TextTokenizer, ModelError> {
        let path = weights.with_file_name("config.json");
        if !path.exists() {
            return tokenizer(weights, VOCAB_SIZE, MAX_TEXT_LEN);
        }
        let config = Config::read(&path)?;
        tokenizer(weights, config.text.vocab_size, config.max_text_len)
    }

    /// The tokens of a prompt and their byte ranges.
    pub(crate) fn read(
        tokenizer: &TextTokenizer,
        prompt: &str,
    ) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError> {
        let (ids, bytes) = tokenizer.pieces(prompt)?;
        Ok((PromptTokens { ids }, bytes))
    }

    /// Looks for the objects of the prompt in an image that is resized and normalised.
    ///
    /// # Errors An image with a pixel that is not a number, or with fewer positions than there are queries; a prompt
    /// with no tokens, too many, or unknown ones; logits or boxes that are not finite.
    pub fn detect(&self, image: &Image<f32>, tokens: &PromptTokens) -> Result<RawDetections, ModelError> {
        self.model.detect(image, tokens, &mut |_, _| Ok(()))
    }
}

/// Size of bert-base-uncased's vocabulary and the longest prompt, for checkpoints without a configuration.
const VOCAB_SIZE: usize = 30_522;
const MAX_TEXT_LEN: usize = 256;

fn tokenizer(weights: &Path, vocab_size: usize, max_tokens: usize) -> Result<TextTokenizer, ModelError> {
    let needs = TokenizerNeeds {
        vocab_size,
        max_tokens,
        may_have_fewer_tokens: false,
        ends: &["[CLS]", "[SEP]"],
    };
    TextTokenizer::read(&weights.with_file_name("tokenizer.json"), &needs)
}

/// A network, which keeps the text encoder's output for its last prompt.
pub(super) struct Model {
    network: Network,
    config: Config,
    last_prompt: Mutex<Option<(Vec<u32>, Prompt)>>,
}

impl Model {
    /// Builds the network from a file in one of the known formats; every tensor must be used.
    pub(super) fn from_file(checkpoint: Checkpoint, config: Config) -> Result<Self, ModelError> {
        let mut checkpoint = checkpoint.in_format_of(&FORMATS)?.sharing_rows();
        let network = build(&mut checkpoint, &config)?;
        checkpoint.finish(is_left_over)?;
        Ok(Model::new(network, config))
    }

    pub(super) fn new(network: Network, config: Config) -> Self {
        Model {
            network,
            config,
            last_prompt: Mutex::new(None),
        }
    }

    /// Detects objects; `seen` gets the outputs of the network's parts, by name.
    pub(super) fn detect(
        &self,
        image: &Image<f32>,
        tokens: &PromptTokens,
        seen: &mut dyn FnMut(&str, &Tensor) -> EngineResult<()>,
    ) -> Result<RawDetections, ModelError> {
        let (width_px, height_px) = (image.width_px(), image.height_px());
        let n_queries = self.config.n_queries;
        let too_small = |n_places: usize| {
            let expected = format_args!("a larger one: its maps have {n_places} places for {n_queries} queries");
            ModelError::image_size(ARCHITECTURE, 0, (width_px, height_px), expected)
        };
        if width_px == 0 || height_px == 0 {
            return Err(too_small(0));
        }
        check_finite(image)?;
        let prompt = self.prompt(&tokens.ids)?;
        let pixels = image.data().to_vec();
        let (places, vectors) = beside(&self.network.queries, pixels, (1, height_px, width_px, 3))
            .and_then(|image| self.network.maps(&image, &mut *seen))
            .map_err(ModelError::engine(ARCHITECTURE, "making maps of the image"))?;
        if places.len() < n_queries {
            return Err(too_small(places.len()));
        }
        let found = self
            .network
            .detect(&places, vectors, &prompt, seen)
            .map_err(ModelError::engine(ARCHITECTURE, "looking for the prompt"))?;
        check(&found)?;
        Ok(found)
    }

    fn prompt(&self, ids: &[u32]) -> Result<Prompt, ModelError> {
        let limit = self.config.max_text_len;
        if !(1..=limit).contains(&ids.len()) {
            let found = ids.len();
            return Err(ModelError::usage(format_args!(
                "the prompt has {found} tokens, and {ARCHITECTURE} takes 1 to {limit}; name fewer categories at a time"
            )));
        }
        let vocab_size = self.config.text.vocab_size;
        if let Some(&id) = ids.iter().find(|&&id| id as usize >= vocab_size) {
            return Err(ModelError::other(format_args!(
                "the prompt has a token {id}, and {ARCHITECTURE} knows {vocab_size}; was it made by the tokenizer of another model?"
            )));
        }
        let mut last = (self.last_prompt.lock()).unwrap_or_else(PoisonError::into_inner);
        if let Some((known, prompt)) = &*last
            && known == ids
        {
            return Ok(prompt.clone());
        }
        let prompt = self.network.prompt(ids);
        let prompt = prompt.map_err(ModelError::engine(ARCHITECTURE, "reading the prompt"))?;
        *last = Some((ids.to_vec(), prompt.clone()));
        Ok(prompt)
    }
}

/// Fails if a logit or a box is not finite, since it must not become a detection.
fn check(found: &RawDetections) -> Result<(), ModelError> {
    let refused = |what, query| {
        ModelError::item(format_args!(
            "{ARCHITECTURE}: {what} of query {query} are not numbers; are the weights sound?"
        ))
    };
    let of_logits = found.logits.chunks_exact(found.n_tokens.max(1));
    for (query, (logits, whole)) in of_logits.zip(&found.boxes).enumerate() {
        if !logits.iter().all(|logit| logit.is_finite()) {
            return Err(refused("the logits", query));
        }
        if !whole.iter().all(|side| side.is_finite()) {
            return Err(refused("the numbers of the box", query));
        }
    }
    Ok(())
}

impl GroundingNetwork for GroundingDino {
    fn model(&self) -> &ModelIdentity {
        self.identity()
    }

    fn tokens(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError> {
        self.pieces(prompt)
    }

    fn look(&self, image: &Image<f32>, prompt: &PromptTokens) -> Result<RawDetections, ModelError> {
        self.detect(image, prompt)
    }
}
