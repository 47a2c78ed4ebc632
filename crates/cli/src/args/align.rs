//! `neurogauge align`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct AlignArgs {
    /// TOML file that names responses, sources and settings
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "simulate",
        conflicts_with = "simulate"
    )]
    pub(crate) config: Option<PathBuf>,
    /// Simulated subjects and models with a known truth instead of data; `nsd` has NSD's size
    #[arg(
        long,
        value_enum,
        value_name = "SIZE",
        num_args = 0..=1,
        default_missing_value = "small"
    )]
    pub(crate) simulate: Option<SimulateArg>,
    /// Where tables and align.json go; a run that was stopped there goes on
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Do not draw the figures (OUT/figures, SVG and PNG)
    #[arg(long)]
    pub(crate) no_figures: bool,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: AlignFormat,
    /// Draws of each profile's null, 0 for none [default: as configured, else 20]
    #[arg(long, value_name = "N", help_heading = "Settings")]
    pub(crate) null: Option<usize>,
    /// Select rank and regularisation anew in each draw of the null: slower, and a stricter comparison
    /// with chance
    #[arg(long, help_heading = "Settings")]
    pub(crate) null_select: bool,
    /// Seed of folds, partitions, nulls and resamples [default: as configured, else 42]
    #[arg(long, value_name = "SEED", help_heading = "Settings")]
    pub(crate) seed: Option<u64>,
    #[command(flatten, next_help_heading = "Models that are sources")]
    pub(crate) weights: WeightArgs,
    #[command(flatten, next_help_heading = "Models that are sources")]
    pub(crate) device: DeviceArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SimulateArg {
    Small,
    Nsd,
}

/// How an alignment is printed.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum AlignFormat {
    #[default]
    Table,
    Json,
    Markdown,
}
