//! `neurogauge help`: help, manual pages and completions, all made of the description of the command line.

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
pub(crate) struct HelpArgs {
    /// The command, such as `score` or `cluster plan score` [default: neurogauge itself]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Print a script that completes commands and options in this shell
    #[arg(long, value_enum, value_name = "SHELL", conflicts_with_all = ["command", "man"])]
    pub(crate) completions: Option<Shell>,
    /// Print the manual page
    #[arg(long)]
    pub(crate) man: bool,
    /// Write the manual pages of all commands into this folder, as neurogauge-score.1 and so on
    #[arg(long, value_name = "DIR", requires = "man", conflicts_with = "command")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn run(args: &HelpArgs) -> Result<(), Error> {
    let mut top = crate::command();
    if let Some(shell) = args.completions {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut top, "neurogauge", &mut script);
        return output::document(&String::from_utf8_lossy(&script));
    }
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
    if !args.man {
        return output::styled_data(&command.clone().render_long_help().ansi().to_string());
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
