//! `neurogauge align`, in one go or in parts.

use crate::args::{AlignArgs, FigureArgs, FinishArgs, OverwriteArgs, TableArgs, WorkArgs};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::{model_overrides, settings};
use neurogauge::PartDone;
use neurogauge::align::{
    self, AlignConfig, AlignRequest, Alignment, Balance, NullP, SimulatedSize, UnitInterval,
};
use neurogauge::report::{Format, ResultTable};
use neurogauge::{Error, Report, RunSettings};
use neurogauge_recovery::{
    DryRun, PaperReport, Preset, PresetRequest, StimulusReport, simulation_takes,
};
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
    if args.overwrite.overwrite {
        Alignment::set_unfinished(&args.out)?;
    }
    if let (Some(size), false) = (request.simulated, request.config.reverse) {
        let takes = simulation_takes(size, &request.config.settings);
        output::message(&format!("aligning simulated subjects and models: {takes}"));
    }
    let alignment = request.run(&settings, &Bars::default())?;
    let place = (args.out.as_path(), &args.overwrite);
    if args.stimulus_scores {
        let stimuli = StimulusReport::of(&alignment, &request, &settings, &Bars::default())?;
        write_beside(&stimuli, place.0, &args.figures, &args.table)?;
    }
    write(
        &alignment,
        place,
        args.stimulus_scores,
        &args.figures,
        &args.table,
    )
}

/// Writes the additional results beside an alignment; they have separate files and are not printed.
fn write_beside(
    found: &impl Report,
    out: &Path,
    figures: &FigureArgs,
    table: &TableArgs,
) -> Result<(), Error> {
    match figures.options() {
        Some(options) => {
            let not_drawn = found.write_figures(out, &options)?;
            not_drawn
                .iter()
                .for_each(|known| output::warning(&known.to_string()));
        }
        None => found.remove_figures(out)?,
    }
    found.write(out, table.latex())
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
    (paper.warnings().iter()).for_each(|known| output::warning(&known.to_string()));
    Ok(())
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

pub(crate) fn work(args: &WorkArgs) -> Result<PartDone, Error> {
    let mut settings = settings(args.run.clone(), &args.weights);
    settings.cache.clone_from(&args.cache);
    align::work(args.shard, &settings, &Bars::default())
}

pub(crate) fn finish(args: &FinishArgs) -> Result<(), Error> {
    let settings = settings(args.run.clone(), &args.weights);
    let alignment = align::finish(&settings, &Bars::default())?;
    let place = (args.run.as_path(), &OverwriteArgs { overwrite: false });
    write(&alignment, place, false, &args.figures, &args.table)
}

fn say_what_it_takes(request: &AlignRequest, settings: &RunSettings) -> Result<(), Error> {
    let found = DryRun::of(&request.config, settings)?;
    output::data(&found.text(output::width()))
}

fn run_settings(args: &AlignArgs) -> RunSettings {
    settings(args.out.clone(), &args.weights)
}

/// The request of the command line: a file or a simulation.
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

/// The paper's study, which is also written to the run's folder as a file.
fn of_preset(preset: Preset, args: &AlignArgs) -> Result<AlignConfig, Error> {
    let request = PresetRequest {
        preset,
        nsd: args.nsd.as_deref().unwrap_or(Path::new(".")),
        stimuli: args.stimuli.as_deref(),
        atlas: args.atlas.as_deref(),
        subjects: &args.subjects,
        sessions: args.sessions,
        models: &args.sources,
    };
    request.absolute(|request| match args.dry_run {
        true => request.config(),
        false => request.written(&args.out),
    })
}

/// Overrides options of the file with those of the command line.
fn apply(args: &AlignArgs, config: &mut AlignConfig) -> Result<(), Error> {
    let settings = &mut config.settings;
    settings.null = args.null.unwrap_or(settings.null);
    settings.null_p = args.null_p.map_or(settings.null_p, NullP::from);
    settings.null_select = args.null_select || settings.null_select && !args.null_keep;
    settings.seed = args.seed.unwrap_or(settings.seed);
    settings.interval = args.interval.map_or(settings.interval, UnitInterval::from);
    settings.interval_units = args.interval_units.unwrap_or(settings.interval_units);
    settings.controls = args
        .controls()?
        .unwrap_or_else(|| settings.controls.clone());
    settings.balance = args.balance.map_or(settings.balance, Balance::from);
    config.reverse |= args.reverse;
    Ok(())
}
