//! `neurogauge align`, at once and in parts.

use crate::args::{AlignArgs, FinishArgs, OverwriteArgs, WorkArgs};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{model_overrides, settings};
use neurogauge::align::{self, AlignConfig, AlignRequest, Alignment, Balance, SimulatedSize};
use neurogauge::{Error, Report, RunSettings};

pub(crate) fn run(args: &AlignArgs) -> Result<(), Error> {
    if args.overwrite.overwrite {
        Alignment::set_unfinished(&args.out)?;
    }
    let alignment = request(args)?.run(&run_settings(args), &Bars::default())?;
    let place = (args.out.as_path(), &args.overwrite);
    output::result(
        &alignment,
        place,
        args.figures.options().as_ref(),
        &args.table,
    )
}

pub(crate) fn plan(args: &AlignArgs) -> Result<(), Error> {
    if args.overwrite.overwrite {
        Alignment::set_unfinished(&args.out)?;
    }
    let n_units = request(args)?.plan(&run_settings(args), &Bars::default())?;
    let out = args.out.display();
    output::message(&format!(
        "{out}: {n_units} target units are planned; do their parts with `neurogauge work {out} --shard I/N`, then \
         `neurogauge finish {out}`"
    ));
    Ok(())
}

pub(crate) fn work(args: &WorkArgs) -> Result<(), Error> {
    let settings = settings(args.run.clone(), &args.weights);
    align::work(args.shard, &settings, &Bars::default())
}

pub(crate) fn finish(args: &FinishArgs) -> Result<(), Error> {
    let settings = settings(args.run.clone(), &args.weights);
    let alignment = align::finish(&settings, &Bars::default())?;
    let place = (args.run.as_path(), &OverwriteArgs { overwrite: false });
    output::result(
        &alignment,
        place,
        args.figures.options().as_ref(),
        &args.table,
    )
}

fn run_settings(args: &AlignArgs) -> RunSettings {
    settings(args.out.clone(), &args.weights)
}

/// What the command line asks for, in a file or simulated.
fn request(args: &AlignArgs) -> Result<AlignRequest, Error> {
    let mut config = match &args.config {
        Some(path) => AlignConfig::read(path)?,
        None => AlignConfig::default(),
    };
    apply(args, &mut config)?;
    let models = model_overrides(&args.weights, &args.device);
    config.models.set(&models);
    Ok(AlignRequest {
        config,
        simulated: args.simulate.map(SimulatedSize::from),
    })
}

/// What the command line says goes before the file.
fn apply(args: &AlignArgs, config: &mut AlignConfig) -> Result<(), Error> {
    let settings = &mut config.settings;
    settings.null = args.null.unwrap_or(settings.null);
    settings.null_select = args.null_select || settings.null_select && !args.null_keep;
    settings.seed = args.seed.unwrap_or(settings.seed);
    settings.controls = args
        .controls()?
        .unwrap_or_else(|| settings.controls.clone());
    settings.balance = args.balance.map_or(settings.balance, Balance::from);
    Ok(())
}
