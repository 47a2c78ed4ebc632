//! `neurogauge align`, at once and in parts.

use crate::args::{AlignArgs, FigureArgs, FinishArgs, OverwriteArgs, TableArgs, WorkArgs};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{model_overrides, settings};
use neurogauge::align::{self, AlignConfig, AlignRequest, Alignment, Balance, SimulatedSize};
use neurogauge::formats::atomic_file;
use neurogauge::{Error, Report, RunSettings};
use neurogauge_recovery::{DryRun, PaperReport, Preset, PresetRequest};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &AlignArgs) -> Result<(), Error> {
    let (request, settings) = (request(args)?, run_settings(args));
    if args.dry_run {
        return say_what_it_takes(&request, &settings);
    }
    if args.overwrite.overwrite {
        Alignment::set_unfinished(&args.out)?;
    }
    let alignment = request.run(&settings, &Bars::default())?;
    let place = (args.out.as_path(), &args.overwrite);
    write(&alignment, place, &args.figures, &args.table)
}

/// Writes what was found; what the paper reports besides has files of its own, which are there when the record is.
fn write(
    alignment: &Alignment,
    place: (&Path, &OverwriteArgs),
    figures: &FigureArgs,
    table: &TableArgs,
) -> Result<(), Error> {
    let (paper, options) = (PaperReport::of(alignment)?, figures.options());
    match &options {
        Some(options) => {
            let not_drawn = paper.write_figures(place.0, options)?;
            not_drawn
                .iter()
                .for_each(|known| output::warning(&known.to_string()));
        }
        None => paper.remove_figures(place.0)?,
    }
    paper.write(place.0, table.latex())?;
    output::result(alignment, place, options.as_ref(), table)
}

pub(crate) fn plan(args: &AlignArgs) -> Result<(), Error> {
    let (request, settings) = (request(args)?, run_settings(args));
    if args.dry_run {
        return say_what_it_takes(&request, &settings);
    }
    if args.overwrite.overwrite {
        Alignment::set_unfinished(&args.out)?;
    }
    let n_units = request.plan(&settings, &Bars::default())?;
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
    write(&alignment, place, &args.figures, &args.table)
}

fn say_what_it_takes(request: &AlignRequest, settings: &RunSettings) -> Result<(), Error> {
    let found = DryRun::of(&request.config, settings)?;
    output::data(&found.text(output::width()))
}

fn run_settings(args: &AlignArgs) -> RunSettings {
    settings(args.out.clone(), &args.weights)
}

/// What the command line asks for, in a file or simulated.
fn request(args: &AlignArgs) -> Result<AlignRequest, Error> {
    let mut config = match (&args.config, args.preset) {
        (Some(path), _) => AlignConfig::read(path)?,
        (None, Some(preset)) => of_preset(preset, args)?,
        (None, None) => AlignConfig::default(),
    };
    apply(args, &mut config)?;
    let models = model_overrides(&args.weights, &args.device);
    config.models.set(&models);
    Ok(AlignRequest {
        config,
        simulated: args.simulate.map(SimulatedSize::from),
    })
}

/// The paper's study, which is left in the run's folder as a file.
fn of_preset(preset: Preset, args: &AlignArgs) -> Result<AlignConfig, Error> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let [nsd, stimuli] = [&args.nsd, &args.stimuli].map(|path| path.as_ref().map(absolute));
    let request = PresetRequest {
        preset,
        nsd: &nsd.unwrap_or_default(),
        stimuli: stimuli.as_deref(),
        subjects: &args.subjects,
        models: &args.sources,
    };
    if !args.dry_run {
        atomic_file::write(&args.out.join("align.toml"), request.text()?.as_bytes())?;
    }
    request.config()
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
