//! The command line.

mod align;
mod audit;
mod basic;
mod board;
mod brainhub;
mod cache;
mod check;
mod choices;
mod combinations;
mod defaults;
mod figures;
mod gallery;
mod inputs;
mod manual;
mod masks;
mod meta;
mod meta_figures;
mod meta_intervals;
mod meta_stimuli;
mod metric;
mod metrics;
mod models;
mod multiverse;
mod parts;
mod perceive;
mod report;
mod retrieve;
mod score;
mod shared;
mod study;
mod survey;
mod table;
mod vlm;

pub(crate) use align::*;
pub(crate) use audit::*;
pub(crate) use basic::*;
pub(crate) use board::*;
pub(crate) use brainhub::*;
pub(crate) use cache::*;
pub(crate) use check::*;
pub(crate) use choices::*;
pub(crate) use combinations::*;
pub(crate) use defaults::*;
pub(crate) use figures::*;
pub(crate) use gallery::*;
pub(crate) use inputs::*;
pub(crate) use manual::*;
pub(crate) use masks::*;
pub(crate) use meta::*;
pub(crate) use meta_figures::*;
pub(crate) use meta_intervals::*;
pub(crate) use meta_stimuli::*;
pub(crate) use metric::*;
pub(crate) use metrics::*;
pub(crate) use models::*;
pub(crate) use multiverse::*;
pub(crate) use parts::*;
pub(crate) use perceive::*;
pub(crate) use report::*;
pub(crate) use retrieve::*;
pub(crate) use score::*;
pub(crate) use shared::*;
pub(crate) use study::*;
pub(crate) use survey::*;
pub(crate) use table::*;
pub(crate) use vlm::*;

use crate::from_json;
use crate::number::{AtLeastZero, Confidence, Count, Finite, Level, Seconds, Size};
use clap::{Args, Parser, Subcommand, ValueEnum};
use neurogauge::formats::image_limit::DEFAULT_MAX_PIXELS;
use serde::Deserialize;
use std::convert::Infallible;
use std::path::PathBuf;

const MAX_THREADS: usize = 1024;
const MAX_RESAMPLES: usize = 10_000_000;
const MAX_PIXELS: usize = 1_000_000_000;
const MAX_PX: usize = 10_000;
const MAX_CANDIDATES: usize = 10_000_000;
const MAX_DRAWN_POINTS: usize = 1_000_000;
const MAX_BEAMS: usize = 1000;
const MAX_CAPTION_TOKENS: usize = 1024;
const MAX_DETECTIONS: usize = 100_000;
const MAX_SHARDS: usize = 1_000_000;

/// Measure how well what was decoded from a brain matches what was seen.
#[derive(Debug, Parser)]
#[command(name = "neurogauge", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// Threads to use [default: as many as the job has processors]
    ///
    /// The default looks at cgroups and SLURM_CPUS_PER_TASK. Results do not depend on it
    #[arg(long, global = true, value_name = "N", help_heading = "General")]
    pub(crate) threads: Option<Count<MAX_THREADS>>,
    /// Show progress in this way
    ///
    /// It is shown on stderr: bar (on a terminal only), plain (a line for each tenth of a step, for logs), or none
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t, help_heading = "General")]
    pub(crate) progress: ProgressArg,
    /// Print only the result and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "General")]
    pub(crate) quiet: bool,
    /// Also say what is read, which weights are used, and the time of each step
    #[arg(short, long, global = true, help_heading = "General")]
    pub(crate) verbose: bool,
    /// Pixels of the largest image that is read
    #[arg(
        long, global = true, hide_short_help = true, value_name = "N",
        help_heading = "General", defaults_to = DEFAULT_MAX_PIXELS
    )]
    pub(crate) max_pixels: Option<Count<MAX_PIXELS>>,
    /// Write cells of CSV tables that begin with =, +, - or @ as they are. A spreadsheet reads them as formulas, so by
    /// default they get an apostrophe in front
    #[arg(long, global = true, hide_short_help = true, help_heading = "General")]
    pub(crate) csv_formulas: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score reconstructions against their stimuli
    ///
    /// Compares each reconstruction with the stimulus it was decoded from, and prints means with intervals
    Score(Box<ScoreArgs>),
    /// Check images and observations before scoring them
    ///
    /// Says how they pair, what images are, and all that `score` would find out about these inputs without running a
    /// model: what stops it, what changes a number, and what makes numbers incomparable
    Check(CheckArgs),
    /// Run pretrained models on images or captions
    ///
    /// Saves their output: features, captions, detections, masks, scene graphs
    Perceive(Box<PerceiveArgs>),
    /// Compare finished runs on the pairs they share
    ///
    /// Gives intervals, ranks, and a test of every difference
    Compare(CompareArgs),
    /// Draw stimuli above what each system made of them
    ///
    /// The figure that every paper has
    Gallery(GalleryArgs),
    /// Put finished runs on one HTML page
    ///
    /// A page to look at, to send and to print, which loads nothing
    Report(ReportArgs),
    /// Compare metrics with human ratings
    ///
    /// Gives agreement, intervals, chance levels and differences
    Meta(Box<MetaArgs>),
    /// Ask people to rate reconstructions
    ///
    /// Writes questionnaires, reads their answers, and says how many raters a survey needs
    #[command(subcommand)]
    Survey(SurveyCommand),
    /// Make the SEED paper's tables of several systems
    ///
    /// Scores the systems, compares the metrics with human ratings, and writes tables and figures
    Study(Box<StudyArgs>),
    /// Compare brains and models by recovered dimensions
    ///
    /// Asks which reproducible response dimensions of a brain another brain or a model recovers
    Align(Box<AlignArgs>),
    /// Plan a command whose parts several processes do
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Do a part of what was planned
    Work(WorkArgs),
    /// Put the parts of a plan together
    Finish(FinishArgs),
    /// Run a plan on many machines
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Ask whether a decoder reconstructs or classifies
    ///
    /// Compares test stimuli and reconstructions with training stimuli, and identification with what the cluster alone
    /// gives
    Audit(Box<AuditArgs>),
    /// Score the same pairs under every released convention
    ///
    /// Gives the estimates under each, what each choice makes of their spread, and whether the order of systems changes
    Multiverse(Box<MultiverseArgs>),
    /// Find images by embeddings decoded from brains
    ///
    /// Looks for images by brain embeddings, and for brain embeddings by images, among candidates
    Retrieve(RetrieveArgs),
    /// Score captions decoded from brains
    ///
    /// Gives BLEU, ROUGE-L, CIDEr, and CLIP-S of embeddings
    Caption(CaptionArgs),
    /// Score boxes decoded from brains
    ///
    /// Gives accuracy and intersection over union
    Ground(GroundArgs),
    /// Score shapes decoded from brains
    ///
    /// Gives Chamfer distance and earth mover's distance of point clouds and meshes
    Shapes(ShapesArgs),
    /// Evaluate masks as COCO does
    ///
    /// Gives average precision and recall as COCO's own evaluation computes them
    Coco(CocoArgs),
    /// Put many systems on a static site, or check an entry
    #[command(subcommand)]
    Board(BoardCommand),
    /// List the test sets of the field, or say what runs are of
    ///
    /// For each: the number of stimuli and their order, the subjects, and the papers that use it
    Protocols(ProtocolsArgs),
    /// List the metrics, or describe one
    ///
    /// Says what each needs, which way is better, its chance level, and what is missing here; with an id, prints its
    /// page
    Metrics(MetricsArgs),
    /// List the presets that equal released evaluations
    ///
    /// Says which code at which commit each equals, what it decides, and where the code differs from what it says
    Presets(PresetsArgs),
    /// List, fetch, verify and test model weights
    Models(ModelsArgs),
    /// Check what this machine has and what is missing
    ///
    /// Looks at all that commands may need, and says how to get what is missing
    Doctor(DoctorArgs),
    /// Print BibTeX of everything that runs used
    Cite(CiteArgs),
    /// Print the prompts of models behind a server
    ///
    /// Lists the prompts that such models are asked with, or prints the text of one
    Prompts(PromptsArgs),
    /// Show or empty the cache of observations
    ///
    /// The output of models that runs share: where it is, how large it is, and how to remove it
    Cache(CacheArgs),
    /// Try everything on drawn scenes, without data
    ///
    /// Scores small scenes with known content against degraded ones; aligns simulated models with simulated brains
    Demo(DemoArgs),
    /// Print a script that completes commands in a shell
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them
    Man(ManArgs),
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    #[default]
    Bar,
    Plain,
    None,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Finished run folders, two or more: all of scores, or all of alignments, which are held against the first
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    pub(crate) runs: Vec<PathBuf>,
    /// Compare only these metrics: ids or lists such as nsd8, separated by commas [default: all that every run has]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) metrics: Vec<String>,
    /// Correct p values by Holm's method over the differences of all metrics and systems, or over those of each metric
    /// alone; verdicts and ranks follow
    #[arg(long, value_name = "FAMILY", value_parser = choice::<HolmFamily>(), defaults_to = word_of(&HolmFamily::default()))]
    pub(crate) holm: Option<HolmFamily>,
    /// What tests each difference and gives its interval: flips of signs, which suppose that differences are symmetric,
    /// or the studentised bootstrap, which also suits skewed ones
    #[arg(long, value_name = "TEST", value_parser = choice::<PairedTest>(), defaults_to = word_of(&PairedTest::default()))]
    pub(crate) test: Option<PairedTest>,
    /// Also test whether systems are equivalent: whether two one-sided tests show that the difference is within ±BOUND,
    /// in the unit of the metric (choose metrics of one scale with --metrics)
    #[arg(long, value_name = "BOUND", allow_negative_numbers = true)]
    pub(crate) equivalence: Option<f64>,
    #[command(flatten)]
    pub(crate) subjects: SubjectArgs,
    /// Compare runs of different test sets on pairs of the same name
    ///
    /// Runs whose ids are those of different protocols (`neurogauge protocols`) are refused otherwise, since pairs of
    /// the same name may show different stimuli
    #[arg(long)]
    pub(crate) mixed: bool,
    /// Also compare BASIC-H by dimension, such as colour or spatial relations (dimensions.csv,
    /// dimension_differences.csv)
    #[arg(long)]
    pub(crate) by_dimension: bool,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Where compare.json, compare.md, compare.tex, compare.csv, differences.csv (with --subjects also
    /// subject_differences.csv) and figures/ go, if anywhere
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    /// Also draw figures into this folder: estimates, differences, ranks, single pairs; masks by level, BASIC-H against
    /// BASIC-L
    #[arg(long, value_name = "DIR")]
    pub(crate) figures: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) interval: IntervalArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where the drawings and the run go
    #[arg(long, value_name = "DIR", default_value = "demo-run")]
    pub(crate) out: PathBuf,
    /// Show every metric: placeholder models replace those whose weights are missing, and their numbers mean nothing
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
}

/// An entry of a list, without the spaces that may stand beside commas.
fn trimmed(text: &str) -> Result<String, Infallible> {
    Ok(text.trim().to_owned())
}
