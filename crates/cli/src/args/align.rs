//! `neurogauge align`.

use super::*;
use clap::builder::PossibleValuesParser;
use neurogauge::Error;
use neurogauge::align::Control;
use neurogauge_recovery::Preset;

#[derive(Debug, Args)]
pub(crate) struct AlignArgs {
    /// TOML file that names responses, sources and settings
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["simulate", "preset"],
        conflicts_with_all = ["simulate", "preset"]
    )]
    pub(crate) config: Option<PathBuf>,
    /// The recovery paper's study instead of a file, all of its sources, layers, seeds and controls: nsd-core (515
    /// shared images) or nsd-synthetic (284 images). align.toml in the run's folder has it as a file
    #[arg(long, value_name = "NAME", requires = "nsd", conflicts_with = "simulate")]
    pub(crate) preset: Option<Preset>,
    /// For --preset: folder of the Natural Scenes Dataset, with nsddata and nsddata_betas in it
    #[arg(long, value_name = "DIR", requires = "preset")]
    pub(crate) nsd: Option<PathBuf>,
    /// For --preset: images of the stimuli, called by their numbers [default: the dataset's own HDF5 file]
    #[arg(long, value_name = "PATH", requires = "preset")]
    pub(crate) stimuli: Option<PathBuf>,
    /// For --preset: labels of regions on fsaverage, `kastner2015`, `prf-visualrois`, or a file below --nsd with
    /// {hemisphere} (and {subject}) in its name; the paper names no atlas
    #[arg(long, value_name = "ATLAS", requires = "preset", defaults_to = "kastner2015")]
    pub(crate) atlas: Option<String>,
    /// For --preset: which models, `main` for the main text's four architectures, `untrained`, or ids
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "preset", defaults_to = "all")]
    pub(crate) sources: Vec<String>,
    /// For --preset: which of the eight subjects
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "preset", defaults_to = "all")]
    pub(crate) subjects: Vec<usize>,
    /// For --preset nsd-core: only the first sessions of each subject, to try it with a part of the data
    #[arg(long, value_name = "N", requires = "preset", defaults_to = "all")]
    pub(crate) sessions: Option<usize>,
    /// Also score every stimulus on the reproducible directions of each target unit, show those at both ends, and set
    /// accuracies beside noise ceilings; needs about as much time as the references
    #[arg(long)]
    pub(crate) stimulus_scores: bool,
    /// Say what is missing (weights with their sizes, files, images), about how long it will take and how much memory,
    /// and do nothing
    #[arg(long)]
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
    /// Folder for tables and align.json; a run that was stopped there continues
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// The other way round: models are the targets, and the brains' responses the sources [default, unless configured:
    /// brains are the targets]
    #[arg(long, help_heading = "Settings")]
    pub(crate) reverse: bool,
    /// Draws of each profile's null, 0 for none [default: as configured, else 20]
    #[arg(long, value_name = "N", help_heading = "Settings")]
    pub(crate) null: Option<usize>,
    /// How p values come from the draws: `draws` counts those that reach the observed value, and 5% needs at least 19;
    /// `t` is Student's t for the logarithm of one more draw, for which 5 draws suffice [default: as configured, else
    /// draws]
    #[arg(long, value_parser = choice::<NullP>(), value_name = "METHOD", help_heading = "Settings")]
    pub(crate) null_p: Option<NullP>,
    /// Select rank and regularisation again in each draw of the null, which shows what a source without
    /// information recovers [default, unless configured]
    #[arg(long, help_heading = "Settings")]
    pub(crate) null_select: bool,
    /// Keep rank and regularisation of the fit in each draw of the null, which shows what as many of the
    /// target's strongest dimensions recover; faster
    #[arg(long, conflicts_with = "null_select", help_heading = "Settings")]
    pub(crate) null_keep: bool,
    /// Controls that profiles are compared with, `all`, or `none` [default: as configured, else
    /// target-pca,random-directions,fixed-rank,direction-prediction]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = control_names(), help_heading = "Settings")]
    pub(crate) controls: Option<Vec<String>>,
    /// Balance the two halves of the trials over sessions, or over sessions and runs [default: as
    /// configured, else none]
    #[arg(long, value_parser = choice::<Balance>(), value_name = "GROUPS", help_heading = "Settings")]
    pub(crate) balance: Option<Balance>,
    /// How intervals are made: `t` over subjects (over the target units of a single subject), or `percentile` of
    /// resamples of target units, which is too narrow [default: as configured, else t]
    #[arg(long, value_parser = choice::<UnitInterval>(), value_name = "METHOD", help_heading = "Settings")]
    pub(crate) interval: Option<UnitInterval>,
    /// Smallest number of subjects with intervals (of target units for a single subject, and for percentiles); with two
    /// or three they say little [default: as configured, else 5]
    #[arg(long, value_name = "N", help_heading = "Settings")]
    pub(crate) interval_units: Option<usize>,
    /// Seed of folds, partitions, nulls and resamples [default: as configured, else 42]
    #[arg(long, value_name = "SEED", value_parser = crate::number::seed, help_heading = "Settings")]
    pub(crate) seed: Option<u64>,
    #[command(flatten, next_help_heading = "Models that are sources")]
    pub(crate) weights: WeightArgs,
    #[command(flatten, next_help_heading = "Models that are sources")]
    pub(crate) device: DeviceArgs,
}

fn control_names() -> PossibleValuesParser {
    let names = Control::ALL.into_iter().map(Control::name);
    PossibleValuesParser::new(["all", "none"].into_iter().chain(names))
}

impl AlignArgs {
    /// The requested controls; `None` if the configuration decides.
    ///
    /// # Errors
    /// `all` or `none` beside other names.
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
