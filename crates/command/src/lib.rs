//! The `neurogauge` command as a function, which the program and the Python package call.
//!
//! stdout carries data, stderr carries progress and messages. Exit codes: 0 done, 1 the data is at fault, 2 the command
//! line is at fault, 3 a bug of ours. `cluster work` and `cluster finish` have others ([`neurogauge_cluster::exit_code`]).

mod align_command;
mod args;
mod audit_command;
mod board_command;
mod cache_command;
mod check_command;
mod cite_command;
mod cluster_command;
mod command_groups;
mod compare_command;
mod config_file;
mod confirmation;
mod demo_command;
mod doctor_command;
mod from_json;
mod gallery_command;
mod help_command;
mod interruption;
mod line_width;
mod list_command;
mod meta_command;
mod models_command;
mod multiverse_command;
mod output;
mod perceive_command;
mod progress_bars;
mod report_command;
mod score_command;
mod score_kinds_command;
mod selftest_command;
mod settings_help;
mod short_help;
mod study_command;
mod survey_command;

use args::{Cli, Command};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use cluster_command::{ClusterCommand, PlanCommand};
use neurogauge::core::hostile_text::keep_formulas;
use neurogauge::core::option_words::write_options_as;
use neurogauge::formats::image_limit::set_max_pixels;
use neurogauge::{Convention, Error, Fault, Progress, Run, find_convention};
use neurogauge_meta::{InMemoryTables, MetaRun};
pub use output::Done;
use output::Verbosity;
use progress_bars::Bars;
use std::ffi::OsString;
use std::fmt::{self, Formatter};
use std::panic::AssertUnwindSafe;

/// Like [`run`], for a process that does nothing else: Ctrl-C and SIGTERM end it with a line that says what is kept.
pub fn run_program(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    interruption::answer_signals();
    run(arguments)
}

/// Runs the command with these arguments and returns its exit code. The first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    write_options_as(|option, f| match (find_convention(option.name), args::of_kind(option.name, option.value)) {
        (Some(convention), _) => write_setting(convention, option.value, f),
        (None, Some(words)) => f.write_str(&words),
        (None, None) if option.value.is_empty() => write!(f, "--{}", option.name),
        // The value is quoted for a shell.
        (None, None) if option.value.contains('{') => write!(f, "--{} '{}'", option.name, option.value),
        (None, None) => write!(f, "--{} {}", option.name, option.value),
    });
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match short_help::on_topic(command, &arguments) {
        None => {}
        Some(Ok(help)) => {
            // A closed pipe is no error.
            let _ = output::document(&help);
            return 0;
        }
        Some(Err(reason)) => {
            output::error(&reason);
            return 2;
        }
    }
    let (cli, matches) = match parsed(arguments) {
        Ok(parsed) => parsed,
        // Help and the version arrive here too, with exit code 0.
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    // Unwind safe: nothing that a panicking command leaves unfinished is used afterwards.
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let threads = cli.threads.map(usize::from);
        if let Some(threads) = threads.or_else(neurogauge_cluster::threads_of_job) {
            // This fails only if the pool exists already, which never happens in the program.
            let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        }
        if let Some(n_pixels) = cli.max_pixels {
            set_max_pixels(usize::from(n_pixels) as u64);
        }
        keep_formulas(cli.csv_formulas);
        output::set_verbosity(match cli {
            Cli { quiet: true, .. } => Verbosity::Quiet,
            Cli { verbose: true, .. } => Verbosity::Verbose,
            _ => Verbosity::Normal,
        });
        progress_bars::show_progress(cli.progress);
        let command = with_config_file(cli.command, &matches)?;
        interruption::set_command(&command);
        dispatch(&command)
    }));
    match outcome {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            output::error(&error.to_string());
            neurogauge_cluster::exit_code(&error)
        }
        Err(_) => {
            output::error(
                "this is a bug in neurogauge, not in your data. Scores computed so far \
                 are kept; please report the message above.",
            );
            Fault::Ours.exit_code()
        }
    }
}

/// Writes a convention as the command line sets it.
fn write_setting(convention: &Convention, value: &str, f: &mut Formatter<'_>) -> fmt::Result {
    match value {
        "" => write!(f, "--set {}", convention.id),
        // The value is quoted for a shell.
        value if value.contains([' ', '{']) => write!(f, "--set '{}={value}'", convention.id),
        value => write!(f, "--set {}={value}", convention.id),
    }
}

/// Every command with its options and their help, for the documentation.
pub fn command() -> clap::Command {
    short_help::with_short_help(plain_command())
}

/// Every command, with clap's own help.
fn plain_command() -> clap::Command {
    command_groups::with_groups(with_negative_numbers(Cli::command()))
}

/// Lets options accept negative numbers, so that each option decides which numbers are valid.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_values = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    let command = command.mut_args(takes_values);
    command.mut_subcommands(with_negative_numbers)
}

/// The error for conflicting options, without those in a group that were not given.
fn only_given(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let is_given = |option: &String| {
        let name = option.split([' ', '=']).next().unwrap_or(option);
        !name.starts_with("--")
            || arguments.iter().any(|argument| {
                let argument = argument.to_string_lossy();
                argument.split('=').next() == Some(name)
            })
    };
    if let Some(ContextValue::Strings(options)) = error.get(ContextKind::PriorArg) {
        let given: Vec<String> = options.iter().filter(|o| is_given(o)).cloned().collect();
        if !given.is_empty() {
            error.insert(ContextKind::PriorArg, ContextValue::Strings(given));
        }
    }
    error
}

/// The parsed command line, and the origin of each argument.
fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<(Cli, ArgMatches), clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Help by topic takes longer to make than all else at the start.
    let wants_help = arguments.iter().any(|word| word == "-h" || word == "--help");
    let mut command = if wants_help { command() } else { plain_command() };
    let matches = command.try_get_matches_from_mut(&arguments);
    let matches = matches.map_err(|error| {
        let error = settings_help::with_tip(settings_help::as_setting(&mut command, error, &arguments), &arguments);
        only_given(error, &arguments)
    })?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.with_cmd(&command))?;
    Ok((cli, matches))
}

/// The command with the options of its configuration file, if it names one.
fn with_config_file(command: Command, matches: &ArgMatches) -> Result<Command, Error> {
    let below = |matches: &ArgMatches| matches.subcommand().map(|(_, below)| below.clone());
    let of_command = below(matches).unwrap_or_default();
    Ok(match command {
        Command::Score(mut args) => {
            args.images = config_file::with_file(std::mem::take(&mut args.images), &of_command)?;
            Command::Score(args)
        }
        Command::Cluster(ClusterCommand::Plan(PlanCommand::Score(args))) => {
            let of_score = below(&of_command).as_ref().and_then(below).unwrap_or_default();
            let args = config_file::with_file(*args, &of_score)?;
            Command::Cluster(ClusterCommand::Plan(PlanCommand::Score(Box::new(args))))
        }
        other => other,
    })
}

/// Runs `neurogauge score` with these options, a JSON object of their names (with `_` for `-`) and values, without
/// printing.
///
/// # Errors
/// [`Error::Usage`] for options that do not exist or are invalid; errors of scoring.
pub fn score(options: &str, progress: &dyn Progress) -> Result<Run, Error> {
    score_command::scored(&from_json::read(options)?, progress)
}

/// The names of the options of a command, such as `["survey", "make"]`, with `_` for `-`.
pub fn command_options(words: &[String]) -> Vec<String> {
    let all = command();
    let found = words.iter().try_fold(&all, |found, word| found.find_subcommand(word));
    found.into_iter().flat_map(clap::Command::get_arguments).map(from_json::name_of).collect()
}

/// Runs `neurogauge align`, `audit`, `report`, `gallery`, `multiverse`, `study` or `survey` with these arguments, without
/// printing. The first argument is the command's name.
///
/// # Errors
/// [`Error::Usage`] for arguments that the command line refuses; errors of the command.
pub fn write(arguments: impl IntoIterator<Item = OsString>, progress: &dyn Progress) -> Result<Done, Error> {
    written(&parsed_quietly(arguments)?, progress)
}

/// Runs `neurogauge meta` with these arguments and with tables in memory, whose names stand for files in the arguments.
/// Nothing is written or printed. If the ratings have several questions, each result comes with its question's name.
///
/// # Errors
/// [`Error::Usage`] for arguments that the command line refuses; errors of the evaluation.
pub fn meta(
    arguments: impl IntoIterator<Item = OsString>,
    held: &InMemoryTables,
) -> Result<Vec<(Option<String>, MetaRun)>, Error> {
    let name = std::iter::once(OsString::from("meta"));
    match &parsed_quietly(name.chain(arguments))? {
        Command::Meta(args) => meta_command::evaluated(args, held),
        _ => Err(Error::Usage("these are no arguments of `meta`".into())),
    }
}

/// Parses arguments that begin with the command's name. Help and faults are returned as an error.
fn parsed_quietly(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    let program = std::iter::once(OsString::from("neurogauge"));
    let (cli, _) = parsed(program.chain(arguments)).map_err(|error| {
        let text = error.render().to_string();
        let message = ["\n\nUsage:", "\n\nFor more information"]
            .iter()
            .fold(text.as_str(), |text, end| text.split(end).next().unwrap_or_default());
        Error::Usage(with_keywords(message.trim_start_matches("error: ").trim()))
    })?;
    Ok(cli.command)
}

/// A message with the names of options in Python's form: `by_system` for `--by-system <NAME>`.
fn with_keywords(message: &str) -> String {
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let (name, rest) = part.split_at(part.find(|c| !is_of_name(c)).unwrap_or(part.len()));
        let value = rest.strip_prefix(" <").and_then(|value| value.split_once('>'));
        text += &name.replace('-', "_");
        text += value.map_or(rest, |(_, rest)| rest.strip_prefix("...").unwrap_or(rest));
    }
    text
}

/// Runs a command that is also a function in the Python package.
fn written(command: &Command, progress: &dyn Progress) -> Result<Done, Error> {
    match command {
        Command::Align(args) => align_command::done(args, progress),
        Command::Audit(args) => audit_command::written(args, progress),
        Command::Gallery(args) => gallery_command::written(args),
        Command::Multiverse(args) => multiverse_command::written(args, progress),
        Command::Report(args) => report_command::written(args, progress),
        Command::Study(args) => study_command::written(args, progress),
        Command::Survey(command) => survey_command::written(command, progress),
        _ => Err(Error::Usage("expected align, audit, report, gallery, multiverse, study or survey".into())),
    }
}

fn dispatch(command: &Command) -> Result<(), Error> {
    match command {
        Command::Score(args) => match &args.kind {
            Some(kind) => score_kinds_command::run(kind),
            None => score_command::run(&args.images),
        },
        Command::Check(args) => check_command::run(args),
        Command::Perceive(args) => perceive_command::run(args),
        Command::Compare(args) => compare_command::run(args),
        Command::Meta(args) => meta_command::run(args),
        Command::Audit(_)
        | Command::Gallery(_)
        | Command::Multiverse(_)
        | Command::Report(_)
        | Command::Study(_)
        | Command::Survey(_) => written(command, &Bars::default())?.print(),
        Command::Align(args) => align_command::run(args),
        Command::Cluster(command) => cluster_command::run(command),
        Command::Board(command) => board_command::run(command),
        Command::List(args) => list_command::run(args),
        Command::Models(args) => models_command::run(args),
        Command::Doctor(args) => doctor_command::run(args),
        Command::Cite(args) => cite_command::run(args),
        Command::Cache(args) => cache_command::run(args),
        Command::Demo(args) => demo_command::run(args),
        Command::Help(args) => help_command::run(args),
    }
}
