//! The `neurogauge` command, as a function: the program and the Python package call it.
//!
//! stdout carries data, stderr carries progress and messages. Exit codes: 0 done, 1 the data is at
//! fault, 2 the command line is, 3 we are.

mod align_command;
mod args;
mod brainhub_command;
mod cache_command;
mod check_command;
mod cite_command;
mod coco_command;
mod compare_command;
mod demo_command;
mod doctor_command;
mod from_json;
mod given;
mod meta_command;
mod metric_options;
mod models_command;
mod number;
mod observer_options;
mod output;
mod perceive_command;
mod plan_command;
mod progress_bars;
mod retrieve_command;
mod run_settings;
mod score_command;
mod selftest_command;
mod study_command;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use neurogauge::core::option_words::write_options_as;
use neurogauge::meta::{HeldTables, MetaRun};
use neurogauge::{Error, Fault, Progress, Run};
use std::ffi::OsString;

/// Runs the command that these arguments ask for, the program's name first, and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    write_options_as(|option, f| match option.value {
        "" => write!(f, "--{}", option.name),
        // As a shell takes it.
        value if value.contains('{') => write!(f, "--{} '{value}'", option.name),
        value => write!(f, "--{} {value}", option.name),
    });
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        // Help and the version come this way too, with exit code 0.
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let outcome = std::panic::catch_unwind(|| {
        if let Some(number::Count(threads)) = cli.threads {
            // Fails only if the pool exists already, which in the program it does not.
            let _ = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global();
        }
        dispatch(&cli.command)
    });
    match outcome {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            output::message(&format!("error: {error}"));
            error.fault().exit_code()
        }
        Err(_) => {
            output::message(
                "error: this is a bug in neurogauge, not in your data. Scores computed so far \
                 are kept; please report the message above.",
            );
            Fault::Ours.exit_code()
        }
    }
}

/// Every command with its options and their help, for the documentation.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Does what `neurogauge score` does with these options, a JSON object of their names (with `_` for `-`) and values, and
/// prints nothing.
///
/// # Errors
/// [`Error::Usage`] for options that do not exist or make no sense, else what scoring gives.
pub fn score(options: &str, progress: &dyn Progress) -> Result<Run, Error> {
    score_command::scored(&from_json::read(options)?, progress)
}

/// The options of `neurogauge score`, as a JSON list of their names (with `_` for `-`), the words that they may be, and
/// whether they are flags.
pub fn score_options() -> String {
    from_json::options::<args::ScoreArgs>()
}

/// Does what `neurogauge meta` does with these arguments and with tables in memory, whose names stand
/// among the arguments in the place of files. Nothing is written or printed. Each question of the ratings comes with its
/// name where there are several.
///
/// # Errors
/// [`Error::Usage`] for arguments that the command line refuses, else what the evaluation gives.
pub fn meta(
    arguments: impl IntoIterator<Item = OsString>,
    held: &HeldTables,
) -> Result<Vec<(Option<String>, MetaRun)>, Error> {
    match &parsed("meta", arguments)?.command {
        Command::Meta(args) => meta_command::evaluated(args, held),
        _ => Err(Error::Usage("these are no arguments of `meta`".into())),
    }
}

fn parsed(command: &str, arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, Error> {
    let names = ["neurogauge", command].map(OsString::from);
    Cli::try_parse_from(names.into_iter().chain(arguments)).map_err(|error| {
        let text = error.render().to_string();
        let message = text.split("\n\nUsage:").next().unwrap_or_default();
        Error::Usage(message.trim_start_matches("error: ").trim().to_owned())
    })
}

fn dispatch(command: &Command) -> Result<(), Error> {
    match command {
        Command::Score(args) => score_command::run(args),
        Command::Check(args) => check_command::run(args),
        Command::Perceive(args) => perceive_command::run(args),
        Command::Coco(args) => coco_command::run(args),
        Command::Compare(args) => compare_command::run(args),
        Command::Meta(args) => meta_command::run(args),
        Command::Study(args) => study_command::run(args),
        Command::Align(args) => align_command::run(args),
        Command::Plan(command) => plan_command::plan(command),
        Command::Work(args) => plan_command::work(args),
        Command::Finish(args) => plan_command::finish(args),
        Command::Retrieve(args) => retrieve_command::run(args),
        Command::Caption(args) => brainhub_command::run_caption(args),
        Command::Ground(args) => brainhub_command::run_ground(args),
        Command::Models(args) => models_command::run(args),
        Command::Doctor(args) => doctor_command::run(args),
        Command::Cite(args) => cite_command::run(args),
        Command::Cache(args) => cache_command::run(args),
        Command::Demo(args) => demo_command::run(args),
    }
}
