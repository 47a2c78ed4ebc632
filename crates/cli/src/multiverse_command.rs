//! `neurogauge multiverse` and `neurogauge presets`.

use crate::args::*;
use crate::output::{self, Done};
use crate::plan_command::FinishArgs;
use crate::progress_bars::Bars;
use neurogauge::{Error, Progress, RELEASED, ReleasedCode, RunSettings, ScoreRequest};
use neurogauge_multiverse::{MultiversePlan, MultiverseRequest, Over, multiverse};
use serde_json::json;
use std::fmt::Write;

#[derive(Debug, Args)]
#[command(mut_arg("out", |out| out.help("Where multiverse.json, multiverse.md, multiverse.csv, figures and the runs go")))]
pub(crate) struct MultiverseArgs {
    /// Stimuli: a folder of images, an .npy stack or a .pt file; for metrics of captions their captions
    #[arg(value_name = "STIMULI", help_heading = "Inputs")]
    pub(crate) stimuli: PathBuf,
    /// Systems: each a name with its reconstructions, or their captions
    #[arg(value_name = "NAME=RECON", value_parser = named_path, required = true, num_args = 1.., help_heading = "Inputs")]
    pub(crate) recon: Vec<(String, PathBuf)>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) reading: ReadingArgs,
    /// Comma-separated ids of metrics of pixels or of image models, or nsd8; or of captions (cap_sim, rouge_1, ...)
    /// with --over options
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = trimmed,
        default_value = "pixcorr,ssim",
        help_heading = "Conventions"
    )]
    pub(crate) metrics: Vec<String>,
    /// Compare the presets of released evaluations (`neurogauge presets`), or all combinations of single options
    #[arg(long, value_parser = choice::<Over>(), default_value = "presets", help_heading = "Conventions")]
    pub(crate) over: Over,
    /// A published number: also say which conventions come nearest
    #[arg(long, value_name = "NUMBER", help_heading = "Conventions")]
    pub(crate) published: Option<Finite>,
    /// Models behind feature metrics: each metric's own, or `placeholder` for all (no weights, numbers mean nothing)
    #[arg(long, value_enum, help_heading = "Models", defaults_to = "own")]
    pub(crate) image_models: Option<ImageModelsArg>,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PresetsArgs {
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}

pub(crate) fn written(args: &MultiverseArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let (request, settings) = request(args)?;
    let found = multiverse(&request, &settings, progress)?;
    args.place.written(&found, args.figures.options().as_ref())
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
    let place = OutArgs::new(&args.run, overwrite, args.table);
    place.written(&found, args.figures.options().as_ref())?.print()
}

/// What is asked for, and the settings.
pub(crate) fn request(args: &MultiverseArgs) -> Result<(MultiverseRequest, RunSettings), Error> {
    args.models.weights.check()?;
    let mut score = ScoreRequest {
        pairing: (&args.pairing).try_into()?,
        reading: (&args.reading).into(),
        bootstrap: args.bootstrap.options(),
        ..ScoreRequest::default()
    };
    score.models.set(&args.models.overrides());
    score.perception.stand_in = args.image_models == Some(ImageModelsArg::Placeholder);
    let settings = RunSettings {
        overwrite: args.place.overwrite.overwrite,
        latex: args.place.table.latex(),
        ..args.models.weights.settings(args.place.out.clone())
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
        TableOrJson::Json => output::json(&RELEASED.iter().map(as_json).collect::<Vec<_>>()),
        TableOrJson::Table => output::data(&RELEASED.iter().map(in_words).collect::<Vec<_>>().join("\n")),
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
