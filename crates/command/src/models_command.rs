//! `neurogauge models`.

use crate::args::*;
use crate::progress_bars::Bars;
use crate::{output, selftest_command};
use neurogauge::models::registry::{DownloadSize, ModelEntry, PublishedHash, find};
use neurogauge::models::weights::{WeightOptions, is_here, obtain};
use neurogauge::{DownloadBar, Error, models_of};
use neurogauge_multiverse::MultiversePlan;
use std::fmt::Write;

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// Download the weights of models
    ///
    /// Named by their ids, by what they are for (nsd8, seed, basic), or by a plan or a run. What is missing is listed
    /// first
    Fetch {
        /// Model, set of metrics, or plan of a run
        #[arg(value_name = "MODEL|SET|PLAN", required = true)]
        models: Vec<String>,
        #[command(flatten)]
        weights: WeightArgs,
    },
    /// Check the SHA-256 of the weights of a model
    Verify {
        /// Id of the model
        model: String,
        #[command(flatten)]
        weights: WeightArgs,
    },
    /// Compare models with what others published of them
    ///
    /// Computes, with the published weights, what others published [default: every model]. Exit code 1 if a value
    /// differs. Weights are not downloaded
    Selftest {
        /// Model, or set of metrics
        #[arg(value_name = "MODEL|SET")]
        models: Vec<String>,
        /// Fetch the pictures and arrays that published values are of, some MB; each keeps the hash of its first use
        #[arg(long)]
        fetch_inputs: bool,
        /// What is printed on stdout
        #[arg(long, value_enum, default_value_t)]
        format: TableOrJson,
        #[command(flatten)]
        weights: WeightArgs,
    },
}

pub(crate) fn run(args: &ModelsArgs) -> Result<(), Error> {
    match &args.action {
        ModelsAction::Fetch { models, weights } => fetch(&models_of(&with_runs(models)?)?, &options(weights)),
        ModelsAction::Verify { model, weights } => check(find(model)?, &options(weights)),
        ModelsAction::Selftest {
            models,
            fetch_inputs,
            format,
            weights,
        } => selftest_command::run(models, *fetch_inputs, *format, &options(weights)),
    }
}

/// The names, with a planned multiverse's folder replaced by those of its runs.
fn with_runs(names: &[String]) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for name in names {
        match MultiversePlan::read(name.as_ref())? {
            Some(plan) => {
                let runs = plan.runs()?.into_iter().flatten();
                found.extend(runs.map(|run| run.display().to_string()));
            }
            None => found.push(name.clone()),
        }
    }
    Ok(found)
}

fn options(args: &WeightArgs) -> WeightOptions {
    WeightOptions::given(args.weights.as_deref(), !args.offline)
}

/// Lists all missing weights of these models and downloads them. A failed download does not stop the others.
fn fetch(entries: &[&ModelEntry], options: &WeightOptions) -> Result<(), Error> {
    let mut missing = Vec::new();
    for entry in entries {
        output::message(&format!("{}: licence {}", entry.id, entry.licence));
        if let Some(terms) = entry.terms {
            output::message(&format!("{}: {terms}", entry.id));
        }
        if !is_here(entry, options)? {
            missing.push(*entry);
        }
    }
    if !missing.is_empty() {
        output::message(&listing(&missing, entries.len()));
    }
    let mut failed = None;
    for entry in entries {
        match obtain(entry, options, &DownloadBar(&Bars::default())) {
            Ok(model) => {
                say_what_is_published(entry, &model.sha256);
                output::data(&format!("{}\n", model.dir.display()))?;
            }
            Err(error) => {
                if let Some(earlier) = failed.replace(Error::from(error)) {
                    output::message(&format!("error: {earlier}"));
                }
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// The models that are not on this machine, with their sizes and the sum of these.
fn listing(missing: &[&ModelEntry], n_all: usize) -> String {
    let all: DownloadSize = missing.iter().map(|entry| entry.size()).sum();
    let mut text = format!("{} of {n_all} are not on this machine: {all}", missing.len());
    let width = missing.iter().map(|entry| entry.id.len()).max().unwrap_or(0);
    for entry in missing {
        let _ = write!(text, "\n  {:width$}  {}", entry.id, entry.size());
    }
    text
}

fn check(entry: &ModelEntry, options: &WeightOptions) -> Result<(), Error> {
    let offline = WeightOptions {
        allow_download: false,
        ..options.clone()
    };
    let model = obtain(entry, &offline, &DownloadBar(&Bars::default()))?;
    say_what_is_published(entry, &model.sha256);
    output::data(&format!("{}: every file has the recorded SHA-256\n", model.dir.display()))
}

/// Says whether the hash is published: an unpublished one only proves that the file has not changed since its first
/// use.
fn say_what_is_published(entry: &ModelEntry, found: &str) {
    let published = match entry.weights().sha256 {
        hash if hash.full().is_some() => return,
        PublishedHash("") => "no hash of it is published".to_owned(),
        PublishedHash(digits) => format!("only its first digits {digits} are published"),
    };
    output::message(&format!(
        "{}: the weights have SHA-256 {found}; {published}, so this one is recorded beside the file \
         and the file is checked against it from now on",
        entry.id
    ));
}
