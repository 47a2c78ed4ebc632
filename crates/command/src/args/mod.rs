//! The command line.

mod choices;
mod defaults;
mod figures;
mod inputs;
mod meta_intervals;
mod metric;
mod observers;
mod pairing;
mod set;
mod shards;
mod shared;
mod table;
mod vlm;

pub(crate) use choices::*;
pub(crate) use defaults::*;
pub(crate) use figures::*;
pub(crate) use inputs::*;
pub(crate) use meta_intervals::*;
pub(crate) use metric::*;
pub(crate) use observers::*;
pub(crate) use pairing::*;
pub(crate) use set::*;
pub(crate) use shards::*;
pub(crate) use shared::*;
pub(crate) use table::*;
pub(crate) use vlm::*;

pub(crate) use clap::{Args, Subcommand, ValueEnum};
pub(crate) use neurogauge::core::option_values::{
    AtLeastZero, Confidence, Count, Level, Seconds, named_path, number, seed, trimmed,
};
pub(crate) use serde::Deserialize;
pub(crate) use std::path::PathBuf;

use crate::*;
use clap::Parser;
use neurogauge::formats::image_limit::DEFAULT_MAX_PIXELS;

const MAX_THREADS: usize = 1024;
const MAX_PIXELS: usize = 1_000_000_000;
pub(crate) const MAX_RESAMPLES: usize = 10_000_000;
pub(crate) const MAX_PX: usize = 10_000;
pub(crate) const MAX_CANDIDATES: usize = 10_000_000;

/// Measure how well what was decoded from a brain matches what was seen.
#[derive(Debug, Parser)]
#[command(name = "neurogauge", version, max_term_width = 100, disable_help_subcommand = true)]
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
    Score(Box<score_kinds_command::ScoreCommand>),
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
    /// Share one command among processes and machines
    ///
    /// Plan it, let any number of processes do its shards, and put them together
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Ask whether a decoder reconstructs or classifies
    ///
    /// Compares test stimuli and reconstructions with training stimuli, and identification with what the cluster alone
    /// gives
    Audit(Box<audit_command::AuditArgs>),
    /// Score the same pairs under every released convention
    ///
    /// Gives the estimates under each, what each choice makes of their spread, and whether the order of systems changes
    Multiverse(Box<multiverse_command::MultiverseArgs>),
    /// Put many systems on a static site, or check an entry
    #[command(subcommand)]
    Board(board_command::BoardCommand),
    /// List metrics, presets, protocols, conventions and models
    List(list_command::ListArgs),
    /// Fetch, verify and test model weights
    Models(models_command::ModelsArgs),
    /// Check what this machine has and what is missing
    ///
    /// Looks at all that commands may need, and says how to get what is missing
    Doctor(doctor_command::DoctorArgs),
    /// Print BibTeX of everything that runs used
    Cite(cite_command::CiteArgs),
    /// Show or empty the cache of observations
    ///
    /// The output of models that runs share: where it is, how large it is, and how to remove it
    Cache(cache_command::CacheArgs),
    /// Try everything on drawn scenes, without data
    ///
    /// Scores small scenes with known content against degraded ones; aligns simulated models with simulated brains
    Demo(demo_command::DemoArgs),
    /// Print help, manual pages, or completions of a shell
    Help(help_command::HelpArgs),
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
