//! The commands grouped by purpose, in the order of `neurogauge -h`.

use crate::line_width::broken;
use crate::output;
use clap::Command;
use std::fmt::Write;

/// Headings, and the commands below each as one text.
const GROUPS: &[(&str, &str)] = &[
    ("Score", "score check perceive compare multiverse gallery report board"),
    ("People", "meta survey study"),
    ("Brains", "align audit"),
    ("Many machines", "cluster"),
    ("Help", "demo doctor list models cite cache help"),
];

/// Lists the commands in groups, one per line where the terminal is wide enough, since clap has groups only for options.
pub(crate) fn with_groups(top: Command) -> Command {
    let styles = top.get_styles();
    let (head, name_style) = (styles.get_header(), styles.get_literal());
    let names = GROUPS.iter().flat_map(|(_, names)| names.split(' '));
    let width = names.map(str::len).max().unwrap_or(0);
    let about = |name: &str| top.find_subcommand(name)?.get_about().map(ToString::to_string);
    let mut template = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(template, "\n{head}{heading}:{head:#}");
        for name in names.split(' ') {
            let about = about(name).unwrap_or_default();
            let _ = writeln!(template, "  {name_style}{name}{name_style:#}{:1$}  {about}", "", width - name.len());
        }
    }
    let _ = write!(template, "\n{head}Options:{head:#}\n{{options}}{{after-help}}");
    top.help_template(broken(&template, output::width()).into_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_one_group() {
        let mut top = crate::args::Cli::command();
        top.build();
        let mut known: Vec<&str> = top.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
        // Besides `help`. A new command goes below one of these, or replaces one.
        assert!(known.len() - 1 <= 20, "{known:?}");
    }

    /// Checks a command and its subcommands.
    fn check_first_lines(command: &Command, above: &str) {
        for below in command.get_subcommands() {
            let path = format!("{above} {}", below.get_name());
            let about = below.get_about().unwrap().to_string();
            assert!(about.len() <= 60, "{path}: {about}");
            assert!(!about.contains('\n') && !about.ends_with('.'), "{path}: {about}");
            assert!(about.starts_with(char::is_uppercase), "{path}: {about}");
            check_first_lines(below, &path);
        }
    }

    #[test]
    fn first_lines_of_help_are_short() {
        check_first_lines(&crate::args::Cli::command(), "neurogauge");
    }
}
