//! `neurogauge score`.

use crate::args::ScoreArgs;
use crate::describer_options::{apply_caption_args, apply_detection_args, graph_parser};
use crate::metric_options::{apply_basic_args, apply_mask_args, apply_metric_args};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{bootstrap, settings};
use neurogauge::report::render;
use neurogauge::{Error, Progress, Run, RunSettings, ScoreRequest, repeat, score};

pub(crate) fn run(args: &ScoreArgs) -> Result<(), Error> {
    let run = scored(args, &Bars::default())?;
    announce(&run);
    output::data(&render(&run.table, args.format.into(), output::width())?)?;
    run.record.check_observations()
}

/// The run that these arguments ask for.
pub(crate) fn scored(args: &ScoreArgs, progress: &dyn Progress) -> Result<Run, Error> {
    let settings = RunSettings {
        export_official: args.export_layout.is_some(),
        lpips_heads: args.lpips_heads.clone(),
        overlays: args.overlay.clone(),
        device: args.device.device,
        weight_precision: args.device.weight_precision,
        ..settings(args.out.clone(), &args.weights)
    };
    let inputs = args.inputs.paths.clone();
    if let Some(run_json) = &args.from_run {
        return repeat(run_json, &inputs, &settings, progress);
    }
    let mut request = ScoreRequest {
        inputs,
        ..ScoreRequest::default()
    };
    request.bootstrap = bootstrap(&args.bootstrap);
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
    score(&request, &settings, progress)
}

/// Says on stderr what became of the run.
pub(crate) fn announce(run: &Run) {
    let place = run.folder.root().display();
    output::message(&if run.resumed {
        format!("{place}: already finished with these inputs and options; nothing was computed")
    } else {
        format!("{place}: {} pairs scored", run.record.n_pairs)
    });
}
