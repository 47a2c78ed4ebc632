//! `neurogauge score`.

use crate::args::{OutputFormat, ScoreArgs};
use crate::metric_options::{apply_basic_args, apply_mask_args, apply_metric_args};
use crate::observer_options::{
    apply_caption_args, apply_detection_args, graph_parser, mask_choice,
};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{bootstrap, model_overrides, settings};
use neurogauge::{
    Error, ModelOverrides, Progress, Report, Run, RunSettings, ScoreRequest, plan_score, repeat,
    score,
};

pub(crate) fn run(args: &ScoreArgs) -> Result<(), Error> {
    if args.dry_run {
        let plan = plan_score(&request(args)?, &run_settings(args), &Bars::default())?;
        return output::data(&plan.explain());
    }
    report(&scored(args, &Bars::default())?, args.format)
}

/// Prints the table of a run. Items that failed are an error then.
pub(crate) fn report(run: &Run, format: OutputFormat) -> Result<(), Error> {
    announce(run);
    output::data(&run.print(format.into(), output::width())?)?;
    run.record.check_observations()
}

/// The run that these arguments ask for.
pub(crate) fn scored(args: &ScoreArgs, progress: &dyn Progress) -> Result<Run, Error> {
    let settings = run_settings(args);
    match &args.from_run {
        Some(run_json) => repeat(
            run_json,
            &args.inputs.paths,
            &models(args),
            &settings,
            progress,
        ),
        None => score(&request(args)?, &settings, progress),
    }
}

/// Where the run goes, and with what.
pub(crate) fn run_settings(args: &ScoreArgs) -> RunSettings {
    RunSettings {
        export_official: args.export_layout.is_some(),
        overlays: args.overlay.clone(),
        on_failure: args.on_failure.map(Into::into),
        overwrite: args.overwrite.overwrite,
        accept_changes: args.accept_changes,
        ..settings(args.out.clone(), &args.weights)
    }
}

/// Which weights models are to have, and where they are to run.
fn models(args: &ScoreArgs) -> ModelOverrides {
    ModelOverrides {
        lpips_heads: args.lpips_heads.clone(),
        ..model_overrides(&args.weights, &args.device)
    }
}

/// What is to be scored, and how.
pub(crate) fn request(args: &ScoreArgs) -> Result<ScoreRequest, Error> {
    let mut request = ScoreRequest {
        inputs: args.inputs.paths.clone(),
        pairing: (&args.pairing).into(),
        bootstrap: bootstrap(&args.bootstrap, &args.interval),
        ..ScoreRequest::default()
    };
    request.models.set(&models(args));
    apply_metric_args(&mut request, &args.metrics)?;
    apply_caption_args(
        &mut request,
        args.metrics.captioner.as_ref(),
        &args.captions,
    )?;
    let detector = args.metrics.detector.as_ref();
    apply_detection_args(&mut request, detector, &args.detections)?;
    request.graph_parser = graph_parser(args.basic.parser, &args.parser)?;
    apply_basic_args(&mut request, &args.basic)?;
    apply_mask_args(&mut request, &args.masks);
    request.segmenter = mask_choice(&args.segmenter, args.masks.mask_prompts)?;
    Ok(request)
}

/// Says on stderr what became of the run.
pub(crate) fn announce(run: &Run) {
    output::message(&format!("{}: {}", run.folder.root().display(), run.done()));
}
