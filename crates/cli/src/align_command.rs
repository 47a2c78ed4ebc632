//! `neurogauge align`, in one go or in parts.

use crate::args::{AlignArgs, FigureArgs, FinishArgs, MachineArgs, OverwriteArgs, TableArgs, WorkArgs};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{model_overrides, settings};
use neurogauge::PartDone;
use neurogauge::align::{self, AlignConfig, AlignRequest, Alignment};
use neurogauge::formats::{atomic_file, json};
use neurogauge::report::{Format, ResultTable};
use neurogauge::{Error, Report, RunSettings};
use neurogauge_recovery::{DryRun, PaperReport, Preset, PresetRequest, StimulusReport, simulation_takes};
use serde::Deserialize;
use std::path::Path;

pub(crate) fn run(args: &AlignArgs) -> Result<(), Error> {
    let (request, settings) = (request(args)?, run_settings(args));
    if args.dry_run {
        return say_what_it_takes(&request, &settings);
    }
    if args.stimulus_scores && request.config.reverse {
        return Err(Error::Usage(
            "--stimulus-scores needs repeated trials of the targets, and with `reverse` these are models; leave one of them out"
                .to_owned(),
        ));
    }
    if let (Some(size), false) = (request.simulated, request.config.reverse) {
        let takes = simulation_takes(size, &request.config.settings);
        output::message(&format!("aligning simulated subjects and models: {takes}"));
    }
    let alignment = request.run(&settings, &Bars::default())?;
    write_preset(args)?;
    let place = (args.out.as_path(), &args.overwrite);
    match args.stimulus_scores {
        true => {
            let stimuli = StimulusReport::of(&alignment, &request, &settings, &Bars::default())?;
            write_beside(&stimuli, place.0, &args.figures, &args.table)?;
        }
        false => remove_stimulus_scores(&alignment, place)?,
    }
    write(&alignment, place, args.stimulus_scores, &args.figures, &args.table)
}

/// Writes the additional results beside an alignment; they have separate files and are not printed.
fn write_beside(found: &impl Report, out: &Path, figures: &FigureArgs, table: &TableArgs) -> Result<(), Error> {
    match figures.options() {
        Some(options) => {
            let not_drawn = found.write_figures(out, &options)?;
            not_drawn.iter().for_each(|known| output::warning(&known.to_string()));
        }
        None => found.remove_figures(out)?,
    }
    found.write(out, table.latex())
}

/// Removes the scores of stimuli of an alignment that this one replaces. Those of the same alignment stay, unless it is
/// to be replaced.
fn remove_stimulus_scores(alignment: &Alignment, (out, overwrite): (&Path, &OverwriteArgs)) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Known {
        fingerprint: String,
    }
    let record = out.join(StimulusReport::FILES.record);
    let of_this = |known: Known| known.fingerprint == alignment.record.fingerprint;
    if !overwrite.overwrite && json::read(&record).is_ok_and(of_this) {
        return Ok(());
    }
    StimulusReport::remove(out)?;
    Ok(atomic_file::remove(&out.join("stimulus_scores.parquet"))?)
}

/// Writes the results. The record is written last, so if it exists, the additional results do too.
fn write(
    alignment: &Alignment,
    place: (&Path, &OverwriteArgs),
    stimulus_scores: bool,
    figures: &FigureArgs,
    table: &TableArgs,
) -> Result<(), Error> {
    if alignment.record.config.reverse {
        // The paper has no results of this direction.
        PaperReport::remove(place.0)?;
        return output::result(alignment, place, figures.options().as_ref(), table);
    }
    let paper = PaperReport::of(alignment, stimulus_scores)?;
    write_beside(&paper, place.0, figures, table)?;
    output::result(alignment, place, figures.options().as_ref(), table)?;
    let published = paper.published_tables();
    if table.format() == Format::Table && !published.is_empty() {
        let text = ResultTable::render_all(&published, Format::Table, output::width())?;
        output::data(&format!("\n{text}"))?;
    }
    paper.notes().iter().for_each(|note| output::note(note));
    (paper.findings().iter()).for_each(|known| output::warning(&known.to_string()));
    Ok(())
}

pub(crate) fn plan(args: &AlignArgs) -> Result<(), Error> {
    let (request, settings) = (request(args)?, run_settings(args));
    if args.dry_run {
        return say_what_it_takes(&request, &settings);
    }
    if args.stimulus_scores {
        return Err(Error::Usage(
            "--stimulus-scores: the parts of a plan are target units, and stimuli are scored after them; leave it out here, and after \
             `neurogauge finish` give it to `neurogauge align` with the same options and the same --out, which reads the finished units"
                .to_owned(),
        ));
    }
    let n_units = request.plan(&settings, &Bars::default())?;
    write_preset(args)?;
    let out = args.out.display();
    output::message(&format!(
        "{out}: {n_units} target units are planned; do their parts with `neurogauge work {out} --shard I/N`, then \
         `neurogauge finish {out}`"
    ));
    Ok(())
}

pub(crate) fn work(args: &WorkArgs) -> Result<PartDone, Error> {
    let settings = settings_of_plan(&args.run, &args.machine);
    align::work(args.shard, &settings, &Bars::default())
}

pub(crate) fn finish(args: &FinishArgs) -> Result<(), Error> {
    let settings = settings_of_plan(&args.run, &args.machine);
    let alignment = align::finish(&settings, &Bars::default())?;
    let place = (args.run.as_path(), &OverwriteArgs { overwrite: false });
    remove_stimulus_scores(&alignment, place)?;
    write(&alignment, place, false, &args.figures, &args.table)
}

fn settings_of_plan(run: &Path, machine: &MachineArgs) -> RunSettings {
    RunSettings {
        cache: machine.cache.clone(),
        ..settings(run.to_owned(), &machine.weights)
    }
}

fn say_what_it_takes(request: &AlignRequest, settings: &RunSettings) -> Result<(), Error> {
    if let Some(size) = request.simulated {
        let config = &request.config;
        config.settings.check()?;
        if config.reverse {
            return Err(Error::Usage(
                "--dry-run says of a simulation what it takes with brains as targets; leave out --reverse or --dry-run"
                    .to_owned(),
            ));
        }
        let takes = simulation_takes(size, &config.settings);
        return output::data(&format!("simulated subjects and models: {takes}\n"));
    }
    let found = DryRun::of(&request.config, settings)?;
    output::data(&found.text(output::width()))
}

fn run_settings(args: &AlignArgs) -> RunSettings {
    RunSettings {
        overwrite: args.overwrite.overwrite,
        ..settings(args.out.clone(), &args.weights)
    }
}

/// The request of the command line: a file or a simulation.
fn request(args: &AlignArgs) -> Result<AlignRequest, Error> {
    let mut config = match (&args.config, args.preset) {
        (Some(path), _) => AlignConfig::read(path)?,
        (None, Some(preset)) => of_preset(preset, args, |request| request.config())?,
        (None, None) => AlignConfig::default(),
    };
    apply(args, &mut config)?;
    let models = model_overrides(&args.weights, &args.device);
    config.models.set(&models);
    Ok(AlignRequest {
        config,
        simulated: args.simulate,
    })
}

/// Writes the paper's study to the run's folder as a file. Not before the run is planned or done: the folder may be
/// another run's.
fn write_preset(args: &AlignArgs) -> Result<(), Error> {
    match args.preset {
        Some(preset) => of_preset(preset, args, |request| request.write(&args.out)),
        None => Ok(()),
    }
}

/// Applies `of` to the paper's study.
fn of_preset<T>(
    preset: Preset,
    args: &AlignArgs,
    of: impl FnOnce(&PresetRequest<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let request = PresetRequest {
        preset,
        nsd: args.nsd.as_deref().unwrap_or(Path::new(".")),
        stimuli: args.stimuli.as_deref(),
        atlas: args.atlas.as_deref(),
        subjects: &args.subjects,
        sessions: args.sessions,
        models: &args.sources,
    };
    request.absolute(of)
}

/// Overrides options of the file with those of the command line.
fn apply(args: &AlignArgs, config: &mut AlignConfig) -> Result<(), Error> {
    let settings = &mut config.settings;
    settings.null = args.null.unwrap_or(settings.null);
    settings.null_p = args.null_p.unwrap_or(settings.null_p);
    settings.null_select = args.null_select || settings.null_select && !args.null_keep;
    settings.seed = args.seed.unwrap_or(settings.seed);
    settings.interval = args.interval.unwrap_or(settings.interval);
    settings.interval_units = args.interval_units.unwrap_or(settings.interval_units);
    settings.controls = args.controls()?.unwrap_or_else(|| settings.controls.clone());
    settings.balance = args.balance.unwrap_or(settings.balance);
    config.reverse |= args.reverse;
    Ok(())
}
