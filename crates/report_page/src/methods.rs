//! The section on methods: everything that decided the numbers, in words for a paper.

use crate::html::{self, escape};
use crate::inputs::Inputs;
use crate::request::PageRequest;
use crate::scores::ScorePart;
use neurogauge::core::ModelIdentity;
use neurogauge::formats::json;
use neurogauge::formats::json_differences::differences;
use neurogauge::metrics::{Options, convention};
use neurogauge::models::{MODELS, ModelEntry};
use neurogauge::stats::SubjectPopulation;
use neurogauge::{Error, InputRecord, Report};
use neurogauge_guide::citations::cite;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The section's content, and the texts that its buttons copy.
pub(crate) struct Methods {
    pub(crate) html: String,
    pub(crate) copies: BTreeMap<&'static str, String>,
}

pub(crate) fn methods(inputs: &Inputs, scores: &ScorePart, request: &PageRequest) -> Result<Methods, Error> {
    let bibtex = bibtex(request)?;
    let paragraph = paragraph(inputs)?;
    let commands = commands(request);
    let copies = BTreeMap::from([
        ("methods", paragraph.clone()),
        ("bibtex", bibtex),
        ("commands", commands.clone()),
        ("gallery", gallery(inputs, request)),
    ]);
    let mut out = "<p data-downloads></p>\n".to_owned();
    out.push_str(&format!(
        "<h3>Methods in a paragraph</h3>\n<p>{}</p>\n<p data-copy=\"methods\"></p>\n",
        escape(&paragraph)
    ));
    out.push_str(&taken_for_granted(inputs));
    out.push_str(&conventions(scores));
    out.push_str(&options(inputs));
    out.push_str(&models(inputs));
    out.push_str(&input_files(inputs));
    out.push_str(&format!(
        "<h3>Commands</h3>\n<p>They repeat the runs and this page, where the inputs are as they were.</p>\n\
         <pre>{}</pre>\n<p data-copy=\"commands\"></p>\n",
        escape(&commands)
    ));
    out.push_str(&format!(
        "<h3>BibTeX</h3>\n<pre>{}</pre>\n<p data-copy=\"bibtex\"></p>\n",
        escape(&copies["bibtex"])
    ));
    Ok(Methods { html: out, copies })
}

/// What each run found out about its inputs or took for granted, and the options that decide it.
fn taken_for_granted(inputs: &Inputs) -> String {
    let of_systems = inputs
        .systems
        .iter()
        .flat_map(|system| system.run.record.findings.iter().map(|finding| (system.name.as_str(), finding)));
    let rows: Vec<Vec<String>> = of_systems
        .map(|(system, finding)| {
            let found = [system, &finding.subject, &finding.message, &finding.evidence];
            let decides = [&finding.otherwise, &finding.advice].map(String::as_str);
            found.into_iter().chain(decides).map(escape).collect()
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["System", "Input", "What was found or assumed", "Evidence", "What else it could be", "What to do"];
    html::word_table("Findings about the inputs", &heads.map(str::to_owned), &rows)
}

/// The references for everything on the page.
fn bibtex(request: &PageRequest) -> Result<String, Error> {
    let results: Vec<&PathBuf> = (request.runs.iter()).chain(&request.meta).chain(&request.align).collect();
    let references = cite(&results)?.into_iter();
    let bibtex: Vec<String> = references.map(|reference| reference.bibtex).collect();
    Ok(bibtex.join("\n"))
}

/// The section of a page without runs; the records beside the other results document their methods.
pub(crate) fn methods_without_runs(request: &PageRequest) -> Result<String, Error> {
    let mut out = String::new();
    for folder in &request.align {
        let record: AlignRecord = json::read(&folder.join("align.json"))?;
        let versions = record.versions.iter().map(|(name, version)| format!("{name} {version}"));
        let program = versions.collect::<Vec<_>>().join(", ");
        let rows: Vec<Vec<String>> = std::iter::once(("program".to_owned(), program))
            .chain(std::iter::once(("conventions".to_owned(), record.conventions.join(", "))))
            .chain(record.inputs.into_iter().map(|input| (input.role, input.sha256)))
            .map(|(what, value)| vec![escape(&what), escape(&value)])
            .collect();
        let heads = ["What", "Version, ids or SHA-256"].map(str::to_owned);
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        out.push_str(&html::word_table(&name, &heads, &rows));
    }
    out.push_str(&format!(
        "<h3>Command</h3>\n<p>It makes this page again.</p>\n<pre>{}</pre>\n<h3>BibTeX</h3>\n<pre>{}</pre>\n",
        escape(&commands(request)),
        escape(&bibtex(request)?)
    ));
    Ok(out)
}

/// The fields of an alignment's record that are read.
#[derive(Deserialize)]
struct AlignRecord {
    versions: BTreeMap<String, String>,
    conventions: Vec<String>,
    inputs: Vec<InputRecord>,
}

/// A description of the methods for a paper, of the runs and of their comparison.
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
        let folders = folders.iter();
        words.extend(folders.map(|folder| format!("--{name} {}", path(folder))));
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
    let systems = systems.map(|(system, run)| {
        let system = format!("{}={}", system.name, run.display());
        quoted(&system)
    });
    let systems: Vec<String> = systems.collect();
    format!("neurogauge gallery --recon {}", systems.join(" "))
}

/// The conventions behind the metrics.
fn conventions(scores: &ScorePart) -> String {
    let mut metrics_of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut order = Vec::new();
    for entry in &scores.metrics {
        let spec = neurogauge::metrics::find(entry.id).map(|metric| metric.spec.conventions);
        for &id in spec.unwrap_or_default() {
            let of_convention = metrics_of.entry(id).or_insert_with(|| {
                order.push(id);
                Vec::new()
            });
            of_convention.push(&entry.label);
        }
    }
    let rows: Vec<Vec<String>> = (order.into_iter())
        .map(|id| {
            let (question, options) = convention(id).unwrap_or(("", ""));
            let metrics = metrics_of[id].join(", ");
            [id, question, options, &metrics].map(escape).to_vec()
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["Convention", "Question", "Options that decide it", "Metrics"].map(str::to_owned);
    let table = html::word_table("Conventions (the documentation has the answers)", &heads, &rows);
    format!("<h3>Conventions that decided numbers</h3>\n{table}")
}

/// Options of metrics that differ from the defaults.
fn options(inputs: &Inputs) -> String {
    let default = json!(Options::default());
    let mut rows = Vec::new();
    for system in &inputs.systems {
        let own = json!(system.run.record.request.options);
        for line in differences(&default, &own) {
            let line = line.replace(" then", " by default");
            rows.push(vec![escape(&system.name), escape(&line.replace(" now", " here"))]);
        }
    }
    if rows.is_empty() {
        return "<p>All options of metrics are as they are by default.</p>\n".to_owned();
    }
    let heads = ["System", "Option"].map(str::to_owned);
    html::word_table("Options that differ from the default", &heads, &rows)
}

/// The models of all runs, without duplicates.
fn models_used(inputs: &Inputs) -> Vec<&ModelIdentity> {
    let mut models: Vec<&ModelIdentity> = Vec::new();
    for model in inputs.systems.iter().flat_map(|system| &system.run.record.models) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}

/// The registry's entry of a model; for a variant, the entry of the published model.
fn published(id: &str) -> Option<&'static ModelEntry> {
    let known = MODELS.iter().filter(|entry| {
        let rest = id.strip_prefix(entry.id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    });
    known.max_by_key(|entry| entry.id.len())
}

fn models(inputs: &Inputs) -> String {
    let rows: Vec<Vec<String>> = (models_used(inputs).into_iter())
        .map(|model| {
            let entry = published(&model.id);
            let dagger = if model.stand_in { " † (placeholder)" } else { "" };
            vec![
                escape(&format!("{}{dagger}", model.id)),
                escape(&model.revision),
                format!("<code>{}</code>", escape(&model.sha256)),
                escape(entry.map_or("–", |entry| entry.licence)),
                escape(entry.map_or("–", |entry| entry.citation)),
            ]
        })
        .collect();
    if rows.is_empty() {
        return "<h3>Models</h3>\n<p>No model was run.</p>\n".to_owned();
    }
    let heads = ["Model", "Revision", "SHA-256", "Licence", "Citation"].map(str::to_owned);
    let table = html::word_table("Models that were run", &heads, &rows);
    format!("<h3>Models</h3>\n{table}")
}

/// Versions and input files.
fn input_files(inputs: &Inputs) -> String {
    let mut rows = Vec::new();
    for system in &inputs.systems {
        let provenance = &system.run.record.provenance;
        let versions = provenance.versions.iter().map(|(name, version)| format!("{name} {version}"));
        let versions = versions.collect::<Vec<_>>().join(", ");
        let name = escape(&system.name);
        rows.push(vec![name.clone(), "program".into(), escape(&versions), "–".into()]);
        for input in &provenance.inputs {
            rows.push(vec![
                name.clone(),
                escape(&input.role),
                escape(&input.path),
                format!("<code>{}</code>", escape(&input.sha256)),
            ]);
        }
    }
    let heads = ["System", "What", "Path or version", "SHA-256"].map(str::to_owned);
    let table = html::word_table("Program and inputs of each run", &heads, &rows);
    format!("<h3>Inputs and versions</h3>\n{table}")
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
