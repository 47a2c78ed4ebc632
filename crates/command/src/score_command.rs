//! `neurogauge score`.

use crate::args::*;
use crate::from_json;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::Pairing;
use neurogauge::formats::trial_images;
use neurogauge::report::Format;
use neurogauge::{
    CaptionerChoice, DetectorChoice, Error, ModelOverrides, ObservationCache, Progress, Report, Run, RunSettings,
    ScoreRequest, StimulusPattern, plan_score, repeat, score,
};

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ScoreArgs {
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) inputs: InputArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,

    /// TOML file with options by name, and conventions under `[set]`
    ///
    /// Such as `metrics = ["pixcorr", "ssim"]`, and `pixel_size = 256` under `[set]`. What the command line says goes
    /// before it. Paths in it are relative to its folder
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// Image of each reconstruction, if reconstructions are trials: a table with the columns trial and image (.csv,
    /// .tsv), or of an array's rows a list (.txt, .csv:COLUMN, .npy). Each trial is scored, and trials are averaged per
    /// image; intervals and tests are of images. Names such as 'cat_rep0' need no file: --parts '{item}_rep{sample}'
    #[arg(long, value_name = "FILE", help_heading = "Inputs", conflicts_with = "parts")]
    pub(crate) trials: Option<PathBuf>,

    /// The run folder to write; an unfinished run there is resumed [default: `last-run` in the cache, which the next
    /// run without --out replaces]
    #[arg(long, value_name = "RUN", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Output")]
    pub(crate) overwrite: OverwriteArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Output")]
    pub(crate) table: TableArgs,
    /// What to do if an image cannot be read, or a model fails on an image or caption: `skip` names it, leaves its
    /// pairs without a value and ends with exit code 1, `stop` ends the run there
    #[arg(long, value_parser = choice::<OnFailure>(), value_name = "WHAT", help_heading = "Output", defaults_to = word_of(&OnFailure::default()))]
    pub(crate) on_failure: Option<OnFailure>,
    /// Also write the run in SEED's official layout, under RUN/evaluations/
    #[arg(long, value_enum, value_name = "LAYOUT", help_heading = "Output")]
    pub(crate) export_layout: Option<Layout>,
    /// Also draw the masks of these pairs over their images: what is right, missing and made up
    /// (RUN/figures/masks_<stem>.png)
    #[arg(long, value_name = "STEM,...", value_delimiter = ',', help_heading = "Output")]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) overlay: Vec<String>,
    /// Also print BASIC-H by dimension, such as colour or spatial relations (RUN/dimensions.csv)
    #[arg(long, help_heading = "Output")]
    pub(crate) by_dimension: bool,
    /// Only print what would be observed, compared and left out, and how much memory and time it takes; nothing is observed
    /// or written
    #[arg(long, help_heading = "Output", conflicts_with = "from_run")]
    pub(crate) dry_run: bool,
    /// Repeat the run in this folder, or that this run.json records; its inputs must be unchanged
    #[arg(long, value_name = "RUN", help_heading = "Output",
        conflicts_with_all = ["PairingArgs", "MetricArgs", "SetArgs", "SegmenterArgs", "resamples", "level", "seed", "stimulus_pattern", "trials", "averaged"])]
    pub(crate) from_run: Option<PathBuf>,
    /// Repeat the run even if its inputs or models have changed
    #[arg(long, help_heading = "Output", requires = "from_run")]
    pub(crate) accept_changes: bool,

    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) metrics: MetricArgs,
    /// Also identify by the mean features of so many random trials (samples) of each image, for metrics of
    /// identification
    #[arg(long, value_name = "N,...", value_delimiter = ',', help_heading = "Metrics", value_parser = number::<Count<MAX_CANDIDATES>, usize>)]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) averaged: Vec<usize>,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) set: SetArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Models behind a server")]
    pub(crate) vlm: VlmArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "BASIC-L")]
    pub(crate) segmenter: SegmenterArgs,
    /// Names of pairs if several show the same stimulus: {stimulus} for the stimulus and * for anything, such as
    /// '{stimulus}_*'. Intervals are then over stimuli, and pairs of one stimulus are no distractors of each other
    /// [default: stimuli with the same bytes]
    #[arg(long, value_name = "PATTERN", help_heading = "Intervals")]
    pub(crate) stimulus_pattern: Option<StimulusPattern>,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
    /// Linear heads of LPIPS: alex.pth or vgg.pth of the Python package lpips (lpips/weights/v0.1/ in
    /// its wheel); the network is that of the file. May be repeated
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    #[serde(deserialize_with = "from_json::paths")]
    pub(crate) lpips_heads: Vec<PathBuf>,
}

pub(crate) fn run(args: &ScoreArgs) -> Result<(), Error> {
    let bars = Bars::default();
    if args.dry_run {
        let settings = run_settings(args);
        let plan = plan_score(&request(args)?, &settings, &bars)?;
        output::data(&plan.explain())?;
        return plan.check(&settings);
    }
    if args.out.is_some() {
        return report_with_dimensions(&scored(args, &bars)?, args);
    }
    let out = ObservationCache::open().and_then(|cache| cache.last_run());
    let out = out.map_err(|error| {
        Error::Usage(format!(
            "say where the run goes with --out RUN; without it, it would go into the cache, and there: {error}"
        ))
    })?;
    let settings = RunSettings {
        out,
        is_scratch: true,
        ..run_settings(args)
    };
    let run = run_of(args, &settings, &bars)?;
    let failed = report_with_dimensions(&run, args);
    output::message(&format!(
        "{}: kept until the next run without --out; to keep it for good, give --out RUN",
        settings.out.display()
    ));
    failed
}

/// Prints the table of a run, then fails if items failed.
pub(crate) fn report(run: &Run, format: Format) -> Result<(), Error> {
    announce(run);
    // The table has the full text, with advice.
    let warnings = run.record.findings.iter().filter(|finding| finding.is_warning());
    warnings.for_each(|finding| output::warning(finding.brief()));
    output::formatted(format, &run.print(format, output::width())?)?;
    run.record.check_observations()
}

/// Prints the table of a run and, if requested, BASIC-H by dimension.
fn report_with_dimensions(run: &Run, args: &ScoreArgs) -> Result<(), Error> {
    let format = args.table.format();
    let failed = report(run, format);
    if args.by_dimension {
        match run.dimension_table()? {
            Some(table) => {
                output::formatted(format, &format!("\n{}", table.render(format, output::width())))?;
            }
            None => output::message(
                "no BASIC-H by dimension: the run compares no scene graphs; score it with --metrics basic_h",
            ),
        }
    }
    failed
}

/// Runs `score` with these arguments into the folder that they name.
pub(crate) fn scored(args: &ScoreArgs, progress: &dyn Progress) -> Result<Run, Error> {
    run_of(args, &run_settings(args), progress)
}

fn run_of(args: &ScoreArgs, settings: &RunSettings, progress: &dyn Progress) -> Result<Run, Error> {
    match &args.from_run {
        Some(run_json) => {
            args.models.weights.check()?;
            let models = models(args);
            repeat(run_json, &args.inputs.paths, &models, settings, progress)
        }
        None => score(&request(args)?, settings, progress),
    }
}

/// The settings of the run, with its folder if given.
pub(crate) fn run_settings(args: &ScoreArgs) -> RunSettings {
    RunSettings {
        export_official: args.export_layout.is_some(),
        overlays: args.overlay.clone(),
        on_failure: args.on_failure,
        overwrite: args.overwrite.overwrite,
        latex: args.table.latex(),
        accept_changes: args.accept_changes,
        vlm_servers: vlm_servers(&args.vlm, captioner_address(args)),
        ..args.models.weights.settings(args.out.clone().unwrap_or_default())
    }
}

/// The address of the server that describes the images, if it is given as the captioner.
fn captioner_address(args: &ScoreArgs) -> Option<&str> {
    let captioner = args.metrics.captioner.as_deref();
    captioner.filter(|captioner| is_address(captioner))
}

/// Overrides of the models' weights and device.
fn models(args: &ScoreArgs) -> ModelOverrides {
    ModelOverrides {
        lpips_heads: args.lpips_heads.clone(),
        ..args.models.overrides()
    }
}

/// The request of these arguments.
pub(crate) fn request(args: &ScoreArgs) -> Result<ScoreRequest, Error> {
    args.models.weights.check()?;
    let mut request = ScoreRequest {
        inputs: args.inputs.paths.clone(),
        pairing: pairing(args)?,
        averaged: args.averaged.clone(),
        stimulus_pattern: args.stimulus_pattern.clone(),
        bootstrap: args.bootstrap.options(),
        ..ScoreRequest::default()
    };
    request.models.set(&models(args));
    args.metrics.apply(&mut request)?;
    let captioner = args.metrics.captioner.as_ref();
    let captioner = captioner.filter(|captioner| !is_address(captioner));
    request.captioner = captioner.cloned().map(CaptionerChoice::of);
    request.vlm = vlm_choices(&args.vlm, captioner_address(args))?;
    request.detector = args.metrics.detector.clone().map(DetectorChoice::of);
    request.segmenter = args.segmenter.choice();
    request.set(&args.set.set)?;
    set_of_servers(&args.vlm, &mut request.vlm);
    Ok(request)
}

/// How stems pair, with the images of trials if they are given.
fn pairing(args: &ScoreArgs) -> Result<Pairing, Error> {
    let pairing = Pairing::from(&args.pairing);
    match (&args.trials, &pairing.parts) {
        (None, _) => Ok(pairing),
        (Some(trials), None) => Ok(pairing.of_trials(trial_images::read(trials)?)),
        (Some(_), Some(_)) => Err(Error::Usage(format!(
            "{} says which image each trial shows; leave out {}",
            option("trials", ""),
            option("parts", "")
        ))),
    }
}

/// Reports the outcome of a run on stderr.
pub(crate) fn announce(run: &Run) {
    output::message(&format!("{}: {}", run.folder.root().display(), run.done()));
}
