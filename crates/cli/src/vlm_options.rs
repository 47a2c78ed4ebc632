//! The options of vision-language models: what each is asked for, and the addresses of servers.

use crate::args::{PromptArg, ServerArg, ServingArgs, VlmArgs};
use neurogauge::core::ObservationKind;
use neurogauge::models::vlm::{VlmOptions, VlmServer};
use neurogauge::{Error, VlmChoice};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

/// Is this an address and not a captioner's id?
pub(crate) fn is_address(captioner: &str) -> bool {
    captioner.contains("://")
}

/// The servers of the options; `captioner` is the address of one that is to describe the images.
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

/// The addresses of the models by name; the empty name is used when the model comes from a record.
pub(crate) fn vlm_servers(args: &VlmArgs, captioner: Option<&str>) -> BTreeMap<String, VlmServer> {
    let servers = asked(args, captioner).into_iter();
    let named = servers.map(|of_file| {
        let model = of_file.model.or(args.vlm_model.clone());
        (model.unwrap_or_default(), server(&of_file.url, &args.serving))
    });
    named.collect()
}

/// The models and what each is asked for; `captioner` is the address of a server that is to describe the images.
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
        // The environment may have its address.
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
        ("--vlm-tokens", args.vlm_tokens.is_some()),
        ("--vlm-temperature", args.vlm_temperature.is_some()),
        ("--vlm-seed", args.vlm_seed.is_some()),
        ("--vlm-field", !args.vlm_field.is_empty()),
    ];
    first_given(given).or_else(|| idle_serving(&args.serving))
}

/// An option that has no effect without a server.
fn idle_serving(args: &ServingArgs) -> Option<&'static str> {
    first_given([
        ("--vlm-timeout", args.vlm_timeout.is_some()),
        ("--vlm-tries", args.vlm_tries.is_some()),
        ("--parallel", args.parallel.is_some()),
    ])
}

fn first_given<const N: usize>(options: [(&'static str, bool); N]) -> Option<&'static str> {
    let mut options = options.into_iter();
    options.find(|(_, is_given)| *is_given).map(|(option, _)| option)
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
    let defaults = VlmOptions::default();
    let tokens = of_file.tokens.or(args.vlm_tokens).map(usize::from);
    let temperature = of_file.temperature.or(args.vlm_temperature);
    let fields = args.vlm_field.iter();
    Ok(VlmChoice {
        model: model.to_owned(),
        asks,
        prompts: prompts.collect::<Result<_, Error>>()?,
        options: VlmOptions {
            max_tokens: tokens.and_then(|n| n.try_into().ok()).unwrap_or(defaults.max_tokens),
            temperature: temperature.map_or(defaults.temperature, f64::from),
            seed: of_file.seed.or(args.vlm_seed).unwrap_or(defaults.seed),
            fields: fields.map(|field| (field.0.clone(), field.1.clone())).collect(),
        },
    })
}

/// The servers of a plan's models (`MODEL=URL`, or an empty name for any), which are in no file.
///
/// # Errors
/// [`Error::Usage`] for an address that none of the models has a use for, and for options of servers without an
/// address.
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
    if let Some(n) = args.parallel.and_then(|n| NonZeroUsize::new(n.0)) {
        server.parallel = n;
    }
    if let Some(n) = args.vlm_tries.and_then(|n| NonZeroUsize::new(n.0)) {
        server.tries = n;
    }
    if let Some(seconds) = args.vlm_timeout {
        server.timeout = Duration::from_secs_f64(seconds.0);
    }
    server
}
