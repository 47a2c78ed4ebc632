//! `neurogauge multiverse` and `neurogauge presets`.

use crate::args::{FinishArgs, ImageModelsArg, MultiverseArgs, OverwriteArgs, PresetsArgs, TableOrJson};
use crate::output::{self, Done};
use crate::progress_bars::Bars;
use crate::run_settings::{bootstrap, model_overrides, settings};
use neurogauge::{Error, Progress, RELEASED, ReleasedCode, RunSettings, ScoreRequest};
use neurogauge_multiverse::{MultiversePlan, MultiverseRequest, multiverse};
use serde_json::json;
use std::fmt::Write;

pub(crate) fn written(args: &MultiverseArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let (request, settings) = request(args)?;
    let found = multiverse(&request, &settings, progress)?;
    args.results.written(&found)
}

/// Puts the parts of a plan together.
pub(crate) fn finish(args: &FinishArgs, plan: &MultiversePlan) -> Result<(), Error> {
    let settings = RunSettings {
        latex: args.table.latex(),
        // The plan has already replaced the runs that were there.
        overwrite: false,
        ..plan.settings.clone()
    };
    let found = multiverse(&plan.request, &settings, &Bars::default())?;
    let overwrite = OverwriteArgs {
        overwrite: plan.settings.overwrite,
    };
    let place = (args.run.as_path(), &overwrite);
    output::result(&found, place, args.figures.options().as_ref(), &args.table)
}

/// What is asked for, and the settings.
pub(crate) fn request(args: &MultiverseArgs) -> Result<(MultiverseRequest, RunSettings), Error> {
    args.weights.check()?;
    let mut score = ScoreRequest {
        pairing: (&args.pairing).try_into()?,
        reading: (&args.reading).into(),
        bootstrap: bootstrap(&args.bootstrap, &args.interval),
        ..ScoreRequest::default()
    };
    score.models.set(&model_overrides(&args.weights, &args.device));
    score.perception.stand_in = args.image_models == Some(ImageModelsArg::Placeholder);
    let settings = RunSettings {
        overwrite: args.results.overwrite.overwrite,
        latex: args.results.table.latex(),
        ..settings(args.results.out.clone(), &args.weights)
    };
    let request = MultiverseRequest {
        stimuli: args.stimuli.clone(),
        systems: args.recon.clone(),
        metrics: args.metrics.clone(),
        over: args.over,
        published: args.published.map(Into::into),
        score,
    };
    request.check_folders()?;
    Ok((request, settings))
}

/// Lists the presets that equal released evaluations.
pub(crate) fn presets(args: &PresetsArgs) -> Result<(), Error> {
    match args.format {
        TableOrJson::Json => {
            let all: Vec<_> = RELEASED.iter().map(as_json).collect();
            output::document(&format!("{:#}\n", json!(all)))
        }
        TableOrJson::Table => {
            let all = RELEASED.iter().map(in_words);
            output::data(&all.collect::<Vec<String>>().join("\n"))
        }
    }
}

fn as_json(code: &ReleasedCode) -> serde_json::Value {
    json!({
        "preset": code.name,
        "repository": code.repository,
        "commit": code.commit,
        "file": code.file,
        "checked": code.checked,
        "decides": code.decides,
        "metrics": code.metrics,
        "differs": code.differs,
    })
}

fn in_words(code: &ReleasedCode) -> String {
    let mut text = format!(
        "{}\n  code     {} {}, {}\n  checked  {}\n  decides  {}\n  metrics  {}\n",
        code.name,
        code.repository,
        code.commit.get(..10).unwrap_or(code.commit),
        code.file,
        code.checked,
        code.decides,
        code.metrics.join(", ")
    );
    if !code.differs.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  note     {}", code.differs);
    }
    text
}
