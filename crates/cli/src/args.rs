//! The command line.

use crate::{number, size};
use clap::{Args, Parser, Subcommand, ValueEnum};
use neurogauge::report::Format;
use std::path::PathBuf;

const MAX_THREADS: usize = 1024;
const MAX_RESAMPLES: usize = 10_000_000;
const MAX_PX: usize = 10_000;
const MAX_CANDIDATES: usize = 10_000_000;

/// Measures how well what was decoded from a brain matches what was seen.
#[derive(Debug, Parser)]
#[command(name = "neurogauge", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    /// Threads to use [default: all]. Results do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = number::count::<MAX_THREADS>)]
    pub(crate) threads: Option<usize>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score reconstructions against the stimuli they were decoded from
    Score(Box<ScoreArgs>),
    /// Let pretrained models look at images, and keep what they see as feature matrices
    Perceive(Box<PerceiveArgs>),
    /// Set finished runs side by side: paired bootstrap on the pairs they share
    Compare(CompareArgs),
    /// Hold metrics against human ratings: agreement, intervals, chance levels, differences
    Meta(Box<MetaArgs>),
    /// Look for images by brain embeddings, and for brain embeddings by images, among candidates
    Retrieve(RetrieveArgs),
    /// List, fetch and verify model weights
    Models(ModelsArgs),
    /// Draw small scenes with known content, degrade them, and score them: no data needed
    Demo(DemoArgs),
}

/// How a table is printed.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum OutputFormat {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
    Latex,
}

impl From<OutputFormat> for Format {
    fn from(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Table => Format::Table,
            OutputFormat::Json => Format::Json,
            OutputFormat::Csv => Format::Csv,
            OutputFormat::Markdown => Format::Markdown,
            OutputFormat::Latex => Format::Latex,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Stimuli: a folder of images, an .npy stack (N,H,W,3) or a .pt tensor file
    #[arg(long, value_name = "PATH")]
    pub(crate) gt: Option<PathBuf>,
    /// Reconstructions, likewise; files pair up by stem
    #[arg(long, value_name = "PATH")]
    pub(crate) recon: Option<PathBuf>,
    /// Folder with gt/ and recon/ inside (detections/, captions.json, features/), or SEED's
    /// evaluations/<model>/
    #[arg(long, value_name = "DIR")]
    pub(crate) observations: Option<PathBuf>,
    /// Captions of the stimuli: JSON {"stem": "text"} or {"stem": ["text", ...]}, or SEED's .npy
    #[arg(long, value_name = "FILE")]
    pub(crate) gt_captions: Option<PathBuf>,
    /// Captions of the reconstructions
    #[arg(long, value_name = "FILE")]
    pub(crate) recon_captions: Option<PathBuf>,
    /// Detections in the stimuli: a folder of mmdetection JSON, or one JSON of boxes by category
    #[arg(long, value_name = "PATH")]
    pub(crate) gt_detections: Option<PathBuf>,
    /// Detections in the reconstructions
    #[arg(long, value_name = "PATH")]
    pub(crate) recon_detections: Option<PathBuf>,
    /// Folder of feature matrices of the stimuli: <model>.npy and ids.json
    #[arg(long, value_name = "DIR")]
    pub(crate) gt_features: Option<PathBuf>,
    /// Folder of feature matrices of the reconstructions
    #[arg(long, value_name = "DIR")]
    pub(crate) recon_features: Option<PathBuf>,
    /// Folder of feature matrices of other images: identification is repeated among them, which
    /// is the same task for every system
    #[arg(long, value_name = "DIR")]
    pub(crate) pool: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) inputs: InputArgs,

    /// The run folder to write; an unfinished run there is resumed
    #[arg(long, value_name = "RUN", help_heading = "Output")]
    pub(crate) out: PathBuf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: OutputFormat,
    /// Also write the run in SEED's official layout, under RUN/evaluations/
    #[arg(long, value_enum, value_name = "LAYOUT", help_heading = "Output")]
    pub(crate) export_layout: Option<Layout>,
    /// Repeat the run that this run.json records; its inputs must be unchanged
    #[arg(long, value_name = "RUN_JSON", help_heading = "Output",
        conflicts_with_all = ["MetricArgs", "BootstrapArgs"])]
    pub(crate) from_run: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Metrics")]
    pub(crate) metrics: MetricArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    /// Linear heads of LPIPS: alex.pth or vgg.pth of the Python package lpips (lpips/weights/v0.1/ in
    /// its wheel); the network is told by the file. May be repeated
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) lpips_heads: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Layout {
    Official,
}

#[derive(Debug, Args)]
pub(crate) struct MetricArgs {
    /// Comma-separated ids, `nsd8` (the eight of the field's tables), or `all` [default: all that
    /// the inputs allow]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) metrics: Option<Vec<String>>,
    /// Is each reconstruction told from other stimuli (as MindEye2's code does), or each stimulus
    /// from other reconstructions (as the SEED paper has it)? [default: reconstruction]
    #[arg(long, value_enum)]
    pub(crate) identification_direction: Option<DirectionArg>,
    /// What an exact tie counts for in identification [default: lose]
    #[arg(long, value_enum)]
    pub(crate) identification_ties: Option<TiesArg>,
    /// Images to choose from in identification, the own one included [default: 2]
    #[arg(long, value_name = "N", value_parser = number::count::<MAX_CANDIDATES>)]
    pub(crate) n_way: Option<usize>,
    /// The own one must be among the K most similar [default: 1]
    #[arg(long, value_name = "K", value_parser = number::count::<MAX_CANDIDATES>)]
    pub(crate) top_k: Option<usize>,
    /// Draw distractors at random, so many times for each pair (seed: --seed) [default: the exact
    /// expectation over all draws]
    #[arg(long, value_name = "TRIALS", value_parser = number::count::<MAX_RESAMPLES>)]
    pub(crate) draws: Option<usize>,
    /// Whose protocol; one of each kind, comma-separated. Object F1: official (SEED's code), paper
    /// (its text) or exact (the integral) [default: official]. Images on their way to pixel metrics
    /// and models: nsd8-mindeye2, nsd8-native or published
    /// [default: nsd8-mindeye2 for models, 425 px at once for pixels]
    #[arg(long, value_enum, value_name = "PRESET,...", value_delimiter = ',')]
    pub(crate) preset: Vec<PresetArg>,
    /// What Object F1 takes into account besides existence (Table 4 of the SEED paper)
    /// [default: existence]
    #[arg(long, value_enum)]
    pub(crate) object_variant: Option<VariantArg>,
    /// Read detections in file order and stop at the first below the threshold, as SEED's code
    /// does, or read all [default: the preset's]
    #[arg(long, value_enum)]
    pub(crate) score_order: Option<ScoreOrder>,
    /// Smallest box that counts, px² [default: the preset's: 50 for official, else 0]
    #[arg(long, value_name = "PX2", allow_negative_numbers = true,
        value_parser = number::at_least_zero)]
    pub(crate) min_box_area: Option<f64>,
    /// Names behind the label indices: coco_gender (SEED's 82), coco (80) or a file
    /// [default: coco_gender]
    #[arg(long, value_name = "LIST")]
    pub(crate) labels: Option<String>,
    /// What boxes given as fractions are multiplied by [default: 425x425]
    #[arg(long, value_name = "WxH", value_parser = size::parse)]
    pub(crate) box_scale: Option<(f64, f64)>,
    /// Size of the images behind the detections, for the size and location variants
    #[arg(long, value_name = "WxH", value_parser = size::parse)]
    pub(crate) image_size: Option<(f64, f64)>,
    /// How the similarities to several reference captions become one [default: mean]
    #[arg(long, value_enum)]
    pub(crate) references: Option<ReferencesArg>,
    /// Shorter side at which pixels are compared, px [default: 425]
    #[arg(long, value_name = "PX", value_parser = number::count::<MAX_PX>)]
    pub(crate) pixel_size: Option<usize>,
    /// Resize to this shorter side first, px (MindEye2's images went through 256)
    #[arg(long, value_name = "PX", value_parser = number::count::<MAX_PX>)]
    pub(crate) first_size: Option<usize>,
    /// Interpolation [default: bilinear]
    #[arg(long, value_enum)]
    pub(crate) filter: Option<FilterArg>,
    /// Smooth before shrinking, as torchvision does since 0.17 [default: the preset's: off for
    /// nsd8-mindeye2 and without a preset, on for nsd8-native]
    #[arg(long, value_enum)]
    pub(crate) antialias: Option<Switch>,
    /// Model that embeds captions: all-MiniLM-L6-v2, or `stand-in` (no weights, numbers mean
    /// nothing) [default: all-MiniLM-L6-v2]
    #[arg(long, value_name = "MODEL")]
    pub(crate) text_encoder: Option<String>,
    /// Models behind feature metrics: each metric's own, or `stand-in` for all (no weights, numbers
    /// mean nothing) [default: own]
    #[arg(long, value_enum)]
    pub(crate) image_models: Option<ImageModelsArg>,
    /// Score from which a category counts for SNM [default: 0.3]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true,
        value_parser = number::confidence)]
    pub(crate) snm_threshold: Option<f64>,
    /// Categories of SNM [default: salient]
    #[arg(long, value_enum)]
    pub(crate) snm_categories: Option<CategoriesArg>,
    /// Categories of the reconstruction that can make a near miss: the same set, or all
    /// [default: same]
    #[arg(long, value_enum)]
    pub(crate) snm_recon_categories: Option<ReconCategoriesArg>,
    /// SDM counts pairs with Object F1 above this ... [default: 0.7]
    #[arg(long, value_name = "F1", allow_negative_numbers = true,
        value_parser = number::finite)]
    pub(crate) sdm_f1_above: Option<f64>,
    /// ... and Object F1 - SEED above this [default: 0.2]
    #[arg(long, value_name = "GAP", allow_negative_numbers = true,
        value_parser = number::finite)]
    pub(crate) sdm_gap_above: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct BootstrapArgs {
    /// Bootstrap resamples over pairs [default: 2000]
    #[arg(long, value_name = "N", value_parser = number::count::<MAX_RESAMPLES>)]
    pub(crate) resamples: Option<usize>,
    /// Level of the intervals [default: 0.95]
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true,
        value_parser = number::level)]
    pub(crate) level: Option<f64>,
    /// Seed of the resamples, and of --draws [default: 42]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct WeightArgs {
    /// Folder of model weights (also: NEUROGAUGE_WEIGHTS)
    #[arg(long, value_name = "DIR")]
    pub(crate) weights: Option<PathBuf>,
    /// Never download weights
    #[arg(long)]
    pub(crate) offline: bool,
    /// Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt,
    /// .safetensors); recorded as MODEL-custom with the file's SHA-256. May be repeated
    #[arg(long, value_name = "MODEL=FILE", value_parser = checkpoint)]
    pub(crate) checkpoint: Vec<(String, PathBuf)>,
}

/// Reads `MODEL=FILE`.
fn checkpoint(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((model, file)) if !model.is_empty() && !file.is_empty() => {
            Ok((model.to_owned(), file.into()))
        }
        _ => Err("expected MODEL=FILE, for example resnet50=robust.pth".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct PerceiveArgs {
    /// Images: a folder, an .npy stack (N,H,W,3) or a .pt tensor file
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) images: PathBuf,
    /// Models and layers, comma-separated, e.g. alexnet:features.4,vit_b_16. Without LAYER: the
    /// model's last. POOLING over positions: none (all of them), mean, mean-without-class-token or
    /// class-token [default: none]. MODEL may be MODEL-untrained-SEED (random weights as PyTorch
    /// makes them); `stand-in` needs no weights, and its numbers mean nothing
    #[arg(
        long,
        value_name = "MODEL[:LAYER[:POOLING]],...",
        required = true,
        value_delimiter = ',',
        help_heading = "Models"
    )]
    pub(crate) with: Vec<ModelLayers>,
    /// How images are prepared: as each model's authors publish it, or as in the NSD metrics
    /// [default: published]
    #[arg(long, value_enum, help_heading = "Models")]
    pub(crate) preset: Option<ImagePresetArg>,
    /// Smooth before shrinking [default: the preset's; published always does]
    #[arg(long, value_enum, help_heading = "Models")]
    pub(crate) antialias: Option<Switch>,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
    /// Where features/<model>.<layer>.npy and features/ids.json go; what is there and still holds
    /// is kept, so a call that was interrupted goes on
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Finished run folders, two or more
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    pub(crate) runs: Vec<PathBuf>,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MetaArgs {
    /// Human ratings: CSV with a line for each rating (item, rater, value) or a column for each
    /// rater, or .npy (items by raters)
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) human: PathBuf,
    /// Scores by item: CSV, .npz or .parquet files, and folders of `neurogauge score` runs; items
    /// join by id
    #[arg(long, value_name = "FILE|RUN", required = true, num_args = 1.., help_heading = "Inputs")]
    pub(crate) metrics: Vec<PathBuf>,
    /// Metrics of which lower is better; those that `neurogauge score` knows need no mention, any
    /// other is taken to be higher-is-better, with a warning
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Inputs"
    )]
    pub(crate) lower_is_better: Vec<String>,
    /// Metrics of which higher is better
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Inputs"
    )]
    pub(crate) higher_is_better: Vec<String>,
    /// Column of the ratings that names the item [default: among the usual names]
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) item_column: Option<String>,
    /// Column that names the rater [default: among the usual names]
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) rater_column: Option<String>,
    /// Column with the rating [default: among the usual names]
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) value_column: Option<String>,
    /// Lowest and highest rating; one outside is an error
    #[arg(long, value_name = "LO,HI", value_parser = rating_scale, allow_hyphen_values = true, help_heading = "Inputs")]
    pub(crate) scale: Option<(f64, f64)>,
    /// Where meta.json, meta.md and meta.csv go
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t, help_heading = "Outputs")]
    pub(crate) format: MetaFormat,
    /// Human score of an item: the mean of its ratings, or of each rater's z-scores
    #[arg(long, value_enum, default_value_t, help_heading = "Statistics")]
    pub(crate) human_score: HumanScoreArg,
    /// What the bootstrap draws
    #[arg(long, value_enum, default_value_t, help_heading = "Intervals")]
    pub(crate) bootstrap: ResampledArg,
    /// Bootstrap resamples
    #[arg(long, value_name = "N", default_value = "1000", value_parser = number::count::<MAX_RESAMPLES>, help_heading = "Intervals")]
    pub(crate) resamples: usize,
    /// Level of the intervals
    #[arg(
        long,
        value_name = "LEVEL",
        default_value_t = 0.95,
        help_heading = "Intervals"
    )]
    pub(crate) level: f64,
    /// How intervals are made; bca not with --bootstrap both
    #[arg(long, value_enum, default_value_t, help_heading = "Intervals")]
    pub(crate) interval: IntervalArg,
    /// Permutations behind the chance levels
    #[arg(long, value_name = "N", default_value = "200", value_parser = number::count::<MAX_RESAMPLES>, help_heading = "Intervals")]
    pub(crate) permutations: usize,
    /// Seed of resamples and permutations
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 42,
        help_heading = "Intervals"
    )]
    pub(crate) seed: u64,
}

/// How a meta-evaluation is printed.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum MetaFormat {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum HumanScoreArg {
    #[default]
    Mean,
    Zscore,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum ResampledArg {
    #[default]
    Raters,
    Items,
    Both,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum IntervalArg {
    #[default]
    Percentile,
    Bca,
}

#[derive(Debug, Args)]
pub(crate) struct RetrieveArgs {
    /// Embeddings decoded from the brain: .npy or .pt (items first; other dimensions are
    /// flattened), FILE.pt#NAME for one tensor of several
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) brain: PathBuf,
    /// Embeddings of the images, likewise. Rows pair up by the ids.json beside each file, or by
    /// position if neither has one
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) image: PathBuf,
    /// Where retrieval.json, retrieval.md and retrieval.csv go
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t, help_heading = "Outputs")]
    pub(crate) format: MetaFormat,
    /// Items of a draw, the own one included
    #[arg(long, value_name = "N", default_value = "300", value_parser = number::count::<MAX_CANDIDATES>, help_heading = "Retrieval")]
    pub(crate) candidates: usize,
    /// The own one must be among the K most similar
    #[arg(long, value_name = "K", default_value = "1", value_parser = number::count::<MAX_CANDIDATES>, help_heading = "Retrieval")]
    pub(crate) top_k: usize,
    /// How often candidates are drawn
    #[arg(long, value_name = "N", default_value = "30", value_parser = number::count::<MAX_RESAMPLES>, help_heading = "Retrieval")]
    pub(crate) repeats: usize,
    /// How embeddings are compared
    #[arg(long, value_enum, default_value = "cosine", help_heading = "Retrieval")]
    pub(crate) metric: SimilarityArg,
    /// What an exact tie counts for
    #[arg(long, value_enum, default_value = "lose", help_heading = "Retrieval")]
    pub(crate) ties: TiesArg,
    /// Bootstrap resamples over items, for the interval of the expectation
    #[arg(long, value_name = "N", default_value = "2000", value_parser = number::count::<MAX_RESAMPLES>, help_heading = "Intervals")]
    pub(crate) resamples: usize,
    /// Level of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = number::level, help_heading = "Intervals")]
    pub(crate) level: f64,
    /// Seed of draws and resamples
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 42,
        help_heading = "Intervals"
    )]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// What is known, its licence, and where its weights lie
    List(WeightArgs),
    /// Download the weights of a model
    Fetch {
        /// Id of the model
        model: String,
        #[command(flatten)]
        weights: WeightArgs,
    },
    /// Check the SHA-256 of the weights of a model
    Verify {
        /// Id of the model
        model: String,
        #[command(flatten)]
        weights: WeightArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where the drawings and the run go
    #[arg(long, value_name = "DIR", default_value = "demo-run")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
}

macro_rules! mirrored {
    ($(#[$meta:meta])* $name:ident => $target:ty { $($variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, ValueEnum)]
        pub(crate) enum $name { $($variant),+ }
        impl From<$name> for $target {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => <$target>::$variant),+ }
            }
        }
    };
}

use neurogauge::ModelLayers;
use neurogauge::core::image::Filter;
use neurogauge::metrics::decoding::cap_sim::References;
use neurogauge::metrics::decoding::identification::{IdentificationDirection, Ties};
use neurogauge::metrics::decoding::near_miss::{CategorySet, ReconCategories};
use neurogauge::metrics::decoding::objects::{Preset, Variant};
use neurogauge::models::ImagePreset;
use neurogauge::stats::Similarity;

mirrored!(DirectionArg => IdentificationDirection { Reconstruction, Stimulus });
mirrored!(TiesArg => Ties { Lose, Half, Win });
mirrored!(SimilarityArg => Similarity { Correlation, Cosine });
mirrored!(ImagePresetArg => ImagePreset { Nsd8Mindeye2, Nsd8Native, Published });
mirrored!(VariantArg => Variant { Existence, Size, Location, Number });
mirrored!(ReferencesArg => References { Mean, Max, First });
mirrored!(FilterArg => Filter { Bilinear, Bicubic });
mirrored!(CategoriesArg => CategorySet { Salient, All });
mirrored!(ReconCategoriesArg => ReconCategories { Same, All });

/// The presets of Object F1 and those of images, in one option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PresetArg {
    Official,
    Paper,
    Exact,
    Nsd8Mindeye2,
    Nsd8Native,
    Published,
}

impl PresetArg {
    pub(crate) fn of_objects(self) -> Option<Preset> {
        match self {
            PresetArg::Official => Some(Preset::Official),
            PresetArg::Paper => Some(Preset::Paper),
            PresetArg::Exact => Some(Preset::Exact),
            _ => None,
        }
    }

    pub(crate) fn of_images(self) -> Option<ImagePreset> {
        match self {
            PresetArg::Nsd8Mindeye2 => Some(ImagePreset::Nsd8Mindeye2),
            PresetArg::Nsd8Native => Some(ImagePreset::Nsd8Native),
            PresetArg::Published => Some(ImagePreset::Published),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImageModelsArg {
    Own,
    StandIn,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ScoreOrder {
    AsListed,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

fn rating_scale(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',').and_then(|(low, high)| {
        let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low < high && low.is_finite() && high.is_finite()).then_some((low, high))
    });
    ends.ok_or_else(|| format!("{text:?}: expected two numbers, the lower first, such as 1,5"))
}
