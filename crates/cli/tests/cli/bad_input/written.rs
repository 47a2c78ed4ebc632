//! The documentation's page of commands and options, generated from clap's description. A test fails if the page does
//! not match the command line; with `NEUROGAUGE_WRITE=1` it writes the page instead.

use clap::{Arg, Command};
use neurogauge::core::{ObservationKind, Side};
use std::collections::BTreeMap;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pages/reference/command-line.md");

const HEAD: &str = "# Command line

<!-- Written from the command line's own options by `make written`; not to be edited. -->

Results go to stdout, progress and messages to stderr. Exit codes: 0 done, 1 the data are at fault, 2 the command line is, 3 Neurogauge
is, 130 stopped by Ctrl-C, 143 by SIGTERM; of `cluster work` and `cluster finish` also 4 done except items that are named, 5 not what was planned, 75
`cluster work` was told to stop (SIGTERM) and goes on when it is repeated. `--help` lists the common options of a command, `--help TOPIC` those of a
topic with its [conventions](../conventions/index.md#what-you-can-set), and `--help all` everything. Every command also takes:

- `--threads <N>`: Threads to use; results do not depend on it. Default: as many as the job has processors
  (affinity, cgroups, `SLURM_CPUS_PER_TASK`), or `RAYON_NUM_THREADS`.
- `--progress <HOW>`: `bar` on a terminal (the default), `plain` (a line for each tenth of a step with the time that is left, for logs) or
  `none`.
- `-q`, `--quiet`: Print only the result and errors.
- `-v`, `--verbose`: Also say what is read, which weights are used, and the time of each step.
- `--max-pixels <N>`: Pixels of the largest image that is read. Default: 100000000.
- `--csv-formulas`: Write cells of CSV tables that begin with `=`, `+`, `-` or `@` as they are. A spreadsheet reads them as formulas, so by
  default they get an apostrophe in front.

Colours are for terminals. `NO_COLOR` turns them off, `CLICOLOR_FORCE` on.
";

/// Text without Markdown markup except for code.
fn words(text: &impl ToString) -> String {
    let text = text.to_string();
    let parts = text.split('`').enumerate().map(|(place, part)| match place % 2 {
        0 => part.replace('<', "\\<").replace('*', "\\*").replace('\n', " "),
        _ => format!("`{part}`"),
    });
    parts.collect()
}

/// An option with its values: `--set pixel_size <PX>`.
fn name(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = names.iter().map(|name| format!("<{name}>")).collect();
    match arg.get_long() {
        Some(long) if arg.get_action().takes_values() => format!("--{long} {}", values.join(" ")),
        Some(long) => format!("--{long}"),
        None => values.join(" "),
    }
}

fn line(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help());
    // Paragraphs of a help text have no full stop.
    let help = help.map(|help| words(&help.to_string().replace("\n\n", ". ")));
    let mut line = format!("- `{}`: {}.", name(arg), help.unwrap_or_default());
    if arg.get_action().takes_values() {
        let values = arg.get_possible_values();
        let values: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
        if !values.is_empty() && !arg.is_hide_possible_values_set() {
            line += &format!(" One of {}.", values.join(", "));
        }
        let defaults: Vec<String> =
            arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
        if !defaults.is_empty() {
            line += &format!(" Default: {}.", defaults.join(" "));
        }
    }
    line + "\n"
}

pub(super) fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    let everywhere = ["help", "version", "threads", "progress", "quiet", "verbose", "max_pixels", "csv_formulas"];
    command
        .get_arguments()
        .filter(move |arg| !arg.is_hide_set() && !everywhere.contains(&arg.get_id().as_str()))
}

/// From so many commands on that have an option with the same words, it is described once.
const SEVERAL: usize = 4;

/// The lines of options that several commands have.
fn shared(top: &Command) -> Vec<String> {
    fn count(command: &Command, found: &mut BTreeMap<String, usize>) {
        shown(command).for_each(|arg| *found.entry(line(arg)).or_default() += 1);
        subcommands(command).for_each(|below| count(below, found));
    }
    let mut found = BTreeMap::new();
    count(top, &mut found);
    found.into_iter().filter(|(_, n)| *n >= SEVERAL).map(|(line, _)| line).collect()
}

/// What `--gt KIND=PATH` and `--recon KIND=PATH` take.
fn files_of_kinds() -> String {
    let [_, kinds @ ..] = ObservationKind::GIVEN;
    let of_kind = |kind: ObservationKind| {
        let (value, help) = kind.options();
        let word = kind.id().replace('_', "-");
        let line =
            |(side, help): (&Side, &&str)| format!("- `--{} {word}=<{value}>`: {}.\n", side.folder(), words(help));
        kind.sides().iter().zip(help).map(line).collect::<String>()
    };
    kinds.map(of_kind).concat()
}

/// The options of a command by heading, in the order of the help. Those of several commands are only named.
fn options(command: &Command, shared: &[String]) -> String {
    let mut headings: Vec<&str> = Vec::new();
    for arg in shown(command) {
        let heading = arg.get_help_heading().unwrap_or_default();
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    let mut text = String::new();
    for heading in headings {
        let of_heading = shown(command).filter(|arg| arg.get_help_heading().unwrap_or_default() == heading);
        let mut own: String = of_heading.map(line).filter(|line| !shared.contains(line)).collect();
        if command.get_name() == "score" && heading == "Observations" {
            own = files_of_kinds() + &own;
        }
        if own.is_empty() {
            continue;
        }
        if !heading.is_empty() {
            text += &format!("\n**{heading}**\n");
        }
        text += &format!("\n{own}");
    }
    let of_several = shown(command).filter(|arg| shared.contains(&line(arg)));
    let of_several: Vec<String> =
        of_several.map(|arg| format!("`{}`", name(arg).split(' ').next().unwrap_or_default())).collect();
    if !of_several.is_empty() {
        text += &format!("\nOf [several commands](#several): {}.\n", of_several.join(", "));
    }
    text
}

/// The section of a command and its subcommands. Other commands may take the options of one of `top`.
fn section(command: &Command, above: &str, top: &Command, shared: &[String]) -> String {
    let own = command.get_name();
    let path = format!("{above} {own}");
    let depth = path.split(' ').count();
    let anchor = path.trim_start_matches("neurogauge ").replace(' ', "-");
    let about = command.get_long_about().or(command.get_about());
    let mut text = format!(
        "\n{} `{path}` {{#{anchor}}}\n\n{}.\n",
        "#".repeat(depth),
        words(&about.map(ToString::to_string).unwrap_or_default().replace("\n\n", ". "))
    );
    match top.find_subcommand(own).filter(|_| depth > 2) {
        Some(same) if shown(command).all(|arg| shown(same).any(|other| line(other) == line(arg))) => {
            let missing = shown(same).filter(|other| shown(command).all(|arg| arg.get_id() != other.get_id()));
            let missing: Vec<String> = missing.map(|arg| format!("`{}`", name(arg))).collect();
            text += &match missing.join(", ") {
                none if none.is_empty() => {
                    format!("\nIt takes the options of [`neurogauge {own}`](#{own}).\n")
                }
                some => format!("\nIt takes the options of [`neurogauge {own}`](#{own}) without {some}.\n"),
            };
        }
        _ => text += &options(command, shared),
    }
    for below in subcommands(command) {
        text += &section(below, &path, top, shared);
    }
    text
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    // Clap adds a command `help` to commands with commands; ours has pages and completions.
    let is_claps =
        |command: &Command| command.get_name() == "help" && command.get_arguments().all(|arg| arg.get_id() != "man");
    command.get_subcommands().filter(move |command| !command.is_hide_set() && !is_claps(command))
}

#[test]
fn the_page_of_the_command_line_is_what_the_command_line_is() {
    let mut top = neurogauge_command::command();
    top.build();
    let shared = shared(&top);
    let sections = subcommands(&top).map(|command| section(command, "neurogauge", &top, &shared));
    let text = format!(
        "{HEAD}\n## Options of several commands {{#several}}\n\n{}{}",
        shared.concat(),
        sections.collect::<String>()
    );
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(PAGE, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(PAGE).unwrap_or_default() == text,
        "{PAGE} is not what the command line is; write it again with `make written`"
    );
}
