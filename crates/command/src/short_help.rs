//! Help of commands with many options: `--help` lists the common ones, with examples, and `--help TOPIC` those of a topic
//! with the conventions about it.

use crate::args::{BY_PLACE, settings_of, word_of_kind};
use clap::{Arg, ArgAction, Command};
use neurogauge::core::ObservationKind;
use neurogauge::{Topic, topics};
use std::ffi::OsString;
use std::fmt::Write;

const SCORE: &str = "both observations pairs config out overwrite format dry_run from_run metrics preset set \
    captioner detector weights offline";

const PERCEIVE: &str = "images captions with preset labels layout vis on_failure out weights offline device";

const ALIGN: &str = "config simulate out overwrite no_figures format null controls seed weights offline device";

/// A command (`cluster plan score` is a subcommand), the ids of its common options as one text, and examples.
const COMMON: &[(&str, &str, &str)] = &[
    (
        "score",
        SCORE,
        "  Print a table, and keep the run until the next one:\n    neurogauge score stimuli/ reconstructions/\n  The eight metrics of NSD's tables, into a folder of their own:\n    neurogauge score stimuli/ reconstructions/ --metrics nsd8 --out runs/mine",
    ),
    (
        "perceive",
        PERCEIVE,
        "  Features of two layers:\n    neurogauge perceive --images stimuli/ --with alexnet:features.4,clip_vit_l_14 --out observed/\n  Captions and detections:\n    neurogauge perceive --images stimuli/ --with git_large_coco,mm_grounding_dino_swin_l --out observed/",
    ),
    (
        "meta",
        "human metrics only lower_is_better value_column group_columns join out overwrite format preset bootstrap \
         interval gt recon no_figures",
        "  Ratings against the metrics of a run:\n    neurogauge meta --human ratings.csv --metrics runs/mine --out meta/\n  Two metrics, as the SEED paper has its intervals:\n    neurogauge meta --human ratings.csv --metrics runs/mine --only clip,seed --preset seed --out meta/",
    ),
    (
        "study",
        "paper data dry_run config gt recon observations run human metrics out",
        "  SEED's tables and figures, of its released data:\n    neurogauge study seed --data human_eval_data/ --out seed/\n  Two systems on the same stimuli, one of them rated:\n    neurogauge study --gt stimuli/ --recon A=a/ --recon B=b/ --human A=ratings.csv --out study/\n  What a file names:\n    neurogauge study --config study.toml --out study/",
    ),
    (
        "align",
        ALIGN,
        "  Without data, on simulated subjects with a known truth:\n    neurogauge align --simulate --out aligned/\n  Responses and sources that a file names:\n    neurogauge align --config study.toml --out aligned/",
    ),
    (
        "check",
        "both observations pairs match parts set json",
        "  Two folders of images:\n    neurogauge check stimuli/ reconstructions/\n  Files of observations:\n    neurogauge check --observations observed/",
    ),
    (
        "audit",
        "train test recon decoded features clusters out overwrite no_figures seed weights offline device",
        "  Features of training stimuli, test stimuli and reconstructions:\n    neurogauge audit --train train.npy --test test.npy --recon recon.npy --out audit/\n  Images, looked at by a model:\n    neurogauge audit --train train/ --test test/ --recon recon/ --features clip_vit_l_14 --out audit/",
    ),
    (
        "multiverse",
        "stimuli recon metrics over out overwrite no_figures weights offline device",
        "  One system under every released evaluation:\n    neurogauge multiverse stimuli/ mine=reconstructions/ --out universe/\n  Two systems under every combination of options:\n    neurogauge multiverse stimuli/ A=a/ B=b/ --over options --out universe/",
    ),
    (
        "gallery",
        "gt recon pick by metric captions out overwrite figure_width",
        "  The best and the worst pairs of a run:\n    neurogauge gallery --recon mine=runs/mine --pick best:3,worst:3 --metric ssim --out figure.pdf\n  Pairs by name, of folders:\n    neurogauge gallery --gt stimuli/ --recon mine=reconstructions/ --pick 1,2,3 --out figure.pdf",
    ),
    (
        "compare",
        "runs metrics test subjects format out overwrite figures seed",
        "  Two runs of the same stimuli:\n    neurogauge compare runs/a runs/b\n  A table for a paper:\n    neurogauge compare runs/a runs/b --format latex",
    ),
    (
        "survey make",
        "gt recon pairs match parts questions out overwrite raters seed consent completion_code submit_url",
        "  One system:\n    neurogauge survey make --gt stimuli/ --recon mine=reconstructions/ --out survey/\n  Several, a page for each of twelve raters:\n    neurogauge survey make --gt stimuli/ --recon A=a/ B=b/ --raters 12 --out survey/",
    ),
    (
        "cluster plan multiverse",
        "stimuli recon metrics over out overwrite weights offline device",
        "  Plan, do in eight shards by any number of processes, and finish:\n    neurogauge cluster plan multiverse stimuli/ mine=reconstructions/ --out universe/\n    neurogauge cluster work universe/ --shard 0/8\n    neurogauge cluster finish universe/",
    ),
    (
        "cluster plan score",
        SCORE,
        "  Plan, do in eight shards by any number of processes, and finish:\n    neurogauge cluster plan score stimuli/ reconstructions/ --metrics nsd8 --out runs/mine\n    neurogauge cluster work runs/mine --shard 0/8\n    neurogauge cluster finish runs/mine",
    ),
    (
        "cluster plan perceive",
        PERCEIVE,
        "  Plan, do in eight shards by any number of processes, and finish:\n    neurogauge cluster plan perceive --images stimuli/ --with git_large_coco --out observed/\n    neurogauge cluster work observed/ --shard 0/8\n    neurogauge cluster finish observed/",
    ),
    (
        "cluster plan align",
        ALIGN,
        "  Plan, do in eight shards by any number of processes, and finish:\n    neurogauge cluster plan align --config study.toml --out aligned/\n    neurogauge cluster work aligned/ --shard 0/8\n    neurogauge cluster finish aligned/",
    ),
];

/// Shows all topics at once.
const ALL: &str = "all";

/// Hides all but the common options of these commands from their help, and adds their examples and their topics.
pub(crate) fn with_short_help(top: Command) -> Command {
    COMMON.iter().fold(top, |top, &(name, options, examples)| {
        changed(top, name, &|command| shortened(command, name, options, examples))
    })
}

/// A command with a change of one of its subcommands, such as `cluster plan score`.
fn changed(command: Command, path: &str, change: &dyn Fn(Command) -> Command) -> Command {
    match path.split_once(' ') {
        Some((first, rest)) => command.mut_subcommand(first, |below| changed(below, rest, change)),
        None => command.mut_subcommand(path, change),
    }
}

fn shortened(command: Command, name: &str, options: &str, examples: &str) -> Command {
    let command = command.mut_args(|arg| {
        let is_rare = options.split(' ').all(|option| arg.get_id() != option);
        arg.hide_short_help(is_rare)
    });
    let n_options = command.get_arguments().count();
    let head = command.get_styles().get_header();
    let examples = format!("{head}Examples:{head:#}\n{examples}");
    let topics = names_of_topics(&command).join(", ");
    let more = format!("`neurogauge {name} --help TOPIC` shows the rest of its {n_options} options: {topics}, {ALL}.");
    let help = Arg::new("help").short('h').long("help").help("Print help; --help TOPIC prints help on a topic");
    let help = help.help_heading("General");
    // Clap disables its flag in subcommands, too.
    let of_kind = Arg::new("help").short('h').long("help").help("Print help").action(ArgAction::Help);
    command
        .mut_subcommands(|below| below.arg(of_kind.clone()))
        .disable_help_flag(true)
        .arg(help.action(ArgAction::HelpShort))
        .after_help(format!("{examples}\n\n{more}"))
        .after_long_help(examples)
}

/// The word for a heading: `models-behind-a-server`.
fn word_of_heading(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

fn heading_of(arg: &Arg) -> String {
    word_of_heading(arg.get_help_heading().unwrap_or("Options"))
}

/// The topics of a command: the headings of its options, and those of conventions that it takes.
fn names_of_topics(command: &Command) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let of_conventions = topics().iter().filter(|topic| !settings(command, topic).is_empty());
    let all = command.get_arguments().map(heading_of).chain(of_conventions.map(|topic| topic.name.to_owned()));
    for name in all.filter(|name| name != "options" && name != "general") {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Lines for the conventions of a topic that a command takes.
fn settings(command: &Command, topic: &Topic) -> String {
    let mut text = String::new();
    for convention in settings_of(command) {
        if topic.conventions.iter().any(|own| own.id == convention.id) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  --set {}={}", convention.id, convention.form);
            let _ = writeln!(text, "          {} [default: {}]", convention.about, convention.default());
        }
    }
    text
}

/// Lines for the files of kinds, if the command takes them: all for the topic of observations, else those about a topic.
fn files(command: &Command, is_shown: impl Fn(&str) -> bool) -> String {
    let takes_kinds = command.get_arguments().any(|arg| arg.get_id() == BY_PLACE);
    let mut text = String::new();
    let [_, kinds @ ..] = ObservationKind::GIVEN;
    for kind in kinds.iter().filter(|kind| takes_kinds && (is_shown("observations") || is_shown(kind.topic()))) {
        let (value, help) = kind.options();
        for (side, help) in kind.sides().iter().zip(help) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  --{} {}={value}\n          {help}", side.folder(), word_of_kind(*kind));
        }
    }
    text
}

/// The help on a topic, if these arguments ask for it: `score --help captions`.
pub(crate) fn on_topic(top: fn() -> Command, arguments: &[OsString]) -> Option<Result<String, String>> {
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let place = words.iter().position(|word| *word == "--help" || *word == "-h")?;
    let topic = words.get(place + 1).filter(|word| !word.starts_with('-'))?;
    let mut top = top();
    top.build();
    let path = words.get(1..place)?.iter().try_fold(&top, |command, word| command.find_subcommand(word));
    let command = path?.clone();
    let known = names_of_topics(&command);
    if known.is_empty() {
        return None;
    }
    if *topic != ALL && !known.iter().any(|name| name == topic) {
        let name = command.get_bin_name().unwrap_or_default();
        return Some(Err(format!("{name} has no help on {topic:?}; expected {} or {ALL}", known.join(", "))));
    }
    let is_shown = |name: &str| *topic == ALL || name == *topic;
    let files = files(&command, is_shown);
    let mut further = match files.is_empty() {
        true => String::new(),
        false => format!("Files of what was observed:\n{files}\n"),
    };
    for topic in topics().iter().filter(|topic| is_shown(topic.name)) {
        let own = settings(&command, topic);
        if !own.is_empty() {
            let _ = write!(further, "{} (--set):\n{own}\n", topic.title);
        }
    }
    let mut command = command
        .mut_args(|arg| {
            let is_hidden = !is_shown(&heading_of(&arg));
            arg.hide(is_hidden).hide_short_help(false)
        })
        .after_long_help(further.trim_end().to_owned());
    Some(Ok(command.render_long_help().to_string()))
}

#[cfg(test)]
mod tests {
    use super::COMMON;
    use clap::CommandFactory;

    #[test]
    fn every_common_option_exists() {
        let top = crate::args::Cli::command();
        for (name, options, _) in COMMON {
            let command = name.split(' ').fold(&top, |command, name| command.find_subcommand(name).unwrap());
            for option in options.split(' ') {
                let mut known = command.get_arguments();
                assert!(known.any(|arg| arg.get_id() == option), "{name}: {option}");
            }
        }
    }
}
