//! `neurogauge align`, by one process or in shards.

use crate::args::*;
use crate::output::{self, Done};
use crate::progress_bars::Bars;
use clap::builder::PossibleValuesParser;
use neurogauge::align::{
    self, AlignConfig, AlignRequest, AlignSettings, Alignment, AnalysisRequest, Control, EncodingSettings, RsaSettings,
    SourceAnalysis,
};
use neurogauge::alignment::encoding::CeilingMethod;
use neurogauge::alignment::rsa::{Dissimilarity, RdmComparison};
use neurogauge::formats::{atomic_file, json};
use neurogauge::report::Format;
use neurogauge::{Error, Progress, Report, RunSettings, ShardDone, WordOrFile};
use neurogauge_recovery::{
    DEFAULT_ATLAS, PaperReport, Preset, PresetRequest, StimulusReport, dry_run, simulation_takes,
};
use serde::Deserialize;
use std::fmt::Display;
use std::path::Path;
use std::sync::LazyLock;

static SETTINGS: LazyLock<AlignSettings> = LazyLock::new(AlignSettings::default);

/// The default in the help of an option that a file may set.
fn configured(default: impl Display) -> String {
    format!("as configured, else {default}")
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Folder for tables and align.json; a run that was stopped there continues")))]
pub(crate) struct AlignArgs {
    /// TOML file that names responses, sources and settings
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["simulate", "preset"],
        conflicts_with_all = ["simulate", "preset"]
    )]
    pub(crate) config: Option<PathBuf>,
    /// The recovery paper's study instead of a file, all of its models, seeds, controls and scores of stimuli: nsd-core (515
    /// shared images) or nsd-synthetic (284 images). align.toml in the run's folder has it as a file
    #[arg(long, value_parser = choice::<Preset>(), value_name = "NAME", requires = "nsd", conflicts_with = "simulate")]
    pub(crate) preset: Option<Preset>,
    /// For --preset: folder of the Natural Scenes Dataset, with nsddata and nsddata_betas in it
    #[arg(long, value_name = "DIR", requires = "preset")]
    pub(crate) nsd: Option<PathBuf>,
    /// For --preset: images of the stimuli, called by their numbers [default: the dataset's own HDF5 file]
    #[arg(long, value_name = "PATH", requires = "preset")]
    pub(crate) stimuli: Option<PathBuf>,
    /// For --preset: labels of regions on fsaverage, `kastner2015`, `prf-visualrois`, or a file below --nsd with
    /// {hemisphere} (and {subject}) in its name; the paper names no atlas
    #[arg(long, value_name = "ATLAS", requires = "preset", defaults_to = DEFAULT_ATLAS)]
    pub(crate) atlas: Option<String>,
    /// For --preset: which models, `main` for the main text's four architectures, `untrained`, ids, or `layers` for single
    /// layers (Figure 10), as in all,layers
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "preset", defaults_to = "all")]
    pub(crate) sources: Vec<String>,
    /// For --preset: which of the eight subjects
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "preset", defaults_to = "all")]
    pub(crate) subjects: Vec<usize>,
    /// For --preset nsd-core: only the first sessions of each subject, to try it with a part of the data
    #[arg(long, value_name = "N", requires = "preset", defaults_to = "all")]
    pub(crate) sessions: Option<usize>,
    /// Also score every stimulus on the reproducible directions of each target unit, show those at both ends, and set
    /// accuracies beside noise ceilings, as --preset always does; needs about as much time as the references
    #[arg(long, conflicts_with_all = ["rsa", "readout"])]
    pub(crate) stimulus_scores: bool,
    /// Say what is missing (weights with their sizes, files, images), about how long it will take and how much memory,
    /// and do nothing
    #[arg(long, conflicts_with_all = ["rsa", "readout"])]
    pub(crate) dry_run: bool,
    /// Simulated subjects and models with a known truth instead of data; `nsd` has NSD's size
    #[arg(
        long,
        value_parser = choice::<SimulatedSize>(),
        value_name = "SIZE",
        num_args = 0..=1,
        default_missing_value = "small"
    )]
    pub(crate) simulate: Option<SimulatedSize>,
    #[command(flatten)]
    pub(crate) place: OutArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    /// The other way round: models are the targets, and the brains' responses the sources [default, unless configured:
    /// brains are the targets]
    #[arg(long, help_heading = "Settings")]
    pub(crate) reverse: bool,
    /// Draws of each profile's null, 0 for none
    #[arg(long, value_name = "N", help_heading = "Settings", defaults_to = configured(SETTINGS.null))]
    pub(crate) null: Option<usize>,
    /// How p values come from the draws: `draws` counts those that reach the observed value, and 5% needs at least 19;
    /// `t` is Student's t for the logarithm of one more draw, for which 5 draws suffice
    #[arg(long, value_parser = choice::<NullP>(), value_name = "METHOD", help_heading = "Settings", defaults_to = configured(word_of(&SETTINGS.null_p)))]
    pub(crate) null_p: Option<NullP>,
    /// Select rank and regularisation again in each draw of the null, which shows what a source without
    /// information recovers [default, unless configured]
    #[arg(long, help_heading = "Settings")]
    pub(crate) null_select: bool,
    /// Keep rank and regularisation of the fit in each draw of the null, which shows what as many of the
    /// target's strongest dimensions recover; faster
    #[arg(long, conflicts_with = "null_select", help_heading = "Settings")]
    pub(crate) null_keep: bool,
    /// Controls that profiles are compared with, `all`, or `none`
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = control_names(), help_heading = "Settings", defaults_to = configured(names_of(&SETTINGS.controls)))]
    pub(crate) controls: Option<Vec<String>>,
    /// Balance the two halves of the trials over sessions, or over sessions and runs
    #[arg(long, value_parser = choice::<Balance>(), value_name = "GROUPS", help_heading = "Settings", defaults_to = configured(word_of(&SETTINGS.balance)))]
    pub(crate) balance: Option<Balance>,
    /// How intervals are made: `t` over subjects (over the target units of a single subject), or `percentile` of
    /// resamples of target units, which is too narrow
    #[arg(long, value_parser = choice::<UnitInterval>(), value_name = "METHOD", help_heading = "Settings", defaults_to = configured(word_of(&SETTINGS.interval)))]
    pub(crate) interval: Option<UnitInterval>,
    /// Smallest number of subjects with intervals (of target units for a single subject, and for percentiles); with two
    /// or three they say little
    #[arg(long, value_name = "N", help_heading = "Settings", defaults_to = configured(SETTINGS.interval_units))]
    pub(crate) interval_units: Option<usize>,
    /// Seed of folds, partitions, nulls and resamples
    #[arg(long, value_name = "SEED", value_parser = seed, help_heading = "Settings", defaults_to = configured(SETTINGS.seed))]
    pub(crate) seed: Option<u64>,
    #[command(flatten, next_help_heading = "Other analyses")]
    pub(crate) other: OtherArgs,
    #[command(flatten, next_help_heading = "Models that are sources")]
    pub(crate) models: ModelArgs,
}

/// Analyses of the same responses and sources in place of recovery profiles.
#[derive(Debug, Args)]
pub(crate) struct OtherArgs {
    /// Compare the dissimilarities of responses with those of sources instead: representational similarity, with noise
    /// ceilings. Subjects may lack stimuli. Writes rsa.json, rsa.md, rsa.csv and the matrices
    #[arg(long)]
    pub(crate) rsa: bool,
    /// For --rsa: how dissimilar two patterns are. `crossnobis` needs repeats, and takes squared Euclidean distances of
    /// features
    #[arg(long, value_parser = choice::<Dissimilarity>(), value_name = "KIND", requires = "rsa", default_value = word_of(&Dissimilarity::default()))]
    pub(crate) dissimilarity: Dissimilarity,
    /// For --rsa: how dissimilarities are compared
    #[arg(long, value_parser = choice::<RdmComparison>(), value_name = "METHOD", requires = "rsa", default_value = word_of(&RdmComparison::default()))]
    pub(crate) rdm_comparison: RdmComparison,
    /// Predict every voxel by ridge regression on all features of a source instead, and say how much of its explainable
    /// variance that is. Writes encoding.json, encoding.md, encoding.csv and voxels.parquet
    #[arg(long, value_parser = ["ridge"], value_name = "METHOD", conflicts_with = "rsa")]
    pub(crate) readout: Option<String>,
    /// For --readout: noise ceilings from repeats, by the variances of signal and noise (`ncsnr`) or by halves
    /// (`split-half`), or from a file: the explainable share of variance, 0 to 1, as a volume or array of the responses'
    /// places (with {subject}, {hemisphere} or {roi} in its name), or as TABLE:COLUMN with a line for each place
    #[arg(long, value_name = "METHOD|FILE", requires = "readout", default_value = word_of(&CeilingMethod::default()))]
    pub(crate) ceiling: WordOrFile<CeilingMethod>,
}

impl OtherArgs {
    /// Is another analysis asked for than recovery profiles?
    fn is_asked(&self) -> bool {
        self.rsa || self.readout.is_some()
    }
}

fn names_of(controls: &[Control]) -> String {
    controls.iter().map(|control| control.name()).collect::<Vec<_>>().join(",")
}

fn control_names() -> PossibleValuesParser {
    let names = Control::ALL.into_iter().map(Control::name);
    PossibleValuesParser::new(["all", "none"].into_iter().chain(names))
}

impl AlignArgs {
    /// The requested controls; `None` if the configuration decides.
    ///
    /// # Errors
    /// `all` or `none` is combined with other names.
    pub(crate) fn controls(&self) -> Result<Option<Vec<Control>>, Error> {
        let Some(names) = &self.controls else {
            return Ok(None);
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["all"] => return Ok(Some(Control::ALL.to_vec())),
            ["none"] => return Ok(Some(Vec::new())),
            _ => {}
        }
        if let Some(alone) = names.iter().find(|name| ["all", "none"].contains(*name)) {
            return Err(Error::Usage(format!(
                "--controls has `{alone}` beside other names; give it alone, or leave it out"
            )));
        }
        Ok(Some(Control::ALL.into_iter().filter(|control| names.contains(&control.name())).collect()))
    }
}

pub(crate) fn run(args: &AlignArgs) -> Result<(), Error> {
    let request = request(args)?;
    if args.dry_run {
        return say_what_it_takes(&request, &run_settings(args));
    }
    if let (Some(size), false, false) = (request.simulated, request.config.reverse, args.other.is_asked()) {
        let takes = simulation_takes(size, &request.config.settings);
        output::message(&format!("aligning simulated subjects and models: {takes}"));
    }
    print(written(args, &request, &Bars::default())?, &args.place)
}

/// Does what is asked for, and writes its results.
pub(crate) fn done(args: &AlignArgs, progress: &dyn Progress) -> Result<Done, Error> {
    Ok(written(args, &request(args)?, progress)?.0)
}

/// What was written of an alignment, and its comparison with the paper, if the paper has its direction.
type Written = (Done, Option<PaperReport>);

/// Aligns, or does another analysis, and writes the results into their folder.
fn written(args: &AlignArgs, request: &AlignRequest, progress: &dyn Progress) -> Result<Written, Error> {
    let (other, settings) = (&args.other, run_settings(args));
    if other.rsa {
        let analysis = RsaSettings {
            dissimilarity: other.dissimilarity,
            comparison: other.rdm_comparison,
        };
        return analysed(request, analysis, args, progress);
    }
    if other.readout.is_some() {
        let ceiling = other.ceiling.clone();
        return analysed(request, EncodingSettings { ceiling }, args, progress);
    }
    if args.stimulus_scores && request.config.reverse {
        return Err(Error::Usage(
            "--stimulus-scores needs repeated trials of the targets, and with `reverse` these are models; leave one of them out"
                .to_owned(),
        ));
    }
    let alignment = request.run(&settings, progress)?;
    write_preset(args)?;
    // The paper's Figure 4A is of them.
    let stimulus_scores = args.stimulus_scores || args.preset.is_some() && !request.config.reverse;
    let not_drawn = match stimulus_scores {
        true => {
            let stimuli = StimulusReport::of(&alignment, request, &settings, progress)?;
            write_beside(&stimuli, &args.place, &args.figures)?
        }
        false => {
            remove_stimulus_scores(&alignment, &args.place)?;
            Vec::new()
        }
    };
    let (mut done, paper) = write(&alignment, &args.place, stimulus_scores, &args.figures)?;
    done.warnings.splice(0..0, not_drawn);
    Ok((done, paper))
}

/// Does another analysis, and writes its results.
fn analysed(
    request: &AlignRequest,
    analysis: impl SourceAnalysis,
    args: &AlignArgs,
    progress: &dyn Progress,
) -> Result<Written, Error> {
    let align = request.clone();
    let found = AnalysisRequest { align, analysis }.run(&run_settings(args), progress)?;
    write_preset(args)?;
    Ok((args.place.written(&found, None)?, None))
}

/// Writes the additional results of an alignment, which have separate files and are not printed. Returns why figures
/// are not drawn.
fn write_beside(found: &impl Report, place: &OutArgs, figures: &FigureArgs) -> Result<Vec<String>, Error> {
    let not_drawn = match figures.options() {
        Some(options) => found.write_figures(&place.out, &options)?,
        None => {
            found.remove_figures(&place.out)?;
            Vec::new()
        }
    };
    found.write(&place.out, place.table.latex())?;
    Ok(not_drawn.iter().map(ToString::to_string).collect())
}

/// Removes the scores of stimuli if they belong to an alignment that this one replaces. Those of the same alignment
/// stay, unless it is to be replaced.
fn remove_stimulus_scores(alignment: &Alignment, place: &OutArgs) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Known {
        fingerprint: String,
    }
    let record = place.out.join(StimulusReport::FILES.record);
    let of_this = |known: Known| known.fingerprint == alignment.record.fingerprint;
    if !place.overwrite.overwrite && json::read(&record).is_ok_and(of_this) {
        return Ok(());
    }
    StimulusReport::remove(&place.out)?;
    Ok(atomic_file::remove(&place.out.join("stimulus_scores.parquet"))?)
}

/// Writes the results. The record comes last, so if it exists, the additional results do too.
fn write(
    alignment: &Alignment,
    place: &OutArgs,
    stimulus_scores: bool,
    figures: &FigureArgs,
) -> Result<Written, Error> {
    if alignment.record.config.reverse {
        // The paper has no results for this direction.
        PaperReport::remove(&place.out)?;
        return Ok((place.written(alignment, figures.options().as_ref())?, None));
    }
    let paper = PaperReport::of(alignment, stimulus_scores)?;
    let not_drawn = write_beside(&paper, place, figures)?;
    let mut done = place.written(alignment, figures.options().as_ref())?;
    done.warnings.splice(0..0, not_drawn);
    Ok((done, Some(paper)))
}

fn print((done, paper): Written, place: &OutArgs) -> Result<(), Error> {
    done.print()?;
    let Some(paper) = paper else {
        return Ok(());
    };
    let file = place.out.join(PaperReport::FILES.tables).with_extension(Format::Markdown.ending());
    output::message(&format!("{}: {}", file.display(), paper.done()));
    paper.notes.iter().for_each(|note| output::note(note));
    paper.findings().iter().for_each(output::warning);
    Ok(())
}

pub(crate) fn plan(args: &AlignArgs) -> Result<(), Error> {
    if args.other.is_asked() {
        return Err(Error::Usage(
            "--rsa and --readout take one process: give them to `neurogauge align`, which needs no plan".to_owned(),
        ));
    }
    let (request, settings) = (request(args)?, run_settings(args));
    if args.dry_run {
        return say_what_it_takes(&request, &settings);
    }
    if args.stimulus_scores {
        return Err(Error::Usage(
            "--stimulus-scores: the shards of a plan are target units, and stimuli are scored after them; leave it out here, and after \
             `neurogauge cluster finish` give it to `neurogauge align` with the same options and the same --out, which reads the finished units"
                .to_owned(),
        ));
    }
    let n_units = request.plan(&settings, &Bars::default())?;
    write_preset(args)?;
    let out = args.place.out.display();
    output::message(&format!(
        "{out}: {n_units} target units are planned; do their shards with `neurogauge cluster work {out} --shard I/N`, then \
         `neurogauge cluster finish {out}`"
    ));
    Ok(())
}

pub(crate) fn work(args: &WorkArgs) -> Result<ShardDone, Error> {
    let settings = settings_of_plan(&args.run, &args.machine);
    align::work(args.shard, &settings, &Bars::default())
}

pub(crate) fn finish(args: &FinishArgs) -> Result<(), Error> {
    let settings = settings_of_plan(&args.run, &args.machine);
    let alignment = align::finish(&settings, &Bars::default())?;
    let place = OutArgs::new(&args.run, OverwriteArgs::default(), args.table);
    remove_stimulus_scores(&alignment, &place)?;
    print(write(&alignment, &place, false, &args.figures)?, &place)
}

fn settings_of_plan(run: &Path, machine: &MachineArgs) -> RunSettings {
    RunSettings {
        cache: machine.cache.clone(),
        ..machine.weights.settings(run.to_owned())
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
    output::data(&dry_run(&request.config, settings)?)
}

fn run_settings(args: &AlignArgs) -> RunSettings {
    RunSettings {
        overwrite: args.place.overwrite.overwrite,
        ..args.models.weights.settings(args.place.out.clone())
    }
}

/// The request of the command line: a file or a simulation.
pub(crate) fn request(args: &AlignArgs) -> Result<AlignRequest, Error> {
    let mut config = match (&args.config, args.preset) {
        (Some(path), _) => AlignConfig::read(path)?,
        (None, Some(preset)) => of_preset(preset, args).config()?,
        (None, None) => AlignConfig::default(),
    };
    apply(args, &mut config)?;
    config.models.set(&args.models.overrides());
    Ok(AlignRequest {
        config,
        simulated: args.simulate,
    })
}

/// Writes the paper's study as a file into the run's folder, once the run is planned or done: until then, the folder
/// may be another run's.
fn write_preset(args: &AlignArgs) -> Result<(), Error> {
    if let Some(preset) = args.preset {
        let text = of_preset(preset, args).text()?;
        atomic_file::write(&args.place.out.join("align.toml"), text.as_bytes())?;
    }
    Ok(())
}

/// The paper's study, with absolute paths, so that its file is valid in any folder.
fn of_preset(preset: Preset, args: &AlignArgs) -> PresetRequest {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    PresetRequest {
        preset,
        nsd: absolute(args.nsd.as_deref().unwrap_or(Path::new("."))),
        stimuli: args.stimuli.as_deref().map(absolute),
        atlas: args.atlas.clone(),
        subjects: args.subjects.clone(),
        sessions: args.sessions,
        models: args.sources.clone(),
    }
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
