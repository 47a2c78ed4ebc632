//! Ctrl-C, SIGTERM and SIGHUP end the process with a line that says what is kept and how to continue. Finished items
//! are already on disk, so nothing else must be done.

use crate::args::Command;
use crate::cache_command::CacheAction;
use crate::cluster_command::{ClusterCommand, PlanCommand};
use crate::models_command::ModelsAction;
use crate::score_command::ScoreArgs;
use crate::survey_command::SurveyCommand;
use neurogauge::ObservationCache;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The exit code that shells report after Ctrl-C.
const EXIT_CODE: i32 = 130;

/// The exit code that shells report after SIGTERM.
const TERMINATED: i32 = 143;

/// The rest of the line, and the exit code after SIGTERM.
static COMMAND: Mutex<(String, i32)> = Mutex::new((String::new(), TERMINATED));

/// From now on, Ctrl-C, SIGTERM and SIGHUP end the process with a line on stderr.
pub(crate) fn answer_signals() {
    // This fails only if another handler exists, which then stays.
    let _ = ctrlc::set_handler(|| stop(|_| EXIT_CODE));
    neurogauge_cluster::on_sigterm(|hung_up| {
        stop(move |terminated| match hung_up {
            Some(code) if terminated == TERMINATED => code,
            _ => terminated,
        })
    });
}

fn stop(code: impl FnOnce(i32) -> i32) -> ! {
    let command = COMMAND.lock().unwrap_or_else(PoisonError::into_inner);
    crate::progress_bars::stop_drawing();
    // It starts with a line break, because the progress bar is on the current line.
    crate::output::always(&format!("\nstopped{}", command.0));
    neurogauge::formats::atomic_file::remove_unfinished();
    std::process::exit(code(command.1));
}

/// Sets the line for this command.
pub(crate) fn set_command(command: &Command) {
    let terminated = match command {
        Command::Cluster(ClusterCommand::Work(_)) => neurogauge_cluster::INTERRUPTED,
        _ => TERMINATED,
    };
    *COMMAND.lock().unwrap_or_else(PoisonError::into_inner) = (words(command), terminated);
}

fn words(command: &Command) -> String {
    match command {
        Command::Score(args) if args.kind.is_none() => of_score(&args.images),
        Command::Perceive(args) => goes_on_in(&args.out),
        Command::Align(args) => goes_on_in(&args.place.out),
        Command::Study(args) => goes_on_in(&args.place.out),
        Command::Multiverse(args) => goes_on_in(&args.place.out),
        Command::Demo(args) => goes_on_in(&args.out),
        Command::Cluster(ClusterCommand::Work(args)) => goes_on_in(&args.run),
        Command::Cluster(ClusterCommand::Finish(args)) => goes_on_in(&args.run),
        Command::Cluster(ClusterCommand::Plan(PlanCommand::Align(args))) => goes_on_in(&args.place.out),
        Command::Survey(SurveyCommand::Collect(args)) => {
            format!("; all answers that came are kept in {}", args.answers.display())
        }
        Command::Models(args) => match args.action {
            ModelsAction::Fetch { .. } => {
                "; files that came whole are kept, and the same command fetches the others".to_owned()
            }
            _ => String::new(),
        },
        Command::Cache(args) => match args.action {
            CacheAction::Prune { .. } => {
                "; what was removed until then is gone, and the same command removes the rest".to_owned()
            }
            _ => String::new(),
        },
        _ => "; nothing was kept: the same command starts from the beginning".to_owned(),
    }
}

fn of_score(args: &ScoreArgs) -> String {
    if args.dry_run {
        return "; nothing was observed or written".to_owned();
    }
    let scratch = || ObservationCache::open().and_then(|cache| cache.last_run());
    match args.out.clone().map_or_else(scratch, Ok) {
        Ok(out) => goes_on_in(&out),
        Err(_) => String::new(),
    }
}

fn goes_on_in(folder: &Path) -> String {
    format!(
        "; what was done is kept in {} and in the cache, except the last few items; repeat the command to go on from there",
        folder.display()
    )
}
