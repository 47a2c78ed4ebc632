//! Options of vision-language models: their tasks, and the addresses of servers.

use super::*;
use clap::builder::PossibleValue;
use neurogauge::core::ObservationKind;
use neurogauge::formats::regular_file;
use neurogauge::models::vlm::{BuiltInPrompt, Prompt, VlmServer};
use neurogauge::{Error, VLM_KINDS, VlmChoice};
use serde::Deserializer;
use serde::de::Error as _;
use serde_with::DeserializeFromStr;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

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
    /// A prompt instead of a paper's: one of `neurogauge list prompts`, or WHAT=FILE with a text of your own, e.g.
    /// captions=prompt.txt. May be repeated
    #[arg(long, value_name = "ID|WHAT=FILE")]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) vlm_prompt: Vec<PromptArg>,
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

/// A kind that a model behind a server can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct VlmKindArg(pub(crate) ObservationKind);

impl VlmKindArg {
    fn words() -> Vec<String> {
        VLM_KINDS.iter().map(|(kind, _)| word_of_kind(*kind)).collect()
    }
}

impl ValueEnum for VlmKindArg {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<VlmKindArg>> = LazyLock::new(|| VLM_KINDS.map(|(kind, _)| VlmKindArg(kind)).to_vec());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (kind, help) = VLM_KINDS.into_iter().find(|(kind, _)| *kind == self.0)?;
        Some(PossibleValue::new(word_of_kind(kind)).help(help))
    }
}

impl TryFrom<String> for VlmKindArg {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        VlmKindArg::from_str(&word, false)
            .map_err(|_| format!("unknown variant `{word}`, expected one of `{}`", Self::words().join("`, `")))
    }
}

/// A server, alone or with its options from a TOML file.
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

/// A single address, or one or several tables.
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

/// A prompt and its kind. A file is read only when it is needed, so that a configuration may use relative paths.
#[derive(Debug, Clone, DeserializeFromStr)]
pub(crate) enum PromptArg {
    Known(&'static BuiltInPrompt),
    Own { makes: VlmKindArg, file: PathBuf },
}

impl PromptArg {
    /// The kind and the text of the prompt.
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

    /// The text of the option, with a file's path relative to a folder.
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

/// A field of a request, and its value.
#[derive(Debug, Clone, DeserializeFromStr)]
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

/// Is this an address rather than a captioner's id?
pub(crate) fn is_address(captioner: &str) -> bool {
    captioner.contains("://")
}

/// The servers in the options; `captioner` is the address of one that is to describe the images.
fn asked(args: &VlmArgs, captioner: Option<&str>) -> Vec<ServerArg> {
    let of_captioner = captioner.map(|url| ServerArg {
        url: url.to_owned(),
        ..ServerArg::default()
    });
    match args.vlm.as_slice() {
        [] => of_captioner.into_iter().collect(),
        servers => servers.to_vec(),
    }
}

/// The addresses of the models by name; the empty name is used if the model comes from a record.
pub(crate) fn vlm_servers(args: &VlmArgs, captioner: Option<&str>) -> BTreeMap<String, VlmServer> {
    let servers = asked(args, captioner).into_iter();
    let named = servers.map(|of_file| {
        let model = of_file.model.or(args.vlm_model.clone());
        (model.unwrap_or_default(), server(&of_file.url, &args.serving))
    });
    named.collect()
}

/// The models and their tasks; `captioner` is the address of a server that is to describe the images.
pub(crate) fn vlm_choices(args: &VlmArgs, captioner: Option<&str>) -> Result<Vec<VlmChoice>, Error> {
    if let (Some(url), Some(first)) = (captioner, args.vlm.first())
        && (first.url != url || args.vlm.len() > 1)
    {
        return Err(Error::Usage(format!(
            "--captioner {url} and --vlm {}: one address is enough; say what is asked with --vlm-asks",
            first.url
        )));
    }
    let mut asked = asked(args, captioner);
    match (asked.is_empty(), idle(args)) {
        (false, _) => {}
        (true, None) => return Ok(Vec::new()),
        // The environment may contain its address.
        (true, Some("--vlm-model")) => asked.push(ServerArg::default()),
        (true, Some(option)) => {
            return Err(Error::Usage(format!(
                "{option} says how a model behind a server is asked, and there is none; say where it is: --vlm URL --vlm-model NAME"
            )));
        }
    }
    let mut choices: Vec<VlmChoice> = Vec::new();
    for of_file in &asked {
        let model = of_file.model.as_ref().or(args.vlm_model.as_ref());
        let model = model.ok_or_else(|| {
            Error::Usage(format!(
                "{}: which of its models? Say what the server calls it: --vlm-model NAME",
                of_file.url
            ))
        })?;
        if choices.iter().any(|choice| choice.model == *model) {
            return Err(Error::Usage(format!("--vlm: {model} occurs twice; expected each model once")));
        }
        choices.push(choice(model, of_file, args, captioner.is_some())?);
    }
    Ok(choices)
}

/// An option that has no effect without a model.
fn idle(args: &VlmArgs) -> Option<&'static str> {
    let given = [
        ("--vlm-model", args.vlm_model.is_some()),
        ("--vlm-asks", !args.vlm_asks.is_empty()),
        ("--vlm-prompt", !args.vlm_prompt.is_empty()),
        ("--vlm-field", !args.vlm_field.is_empty()),
    ];
    first_given(&given).or_else(|| idle_serving(&args.serving))
}

/// An option that has no effect without a server.
fn idle_serving(args: &ServingArgs) -> Option<&'static str> {
    first_given(&[
        ("--vlm-timeout", args.vlm_timeout.is_some()),
        ("--vlm-tries", args.vlm_tries.is_some()),
        ("--parallel", args.parallel.is_some()),
    ])
}

fn choice(model: &str, of_file: &ServerArg, args: &VlmArgs, asks_captions: bool) -> Result<VlmChoice, Error> {
    let asks = match of_file.asks.is_empty() {
        true => &args.vlm_asks,
        false => &of_file.asks,
    };
    let mut asks: Vec<ObservationKind> = asks.iter().map(|kind| kind.0).collect();
    if asks_captions && !asks.contains(&ObservationKind::Captions) {
        asks.push(ObservationKind::Captions);
    }
    let prompts = args.vlm_prompt.iter().chain(&of_file.prompt).map(PromptArg::read);
    let fields = args.vlm_field.iter();
    let mut choice = VlmChoice {
        asks,
        prompts: prompts.collect::<Result<_, Error>>()?,
        ..VlmChoice::of(model.to_owned())
    };
    choice.options.fields = fields.map(|field| (field.0.clone(), field.1.clone())).collect();
    Ok(choice)
}

/// What a server's table in a file says of its model alone, which goes before conventions of all models.
pub(crate) fn set_of_servers(args: &VlmArgs, choices: &mut [VlmChoice]) {
    for (of_file, choice) in args.vlm.iter().zip(choices) {
        let tokens = of_file.tokens.map(usize::from);
        set(&mut choice.options.max_tokens, tokens.and_then(|n| u32::try_from(n).ok()));
        set(&mut choice.options.temperature, of_file.temperature.map(f64::from));
        set(&mut choice.options.seed, of_file.seed);
    }
}

/// The servers of a plan's models (`MODEL=URL`, or an empty name for any), which no file contains.
///
/// # Errors
/// [`Error::Usage`] for an address that no model uses, and for options of servers without an address.
pub(crate) fn servers_of_plan(
    (addresses, serving): (&[(String, String)], &ServingArgs),
    models: &[VlmChoice],
) -> Result<BTreeMap<String, VlmServer>, Error> {
    if let (true, Some(option)) = (addresses.is_empty(), idle_serving(serving)) {
        return Err(Error::Usage(format!(
            "{option} says how a server is asked, and there is none; say where it is: --vlm URL"
        )));
    }
    let is_asked = |name: &String| match name.as_str() {
        "" => !models.is_empty(),
        name => models.iter().any(|choice| choice.model == name),
    };
    if let Some((name, url)) = addresses.iter().find(|(name, _)| !is_asked(name)) {
        let names: Vec<&str> = models.iter().map(|choice| choice.model.as_str()).collect();
        return Err(Error::Usage(match (name.as_str(), names.join(", ")) {
            (_, names) if names.is_empty() => {
                format!("--vlm {url}: nothing of this plan is asked of a vision-language model; leave it out")
            }
            (name, names) => {
                format!("--vlm {name}={url}: the plan asks no model of that name; it asks {names}")
            }
        }));
    }
    Ok(addresses.iter().map(|(name, url)| (name.clone(), server(url, serving))).collect())
}

fn server(url: &str, args: &ServingArgs) -> VlmServer {
    let mut server = VlmServer::at(url);
    set(&mut server.parallel, args.parallel);
    set(&mut server.tries, args.vlm_tries);
    set(&mut server.timeout, args.vlm_timeout.map(|seconds| Duration::from_secs_f64(seconds.0)));
    server
}
