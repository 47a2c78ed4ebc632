//! The short help (`-h`) of commands with many options lists the common ones, with examples; `--help` lists all.

use clap::Command;

const SCORE: &str = "both observations pairs config out overwrite format dry_run from_run metrics preset \
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
        "config gt recon observations run human metrics out weights offline",
        "  Two systems on the same stimuli, one of them rated:\n    neurogauge study --gt stimuli/ --recon A=a/ --recon B=b/ --human A=ratings.csv --out study/\n  What a file names:\n    neurogauge study --config study.toml --out study/",
    ),
    (
        "align",
        ALIGN,
        "  Without data, on simulated subjects with a known truth:\n    neurogauge align --simulate --out aligned/\n  Responses and sources that a file names:\n    neurogauge align --config study.toml --out aligned/",
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

/// Hides all but the common options from the short help of these commands, and adds their examples.
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
    let more = format!("`neurogauge {name} --help` shows all {n_options} options.");
    command.after_help(format!("{examples}\n\n{more}")).after_long_help(examples)
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
