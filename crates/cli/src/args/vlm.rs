//! Options of models behind a server.

use super::*;
use clap::builder::PossibleValue;
use neurogauge::core::ObservationKind;
use neurogauge::formats::regular_file;
use neurogauge::models::vlm::{BuiltInPrompt, Prompt, VlmOptions, VlmServer};
use neurogauge::{Error, VLM_KINDS};
use serde::Deserializer;
use serde::de::Error as _;
use std::path::Path;
use std::sync::LazyLock;

const MAX_REQUESTS: usize = 1024;
const MAX_TRIES: usize = 100;
const MAX_ANSWER_TOKENS: usize = 1_000_000;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct VlmArgs {
    /// Server with a vision-language model that says what the images hold, such as http://localhost:8000
    ///
    /// Any server that speaks the chat protocol: vLLM, llama.cpp, ollama, LM Studio, `transformers serve`, OpenAI. It
    /// gives captions, categories (for masks), VLM categories, texts in images and VQA scores: those that --vlm-asks
    /// names, or else those that --metrics need and that you did not provide. Answers are kept in NEUROGAUGE_CACHE. The
    /// address is in no record; a key is read from the environment (NEUROGAUGE_VLM_KEY). In a TOML file, several
    /// [[vlm]] with url, model, asks, prompt, tokens, temperature and seed
    #[arg(long, value_name = "URL")]
    #[serde(deserialize_with = "servers")]
    pub(crate) vlm: Vec<ServerArg>,
    /// What the server calls the model; or one that needs no server: qwen2.5-vl-7b, qwen2.5-vl-3b, clip_flant5_xl and
    /// clip_flant5_xxl (VQA scores only), placeholder-vlm
    #[arg(long, value_name = "NAME")]
    pub(crate) vlm_model: Option<String>,
    /// What the model is asked for [default: what the metrics need]
    #[arg(long, value_enum, value_name = "WHAT,...", value_delimiter = ',')]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) vlm_asks: Vec<VlmKindArg>,
    /// A prompt instead of a paper's: one of `neurogauge prompts`, or WHAT=FILE with a text of your own, e.g.
    /// captions=prompt.txt. May be repeated
    #[arg(long, value_name = "ID|WHAT=FILE")]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) vlm_prompt: Vec<PromptArg>,
    /// Tokens that an answer has at most
    #[arg(long, value_name = "N", defaults_to = VlmOptions::default().max_tokens)]
    pub(crate) vlm_tokens: Option<Count<MAX_ANSWER_TOKENS>>,
    /// Temperature of the answers
    #[arg(long, value_name = "T", defaults_to = VlmOptions::default().temperature)]
    pub(crate) vlm_temperature: Option<AtLeastZero>,
    /// Seed of the server's sampling
    #[arg(long, value_name = "SEED", value_parser = crate::number::seed, defaults_to = VlmOptions::default().seed)]
    pub(crate) vlm_seed: Option<u64>,
    /// A further field of each request, e.g. max_completion_tokens=512; null leaves a field out, e.g. max_tokens=null.
    /// May be repeated
    #[arg(long, value_name = "FIELD=JSON")]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) vlm_field: Vec<FieldArg>,
    #[serde(flatten)]
    #[command(flatten)]
    pub(crate) serving: ServingArgs,
}

/// How servers are asked. No number depends on it.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ServingArgs {
    /// Seconds that an answer may take
    #[arg(long, value_name = "SECONDS", defaults_to = VlmServer::at("").timeout.as_secs())]
    pub(crate) vlm_timeout: Option<Seconds>,
    /// Attempts to send a request, with longer and longer pauses
    #[arg(long, value_name = "N", defaults_to = VlmServer::at("").tries)]
    pub(crate) vlm_tries: Option<Count<MAX_TRIES>>,
    /// Requests that wait for the server at the same time
    #[arg(long, value_name = "N", defaults_to = VlmServer::at("").parallel)]
    pub(crate) parallel: Option<Count<MAX_REQUESTS>>,
}

#[derive(Debug, Args)]
pub(crate) struct PromptsArgs {
    /// Print the text of this prompt [default: list all]
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
}

/// What a model behind a server can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct VlmKindArg(pub(crate) ObservationKind);

impl VlmKindArg {
    fn words() -> Vec<String> {
        VLM_KINDS.iter().map(|(kind, _)| kind.id().replace('_', "-")).collect()
    }
}

impl ValueEnum for VlmKindArg {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<VlmKindArg>> = LazyLock::new(|| VLM_KINDS.map(|(kind, _)| VlmKindArg(kind)).to_vec());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (kind, help) = VLM_KINDS.into_iter().find(|(kind, _)| *kind == self.0)?;
        Some(PossibleValue::new(kind.id().replace('_', "-")).help(help))
    }
}

impl TryFrom<String> for VlmKindArg {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        VlmKindArg::from_str(&word, false)
            .map_err(|_| format!("unknown variant `{word}`, expected one of `{}`", Self::words().join("`, `")))
    }
}

/// A server, alone or with what a TOML file says of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServerArg {
    pub(crate) url: String,
    pub(crate) model: Option<String>,
    #[serde(default)]
    pub(crate) asks: Vec<VlmKindArg>,
    #[serde(default)]
    pub(crate) prompt: Vec<PromptArg>,
    pub(crate) tokens: Option<Count<MAX_ANSWER_TOKENS>>,
    pub(crate) temperature: Option<AtLeastZero>,
    pub(crate) seed: Option<u64>,
}

impl std::str::FromStr for ServerArg {
    type Err = String;

    fn from_str(url: &str) -> Result<Self, String> {
        Ok(ServerArg {
            url: url.to_owned(),
            ..ServerArg::default()
        })
    }
}

/// An address, or one table or several.
fn servers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ServerArg>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "expected an address, or tables with url, model, asks, prompt, tokens, temperature and seed"
    )]
    enum Servers {
        Url(String),
        One(ServerArg),
        Several(Vec<ServerArg>),
    }
    match Servers::deserialize(deserializer)? {
        Servers::Url(url) => Ok(vec![url.parse().map_err(D::Error::custom)?]),
        Servers::One(one) => Ok(vec![one]),
        Servers::Several(several) => Ok(several),
    }
}

/// A prompt, and what it asks for. A file is read when it is needed, so that a configuration may have paths of its own.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum PromptArg {
    Known(&'static BuiltInPrompt),
    Own { makes: VlmKindArg, file: PathBuf },
}

impl PromptArg {
    /// What it asks for, and its text.
    ///
    /// # Errors
    /// A file that cannot be read or has no text.
    pub(crate) fn read(&self) -> Result<(ObservationKind, Prompt), Error> {
        let (makes, file) = match self {
            PromptArg::Known(known) => return Ok((known.makes, (*known).into())),
            PromptArg::Own { makes, file } => (*makes, file),
        };
        let refused = |reason: String| Error::Usage(format!("{}: {reason}", file.display()));
        let text = regular_file::read_to_string(file).map_err(|error| refused(error.to_string()))?;
        if text.trim().is_empty() {
            return Err(refused("it is empty; expected a prompt".to_owned()));
        }
        Ok((makes.0, Prompt::own(&text)))
    }

    /// The same words with a file that is relative to a folder.
    pub(crate) fn relative_to(folder: &Path, text: &str) -> String {
        match text.split_once('=') {
            Some((what, file)) => format!("{what}={}", folder.join(file).display()),
            None => text.to_owned(),
        }
    }
}

impl std::str::FromStr for PromptArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((what, file)) = text.split_once('=') else {
            return BuiltInPrompt::find(text).map(PromptArg::Known);
        };
        let makes = VlmKindArg::from_str(what, true).map_err(|_| {
            let words = VlmKindArg::words().join(", ");
            let (first, last) = words.rsplit_once(", ").unwrap_or_default();
            format!("{what:?}: expected {first} or {last}")
        })?;
        Ok(PromptArg::Own {
            makes,
            file: file.into(),
        })
    }
}

impl TryFrom<String> for PromptArg {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// A field of a request and its value.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct FieldArg(pub(crate) String, pub(crate) serde_json::Value);

impl std::str::FromStr for FieldArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let field = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let (name, value) = field.ok_or("expected FIELD=JSON, for example top_p=1")?;
        let value = serde_json::from_str(value).map_err(|error| {
            format!("{value}: {error}; expected JSON, so put words in quotes: {name}='\"{value}\"'")
        })?;
        Ok(FieldArg(name.to_owned(), value))
    }
}

impl TryFrom<String> for FieldArg {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
