//! `neurogauge multiverse`.

use crate::args::*;
use crate::output::Done;
use crate::progress_bars::Bars;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest};
use neurogauge_multiverse::{MultiversePlan, MultiverseRequest, multiverse};

/// The conventions that are the same in every run.
const CONVENTIONS: &[&str] = &[
    "values",
    "alpha",
    "stack_order",
    "frames",
    "on_missing",
    "odd_frames",
    "image_models",
    "text_encoder",
    "text_instruction",
    "interval",
    "cluster",
];

#[derive(Debug, Args)]
#[command(mut_arg("out", |out| out.help("Where multiverse.json, multiverse.md, multiverse.csv, figures and the runs go")))]
#[command(mut_arg("set", only(CONVENTIONS)))]
pub(crate) struct MultiverseArgs {
    #[command(flatten)]
    pub(crate) request: MultiverseRequest,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) set: SetArgs,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

pub(crate) fn written(args: &MultiverseArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let (request, settings) = request(args)?;
    let found = multiverse(&request, &settings, progress)?;
    args.place.written(&found, args.figures.options().as_ref())
}

/// Combines the shards of a plan.
pub(crate) fn finish(args: &FinishArgs, plan: &MultiversePlan) -> Result<(), Error> {
    let settings = RunSettings {
        latex: args.table.latex(),
        // The plan has already replaced the earlier runs.
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

/// The request, and the settings.
pub(crate) fn request(args: &MultiverseArgs) -> Result<(MultiverseRequest, RunSettings), Error> {
    args.models.weights.check()?;
    let mut score = ScoreRequest {
        bootstrap: args.bootstrap.options(),
        pairing: (&args.pairing).into(),
        ..ScoreRequest::default()
    };
    score.models.set(&args.models.overrides());
    score.set(&args.set.set)?;
    let settings = RunSettings {
        overwrite: args.place.overwrite.overwrite,
        latex: args.place.table.latex(),
        ..args.models.weights.settings(args.place.out.clone())
    };
    let request = MultiverseRequest {
        score,
        ..args.request.clone()
    };
    request.check_folders()?;
    Ok((request, settings))
}
