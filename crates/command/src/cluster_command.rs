//! `neurogauge cluster`: one command, done by several processes.

use crate::align_command::AlignArgs;
use crate::args::*;
use crate::multiverse_command::MultiverseArgs;
use crate::perceive_command::PerceiveArgs;
use crate::progress_bars::Bars;
use crate::score_command::ScoreArgs;
use crate::{align_command, multiverse_command, output, perceive_command, score_command};
use neurogauge::core::option_values::Count;
use neurogauge::work::{Work, WorkPlan};
use neurogauge::{Error, RunSettings, VlmChoice};
use neurogauge_cluster::{Status, check_all_done, set_finished, slurm};
use neurogauge_multiverse::MultiversePlan;
use std::path::Path;

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Plan what `neurogauge score` does
    ///
    /// Its shards are ranges of images and pairs
    Score(Box<ScoreArgs>),
    /// Plan what `neurogauge perceive` does
    ///
    /// Its shards are ranges of images
    Perceive(Box<PerceiveArgs>),
    /// Plan what `neurogauge multiverse` does
    ///
    /// Its shards are those of its runs: ranges of images and pairs
    Multiverse(Box<MultiverseArgs>),
    /// Plan what `neurogauge align` does
    ///
    /// Its shards are target units
    Align(Box<AlignArgs>),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Plan a command that several processes do
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Do a shard of what was planned
    Work(WorkArgs),
    /// Put the shards of a plan together
    Finish(FinishArgs),
    /// Write the scripts of SLURM jobs
    ///
    /// Writes an array of jobs, one for each shard that is missing, and the job that finishes the run
    Slurm(SlurmArgs),
    /// Say how far a run is
    ///
    /// Says whether the run is finished. If not: which shards are done, running, failed (with the end of their log) and
    /// waiting, and how much time is left
    Status(StatusArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SlurmArgs {
    /// The folder that was planned
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Number of shards
    #[arg(long, value_name = "N")]
    pub(crate) shards: Count<MAX_SHARDS>,
    /// Shards that run at the same time [default: as many as SLURM allows]
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
    /// Time of each job, such as 2:00:00. A shard that needs more continues when this command is repeated
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
    /// Number of shards [default: as `cluster slurm` or most of its shards say]
    #[arg(long, value_name = "N")]
    pub(crate) shards: Option<Count<MAX_SHARDS>>,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}

pub(crate) fn run(command: &ClusterCommand) -> Result<(), Error> {
    match command {
        ClusterCommand::Plan(command) => plan(command),
        ClusterCommand::Work(args) => work(args),
        ClusterCommand::Finish(args) => finish(args),
        ClusterCommand::Slurm(args) => write_scripts(args),
        ClusterCommand::Status(args) => {
            let status = Status::of(&args.run, args.shards.map(Into::into))?;
            match args.format {
                TableOrJson::Json => output::json(&status),
                TableOrJson::Table => output::data(&status.to_string()),
            }
        }
    }
}

fn plan(command: &PlanCommand) -> Result<(), Error> {
    let (work, settings) = match command {
        PlanCommand::Score(args) if args.dry_run => return score_command::run(args),
        PlanCommand::Score(args) if args.from_run.is_some() => {
            return Err(Error::Usage(
                "--from-run: a recorded run is repeated by `neurogauge score --from-run RUN`, and not in shards; leave it out, and give \
                 the inputs and options of that run"
                    .into(),
            ));
        }
        PlanCommand::Score(args) if args.out.is_none() => {
            return Err(Error::Usage(
                "what is planned needs a folder of its own, which all its processes see; say where with --out RUN"
                    .into(),
            ));
        }
        PlanCommand::Score(args) => {
            (Work::Score(Box::new(score_command::request(args)?)), score_command::run_settings(args))
        }
        PlanCommand::Perceive(args) => {
            (Work::Perceive(Box::new(perceive_command::request(args)?)), perceive_command::run_settings(args))
        }
        PlanCommand::Multiverse(args) => {
            let (request, settings) = multiverse_command::request(args)?;
            let words = MultiversePlan::write(&request, &settings, &Bars::default())?;
            return say_planned(&settings.out, &words);
        }
        PlanCommand::Align(args) => return align_command::plan(args),
    };
    let words = WorkPlan::write(work, &settings, &Bars::default())?;
    say_planned(&settings.out, &words)?;
    if !settings.vlm_servers.is_empty() {
        output::note(
            "a plan keeps no address of a server, nor how it is asked: give --vlm (and --parallel, --vlm-timeout and --vlm-tries) to \
             `neurogauge cluster work` and `neurogauge cluster finish`, or set NEUROGAUGE_VLM there",
        );
    }
    Ok(())
}

fn say_planned(out: &Path, words: &str) -> Result<(), Error> {
    let out = out.display();
    output::message(&format!(
        "{out}: planned; `neurogauge cluster work {out} --shard I/N` does a shard, `neurogauge cluster finish {out}` the rest"
    ));
    output::data(words)
}

fn work(args: &WorkArgs) -> Result<(), Error> {
    refuse_checkpoints(&args.machine)?;
    let done = neurogauge_cluster::work(&args.run, args.shard, || match Planned::of(&args.run, &args.machine)? {
        Planned::Run(plan) => plan.work(args.shard, &Bars::default()),
        Planned::Multiverse(plan) => plan.work(args.shard, &Bars::default()),
        Planned::Alignment => align_command::work(args),
    })?;
    output::message(&done);
    Ok(())
}

fn finish(args: &FinishArgs) -> Result<(), Error> {
    refuse_checkpoints(&args.machine)?;
    let plan = Planned::of(&args.run, &args.machine)?;
    let missing = check_all_done(&args.run, args.all_shards)?;
    missing.iter().for_each(|words| output::message(words));
    write_results(args, plan).map_err(with_plan)?;
    set_finished(&args.run)
}

/// Fails for a checkpoint, which would be another model than the plan's.
fn refuse_checkpoints(machine: &MachineArgs) -> Result<(), Error> {
    match machine.weights.checkpoint.first() {
        None => Ok(()),
        Some((model, file)) => Err(Error::Usage(format!(
            "--checkpoint {model}={}: the plan says which weights models have; give it to `neurogauge cluster plan` instead",
            file.display()
        ))),
    }
}

/// Extends the error of a planned run whose fingerprint has changed: its inputs, models or settings differ from those
/// planned.
fn with_plan(error: Error) -> Error {
    let Error::OtherRun { path, .. } = &error else {
        return error;
    };
    // Alignments and multiverses have no such plan.
    match WorkPlan::read(path).map(|plan| plan.check()) {
        Ok(Err(changed)) => changed,
        Ok(Ok(())) | Err(_) => error,
    }
}

fn write_results(args: &FinishArgs, plan: Planned) -> Result<(), Error> {
    let WorkPlan { work, mut settings, .. } = match plan {
        Planned::Run(plan) => *plan,
        Planned::Multiverse(plan) => return multiverse_command::finish(args, &plan),
        Planned::Alignment => return align_command::finish(args),
    };
    match work {
        Work::Score(request) => {
            settings.latex = args.table.latex().or(settings.latex);
            // The plan has already replaced the earlier run.
            settings.overwrite = false;
            let run = neurogauge::score(&request, &settings, &Bars::default())?;
            score_command::report(&run, args.table.format().styled(settings.latex))
        }
        Work::Perceive(request) => perceive_command::report(&request, &settings),
        _ => Err(Error::Usage(format!(
            "{}: its plan.json has a command that this version does not finish",
            args.run.display()
        ))),
    }
}

fn write_scripts(args: &SlurmArgs) -> Result<(), Error> {
    let named = [
        ("cpus-per-task", &args.cpus_per_task),
        ("gpus", &args.gpus),
        ("mem", &args.mem),
        ("time", &args.time),
        ("partition", &args.partition),
        ("account", &args.account),
    ];
    let named = named.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
    let options = slurm::Options {
        shards: args.shards.into(),
        max_at_once: args.max_at_once.map(Into::into),
        sbatch: named.chain(args.sbatch.iter().cloned()).collect(),
        setup: args.setup.clone(),
    };
    let scripts = slurm::write(&args.run, &options)?;
    output::message(&scripts.to_string());
    match args.submit {
        true => output::document(&scripts.submit()?),
        false => output::document(&scripts.commands()),
    }
}

/// The kind of plan in a folder.
enum Planned {
    Run(Box<WorkPlan>),
    Multiverse(Box<MultiversePlan>),
    /// The plan of an alignment has separate files.
    Alignment,
}

impl Planned {
    /// The plan of a folder, with this machine's folders and servers.
    fn of(run: &Path, machine: &MachineArgs) -> Result<Planned, Error> {
        let mut plan = match run.join("request.json").exists() {
            true => Planned::Alignment,
            false => match MultiversePlan::read(run)? {
                Some(plan) => Planned::Multiverse(Box::new(plan)),
                None => Planned::Run(Box::new(WorkPlan::read(run)?)),
            },
        };
        let servers = servers_of_plan((&machine.vlm, &machine.serving), plan.asked())?;
        let weights = &machine.weights;
        if weights.yes {
            allow_downloads();
        }
        if let Some(settings) = plan.settings_mut() {
            settings.weights = weights.weights.clone().or(settings.weights.take());
            settings.allow_download &= !weights.offline;
            settings.cache = machine.cache.clone().or(settings.cache.take());
            settings.vlm_servers = servers;
        }
        Ok(plan)
    }

    /// The vision-language models of a plan.
    fn asked(&self) -> &[VlmChoice] {
        match self {
            Planned::Run(plan) => match &plan.work {
                Work::Score(request) => &request.vlm,
                Work::Perceive(request) => &request.vlm,
                _ => &[],
            },
            Planned::Multiverse(plan) => &plan.request.score.vlm,
            Planned::Alignment => &[],
        }
    }

    fn settings_mut(&mut self) -> Option<&mut RunSettings> {
        match self {
            Planned::Run(plan) => Some(&mut plan.settings),
            Planned::Multiverse(plan) => Some(&mut plan.settings),
            Planned::Alignment => None,
        }
    }
}
