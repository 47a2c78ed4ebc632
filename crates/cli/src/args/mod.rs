//! The command line.

mod basic;
mod choices;
mod defaults;
mod figures;
mod inputs;
mod masks;
mod meta_intervals;
mod metric;
mod observers;
mod pairing;
mod parts;
mod shared;
mod table;
mod vlm;

pub(crate) use basic::*;
pub(crate) use choices::*;
pub(crate) use defaults::*;
pub(crate) use figures::*;
pub(crate) use inputs::*;
pub(crate) use masks::*;
pub(crate) use meta_intervals::*;
pub(crate) use metric::*;
pub(crate) use observers::*;
pub(crate) use pairing::*;
pub(crate) use parts::*;
pub(crate) use shared::*;
pub(crate) use table::*;
pub(crate) use vlm::*;

pub(crate) use clap::{Args, Subcommand, ValueEnum};
pub(crate) use neurogauge::core::option_values::{
    AtLeastZero, Confidence, Count, Finite, Level, Seconds, named_path, number, seed, trimmed,
};
pub(crate) use serde::Deserialize;
pub(crate) use std::path::PathBuf;

use crate::*;
use clap::Parser;
use neurogauge::core::option_values::Size;
use neurogauge::formats::image_limit::DEFAULT_MAX_PIXELS;

const MAX_THREADS: usize = 1024;
const MAX_PIXELS: usize = 1_000_000_000;
pub(crate) const MAX_RESAMPLES: usize = 10_000_000;
pub(crate) const MAX_PX: usize = 10_000;
pub(crate) const MAX_CANDIDATES: usize = 10_000_000;

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
    Score(Box<score_command::ScoreArgs>),
    /// Check images and observations before scoring them
    ///
    /// Says how they pair, what images are, and all that `score` would find out about these inputs without running a
    /// model: what stops it, what changes a number, and what makes numbers incomparable
    Check(check_command::CheckArgs),
    /// Run pretrained models on images or captions
    ///
    /// Saves their output: features, captions, detections, masks, scene graphs
    Perceive(Box<perceive_command::PerceiveArgs>),
    /// Compare finished runs on the pairs they share
    ///
    /// Gives intervals, ranks, and a test of every difference
    Compare(compare_command::CompareArgs),
    /// Draw stimuli above what each system made of them
    ///
    /// The figure that every paper has
    Gallery(Box<gallery_command::GalleryArgs>),
    /// Put finished runs on one HTML page
    ///
    /// A page to look at, to send and to print, which loads nothing
    Report(report_command::ReportArgs),
    /// Compare metrics with human ratings
    ///
    /// Gives agreement, intervals, chance levels and differences
    Meta(Box<meta_command::MetaArgs>),
    /// Ask people to rate reconstructions
    ///
    /// Writes questionnaires, reads their answers, and says how many raters a survey needs
    #[command(subcommand)]
    Survey(survey_command::SurveyCommand),
    /// Make the SEED paper's tables of several systems
    ///
    /// Scores the systems, compares the metrics with human ratings, and writes tables and figures
    Study(Box<study_command::StudyArgs>),
    /// Compare brains and models by recovered dimensions
    ///
    /// Asks which reproducible response dimensions of a brain another brain or a model recovers
    Align(Box<align_command::AlignArgs>),
    /// Plan a command whose parts several processes do
    #[command(subcommand)]
    Plan(plan_command::PlanCommand),
    /// Do a part of what was planned
    Work(WorkArgs),
    /// Put the parts of a plan together
    Finish(FinishArgs),
    /// Run a plan on many machines
    #[command(subcommand)]
    Cluster(plan_command::ClusterCommand),
    /// Ask whether a decoder reconstructs or classifies
    ///
    /// Compares test stimuli and reconstructions with training stimuli, and identification with what the cluster alone
    /// gives
    Audit(Box<audit_command::AuditArgs>),
    /// Score the same pairs under every released convention
    ///
    /// Gives the estimates under each, what each choice makes of their spread, and whether the order of systems changes
    Multiverse(Box<multiverse_command::MultiverseArgs>),
    /// Find images by embeddings decoded from brains
    ///
    /// Looks for images by brain embeddings, and for brain embeddings by images, among candidates
    Retrieve(retrieve_command::RetrieveArgs),
    /// Score captions decoded from brains
    ///
    /// Gives BLEU, ROUGE-L, CIDEr, and CLIP-S of embeddings
    Caption(brainhub_command::CaptionArgs),
    /// Score boxes decoded from brains
    ///
    /// Gives accuracy and intersection over union
    Ground(brainhub_command::GroundArgs),
    /// Score shapes decoded from brains
    ///
    /// Gives Chamfer distance and earth mover's distance of point clouds and meshes
    Shapes(brainhub_command::ShapesArgs),
    /// Evaluate masks as COCO does
    ///
    /// Gives average precision and recall as COCO's own evaluation computes them
    Coco(coco_command::CocoArgs),
    /// Put many systems on a static site, or check an entry
    #[command(subcommand)]
    Board(board_command::BoardCommand),
    /// List the test sets of the field, or say what runs are of
    ///
    /// For each: the number of stimuli and their order, the subjects, and the papers that use it
    Protocols(board_command::ProtocolsArgs),
    /// List the metrics, or describe one
    ///
    /// Says what each needs, which way is better, its chance level, and what is missing here; with an id, prints its
    /// page
    Metrics(metrics_command::MetricsArgs),
    /// List the presets that equal released evaluations
    ///
    /// Says which code at which commit each equals, what it decides, and where the code differs from what it says
    Presets(multiverse_command::PresetsArgs),
    /// List, fetch, verify and test model weights
    Models(models_command::ModelsArgs),
    /// Check what this machine has and what is missing
    ///
    /// Looks at all that commands may need, and says how to get what is missing
    Doctor(doctor_command::DoctorArgs),
    /// Print BibTeX of everything that runs used
    Cite(cite_command::CiteArgs),
    /// Print the prompts of models behind a server
    ///
    /// Lists the prompts that such models are asked with, or prints the text of one
    Prompts(prompts_command::PromptsArgs),
    /// Show or empty the cache of observations
    ///
    /// The output of models that runs share: where it is, how large it is, and how to remove it
    Cache(cache_command::CacheArgs),
    /// Try everything on drawn scenes, without data
    ///
    /// Scores small scenes with known content against degraded ones; aligns simulated models with simulated brains
    Demo(demo_command::DemoArgs),
    /// Print a script that completes commands in a shell
    Completions(manual_command::CompletionsArgs),
    /// Print a manual page, or write all of them
    Man(manual_command::ManArgs),
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    #[default]
    Bar,
    Plain,
    None,
}

/// The first option that is given.
pub(crate) fn first_given<'a>(options: &[(&'a str, bool)]) -> Option<&'a str> {
    options.iter().find(|(_, is_given)| *is_given).map(|(option, _)| *option)
}
