//! `neurogauge plan`, `neurogauge work`, `neurogauge finish` and `neurogauge cluster`: a command done in parts, by any
//! number of processes.

use super::*;
use neurogauge::Shard;
use std::num::NonZeroUsize;

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Plan what `neurogauge score` does
    ///
    /// Its parts are ranges of images and pairs
    Score(Box<ScoreArgs>),
    /// Plan what `neurogauge perceive` does
    ///
    /// Its parts are ranges of images
    Perceive(Box<PerceiveArgs>),
    /// Plan what `neurogauge multiverse` does
    ///
    /// Its parts are those of its runs: ranges of images and pairs
    Multiverse(Box<MultiverseArgs>),
    /// Plan what `neurogauge align` does
    ///
    /// Its parts are target units
    Align(Box<AlignArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// The folder that was planned, --out of `neurogauge plan`
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Number of the part and of all parts, from 0/8 to 7/8 (8/8 is 0/8). Parts can run in any order, at the same time
    /// and repeatedly, and there can be any number of them. Exit codes: 0 done, 4 done except items that are named, 5
    /// not what was planned, 75 stopped (SIGTERM)
    #[arg(long, value_name = "I/N", value_parser = shard, allow_hyphen_values = true)]
    pub(crate) shard: Shard,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

// Where a machine finds what is in no plan.
#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    /// Keep what is observed in this folder, not in the cache (NEUROGAUGE_CACHE)
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Server with the vision-language model that the plan asks; MODEL=URL if it asks several, once for each. A plan
    /// keeps no addresses
    #[arg(long, value_name = "[MODEL=]URL", value_parser = model_and_url, defaults_to = "NEUROGAUGE_VLM")]
    pub(crate) vlm: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) serving: ServingArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) weights: WeightArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FinishArgs {
    /// The folder that was planned. Missing parts are named, and done
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Stop if parts are missing, and say which
    #[arg(long)]
    pub(crate) all_shards: bool,
    #[command(flatten)]
    pub(crate) figures: FigureArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Write the scripts of SLURM jobs
    ///
    /// Writes an array of jobs, one for each part that is missing, and the job that finishes the run
    Slurm(SlurmArgs),
    /// Say how far a run is
    ///
    /// Says whether the run is finished. If not: which parts are done, running, failed (with the end of their log) and
    /// waiting, and how much time is left
    Status(StatusArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SlurmArgs {
    /// The folder that was planned
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Number of parts
    #[arg(long, value_name = "N")]
    pub(crate) shards: Count<MAX_SHARDS>,
    /// Parts that run at the same time [default: as many as SLURM allows]
    #[arg(long, value_name = "N")]
    pub(crate) max_at_once: Option<Count<MAX_SHARDS>>,
    /// Processors of each job, and so its number of threads
    #[arg(long, value_name = "N")]
    pub(crate) cpus_per_task: Option<String>,
    /// GPUs of each job, such as 1 or a100:1
    #[arg(long, value_name = "[TYPE:]N")]
    pub(crate) gpus: Option<String>,
    /// Memory of each job, such as 32G
    #[arg(long, value_name = "SIZE")]
    pub(crate) mem: Option<String>,
    /// Time of each job, such as 2:00:00. A part that needs more continues when this command is repeated
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Partition of all jobs
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Account of all jobs
    #[arg(long, value_name = "NAME")]
    pub(crate) account: Option<String>,
    /// Another option of sbatch for all jobs, such as --sbatch=--qos=long; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) sbatch: Vec<String>,
    /// Begin each job with the lines of this file: modules, conda, a container
    ///
    /// The lines are bash, such as `module load cuda/12.4` or `source /opt/conda/bin/activate neuro`. To run in a
    /// container, put the command that starts it into the array LAUNCH, such as `LAUNCH=(apptainer exec --nv
    /// neurogauge.sif)`. Begin the file with `set -e` if a failing line should end the job. Options of sbatch belong in
    /// --sbatch
    #[arg(long, value_name = "FILE")]
    pub(crate) setup: Option<PathBuf>,
    /// Submit the scripts
    #[arg(long)]
    pub(crate) submit: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The folder that was planned
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Number of parts [default: as `cluster slurm` or most of its parts say]
    #[arg(long, value_name = "N")]
    pub(crate) shards: Option<Count<MAX_SHARDS>>,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}

/// Reads `URL` or `MODEL=URL`.
fn model_and_url(text: &str) -> Result<(String, String), String> {
    let named = text.split_once('=');
    let (model, url) = named.filter(|(model, _)| !model.contains("://")).unwrap_or(("", text));
    match url.contains("://") {
        true => Ok((model.to_owned(), url.to_owned())),
        false => Err("expected an address such as http://localhost:8000".to_owned()),
    }
}

/// Reads `I/N`, from 0; `N/N` is `0/N`.
fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| {
        let number: usize = number.trim().parse().ok()?;
        let of: NonZeroUsize = of.trim().parse().ok()?;
        (of.get() <= MAX_SHARDS).then_some((number, of))
    });
    match numbers {
        Some((index, of)) if index <= usize::from(of) => {
            let index = index % usize::from(of);
            Ok(Shard { index, of })
        }
        _ => Err("expected I/N with I from 0 to N - 1, such as 2/8".to_owned()),
    }
}
