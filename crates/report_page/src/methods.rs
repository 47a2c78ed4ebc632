//! The section on methods: everything that affects the numbers, in words for a paper.

use crate::document::ScorePart;
use crate::html;
use crate::inputs::{Inputs, System};
use crate::request::PageRequest;
use crate::result_files::name;
use indexmap::IndexMap;
use itertools::Itertools;
use maud::{Markup, html};
use neurogauge::core::{Finding, ModelIdentity};
use neurogauge::formats::json;
use neurogauge::formats::json_differences::differences;
use neurogauge::metrics::{Options, convention};
use neurogauge::models::{MODELS, ModelEntry};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{Error, InputRecord, Report, answer_of_section};
use neurogauge_guide::citations::cite;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The section's content, and the texts that its buttons copy.
pub(crate) fn methods(
    inputs: &Inputs,
    scores: &ScorePart,
    request: &PageRequest,
) -> Result<(Markup, BTreeMap<&'static str, String>), Error> {
    let bibtex = bibtex(request)?;
    let paragraph = paragraph(inputs)?;
    let commands = commands(request);
    let html = html! {
        p data-downloads {}
        h3 { "Methods in a paragraph" }
        p { (paragraph) }
        p data-copy="methods" {}
        (taken_for_granted(inputs))
        (conventions(scores, inputs))
        (options(inputs))
        (models(inputs))
        (input_files(inputs))
        h3 { "Commands" }
        p { "They repeat the runs and this page, where the inputs are as they were." }
        pre { (commands) }
        p data-copy="commands" {}
        h3 { "BibTeX" }
        pre { (bibtex) }
        p data-copy="bibtex" {}
    };
    let copies = [
        ("methods", paragraph),
        ("bibtex", bibtex),
        ("commands", commands),
        ("gallery", gallery(inputs, request)),
    ];
    Ok((html, BTreeMap::from(copies)))
}

/// What each run found or assumed about its inputs, and the options that change it.
fn taken_for_granted(inputs: &Inputs) -> Markup {
    let of_system = |system: &System| {
        let findings = system.run.record.findings.iter();
        let row = |found: &Finding| {
            let told = [&found.subject, &found.message, &found.evidence, &found.otherwise, &found.advice];
            [&system.name].into_iter().chain(told).cloned().collect()
        };
        findings.map(row).collect::<Vec<Vec<String>>>()
    };
    let rows: Vec<Vec<String>> = inputs.systems.iter().flat_map(of_system).collect();
    let heads = ["System", "Input", "What was found or assumed", "Evidence", "What else it could be", "What to do"];
    html! { @if !rows.is_empty() { (html::table("words", "Findings about the inputs", &heads, &rows)) } }
}

/// The references for everything on the page.
fn bibtex(request: &PageRequest) -> Result<String, Error> {
    let results: Vec<&PathBuf> = (request.runs.iter()).chain(&request.meta).chain(&request.align).collect();
    Ok(cite(&results)?.into_iter().map(|reference| reference.bibtex).join("\n"))
}

/// The section of a page without runs, which refers to the records of the other results.
pub(crate) fn methods_without_runs(request: &PageRequest) -> Result<Markup, Error> {
    let mut tables = Vec::new();
    for folder in &request.align {
        let record: AlignRecord = json::read(&folder.join("align.json"))?;
        let program = record.versions.iter().map(|(name, version)| format!("{name} {version}")).join(", ");
        let own = [("program".to_owned(), program), ("conventions".to_owned(), record.conventions.join(", "))];
        let inputs = record.inputs.into_iter().map(|input| (input.role, input.sha256));
        let rows: Vec<Vec<String>> = own.into_iter().chain(inputs).map(|(what, value)| vec![what, value]).collect();
        tables.push(html::table("words", &name(folder), &["What", "Version, ids or SHA-256"], &rows));
    }
    let bibtex = bibtex(request)?;
    Ok(html! {
        @for table in tables { (table) }
        h3 { "Command" }
        p { "It makes this page again." }
        pre { (commands(request)) }
        h3 { "BibTeX" }
        pre { (bibtex) }
    })
}

/// The fields of an alignment's record that are used.
#[derive(Deserialize)]
struct AlignRecord {
    versions: BTreeMap<String, String>,
    conventions: Vec<String>,
    inputs: Vec<InputRecord>,
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
    let results = [
        ("meta", &request.meta),
        ("align", &request.align),
        ("audit", &request.audit),
        ("multiverse", &request.multiverse),
    ];
    for (name, folders) in results {
        words.extend(folders.iter().map(|folder| format!("--{name} {}", path(folder))));
    }
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

/// The questions that conventions answer, and the answers of these runs.
fn conventions(scores: &ScorePart, inputs: &Inputs) -> Markup {
    let mut metrics_of: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for entry in &scores.metrics {
        for id in neurogauge::metrics::find(entry.id).into_iter().flat_map(|metric| metric.spec.conventions()) {
            metrics_of.entry(id).or_default().push(&entry.label);
        }
    }
    let row = |(id, metrics): (&str, Vec<&str>)| {
        let question = convention(id).map_or("", |section| section.question);
        [id, question, &answer(id, inputs), &metrics.join(", ")].map(str::to_owned).to_vec()
    };
    let rows: Vec<Vec<String>> = metrics_of.into_iter().map(row).collect();
    let heads = ["Convention", "Question", "Answer", "Metrics"];
    html! {
        @if !rows.is_empty() {
            h3 { "Conventions that decided numbers" }
            (html::table("words", "Conventions (the documentation says more of each)", &heads, &rows))
        }
    }
}

/// The answer of all runs, or of each system where they differ.
fn answer(id: &str, inputs: &Inputs) -> String {
    let of = |system: &System| answer_of_section(id, &system.run.record.request);
    let answers: Vec<String> = inputs.systems.iter().map(of).collect();
    match answers.iter().all_equal_value() {
        Ok(same) => same.clone(),
        Err(_) => inputs.systems.iter().zip(answers).map(|(system, own)| format!("{}: {own}", system.name)).join("; "),
    }
}

/// Options of metrics that differ from the defaults.
fn options(inputs: &Inputs) -> Markup {
    let default = json!(Options::default());
    let mut rows = Vec::new();
    for system in &inputs.systems {
        let own = json!(system.run.record.request.options);
        for line in differences(&default, &own) {
            rows.push(vec![system.name.clone(), line.replace(" then", " by default").replace(" now", " here")]);
        }
    }
    html! {
        @if rows.is_empty() { p { "All options of metrics are as they are by default." } }
        @else { (html::table("words", "Options that differ from the default", &["System", "Option"], &rows)) }
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
        h3 { "Models" }
        @if rows.is_empty() { p { "No model was run." } }
        @else { (html::table("words", "Models that were run", &heads, &rows)) }
    }
}

fn input_files(inputs: &Inputs) -> Markup {
    let mut rows = Vec::new();
    for system in &inputs.systems {
        let provenance = &system.run.record.provenance;
        let versions = provenance.versions.iter().map(|(name, version)| format!("{name} {version}")).join(", ");
        let row = |what: &str, which: &str, hash: Markup| {
            vec![html! { (system.name) }, html! { (what) }, html! { (which) }, hash]
        };
        rows.push(row("program", &versions, html! { "–" }));
        let of_input = |input: &InputRecord| row(&input.role, &input.path, html! { code { (input.sha256) } });
        rows.extend(provenance.inputs.iter().map(of_input));
    }
    let heads = ["System", "What", "Path or version", "SHA-256"];
    html! {
        h3 { "Inputs and versions" }
        (html::table("words", "Program and inputs of each run", &heads, &rows))
    }
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
