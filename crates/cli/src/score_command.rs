//! `neurogauge score`.

use crate::args::ScoreArgs;
use crate::metric_options::{apply_basic_args, apply_mask_args, apply_metric_args};
use crate::observer_options::{apply_caption_args, apply_detection_args, graph_parser, mask_choice};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{bootstrap, model_overrides, settings};
use crate::vlm_options::{is_address, vlm_choices, vlm_servers};
use neurogauge::report::{Format, ResultTable};
use neurogauge::{
    Error, ModelOverrides, ObservationCache, Progress, Report, Run, RunSettings, ScoreRequest, plan_score, repeat,
    score,
};

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

/// Prints the table of a run; then returns an error if items failed.
pub(crate) fn report(run: &Run, format: Format) -> Result<(), Error> {
    announce(run);
    // The table has them in full, with what to do.
    let warnings = run.record.findings.iter().filter(|finding| finding.is_warning());
    warnings.for_each(|finding| output::warning(&finding.brief()));
    output::formatted(format, &run.print(format, output::width())?)?;
    run.record.check_observations()
}

/// The same, and BASIC-H by dimension where that is asked for.
fn report_with_dimensions(run: &Run, args: &ScoreArgs) -> Result<(), Error> {
    let format = args.table.format();
    let failed = report(run, format);
    if args.by_dimension {
        match run.dimension_table()? {
            Some(table) => {
                let table = ResultTable::from(table).render(format, output::width())?;
                output::formatted(format, &format!("\n{table}"))?;
            }
            None => output::message(
                "no BASIC-H by dimension: the run compares no scene graphs; score it with --metrics basic_h",
            ),
        }
    }
    failed
}

/// Runs `score` with these arguments, into the folder that they name.
pub(crate) fn scored(args: &ScoreArgs, progress: &dyn Progress) -> Result<Run, Error> {
    run_of(args, &run_settings(args), progress)
}

fn run_of(args: &ScoreArgs, settings: &RunSettings, progress: &dyn Progress) -> Result<Run, Error> {
    match &args.from_run {
        Some(run_json) => {
            args.weights.check()?;
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
        ..settings(args.out.clone().unwrap_or_default(), &args.weights)
    }
}

/// The address of the server that describes the images, if it is given instead of a captioner.
fn captioner_address(args: &ScoreArgs) -> Option<&str> {
    let captioner = args.metrics.captioner.as_deref();
    captioner.filter(|captioner| is_address(captioner))
}

/// Overrides of the models' weights and device.
fn models(args: &ScoreArgs) -> ModelOverrides {
    ModelOverrides {
        lpips_heads: args.lpips_heads.clone(),
        ..model_overrides(&args.weights, &args.device)
    }
}

/// The request of these arguments.
pub(crate) fn request(args: &ScoreArgs) -> Result<ScoreRequest, Error> {
    args.weights.check()?;
    args.pairing
        .check_parts(&[("samples", args.samples.is_some()), ("odd-frames", args.odd_frames.is_some())])?;
    let mut request = ScoreRequest {
        inputs: args.inputs.paths.clone(),
        pairing: (&args.pairing).try_into()?,
        reading: (&args.reading).into(),
        stimulus_pattern: args.stimulus_pattern.clone(),
        cluster: args.cluster.clone().unwrap_or_default(),
        null: args.null,
        samples: args.samples.unwrap_or_default(),
        bootstrap: bootstrap(&args.bootstrap, &args.interval),
        ..ScoreRequest::default()
    };
    request.perception.odd_frames = args.odd_frames.unwrap_or_default();
    request.models.set(&models(args));
    apply_metric_args(&mut request, &args.metrics)?;
    let captioner = args.metrics.captioner.as_ref();
    let captioner = captioner.filter(|captioner| !is_address(captioner));
    apply_caption_args(&mut request, captioner, &args.captions)?;
    request.vlm = vlm_choices(&args.vlm, captioner_address(args))?;
    let detector = args.metrics.detector.as_ref();
    apply_detection_args(&mut request, detector, &args.detections)?;
    request.graph_parser = graph_parser(args.basic.parser, &args.parser)?;
    apply_basic_args(&mut request, &args.basic)?;
    apply_mask_args(&mut request, &args.masks);
    request.segmenter = mask_choice(&args.segmenter, args.masks.mask_prompts)?;
    Ok(request)
}

/// Reports the outcome of the run on stderr.
pub(crate) fn announce(run: &Run) {
    output::message(&format!("{}: {}", run.folder.root().display(), run.done()));
}
