//! The scene-graph parser: loads a folder and parses sentences.

#[cfg(test)]
mod tests;

use crate::architectures::t5::{self, Config, TextDecoder, TextEncoder};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::ConfigJson;
use crate::checkpoint::text_tokenizer::TextTokenizer;
use crate::observers::scene_graph_parsing::graph_text::{GraphReading, read, tidy};
use crate::{Arithmetic, ModelError};
use neurogauge_core::ModelIdentity;
use neurogauge_core::parallel;
use neurogauge_kernels::blocks::Sequences;
use neurogauge_kernels::blocks::device::Batches;
use neurogauge_kernels::generation::{EarlyStopping, GenerationOptions, generate};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

/// The text before every sentence; the parser was trained with it.
const PROMPT: &str = "Generate Scene Graph: ";

/// Sentences parsed together, so that the weights are read once for all of them.
const BATCH: usize = 8;
/// The same on a device.
const DEVICE_BATCH: usize = 64;

/// A scene-graph parser of the FACTUAL family: sentences to objects, attributes and relations
/// (flan-t5-base-VG-factual-sg).
///
/// Each sentence, after "Generate Scene Graph: ", is cut to 64 tokens. A search with five beams ends when five texts
/// are finished; the best one is read as facts ([`graph_text`](crate::graph_text)). A sentence's graph does not depend
/// on the other sentences nor on the number of threads, unless [`SourceLimit::LongestOfBatch`] asks for it. A blank
/// sentence has an empty graph.
///
/// Conventions: `parser-source-limit`, `graph-text`.
///
/// Reference: transformers 5.23.0 `T5ForConditionalGeneration` (torch 2.15.0) on synthetic checkpoints: encoder and
/// logits of every step within 1e-4 of their standard deviation, ids of greedy search and of five beams equal.
///
/// ```no_run
/// use neurogauge_core::ModelIdentity;
/// use neurogauge_models::{ParserOptions, SceneGraphParser};
/// let identity = ModelIdentity::named("factual_t5");
/// let parser = SceneGraphParser::load("weights/factual_t5/model.safetensors".as_ref(), identity)?;
/// let sentence = "A large boat is docked at a dock.";
/// let parsed = parser.parse(&[sentence], &ParserOptions::default(), &|_| {})?;
/// assert_eq!(parsed.len(), 1);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct SceneGraphParser {
    identity: ModelIdentity,
    tokenizer: TextTokenizer,
    config: Config,
    at_once: Batches,
    encoder: TextEncoder,
    decoder: TextDecoder,
}

/// How sentences are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParserOptions {
    /// Number of beams for each sentence.
    pub n_beams: NonZeroUsize,
    /// Tokens of a prompt, the end token included.
    pub max_source_tokens: NonZeroUsize,
    /// Tokens of a graph's text, the end token included. 127 is the reference's 128, which counts the start token.
    pub max_new_tokens: usize,
    /// Which tokens of a long prompt are cut (`parser-source-limit`).
    pub source_limit: SourceLimit,
}

impl Default for ParserOptions {
    /// The reference's settings, except for its limit by batches.
    fn default() -> Self {
        const BEAMS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(4);
        const SOURCE: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);
        ParserOptions {
            n_beams: BEAMS,
            max_source_tokens: SOURCE,
            max_new_tokens: 127,
            source_limit: SourceLimit::EachByItself,
        }
    }
}

/// Which prompts are cut, and where (`parser-source-limit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceLimit {
    /// Prompts of more than [`ParserOptions::max_source_tokens`] tokens are cut to that number.
    EachByItself,
    /// FactualSceneGraph 0.7.3: in each batch of this many sentences, in their order, prompts as long as the longest
    /// one also lose their last token, because the reference counts its tokens without the end token. In batches of
    /// one, every sentence loses it.
    LongestOfBatch(NonZeroUsize),
}

/// The scene graph of a sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedGraph {
    /// The written text, in tidy form.
    pub text: String,
    pub reading: GraphReading,
}

impl SceneGraphParser {
    /// Loads the checkpoint in the file `weights` (`.safetensors` or PyTorch's), and `config.json` and `tokenizer.json`
    /// from the same folder. `identity` identifies the weights and their precision.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else than this
    /// architecture, a tokenizer of another model, a tensor that is absent, superfluous or of another shape.
    pub fn load(weights: &Path, identity: ModelIdentity) -> Result<Self, ModelError> {
        let config = Config::read(&weights.with_file_name("config.json"))?;
        let tokenizer = t5::tokenizer(weights, &config)?;
        let checkpoint = Checkpoint::open(weights, t5::ARCHITECTURE, Arithmetic::of(&identity))?;
        let at_once = checkpoint.placement().batches(BATCH, DEVICE_BATCH);
        let (encoder, decoder) = t5::build(checkpoint, &config)?;
        Ok(SceneGraphParser {
            identity,
            tokenizer,
            config,
            at_once,
            encoder,
            decoder,
        })
    }

    /// Identifies the weights.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The graph of each sentence.
    ///
    /// `progress` is called from several threads with the number of sentences finished since the last call; the numbers
    /// add up to `sentences.len()`.
    ///
    /// # Errors
    /// Errors of the tokenizer or the engine; logits that are not numbers, if the weights are broken.
    pub fn parse(
        &self,
        sentences: &[&str],
        options: &ParserOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<ParsedGraph>, ModelError> {
        let prompts = self.prompts(sentences, options)?;
        let mut places: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
        for (place, prompt) in prompts.iter().enumerate() {
            places.entry(prompt).or_default().push(place);
        }
        // A blank sentence is not given to the model.
        let n_blank = places.remove(&[][..]).map_or(0, |blank| blank.len());
        progress(n_blank);
        let mut distinct: Vec<(&[u32], Vec<usize>)> = places.into_iter().collect();
        distinct.sort_by_key(|(prompt, _)| std::cmp::Reverse(prompt.len()));
        // A text's ids do not depend on its batch, so smaller batches give every thread work if there are few
        // sentences.
        let batch = match self.at_once {
            Batches::SideBySide(most) => distinct.len().div_ceil(rayon::current_num_threads()).min(most),
            Batches::OneByOne(most) => most,
        };
        let batches: Vec<_> = distinct.chunks(batch.max(1)).collect();
        let parsed = self.at_once.run(&batches, |batch| {
            let prompts: Vec<&[u32]> = batch.iter().map(|(prompt, _)| *prompt).collect();
            let graphs = self.parse_batch(&prompts, options)?;
            progress(batch.iter().map(|(_, places)| places.len()).sum());
            Ok::<_, ModelError>(graphs)
        })?;
        let mut of_sentences = vec![ParsedGraph::default(); sentences.len()];
        for (graph, (_, places)) in parsed.into_iter().flatten().zip(&distinct) {
            for &place in places {
                of_sentences[place] = graph.clone();
            }
        }
        Ok(of_sentences)
    }

    /// The tokens of each sentence's prompt; empty for a blank sentence.
    fn prompts(&self, sentences: &[&str], options: &ParserOptions) -> Result<Vec<Vec<u32>>, ModelError> {
        let mut prompts = parallel::try_map(sentences.len(), |index| match sentences[index].trim() {
            "" => Ok(Vec::new()),
            sentence => self.tokenizer.ids(index, &format!("{PROMPT}{sentence}")),
        })?;
        let limit = options.max_source_tokens.get();
        match options.source_limit {
            SourceLimit::EachByItself => cut(&mut prompts, limit),
            SourceLimit::LongestOfBatch(size) => {
                for batch in prompts.chunks_mut(size.get()) {
                    let longest = batch.iter().map(Vec::len).max().unwrap_or(0);
                    cut(batch, limit.min(longest.saturating_sub(1)));
                }
            }
        }
        Ok(prompts)
    }

    fn parse_batch(&self, prompts: &[&[u32]], options: &ParserOptions) -> Result<Vec<ParsedGraph>, ModelError> {
        let sequences = Sequences::new(prompts.iter().map(|ids| ids.len()));
        let state = (self.encoder.forward(&prompts.concat(), &sequences))
            .and_then(|encoded| self.decoder.begin(&encoded, &sequences))
            .map_err(ModelError::engine(t5::ARCHITECTURE, "the encoder's forward pass"))?;
        let first = vec![self.config.start(); prompts.len()];
        let options = GenerationOptions {
            n_beams: options.n_beams,
            max_new_tokens: options.max_new_tokens,
            length_penalty: 1.0,
            early_stopping: EarlyStopping::WhenFull,
            ends: vec![self.config.eos_token_id],
        };
        let written = generate(&self.decoder, state, &first, &options)?;
        let parsed = written.iter().map(|ids| {
            let text = tidy(&self.tokenizer.text(ids, true)?);
            let reading = read(&text);
            Ok(ParsedGraph { text, reading })
        });
        parsed.collect()
    }
}

/// Cuts prompts of more than `limit` tokens to that number; the end token stays.
fn cut(prompts: &mut [Vec<u32>], limit: usize) {
    let limit = limit.max(1);
    for prompt in prompts.iter_mut().filter(|prompt| prompt.len() > limit) {
        prompt.drain(limit - 1..prompt.len() - 1);
    }
}
