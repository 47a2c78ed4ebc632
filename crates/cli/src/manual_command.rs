//! `neurogauge completions` and `neurogauge man`: generated from the description of the command line.

use crate::args::*;
use crate::output;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use neurogauge::Error;
use neurogauge::formats::Problem;
use neurogauge::models::registry::did_you_mean;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page is printed, such as `score` or `plan score` [default: neurogauge itself]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Write the pages of all commands into this folder instead, as neurogauge-score.1 and so on
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
}

/// Prints the script that completes commands and options.
pub(crate) fn complete(args: &CompletionsArgs) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "neurogauge", &mut script);
    output::document(&String::from_utf8_lossy(&script))
}

/// Prints a manual page, or writes all of them.
pub(crate) fn man(args: &ManArgs) -> Result<(), Error> {
    let mut top = crate::command();
    top.build();
    if let Some(folder) = &args.out {
        return write_pages(top, folder);
    }
    let mut command = &top;
    for name in &args.command {
        let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        command = command.find_subcommand(name).ok_or_else(|| {
            Error::Usage(format!(
                "{} has no command {name:?}{}; it has {}",
                command.get_name(),
                did_you_mean(name, &known),
                known.join(", ")
            ))
        })?;
    }
    let mut page = Vec::new();
    let rendered = Man::new(command.clone()).render(&mut page);
    rendered.map_err(|source| failed(Path::new("stdout"), source))?;
    output::document(&String::from_utf8_lossy(&page))
}

fn write_pages(top: Command, folder: &Path) -> Result<(), Error> {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(top, folder));
    written.map_err(|source| failed(folder, source))?;
    output::message(&format!("{}: manual pages written", folder.display()));
    Ok(())
}

fn failed(path: &Path, source: std::io::Error) -> Error {
    Problem::Io("writing", source).at(path).into()
}
