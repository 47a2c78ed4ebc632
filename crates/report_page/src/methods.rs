//! The section on methods: everything that affects the numbers, in words for a paper.

use crate::document::{MetricEntry, ScorePart};
use crate::html;
use crate::inputs::{Inputs, System};
use crate::request::PageRequest;
use crate::results::{folded, name};
use indexmap::IndexMap;
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::align::AlignSettings;
use neurogauge::core::{Finding, ModelIdentity};
use neurogauge::formats::json;
use neurogauge::formats::json_differences::differences;
use neurogauge::metrics::convention;
use neurogauge::models::{MODELS, ModelEntry};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{Error, InputRecord, Report, answer_of_section, reason_of_section};
use neurogauge_guide::citations::cite;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The section's content, with the scored runs if there are any, and the texts that its buttons copy.
pub(crate) fn methods(
    runs: Option<(&Inputs, &ScorePart)>,
    request: &PageRequest,
) -> Result<(Markup, BTreeMap<&'static str, String>), Error> {
    let bibtex = bibtex(request)?;
    let paragraph = runs.map(|(inputs, _)| paragraph(inputs)).transpose()?;
    let commands = commands(request);
    let records = records(request)?;
    let html = html! {
        @if let Some(paragraph) = &paragraph {
            p data-downloads {}
            h3 { "Methods in a paragraph" }
            p { (paragraph) }
            p data-copy="methods" {}
        }
        (conventions(runs, &records))
        (settings(&records))
        (findings(&records))
        h3 { "Which software" @if runs.is_some() { " and weights" } "?" }
        (versions(&records))
        @if let Some((inputs, _)) = runs { (models(inputs)) }
        (input_files(&records))
        (repeated(&commands, &bibtex))
    };
    let mut copies = BTreeMap::from([("bibtex", bibtex), ("commands", commands)]);
    copies.extend(paragraph.map(|paragraph| ("methods", paragraph)));
    copies.extend(runs.map(|(inputs, _)| ("gallery", gallery(inputs, request))));
    Ok((html, copies))
}

/// The fields of every result's record that the section shows.
#[derive(Deserialize)]
struct ResultRecord {
    #[serde(skip)]
    name: String,
    versions: BTreeMap<String, String>,
    #[serde(default)]
    inputs: Vec<InputRecord>,
    #[serde(default)]
    findings: Vec<Finding>,
    /// Ids of conventions, and all options: of an alignment.
    #[serde(default)]
    conventions: Vec<String>,
    #[serde(default)]
    config: Value,
}

/// The records of all runs and other results of the page.
fn records(request: &PageRequest) -> Result<Vec<ResultRecord>, Error> {
    let runs = request.runs.iter().map(|folder| ("run", folder));
    let read = |(command, folder): (&str, &PathBuf)| -> Result<ResultRecord, Error> {
        let record: ResultRecord = json::read(&folder.join(format!("{command}.json")))?;
        Ok(ResultRecord {
            name: name(folder),
            ..record
        })
    };
    runs.chain(request.results()).map(read).collect()
}

/// What was found or assumed about inputs, and the options that change it. What is said of several inputs is said once.
fn findings(records: &[ResultRecord]) -> Markup {
    let mut subjects: IndexMap<[&str; 5], Vec<&str>> = IndexMap::new();
    for record in records {
        for found in &record.findings {
            let told = [&record.name, &found.message, &found.evidence, &found.otherwise, &found.advice];
            subjects.entry(told.map(String::as_str)).or_default().push(&found.subject);
        }
    }
    let row = |([result, message, evidence, otherwise, advice], subjects): ([&str; 5], Vec<&str>)| {
        vec![
            html! { (result) },
            html! { (subjects.join(", ")) },
            html! {
                (message)
                @if !evidence.is_empty() { small { "Because " (evidence) } }
                @if !otherwise.is_empty() { small { "It could also be " (otherwise) } }
            },
            html! { (advice) },
        ]
    };
    let rows: Vec<Vec<Markup>> = subjects.into_iter().map(row).collect();
    let heads = ["Result", "Input", "What was found or assumed", "What to do"];
    html! {
        h3 { "What was found or assumed?" }
        @if rows.is_empty() { p { "Nothing had to be assumed about the inputs." } }
        @else { (html::table("words stacked", "Findings about the inputs", &heads, &rows)) }
    }
}

/// The program behind all results, or behind each of them.
fn versions(records: &[ResultRecord]) -> Markup {
    let words =
        |record: &ResultRecord| record.versions.iter().map(|(name, version)| format!("{name} {version}")).join(", ");
    html! {
        @match records.iter().map(words).all_equal_value() {
            Ok(same) => p { (same) "." },
            Err(_) => ul { @for record in records { li { (record.name) ": " (words(record)) } } },
        }
    }
}

/// What makes the page again, and what to cite.
fn repeated(commands: &str, bibtex: &str) -> Markup {
    html! {
        (folded("Which commands make this again?", None, &html! {
            p { "They repeat the results and this page, where the inputs are as they were." }
            pre { (commands) }
            p data-copy="commands" {}
        }))
        (folded("What is to be cited?", None, &html! { pre { (bibtex) } p data-copy="bibtex" {} }))
    }
}

/// The references for everything on the page.
fn bibtex(request: &PageRequest) -> Result<String, Error> {
    let results: Vec<&PathBuf> = (request.runs.iter()).chain(&request.meta).chain(&request.align).collect();
    Ok(cite(&results)?.into_iter().map(|reference| reference.bibtex).join("\n"))
}

/// A paragraph for a paper that describes the methods of the runs and of their comparison.
fn paragraph(inputs: &Inputs) -> Result<String, Error> {
    let runs = inputs.systems.iter().map(|system| json!(system.run.record));
    let compared = inputs.comparison.iter().map(|found| json!(found.record()));
    neurogauge_guide::methods::paragraph(&runs.chain(compared).collect::<Vec<_>>())
}

/// A word of a command, quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn commands(request: &PageRequest) -> String {
    let path = |path: &PathBuf| quoted(&path.display().to_string());
    let mut lines: Vec<String> = (request.runs.iter())
        .map(|run| {
            let record = path(&run.join("run.json"));
            format!("neurogauge score --from-run {record} --out {}", path(run))
        })
        .collect();
    if let Some(command) = &request.command {
        lines.extend((!command.is_empty()).then(|| command.clone()));
        return lines.join("\n");
    }
    let mut words = vec!["neurogauge report".to_owned()];
    words.extend(request.runs.iter().map(path));
    words.extend(request.results().map(|(name, folder)| format!("--{name} {}", path(folder))));
    if let Some((pattern, population)) = &request.subjects {
        words.push(format!("--subjects {}", quoted(&pattern.to_string())));
        let is_new = *population == SubjectPopulation::New;
        words.extend(is_new.then(|| "--new-subjects".to_owned()));
    }
    words.push(format!("--out {}", path(&request.out)));
    lines.push(words.join(" "));
    lines.join("\n")
}

/// The beginning of the command for a figure of chosen pairs; the page's script adds the pairs.
fn gallery(inputs: &Inputs, request: &PageRequest) -> String {
    let systems = inputs.systems.iter().zip(&request.runs);
    let systems = systems.map(|(system, run)| quoted(&format!("{}={}", system.name, run.display()))).join(" ");
    format!("neurogauge gallery --recon {systems}")
}

/// The questions that conventions answer, with the answers of these results. Those that no choice of a run changes are
/// folded if there are others.
fn conventions(runs: Option<(&Inputs, &ScorePart)>, records: &[ResultRecord]) -> Markup {
    let (decided, mut fixed) = runs.map_or_else(Default::default, |(inputs, scores)| answers(inputs, scores));
    for record in records {
        let answer = |id: &str| convention(id).map_or("", |section| section.default);
        let row = |id: &String| vec![question(id), html! { (answer(id)) }, html! { (record.name) }];
        fixed.extend(record.conventions.iter().map(row));
    }
    let fixed = match fixed.is_empty() {
        true => Markup::default(),
        false => {
            html::table("words stacked", "What the settings leave as it is", &["Question", "Answer", "Of"], &fixed)
        }
    };
    html! {
        @if !decided.is_empty() {
            h3 { "Which choices decided these numbers?" }
            (html::table("words stacked", "Choices of these runs", &["Question", "Here", "Why", "Metrics"], &decided))
            (folded("And what is the same in every run?", None, &fixed))
        } @else if !fixed.0.is_empty() { h3 { "How was it computed?" } (fixed) }
    }
}

fn question(id: &str) -> Markup {
    html! { (convention(id).map_or("", |section| section.question)) " " small { (id) } }
}

/// The answers of these runs: those that are chosen, with the reason, and those that nothing can change.
fn answers(inputs: &Inputs, scores: &ScorePart) -> (Vec<Vec<Markup>>, Vec<Vec<Markup>>) {
    let mut metrics_of: IndexMap<&str, Vec<&MetricEntry>> = IndexMap::new();
    for entry in &scores.metrics {
        for id in neurogauge::metrics::find(entry.id).into_iter().flat_map(|metric| metric.spec.conventions()) {
            metrics_of.entry(id).or_default().push(entry);
        }
    }
    let (mut decided, mut fixed) = (Vec::new(), Vec::new());
    for (id, metrics) in metrics_of {
        let ids: Vec<&str> = metrics.iter().map(|metric| metric.id).collect();
        let answer = of_all(inputs, |system| answer_of_section(id, &system.run.record.request));
        let reason =
            of_all(inputs, |system| reason_of_section(id, &system.run.record.request, &ids).unwrap_or_default());
        let metrics = metrics.iter().map(|metric| metric.label.as_str()).join(", ");
        let mut row = vec![question(id), html! { (answer) }, html! { (metrics) }];
        match reason.is_empty() {
            true => fixed.push(row),
            false => {
                row.insert(2, html! { (reason) });
                decided.push(row);
            }
        }
    }
    (decided, fixed)
}

/// What holds for all runs, or for each system where they differ.
fn of_all(inputs: &Inputs, of: impl Fn(&System) -> String) -> String {
    let all: Vec<String> = inputs.systems.iter().map(of).collect();
    match all.iter().all_equal_value() {
        Ok(same) => same.clone(),
        Err(_) => inputs.systems.iter().zip(all).map(|(system, own)| format!("{}: {own}", system.name)).join("; "),
    }
}

/// Settings of alignments that differ from the defaults. Those of runs are among the choices.
fn settings(records: &[ResultRecord]) -> Markup {
    let default = json!(AlignSettings::default());
    let of_record = |record: &ResultRecord| {
        let own = record.config.get("settings").map_or_else(Vec::new, |own| differences(&default, own));
        let row =
            |line: String| vec![record.name.clone(), line.replace(" then", " by default").replace(" now", " here")];
        own.into_iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = records.iter().flat_map(of_record).collect();
    html! {
        @if !rows.is_empty() { (html::table("words", "Settings that differ from the default", &["Result", "Setting"], &rows)) }
    }
}

/// The registry's entry of a model; for a variant, the published model's.
fn published(id: &str) -> Option<&'static ModelEntry> {
    let known = MODELS.iter().filter(|entry| {
        let rest = id.strip_prefix(entry.id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    });
    known.max_by_key(|entry| entry.id.len())
}

fn models(inputs: &Inputs) -> Markup {
    let row = |model: &ModelIdentity| {
        let entry = published(&model.id);
        vec![
            html! { (model.id) @if model.stand_in { " † (placeholder)" } },
            html! { (model.revision) },
            html! { code { (model.sha256) } },
            html! { (entry.map_or("–", |entry| entry.licence)) },
            html! { (entry.map_or("–", |entry| entry.citation)) },
        ]
    };
    let models = inputs.systems.iter().flat_map(|system| &system.run.record.models);
    let rows: Vec<Vec<Markup>> = models.unique().map(row).collect();
    let heads = ["Model", "Revision", "SHA-256", "Licence", "Citation"];
    html! {
        @if rows.is_empty() { p { "No model was run." } }
        @else { (html::table("words", "Models that were run", &heads, &rows)) }
    }
}

fn input_files(records: &[ResultRecord]) -> Markup {
    let of_record = |record: &ResultRecord| {
        let row = |input: &InputRecord| {
            vec![
                html! { (record.name) },
                html! { (input.role) },
                html! { (input.path) },
                html! { code { (input.sha256) } },
            ]
        };
        record.inputs.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Markup>> = records.iter().flat_map(of_record).collect();
    let heads = ["Result", "What", "Path", "SHA-256"];
    html! { @if !rows.is_empty() { (folded("Which files?", None, &html::table("words", "Inputs", &heads, &rows))) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_commands_are_quoted() {
        assert_eq!(quoted("runs/a-1.0"), "runs/a-1.0");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn variants_of_models_are_known_by_the_published_one() {
        assert_eq!(published("clip_vit_l_14_hf").unwrap().id, "clip_vit_l_14_hf");
        assert_eq!(published("clip_vit_l_14-custom").unwrap().id, "clip_vit_l_14");
        assert_eq!(published("hashed-words"), None);
    }
}
