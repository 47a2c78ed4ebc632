//! The `neurogauge` command.
//!
//! stdout carries data, stderr carries progress and messages. Exit codes: 0 done, 1 the data is at
//! fault, 2 the command line is, 3 we are.

mod align_command;
mod args;
mod brainhub_command;
mod coco_command;
mod compare_command;
mod demo_command;
mod meta_command;
mod models_command;
mod number;
mod output;
mod perceive_command;
mod progress_bars;
mod retrieve_command;
mod score_command;
mod size;
mod study_command;

use args::{Cli, Command};
use clap::Parser;
use neurogauge::{Error, Fault};
use std::process::ExitCode;

/// Images come and go by the megabyte; this allocator keeps their pages instead of giving each back
/// to the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = std::panic::catch_unwind(|| {
        if let Some(threads) = cli.threads {
            // Fails only if the pool exists already, which at this point it does not.
            let _ = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global();
        }
        run(&cli.command)
    });
    match outcome {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            output::message(&format!("error: {error}"));
            ExitCode::from(match error.fault() {
                Fault::Data => 1,
                Fault::Usage => 2,
                Fault::Ours => 3,
            })
        }
        Err(_) => {
            output::message(
                "error: this is a bug in neurogauge, not in your data. Scores computed so far \
                 are kept; please report the message above.",
            );
            ExitCode::from(3)
        }
    }
}

fn run(command: &Command) -> Result<(), Error> {
    match command {
        Command::Score(args) => score_command::run(args),
        Command::Perceive(args) => perceive_command::run(args),
        Command::Coco(args) => coco_command::run(args),
        Command::Compare(args) => compare_command::run(args),
        Command::Meta(args) => meta_command::run(args),
        Command::Study(args) => study_command::run(args),
        Command::Align(args) => align_command::run(args),
        Command::Retrieve(args) => retrieve_command::run(args),
        Command::Caption(args) => brainhub_command::run_caption(args),
        Command::Ground(args) => brainhub_command::run_ground(args),
        Command::Models(args) => models_command::run(args),
        Command::Demo(args) => demo_command::run(args),
    }
}
