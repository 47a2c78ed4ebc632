//! `neurogauge study`.

use super::*;

#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    /// TOML file that names systems, ratings and choices of components
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["recon", "observations", "run"],
        conflicts_with = "StudyInputArgs"
    )]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Instead of a file")]
    pub(crate) inputs: StudyInputArgs,
    /// Write runs, tables, figures, study.md and study.html here
    ///
    /// A study that was stopped there goes on
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) subjects: SubjectArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) interval: IntervalArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) device: DeviceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StudyInputArgs {
    /// Stimuli that the systems share: a folder, .npy or .pt file
    #[arg(long, value_name = "PATH")]
    pub(crate) gt: Option<PathBuf>,
    /// Reconstructions of a system, likewise; may be repeated
    #[arg(long, value_name = "NAME=PATH", value_parser = named_path)]
    pub(crate) recon: Vec<(String, PathBuf)>,
    /// Observations of a system; may be repeated
    ///
    /// A folder with gt/ and recon/ inside, or SEED's evaluations/<model>/
    #[arg(long, value_name = "NAME=DIR", value_parser = named_path)]
    pub(crate) observations: Vec<(String, PathBuf)>,
    /// A finished run of `neurogauge score`; may be repeated
    #[arg(long, value_name = "NAME=RUN", value_parser = named_path)]
    pub(crate) run: Vec<(String, PathBuf)>,
    /// Human ratings of a system, by stem; may be repeated
    ///
    /// FILE alone where there is one system
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(crate) human: Vec<String>,
    /// Metrics, comma-separated [default: those of the SEED paper]
    ///
    /// As for `neurogauge score`. By default all that the inputs allow are scored, and tables and pages show those of
    /// the SEED paper
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) metrics: Option<Vec<String>>,
    /// Model that describes images, as for `neurogauge score`
    #[arg(long, value_name = "MODEL")]
    pub(crate) captioner: Option<String>,
    /// Model that embeds captions, as for `neurogauge score`
    #[arg(long, value_name = "MODEL", defaults_to = &SCORE.text_encoder)]
    pub(crate) text_encoder: Option<String>,
    /// Models behind feature metrics: each metric's own, or `placeholder` for all (no weights, numbers mean nothing)
    #[arg(long, value_enum, defaults_to = "own")]
    pub(crate) image_models: Option<ImageModelsArg>,
}

/// Reads `NAME=PATH`.
pub(crate) fn named_path(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected NAME=PATH, for example MindEye2=recons/mindeye2".to_owned()),
    }
}
