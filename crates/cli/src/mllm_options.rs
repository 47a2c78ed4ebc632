//! Which models behind a server are asked for what, and where they are.

use crate::args::{MllmArgs, MllmServer, PromptArg};
use neurogauge::core::ObservationKind;
use neurogauge::models::chat::{ChatOptions, ChatServer};
use neurogauge::{Error, MllmChoice};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

/// Is this an address and not a captioner's id?
pub(crate) fn is_address(captioner: &str) -> bool {
    captioner.contains("://")
}

/// The servers of the options; `captioner` is the address of one that is to describe the images.
fn asked(args: &MllmArgs, captioner: Option<&str>) -> Vec<MllmServer> {
    let of_captioner = captioner.map(|url| MllmServer {
        url: url.to_owned(),
        ..MllmServer::default()
    });
    match args.mllm.as_slice() {
        [] => of_captioner.into_iter().collect(),
        servers => servers.to_vec(),
    }
}

/// Where the models are, by name; under no name where it stands in a record.
pub(crate) fn mllm_servers(
    args: &MllmArgs,
    captioner: Option<&str>,
) -> BTreeMap<String, ChatServer> {
    let servers = asked(args, captioner).into_iter();
    let named = servers.map(|of_file| {
        let model = of_file.model.or(args.mllm_model.clone());
        (model.unwrap_or_default(), server(&of_file.url, args))
    });
    named.collect()
}

/// The models and what they are asked; `captioner` is the address of a server that is to describe the images.
pub(crate) fn mllm_choices(
    args: &MllmArgs,
    captioner: Option<&str>,
) -> Result<Vec<MllmChoice>, Error> {
    if let (Some(url), Some(first)) = (captioner, args.mllm.first())
        && (first.url != url || args.mllm.len() > 1)
    {
        return Err(Error::Usage(format!(
            "--captioner {url} and --mllm {}: one address is enough; say what is asked with --mllm-asks",
            first.url
        )));
    }
    let mut asked = asked(args, captioner);
    match (asked.is_empty(), idle(args)) {
        (false, _) => {}
        (true, None) => return Ok(Vec::new()),
        // The environment may know where it is.
        (true, Some("--mllm-model")) => asked.push(MllmServer::default()),
        (true, Some(option)) => {
            return Err(Error::Usage(format!(
                "{option} says how a model behind a server is asked, and there is none; say where it is: --mllm URL --mllm-model NAME"
            )));
        }
    }
    let mut choices: Vec<MllmChoice> = Vec::new();
    for of_file in &asked {
        let model = of_file.model.as_ref().or(args.mllm_model.as_ref());
        let model = model.ok_or_else(|| {
            Error::Usage(format!(
                "{}: which of its models? Say what the server calls it: --mllm-model NAME",
                of_file.url
            ))
        })?;
        if choices.iter().any(|choice| choice.model == *model) {
            return Err(Error::Usage(format!(
                "--mllm: {model} stands there twice; expected each model once"
            )));
        }
        choices.push(choice(model, of_file, args, captioner.is_some())?);
    }
    Ok(choices)
}

/// An option that says nothing without a model.
fn idle(args: &MllmArgs) -> Option<&'static str> {
    let given = [
        ("--mllm-model", args.mllm_model.is_some()),
        ("--mllm-asks", !args.mllm_asks.is_empty()),
        ("--mllm-prompt", !args.mllm_prompt.is_empty()),
        ("--mllm-tokens", args.mllm_tokens.is_some()),
        ("--mllm-temperature", args.mllm_temperature.is_some()),
        ("--mllm-seed", args.mllm_seed.is_some()),
        ("--mllm-field", !args.mllm_field.is_empty()),
        ("--mllm-timeout", args.mllm_timeout.is_some()),
        ("--mllm-tries", args.mllm_tries.is_some()),
        ("--parallel", args.parallel.is_some()),
    ];
    given
        .into_iter()
        .find(|(_, is_given)| *is_given)
        .map(|(option, _)| option)
}

fn choice(
    model: &str,
    of_file: &MllmServer,
    args: &MllmArgs,
    asks_captions: bool,
) -> Result<MllmChoice, Error> {
    let asks = match of_file.asks.is_empty() {
        true => &args.mllm_asks,
        false => &of_file.asks,
    };
    let mut asks: Vec<ObservationKind> = asks.iter().map(|&kind| kind.into()).collect();
    if asks_captions && !asks.contains(&ObservationKind::Captions) {
        asks.push(ObservationKind::Captions);
    }
    let prompts = args.mllm_prompt.iter().chain(&of_file.prompt);
    let prompts = prompts.map(PromptArg::read);
    let defaults = ChatOptions::default();
    let tokens = of_file.tokens.or(args.mllm_tokens).map(usize::from);
    let temperature = of_file.temperature.or(args.mllm_temperature);
    let fields = args.mllm_field.iter();
    Ok(MllmChoice {
        model: model.to_owned(),
        asks,
        prompts: prompts.collect::<Result<_, Error>>()?,
        options: ChatOptions {
            max_tokens: tokens
                .and_then(|n| n.try_into().ok())
                .unwrap_or(defaults.max_tokens),
            temperature: temperature.map_or(defaults.temperature, f64::from),
            seed: of_file.seed.or(args.mllm_seed).unwrap_or(defaults.seed),
            fields: fields
                .map(|field| (field.0.clone(), field.1.clone()))
                .collect(),
        },
    })
}

fn server(url: &str, args: &MllmArgs) -> ChatServer {
    let mut server = ChatServer::at(url);
    if let Some(n) = args.parallel.and_then(|n| NonZeroUsize::new(n.0)) {
        server.parallel = n;
    }
    if let Some(n) = args.mllm_tries.and_then(|n| NonZeroUsize::new(n.0)) {
        server.tries = n;
    }
    if let Some(seconds) = args.mllm_timeout {
        server.timeout = Duration::from_secs_f64(seconds.0);
    }
    server
}
