//! The options of commands that are functions in Python's package, as typed keywords with their help, generated from
//! clap's description. As for the page of the command line, `NEUROGAUGE_WRITE=1` writes them.

use super::written::shown;
use clap::{Arg, ArgAction, Command};
use neurogauge::core::ObservationKind;
use neurogauge::{Input, conventions};

const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/neurogauge/_options_from_registry.py");

const HEAD: &str = r#""""Options of commands as keywords, written from the command line's own description of them by ``make written``; not to
be edited. None stands for the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ._run import Path, Run
"#;

/// Python has nobody to ask, so it downloads nothing unless the call says so.
const DOWNLOAD: &str = "Download weights that are missing; without it, they are an error that names them all with \
                        their sizes (default: False).";

/// A class of options: its name, its command, the options that its function defines itself or lacks, and its docstring.
const CLASSES: &[(&str, &str, &str, &str)] = &[
    (
        "ScoreOptions",
        "score",
        "gt recon metrics out download by_dimension dry_run config latex_style latex_siunitx",
        "The options of :func:`neurogauge.score`: the options of ``neurogauge score``, with ``_`` for ``-``. None stands
    for the default.

    What several calls share can be held in one mapping::

        options: ng.ScoreOptions = {\"preset\": [\"paper\", \"published\"], \"set\": {\"pixel_size\": 256}}
        mine, other = (ng.score(\"stimuli\", folder, **options) for folder in (\"mine\", \"other\"))
    ",
    ),
    (
        "RecoveryOptions",
        "align",
        "config out dry_run rsa dissimilarity rdm_comparison readout ceiling latex_style latex_siunitx",
        "The options of :func:`neurogauge.recovery`.",
    ),
    ("AuditOptions", "audit", "test out", "The options of :func:`neurogauge.audit`."),
    ("GalleryOptions", "gallery", "recon pick out", "The options of :func:`neurogauge.gallery`."),
    ("MultiverseOptions", "multiverse", "metrics out", "The options of :func:`neurogauge.multiverse`."),
    ("ReportOptions", "report", "out", "The options of :func:`neurogauge.report`."),
    ("StudyOptions", "study", "paper out dry_run", "The options of :func:`neurogauge.study`."),
    (
        "SurveyOptions",
        "survey make",
        "gt recon out latex_style latex_siunitx",
        "The options of :func:`neurogauge.survey.make`.",
    ),
    (
        "AnswerOptions",
        "survey read",
        "survey out latex_style latex_siunitx",
        "The options of :func:`neurogauge.survey.read`.",
    ),
    (
        "PowerOptions",
        "survey power",
        "latex_style latex_siunitx",
        "The options of :func:`neurogauge.survey.power`.",
    ),
    (
        "AgreementOptions",
        "meta",
        "human metrics out overwrite latex_style latex_siunitx only composite missing scale items no_figures figure_format \
         figure_width figure_font_size figure_caption worst_others_agree worst_metrics worst_groups gt recon set",
        "The options of :func:`neurogauge.agreement`.",
    ),
];

/// The Python type of a value, by the help's name for it.
fn type_of_value(value: &str) -> &'static str {
    match value.trim_end_matches(",...") {
        "IOU" if value.ends_with(",...") => "Sequence[float]",
        "DIR" | "FILE" | "PATH" | "RUN" | "FILE|RUN" => "Path",
        "N" | "K" | "PX" | "SEED" | "TRIALS" => "int",
        "SCORE" | "LEVEL" | "PX2" | "F1" | "GAP" | "EPSILON" | "IOU" | "T" | "SECONDS" | "SHARE" | "POINTS" | "R"
        | "NUMBER" => "float",
        "FILE|K" => "Path | int",
        "PATTERN|FILE|none|auto" => "Path",
        "PX|own" => "int | Literal[\"own\"]",
        "WxH" => "tuple[float, float] | str",
        "A:B:C" => "tuple[float, float, float] | str",
        "MODEL=FILE" => "Mapping[str, Path]",
        "NAME=PATH" | "NAME=DIR" | "NAME=RUN" | "NAME=FILE" => "Mapping[str, Run | Path]",
        "[NAME=]FILE" => "Path | Mapping[str, Path]",
        "ORDER" => "Literal[\"natural\", \"text\", \"reversed\"]",
        "SCALE" => "Literal[\"0..255\", \"-1..1\", \"clip\", \"as-they-are\"]",
        "COLOUR" => "Literal[\"white\", \"black\", \"as-stored\"]",
        "PRECISION" => "Literal[\"f32\", \"bf16\", \"f16\"]",
        _ => "str",
    }
}

fn type_of(arg: &Arg) -> String {
    let values: Vec<String> = arg.get_possible_values().iter().map(|value| format!("{:?}", value.get_name())).collect();
    let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match (arg.get_action(), arg.get_id().as_str()) {
        (ArgAction::SetTrue, _) => return "bool".to_owned(),
        // Several servers are given as several mappings.
        (_, "vlm") => return "str | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None".to_owned(),
        (_, "set") => return "Settings | None".to_owned(),
        (_, "labels") => return "str | Path | None".to_owned(),
        _ => {}
    }
    let own = match values.is_empty() || arg.get_value_delimiter().is_some() {
        false => format!("Literal[{}]", values.join(", ")),
        true => type_of_value(value).to_owned(),
    };
    match arg.get_action() {
        ArgAction::Append if !own.contains("Mapping") => format!("{own} | Sequence[{own}] | None"),
        _ => format!("{own} | None"),
    }
}

/// The help for Python: options are keywords, and code has two backticks.
fn words(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = help.replace("\n\n", ". ").replace(". May be repeated", "").replace('`', "``");
    let mut parts = help.split("[default");
    let mut text = parts.next().unwrap_or_default().to_owned();
    text.extend(parts.map(|part| format!("(default{}", part.replacen(']', ")", 1))));
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        text += &format!(" (default: {})", defaults.join(","));
    }
    let mut parts = text.split("--");
    let first = parts.next().unwrap_or_default().to_owned();
    let keyword = |part: &str| {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let (name, rest) = part.split_at(part.find(|c| !is_of_name(c)).unwrap_or(part.len()));
        format!("``{}``{rest}", name.replace('-', "_"))
    };
    first + &parts.map(keyword).collect::<String>() + "."
}

/// Wraps a text at 120 columns, after four spaces and three quotes.
fn lines(text: &str) -> String {
    let (mut lines, mut column) = (String::new(), 4 + 2);
    for word in text.split_whitespace() {
        column += 1 + word.chars().count();
        if column > 117 {
            lines += "\n    ";
            column = 4 + word.chars().count();
        } else if !lines.is_empty() {
            lines.push(' ');
        }
        lines += word;
    }
    lines
}

fn class(top: &Command, (name, path, left_out, about): &(&str, &str, &str, &str)) -> String {
    let command = path.split(' ').fold(top, |command, name| command.find_subcommand(name).unwrap());
    // Left out of all commands, since Python neither prints nor asks; `download` stands for the other two.
    let left_out: Vec<&str> = left_out.split(' ').chain(["format", "yes", "offline"]).collect();
    let mut text = format!("\n\nclass {name}(TypedDict, total=False):\n    \"\"\"{about}\"\"\"\n\n");
    for arg in shown(command).filter(|arg| !arg.is_positional()) {
        let id = arg.get_id().as_str().replace('-', "_");
        let field = |id: &str, of: &str, about: &str| format!("    {id}: {of}\n    \"\"\"{}\"\"\"\n", lines(about));
        if id == "offline" && !left_out.contains(&"download") {
            text += &field("download", "bool", DOWNLOAD);
        }
        if !left_out.contains(&id.as_str()) {
            text += &field(&id, &type_of(arg), &words(arg));
        }
    }
    if *name == "ScoreOptions" {
        // The command line has one option for all kinds of a side.
        let [_, kinds @ ..] = ObservationKind::GIVEN;
        for (kind, (side, help)) in
            kinds.iter().flat_map(|kind| kind.sides().iter().zip(kind.options().1).map(move |of| (*kind, of)))
        {
            let (of_path, input) = (type_of_value(kind.options().0), Input::Of(*side, kind));
            text += &format!("    {input}: {of_path} | None\n    \"\"\"{}\"\"\"\n", lines(&format!("{help}.")));
        }
    }
    text
}

/// The conventions as keys of `set`.
fn settings() -> String {
    let about =
        "Conventions for ``set``, such as ``{'pixel_size': 256}``; ``neurogauge list conventions`` says more of each.";
    let fields = conventions().map(|convention| {
        let words: Vec<String> = convention.words.iter().map(|word| format!("{word:?}")).collect();
        let of_words = match words.as_slice() {
            [] => type_of_value(&convention.form).to_owned(),
            words => format!("Literal[{}]", words.join(", ")),
        };
        let about = convention.about.replace('`', "``");
        let help = format!("{about} (default: {}).", convention.default());
        format!("    {}: {of_words}\n    \"\"\"{}\"\"\"\n", convention.id, lines(&help))
    });
    let fields: String = fields.collect();
    format!("\n\nclass Settings(TypedDict, total=False):\n    \"\"\"{}\"\"\"\n\n{fields}", lines(about))
}

#[test]
fn options_of_python_are_written_as_the_command_line_has_them() {
    let top = neurogauge_command::command();
    let names: Vec<String> = CLASSES.iter().map(|(name, ..)| format!("    {name:?},\n")).collect();
    let classes: String = CLASSES.iter().map(|of| class(&top, of)).collect();
    let settings = settings();
    let text = format!("{HEAD}\n__all__ = [\n    \"Settings\",\n{}]\n{settings}{classes}", names.concat());
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        std::fs::write(MODULE, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(MODULE).unwrap_or_default() == text,
        "{MODULE} does not have the options of the command line; write it again with `make written`"
    );
}
