//! `neurogauge models`.

use crate::args::{ModelsAction, ModelsArgs, WeightArgs};
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::models::registry::{MODELS, ModelEntry, find};
use neurogauge::models::weights::{WeightOptions, locate, obtain, verify};
use neurogauge::{DownloadBar, Error};
use std::fmt::Write;

pub(crate) fn run(args: &ModelsArgs) -> Result<(), Error> {
    match &args.action {
        ModelsAction::List(weights) => list(&options(weights)),
        ModelsAction::Fetch { model, weights } => fetch(find(model)?, &options(weights)),
        ModelsAction::Verify { model, weights } => check(find(model)?, &options(weights)),
    }
}

fn options(args: &WeightArgs) -> WeightOptions {
    let mut options = WeightOptions::from_env();
    if args.weights.is_some() {
        options.dir.clone_from(&args.weights);
    }
    options.allow_download &= !args.offline;
    options
}

fn list(options: &WeightOptions) -> Result<(), Error> {
    let mut text = String::new();
    for entry in MODELS {
        let megabytes = entry.files.iter().map(|file| file.bytes).sum::<u64>() as f64 / 1e6;
        let place = match locate(entry, options) {
            Ok(Some(dir)) => dir.display().to_string(),
            Ok(None) => "not here; `neurogauge models fetch` downloads it".into(),
            Err(error) => error.to_string(),
        };
        let _ = writeln!(
            text,
            "{}\n  {}\n  {} at {}\n  {}, {megabytes:.0} MB\n  {}\n  weights: {place}",
            entry.id,
            entry.purpose,
            entry.repository,
            entry.revision,
            entry.licence,
            entry.citation,
        );
    }
    output::data(&text)
}

fn fetch(entry: &ModelEntry, options: &WeightOptions) -> Result<(), Error> {
    output::message(&format!("{}: licence {}", entry.id, entry.licence));
    let dir = obtain(entry, options, &DownloadBar(&Bars::default()))?;
    output::data(&format!("{}\n", dir.display()))
}

fn check(entry: &ModelEntry, options: &WeightOptions) -> Result<(), Error> {
    let offline = WeightOptions {
        allow_download: false,
        ..options.clone()
    };
    let dir = obtain(entry, &offline, &DownloadBar(&Bars::default()))?;
    verify(&dir, entry)?;
    output::data(&format!(
        "{}: every file has the recorded SHA-256\n",
        dir.display()
    ))
}
