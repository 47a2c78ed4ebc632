//! `neurogauge multiverse` and `neurogauge presets`.

use super::*;
use neurogauge_multiverse::Over;

#[derive(Debug, Args)]
#[command(mut_arg("out", |out| out.help("Where multiverse.json, multiverse.md, multiverse.csv, figures and the runs go")))]
pub(crate) struct MultiverseArgs {
    /// Stimuli: a folder of images, an .npy stack or a .pt file; for metrics of captions their captions
    #[arg(value_name = "STIMULI", help_heading = "Inputs")]
    pub(crate) stimuli: PathBuf,
    /// Systems: each a name with its reconstructions, or their captions
    #[arg(value_name = "NAME=RECON", value_parser = named_path, required = true, num_args = 1.., help_heading = "Inputs")]
    pub(crate) recon: Vec<(String, PathBuf)>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) reading: ReadingArgs,
    /// Comma-separated ids of metrics of pixels or of image models, or nsd8; or of captions (cap_sim, rouge_1, ...)
    /// with --over options
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = trimmed,
        default_value = "pixcorr,ssim",
        help_heading = "Conventions"
    )]
    pub(crate) metrics: Vec<String>,
    /// Compare the presets of released evaluations (`neurogauge presets`), or all combinations of single options
    #[arg(long, value_parser = choice::<Over>(), default_value = "presets", help_heading = "Conventions")]
    pub(crate) over: Over,
    /// A published number: also say which conventions come nearest
    #[arg(long, value_name = "NUMBER", help_heading = "Conventions")]
    pub(crate) published: Option<Finite>,
    /// Models behind feature metrics: each metric's own, or `placeholder` for all (no weights, numbers mean nothing)
    #[arg(long, value_enum, help_heading = "Models", defaults_to = "own")]
    pub(crate) image_models: Option<ImageModelsArg>,
    #[command(flatten)]
    pub(crate) results: ResultArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) device: DeviceArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) interval: IntervalArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PresetsArgs {
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}
