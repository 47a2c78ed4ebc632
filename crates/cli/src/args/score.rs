//! `neurogauge score`.

use super::*;
use neurogauge::{ClusterChoice, SampleScore, ShuffledNull, StimulusPattern};

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ScoreArgs {
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) inputs: InputArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) reading: ReadingArgs,

    /// TOML file with options by name, such as `metrics = ["pixcorr", "ssim"]` or `pixel_size = 256`. What the command
    /// line says goes before it. Paths in it are relative to its folder
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// The run folder to write; an unfinished run there is resumed [default: `last-run` in the cache, which the next
    /// run without --out replaces]
    #[arg(long, value_name = "RUN", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Output")]
    pub(crate) overwrite: OverwriteArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Output")]
    pub(crate) table: TableArgs,
    /// What to do if an image cannot be read, or a model fails on an image or caption: `skip` names it, leaves its
    /// pairs without a value and ends with exit code 1, `stop` ends the run there
    #[arg(long, value_parser = choice::<OnFailure>(), value_name = "WHAT", help_heading = "Output", defaults_to = word_of(&OnFailure::Skip))]
    pub(crate) on_failure: Option<OnFailure>,
    /// Also write the run in SEED's official layout, under RUN/evaluations/
    #[arg(long, value_enum, value_name = "LAYOUT", help_heading = "Output")]
    pub(crate) export_layout: Option<Layout>,
    /// Also draw the masks of these pairs over their images: what is right, missing and made up
    /// (RUN/figures/masks_<stem>.png)
    #[arg(long, value_name = "STEM,...", value_delimiter = ',', help_heading = "Output")]
    #[serde(deserialize_with = "from_json::list")]
    pub(crate) overlay: Vec<String>,
    /// Also print BASIC-H by dimension, such as colour or spatial relations (RUN/dimensions.csv)
    #[arg(long, help_heading = "Output")]
    pub(crate) by_dimension: bool,
    /// Only print what would be observed, compared and left out, and how much memory it takes; nothing is observed or
    /// written
    #[arg(long, help_heading = "Output", conflicts_with = "from_run")]
    pub(crate) dry_run: bool,
    /// Repeat the run in this folder, or that this run.json records; its inputs must be unchanged
    #[arg(long, value_name = "RUN", help_heading = "Output",
        conflicts_with_all = ["PairingArgs", "ReadingArgs", "MetricArgs", "CaptionerArgs", "DetectorArgs", "SegmenterArgs", "ParserArgs", "BasicArgs", "MaskArgs", "BootstrapArgs", "IntervalArgs", "stimulus_pattern", "cluster", "null"])]
    pub(crate) from_run: Option<PathBuf>,
    /// Repeat the run even if its inputs or models have changed
    #[arg(long, help_heading = "Output", requires = "from_run")]
    pub(crate) accept_changes: bool,

    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) metrics: MetricArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) captions: CaptionerArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) detections: DetectorArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Models behind a server")]
    pub(crate) vlm: VlmArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "BASIC-H")]
    pub(crate) basic: BasicArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "BASIC-H")]
    pub(crate) parser: ParserArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "BASIC-L")]
    pub(crate) masks: MaskArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "BASIC-L")]
    pub(crate) segmenter: SegmenterArgs,
    /// Names of pairs if several show the same stimulus: {stimulus} for the stimulus and * for anything, such as
    /// '{stimulus}_*'. Intervals are then over stimuli, and pairs of one stimulus are no distractors of each other
    /// [default: stimuli with the same bytes]
    #[arg(long, value_name = "PATTERN", help_heading = "Intervals")]
    pub(crate) stimulus_pattern: Option<StimulusPattern>,
    /// Stimuli that are alike (scenes of a film, pictures of a concept): a pattern of names such as '{cluster}_*', a
    /// table with the columns item and cluster, or `none`. Intervals and tests are then over clusters; scores stay as
    /// they are [default: pieces of a film, if all names say it, such as movie1_clip03]
    #[arg(long, value_name = "WHICH", help_heading = "Intervals")]
    pub(crate) cluster: Option<ClusterChoice>,
    /// Also compute what metrics without a known level of chance give reconstructions of other stimuli: `shuffled`, or
    /// `shuffled=N` for N random pairings (5 without a number). Each costs as much as comparing the pairs
    #[arg(long, value_name = "WHICH", help_heading = "Metrics")]
    pub(crate) null: Option<ShuffledNull>,
    /// The score of an item with several samples: `mean`, or `best:K`, the expected best of K of them, which knows the
    /// stimulus
    #[arg(long, value_name = "WHICH", help_heading = "Inputs", defaults_to = SCORE.samples)]
    pub(crate) samples: Option<SampleScore>,
    /// What becomes of the last frame where a clip has an odd number and a model sees two at a time (VideoMAE):
    /// `error`, or `drop-last`
    #[arg(long, value_parser = choice::<OddFrames>(), value_name = "WHAT", help_heading = "Inputs", defaults_to = word_of(&OddFrames::default()))]
    pub(crate) odd_frames: Option<OddFrames>,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) interval: IntervalArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    #[serde(flatten)]
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) device: DeviceArgs,
    /// Linear heads of LPIPS: alex.pth or vgg.pth of the Python package lpips (lpips/weights/v0.1/ in
    /// its wheel); the network is told by the file. May be repeated
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    #[serde(deserialize_with = "from_json::paths")]
    pub(crate) lpips_heads: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Layout {
    Official,
}
