//! The public face of Qwen2.5-VL: loads a folder as a model that answers questions about pictures.

use super::ARCHITECTURE;
use super::config::Config;
use super::decoder::{Prompt, TextDecoder, Texts};
use super::picture::{Patches, Preparation};
use super::tower::Tower;
use super::weights::{build, named};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::{ConfigJson, Refusal, read_json};
use crate::checkpoint::text_tokenizer::{TextTokenizer, TokenizerNeeds};
use crate::observers::local_vlm::{AnswerOptions, Beginning, Vlm, WrittenAnswer, YesNoVlm};
use crate::{Arithmetic, ModelError};
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::generation::{Ends, Greedy, next_token, search_greedily};
use serde::Deserialize;
use std::path::Path;

/// Qwen2.5-VL-7B-Instruct, or the 3B of the same kind: answers a question about a picture.
///
/// The picture keeps its proportions: sides become multiples of 28 px, their number of pixels within the limits of
/// `preprocessor_config.json` (Pillow's bicubic, CLIP's statistics). The question follows it in the published template
/// for a chat, with its system prompt. The answer is written greedily, with a penalty for tokens that are in the prompt
/// or were written.
///
/// Weights in bf16 stay in 16 bits in memory: 16.6 GB for the 7B, and at most 2.2 GB more while its first tensor is
/// read.
///
/// Conventions: `picture-questions`.
///
/// Reference: transformers 5.23.0 `Qwen2_5_VLForConditionalGeneration` (torch 2.15.0, Pillow 13.0.0) on synthetic
/// checkpoints: every layer within 1e-4 of its standard deviation, logits of every step within 1e-4 of the largest, ids
/// of greedy search with three penalties equal. The published weights have not been run here.
///
/// ```no_run
/// use neurogauge_core::ModelIdentity;
/// use neurogauge_models::local_vlm::{Vlm, AnswerOptions};
/// use neurogauge_models::Qwen25Vl;
/// let identity = ModelIdentity::named("qwen2.5-vl-7b");
/// let model = Qwen25Vl::load("weights/model.safetensors.index.json".as_ref(), identity)?;
/// let picture = neurogauge_core::Image::new(425, 425, vec![0.5_f32; 425 * 425 * 3]).unwrap();
/// let answer = model.answer(&picture, "What is this?", &AnswerOptions::default())?;
/// assert!(!answer.is_cut_off);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct Qwen25Vl {
    identity: ModelIdentity,
    config: Config,
    pub(super) preparation: Preparation,
    tokenizer: TextTokenizer,
    ends: Vec<u32>,
    tower: Tower,
    pub(super) decoder: TextDecoder,
    /// All tokens that spell yes or no, with their texts.
    yes_no: Vec<(u32, String)>,
}

/// The field of `generation_config.json` that matters.
#[derive(Debug, Deserialize)]
struct GenerationConfig {
    eos_token_id: Option<Ends>,
}

/// The published template for a chat: before the question, and behind it.
const TEMPLATE: [&str; 2] = [
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n<|vision_start|><|image_pad|><|vision_end|>",
    "<|im_end|>\n<|im_start|>assistant\n",
];

impl Qwen25Vl {
    /// Loads the checkpoint in the file `weights` (or in the files that it is the index of), and `config.json`,
    /// `tokenizer.json`, `preprocessor_config.json` and, where it exists, `generation_config.json` from its folder.
    /// Tensors may have their published names or those of transformers 5. `identity` identifies the weights and their
    /// precision.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else than this
    /// architecture, a tokenizer without the tokens of the template, a tensor that is absent, superfluous or of another
    /// shape.
    pub fn load(weights: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        let beside = |name: &str| weights.with_file_name(name);
        let config = Config::read(&beside("config.json"))?;
        let preparation = Preparation::read(&beside("preprocessor_config.json"))?;
        let vision = &config.own.vision;
        let sizes = [vision.patch_size, vision.temporal_patch_size, vision.spatial_merge_size];
        if preparation.patch_sizes() != sizes {
            let path = &beside("preprocessor_config.json");
            let architecture = ARCHITECTURE;
            let found = format!("{:?}", preparation.patch_sizes());
            let expected = format!("{sizes:?}, as config.json says");
            let field = "patch_size, temporal_patch_size and merge_size";
            return Err(Refusal { path, architecture }.of(field, &found, &expected));
        }
        let needs = TokenizerNeeds {
            vocab_size: config.text.vocab_size,
            may_have_fewer_tokens: true,
            max_tokens: usize::MAX,
            ends: &[],
        };
        let path = beside("tokenizer.json");
        let tokenizer = TextTokenizer::read(&path, &needs)?;
        let template = tokenizer.ids(0, &TEMPLATE.concat())?;
        let picture = config.own.image_token_id;
        if template.iter().filter(|&&id| id == picture).count() != 1 {
            return Err(ModelError::malformed(
                path,
                format!("it makes no token {picture} of <|image_pad|>, which stands for a picture in config.json"),
            ));
        }
        let path = beside("generation_config.json");
        let generation = path.exists().then(|| read_json::<GenerationConfig>(&path));
        let ends = generation.transpose()?.and_then(|own| own.eos_token_id);
        let checkpoint = Checkpoint::open(weights, ARCHITECTURE, Arithmetic::of(&identity))?;
        let mut checkpoint = checkpoint.renamed(named)?;
        let (tower, decoder) = build(&mut checkpoint, &config)?;
        // A copy of the table of tokens, if it is also the output map; tensors that follow from the configuration.
        let tied = config.is_tied();
        checkpoint.finish(|name| name.ends_with("rotary_emb.inv_freq") || (tied && name == "lm_head.weight"))?;
        Ok(Qwen25Vl {
            ends: ends.map_or_else(|| config.ends(), |ends| ends.ids()),
            yes_no: spellings(&tokenizer)?,
            identity,
            config,
            preparation,
            tokenizer,
            tower,
            decoder,
        })
    }

    /// The prompt about a picture of this many rows and columns of tokens.
    pub(super) fn prompt(&self, question: &str, grid: (usize, usize)) -> Result<Prompt, ModelError> {
        let text = TEMPLATE.join(question);
        let template = self.tokenizer.ids(0, &text)?;
        let picture_id = self.config.own.image_token_id;
        let mut places = (0..template.len()).filter(|&place| template[place] == picture_id);
        let (Some(picture), None) = (places.next(), places.next()) else {
            return Err(ModelError::tokenize(0, question, "it has a token that stands for a picture"));
        };
        let pictures = std::iter::repeat_n(picture_id, grid.0 * grid.1);
        let ids = template[..picture].iter().copied().chain(pictures);
        Ok(Prompt {
            ids: ids.chain(template[picture + 1..].iter().copied()).collect(),
            picture,
            grid,
        })
    }

    /// The ids of an answer, the end last where it came.
    fn ids(&self, patches: Patches, prompt: &Prompt, options: &Greedy<'_>) -> Result<Vec<u32>, ModelError> {
        let limit = self.config.text.max_position_embeddings.saturating_sub(prompt.ids.len());
        if options.max_new_tokens > limit {
            return Err(ModelError::too_many_tokens(ARCHITECTURE, options.max_new_tokens, limit));
        }
        let texts = self.begin(patches, prompt)?;
        Ok(search_greedily(&self.decoder, texts, &[&prompt.ids], options)?.concat())
    }

    /// All of a prompt but its last token.
    pub(super) fn begin(&self, patches: Patches, prompt: &Prompt) -> Result<Texts, ModelError> {
        let picture = self.tower.tokens(patches);
        let picture = picture.map_err(ModelError::engine(ARCHITECTURE, "looking at a picture"))?;
        self.decoder
            .begin(prompt, &picture)
            .map_err(ModelError::engine(ARCHITECTURE, "going through a prompt"))
    }
}

/// All tokens that spell yes or no, with their texts.
fn spellings(tokenizer: &TextTokenizer) -> Result<Vec<(u32, String)>, ModelError> {
    let mut found = Vec::new();
    for id in 0..tokenizer.n_tokens() as u32 {
        let text = tokenizer.text(&[id], false)?;
        if ["yes", "no"].iter().any(|word| Beginning::spells(&text, word)) {
            found.push((id, text));
        }
    }
    Ok(found)
}

impl YesNoVlm for Qwen25Vl {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// At the first position whose likeliest token is not blank, as in a server's answer. No penalty is applied.
    fn beginnings(&self, picture: &Image<f32>, question: &str) -> Result<Vec<Beginning>, ModelError> {
        let patches = self.preparation.patches(picture)?;
        let prompt = self.prompt(question, patches.grid)?;
        let mut texts = self.begin(patches, &prompt)?;
        let mut token = prompt.ids.last().copied().unwrap_or_default();
        let (mut logs, mut n_written) = (Vec::new(), 0);
        while n_written < Beginning::TOKENS as usize {
            let (decoder, n_words) = (&self.decoder, self.config.text.vocab_size);
            logs = next_token(decoder, &mut texts, token, n_written, n_words)?;
            let likeliest = logs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
            token = likeliest.map_or(0, |(id, _)| id as u32);
            let is_blank = self.tokenizer.text(&[token], false)?.trim().is_empty();
            if self.ends.contains(&token) || !is_blank {
                break;
            }
            n_written += 1;
        }
        let listed = self.yes_no.iter().filter_map(|(id, text)| {
            Some(Beginning {
                token: text.clone(),
                logprob: *logs.get(*id as usize)?,
            })
        });
        Ok(listed.collect())
    }
}

impl Vlm for Qwen25Vl {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn answer(
        &self,
        picture: &Image<f32>,
        question: &str,
        options: &AnswerOptions,
    ) -> Result<WrittenAnswer, ModelError> {
        let patches = self.preparation.patches(picture)?;
        let prompt = self.prompt(question, patches.grid)?;
        let greedy = Greedy {
            max_new_tokens: options.max_new_tokens,
            ends: &self.ends,
            repetition_penalty: options.repetition_penalty,
        };
        let ids = self.ids(patches, &prompt, &greedy)?;
        let ended = ids.last().is_some_and(|id| self.ends.contains(id));
        Ok(WrittenAnswer {
            text: self.tokenizer.text(&ids, false)?,
            is_cut_off: !ended,
        })
    }
}
