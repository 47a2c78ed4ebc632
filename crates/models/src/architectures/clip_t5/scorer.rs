//! The public face of CLIP-FlanT5: loads a folder as a model that gives the probability of yes.

use super::ARCHITECTURE;
use super::config::Config;
use super::network::{Network, Prompt};
use super::picture::prepared;
use super::weights::{build, has_tower};
use crate::architectures::t5;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::ConfigJson;
use crate::checkpoint::text_tokenizer::TextTokenizer;
use crate::observers::local_vlm::{Beginning, YesNoVlm};
use crate::{Arithmetic, ModelError, WeightPrecision};
use neurogauge_core::{Image, ModelIdentity};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// CLIP-FlanT5 xl or xxl: the probability that the answer to a question about a picture is yes, for VQAScore.
///
/// Score: `exp(mean of ln p(token))` over the tokens of the answer, which are "Yes" and the end, each given those
/// before it ([`AnswerScore`]).
///
/// The picture is put into the middle of a square of CLIP's mean colour and resized to 336 x 336 px (Pillow's bicubic,
/// CLIP's statistics). The prompt is the published one for a chat; its parts before and behind the picture end with an
/// end token each. Tokens that the tokenizer does not know have no share in a probability, though the table has rows
/// for them.
///
/// Weights in bf16 stay in 16 bits in memory: 6.3 GB for xl, 23 GB for xxl. The published code computes in bf16, and
/// here it is f32, so scores differ from the second or third decimal on.
///
/// Conventions: `vqa-score`.
///
/// Reference: transformers 5.23.0 `CLIPVisionModel` and `T5ForConditionalGeneration` with torch's `Linear` and `GELU`
/// between them (torch 2.15.0, Pillow 13.0.0) on a synthetic checkpoint: every layer within 1e-4 of its standard
/// deviation, logarithms of probabilities within 1e-4. The published weights have never been run here.
///
/// ```no_run
/// use neurogauge_core::ModelIdentity;
/// use neurogauge_models::local_vlm::YesNoVlm;
/// use neurogauge_models::{AnswerScore, ClipFlanT5};
/// let identity = ModelIdentity::named("clip_flant5_xl");
/// let model = ClipFlanT5::load("weights/pytorch_model.bin".as_ref(), identity, AnswerScore::T2v)?;
/// let picture = neurogauge_core::Image::new(425, 425, vec![0.5_f32; 425 * 425 * 3]).unwrap();
/// let yes = model.beginnings(&picture, "Does this figure show \"a dog\"? Please answer yes or no.")?;
/// assert_eq!(yes[0].token, "Yes");
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub struct ClipFlanT5 {
    identity: ModelIdentity,
    network: Network,
    tokenizer: TextTokenizer,
    /// Side of the picture that the tower sees.
    side_px: usize,
    /// Token ids of [`ANSWER`].
    answer: Vec<u32>,
    score: AnswerScore,
}

/// How the probability of an answer of several tokens is computed (convention `vqa-score`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerScore {
    /// The geometric mean of all its tokens' probabilities, the end's among them, as the published code `t2v_metrics`
    /// has it.
    #[default]
    T2v,
    /// The first token's probability, as the paper writes it: P("Yes").
    FirstToken,
}

/// The published prompt before the picture.
const BEFORE: &str = "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and \
                      polite answers to the user's questions. USER: ";
/// The published prompt between picture and question, and after the question.
const BEHIND: [&str; 2] = ["\n", " ASSISTANT: "];
/// The answer whose probability is the score.
const ANSWER: &str = "Yes";
/// Possible names of CLIP's own checkpoint in its folder; the first that exists is used.
const TOWER_FILES: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

impl ClipFlanT5 {
    /// Loads the checkpoint in the file `weights` (or in the files that it indexes), and `config.json` and Flan-T5's
    /// `tokenizer.json` from the same folder. If the checkpoint has no image tower, the tower is read from a folder of
    /// CLIP's own files beside it, which has the tower's name in `config.json` (`clip-vit-large-patch14-336`).
    /// `identity` identifies the weights and their precision.
    ///
    /// # Errors
    /// A file that is missing, cut short or malformed, a configuration that asks for something else than this
    /// architecture, a tokenizer of another model, a tensor that is absent, superfluous or of another shape.
    pub fn load(weights: &Path, identity: ModelIdentity, score: AnswerScore) -> Result<Self, ModelError> {
        let config = Config::read(&weights.with_file_name("config.json"))?;
        let shape = config.tower(weights)?;
        let tokenizer = t5::tokenizer(weights, &config.text)?;
        let answer = tokenizer.ids(0, ANSWER)?;
        let arithmetic = Arithmetic::of(&identity);
        let open = |path: &Path| {
            let checkpoint = Checkpoint::open(path, ARCHITECTURE, arithmetic)?;
            Ok::<_, ModelError>(checkpoint.sharing_rows())
        };
        let tower = Self::tower_file(weights)?.map(|path| open(&path));
        let network = build(open(weights)?, tower.transpose()?, &config, shape)?;
        Ok(ClipFlanT5 {
            identity,
            network,
            tokenizer,
            side_px: shape.image_px,
            answer,
            score,
        })
    }

    /// The image tower's own files that exist: its checkpoint ([`tower_file`](Self::tower_file)) and its configuration.
    pub(crate) fn tower_files(weights: &Path) -> Result<Vec<PathBuf>, ModelError> {
        let config = Config::read(&weights.with_file_name("config.json"))?;
        let own = config.tower_config(weights);
        Ok(Self::tower_file(weights)?.into_iter().chain(own.is_file().then_some(own)).collect())
    }

    /// CLIP's own checkpoint beside `weights`, needed if `weights` has no image tower.
    fn tower_file(weights: &Path) -> Result<Option<PathBuf>, ModelError> {
        let config = Config::read(&weights.with_file_name("config.json"))?;
        let checkpoint = Checkpoint::open(weights, ARCHITECTURE, WeightPrecision::F32)?;
        let folder = config.tower_folder(weights);
        let mut files = TOWER_FILES.iter().map(|name| folder.join(name));
        Ok(files.find(|path| !has_tower(&checkpoint) && path.exists()))
    }

    /// The token ids before and after the picture.
    pub(super) fn prompt(&self, question: &str) -> Result<Prompt, ModelError> {
        Ok(Prompt {
            before: self.tokenizer.ids(0, BEFORE)?,
            behind: self.tokenizer.ids(0, &BEHIND.join(question))?,
        })
    }

    /// Natural logarithms of the probabilities of the tokens of "Yes".
    fn log_probabilities(&self, picture: &Image<f32>, question: &str) -> Result<Vec<f64>, ModelError> {
        let picture = prepared(picture, self.side_px)?;
        let prompt = self.prompt(question)?;
        let n_tokens = self.tokenizer.n_tokens();
        self.network.log_probabilities(&picture, &prompt, &self.answer, n_tokens)
    }
}

impl AnswerScore {
    /// The logarithm of the score, computed from the logarithms of the tokens' probabilities.
    fn of(self, logs: &[f64]) -> f64 {
        let counted = match self {
            AnswerScore::T2v => logs,
            AnswerScore::FirstToken => &logs[..logs.len().min(1)],
        };
        counted.iter().sum::<f64>() / counted.len() as f64
    }
}

impl YesNoVlm for ClipFlanT5 {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn beginnings(&self, picture: &Image<f32>, question: &str) -> Result<Vec<Beginning>, ModelError> {
        let logs = self.log_probabilities(picture, question)?;
        Ok(vec![Beginning {
            token: ANSWER.to_owned(),
            logprob: self.score.of(&logs),
        }])
    }
}
