//! The public face of CLIP's text tower: loads a folder as a text encoder.

use super::config::Tower;
use super::layout::{Layout, has_no_use_for_texts};
use super::text_tower::{TextConfig, TextTower};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::observers::text_encoding::{text_batches, unit_vectors};
use crate::{Arithmetic, ModelError, TextEncoder};
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_core::ModelIdentity;
use neurogauge_kernels::blocks::device::Batches;
use neurogauge_kernels::blocks::{Sequences, host_values};
use std::path::Path;

const ARCHITECTURE: &str = "CLIP text tower";
/// The tokens before and after a text.
const ENDS: &[&str] = &["<|startoftext|>", "<|endoftext|>"];

/// The text tower of a CLIP: the cosine of a text's vector with that of an image, from the same model's
/// image tower, measures how well the two fit (CLIPScore).
///
/// A text is cleaned and cut into byte pairs as by transformers' tokenizer (lower case, blanks joined;
/// neither mojibake nor HTML entities are repaired, which OpenAI's own code does), and cut to 77 tokens,
/// the start and end tokens included. Its vector is read at the first end token, projected, and brought to
/// unit length.
///
/// Shapes: 512 features for ViT-B/16's tower, 768 for ViT-L/14's. Range: the cosine is in -1..1, higher
/// is more alike; published towers give unrelated texts cosines far above 0.
///
/// The vector of a text is the same to the bit alone and in a list, and with any number of threads.
///
/// Reference: transformers 5.23.0 and open_clip 3.3.0 (torch 2.15.0) on synthetic checkpoints, within 1e-4
/// of the standard deviation of each layer; tokens are equal.
///
/// ```no_run
/// use neurogauge_core::ModelIdentity;
/// use neurogauge_models::{ClipText, TextEncoder};
/// let identity = ModelIdentity::named("clip_vit_l_14_hf");
/// let encoder = ClipText::load("weights/clip-vit-large-patch14".as_ref(), identity)?;
/// let vector = encoder.encode(&["a photo of a cat"], &|_| {})?;
/// assert_eq!(vector.len(), 768);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct ClipText {
    identity: ModelIdentity,
    n_features: usize,
    /// The id of the end token: the last of the vocabulary.
    end: u32,
    tokenizer: TextTokenizer,
    at_once: Batches,
    tower: TextTower,
}

impl ClipText {
    /// Loads `tokenizer.json` and `model.safetensors` from a folder. The tensors may have transformers' names or
    /// OpenAI's, and may include an image tower's. `identity` identifies the weights, their precision and their device.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a tokenizer of another model, a tensor that is
    /// absent, superfluous or of another shape.
    pub fn load(dir: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        Self::of_file(&dir.join("model.safetensors"), identity)
    }

    /// Loads a checkpoint of any name; `tokenizer.json` is beside it. A `config.json` beside a user's own checkpoint
    /// sets the activation.
    pub(crate) fn of_file(weights: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        let (tower, config, at_once) = open_tower(weights, &identity)?;
        let tokenizer = config.tokenizer(&weights.with_file_name("tokenizer.json"))?;
        Ok(ClipText {
            identity,
            n_features: config.n_embedding,
            end: config.vocab_size as u32 - 1,
            tokenizer,
            at_once,
            tower,
        })
    }

    /// The ids up to the first end token, which comes early if the text spells it out. Later ids do not affect the
    /// vector.
    fn token_ids(&self, index: usize, text: &str) -> Result<Vec<u32>, ModelError> {
        let mut ids = self.tokenizer.ids(index, text)?;
        if let Some(end) = ids.iter().position(|&id| id == self.end) {
            ids.truncate(end + 1);
        }
        Ok(ids)
    }
}

impl TextConfig {
    fn tokenizer(&self, path: &Path) -> Result<TextTokenizer, ModelError> {
        let needs = TokenizerNeeds {
            vocab_size: self.vocab_size,
            max_tokens: self.n_positions,
            may_have_fewer_tokens: false,
            ends: ENDS,
        };
        TextTokenizer::read(path, &needs)
    }
}

fn vectors(tower: &TextTower, ids: &[u32], sequences: &Sequences) -> Result<Vec<f32>, ModelError> {
    tower
        .forward(ids, sequences)
        .and_then(|vectors| host_values(&vectors))
        .map_err(ModelError::engine(ARCHITECTURE, "the forward pass"))
}

/// Opens the text tower of a checkpoint in either layout; the file may contain an image tower too.
fn open_tower(weights: &Path, identity: &ModelIdentity) -> Result<(TextTower, TextConfig, Batches), ModelError> {
    let mut checkpoint = Checkpoint::open(weights, ARCHITECTURE, Arithmetic::of(identity))?;
    let layout = Layout::of(&checkpoint);
    let shape_of = |name: &str| checkpoint.shape_of(name).map(<[usize]>::to_vec);
    let config = TextConfig {
        activation: Tower::Texts.activation(&checkpoint, identity)?,
        ..TextConfig::from_shapes(layout, shape_of)
    };
    let tower = TextTower::build(&mut checkpoint, config, layout)?;
    let at_once = text_batches(checkpoint.placement());
    checkpoint.finish(has_no_use_for_texts)?;
    Ok((tower, config, at_once))
}

/// The text tower inside a larger model's checkpoint, with transformers' tensor names.
pub(crate) struct TextOfCheckpoint {
    tower: TextTower,
    config: TextConfig,
}

impl TextOfCheckpoint {
    /// Takes the tower's tensors.
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let layout = Layout::HuggingFace;
        let shape_of = |name: &str| checkpoint.shape_of(name).map(<[usize]>::to_vec);
        let config = TextConfig::from_shapes(layout, shape_of);
        Ok(TextOfCheckpoint {
            tower: TextTower::build(checkpoint, config, layout)?,
            config,
        })
    }

    /// Reads the tokenizer from a file.
    pub(crate) fn tokenizer(&self, path: &Path) -> Result<TextTokenizer, ModelError> {
        self.config.tokenizer(path)
    }

    /// One vector per text, not normalised. Texts are given as token ids, including the start and end tokens.
    pub(crate) fn vectors(&self, ids: &[Vec<u32>]) -> EngineResult<Tensor> {
        let sequences = Sequences::new(ids.iter().map(Vec::len));
        self.tower.forward(&ids.concat(), &sequences)
    }
}

/// Vectors of texts given as token ids, so no tokenizer is needed; not normalised to unit length. A text ends at the
/// first of its largest ids, as in OpenAI's code.
pub(crate) fn vectors_of_ids(
    weights: &Path,
    identity: &ModelIdentity,
    texts: &[Vec<u32>],
) -> Result<Vec<Vec<f32>>, ModelError> {
    let (tower, ..) = open_tower(weights, identity)?;
    let vector = |ids: &Vec<u32>| {
        let largest = ids.iter().copied().max().unwrap_or_default();
        let end = ids.iter().position(|&id| id == largest);
        let ids = &ids[..end.map_or(0, |end| end + 1)];
        vectors(&tower, ids, &Sequences::new([ids.len()]))
    };
    texts.iter().map(vector).collect()
}

impl TextEncoder for ClipText {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn encode(&self, texts: &[&str], progress: &(dyn Fn(usize) + Sync)) -> Result<Vec<f32>, ModelError> {
        unit_vectors(
            texts,
            self.n_features,
            self.at_once,
            |index, text| self.token_ids(index, text),
            |ids, sequences| vectors(&self.tower, ids, sequences),
            progress,
        )
    }
}
