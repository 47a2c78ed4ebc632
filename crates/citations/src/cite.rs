//! What to cite for a run, as BibTeX.

use neurogauge::Error;
use neurogauge::formats::json;
use neurogauge::metrics::papers_of;
use neurogauge::models::{DeviceChoice, MODELS};
use serde_json::Value;
use std::path::Path;

/// What is known of this program as a publication: the copy that the crate carries of the file at the root.
const CITATION: &str = include_str!("../CITATION.cff");

/// Records of results, by which a folder is known.
const RECORDS: [&str; 4] = ["run.json", "align.json", "compare.json", "meta.json"];

/// Papers of what is no metric and no model of the registry: by the command, by the label list, by a role of an input.
const TARGET_SPACE_RECOVERY: &str = "Nakamura et al. (2026), Beyond Prediction Accuracy: Target-Space Recovery Profiles \
                                     for Evaluating Model-Brain Alignment, arXiv:2605.20127";
const GENERIC_OBJECT_DECODING: &str = "Horikawa and Kamitani (2017), Generic Decoding of Seen and Imagined Objects Using \
                                       Hierarchical Visual Features, Nature Communications";
const COCO: &str = "Lin et al. (2014), Microsoft COCO: Common Objects in Context, ECCV";
const WORDNET: &str =
    "Miller (1995), WordNet: A Lexical Database for English, Communications of the ACM";

/// An entry of a bibliography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What it is cited by: the same for the same work whatever the run.
    pub key: String,
    /// The entry.
    pub bibtex: String,
}

/// The references of everything that these runs used: this program, the papers of their metrics and models, and of data sets
/// that their records name. Each stands there once, this program first and the others by their keys.
///
/// # Errors
/// [`Error::Usage`] for a folder without a record; one that cannot be read.
pub fn cite<P: AsRef<Path>>(runs: &[P]) -> Result<Vec<Reference>, Error> {
    let records = runs.iter().map(|run| result_record(run.as_ref()));
    let records: Result<Vec<Value>, Error> = records.collect();
    Ok(cite_records(&records?))
}

/// [`cite`] for records that are already read: contents of `run.json`, `align.json`, `compare.json` or `meta.json`.
pub fn cite_records(records: &[Value]) -> Vec<Reference> {
    let mut papers: Vec<Reference> = Vec::new();
    let mut version = None;
    for record in records {
        let known = record["versions"]["neurogauge"].as_str();
        version = version.or(known.map(str::to_owned));
        for paper in papers_in(record)
            .iter()
            .flat_map(|papers| papers.split("; "))
        {
            let reference = reference(paper);
            if !papers.iter().any(|known| known.key == reference.key) {
                papers.push(reference);
            }
        }
    }
    papers.sort_by(|a, b| a.key.cmp(&b.key));
    let own = program(version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")));
    [own].into_iter().chain(papers).collect()
}

/// The record of a result: in a folder, or the file itself.
///
/// # Errors
/// As for [`cite`].
pub fn result_record(run: &Path) -> Result<Value, Error> {
    let files = RECORDS.iter().map(|name| run.join(name));
    let found = match run.is_file() {
        true => Some(run.to_owned()),
        false => files.into_iter().find(|file| file.is_file()),
    };
    let path = found.ok_or_else(|| {
        Error::Usage(format!(
            "{}: there is no record of a result ({})",
            run.display(),
            RECORDS.join(", ")
        ))
    })?;
    Ok(json::read(&path)?)
}

/// The papers of what a record names.
fn papers_in(record: &Value) -> Vec<&'static str> {
    let mut papers = Vec::new();
    for metric in record["metrics"].as_array().into_iter().flatten() {
        let id = metric["id"].as_str().or(metric.as_str());
        papers.extend(id.map(papers_of).unwrap_or_default());
    }
    let mut models = Vec::new();
    model_ids(record, &mut models);
    for id in models {
        let known = MODELS.iter().filter(|entry| {
            let rest = DeviceChoice::unmarked(id).strip_prefix(entry.id);
            rest.is_some_and(|rest| {
                ["", "-custom", "-bf16", "-f16"].contains(&rest)
                    || rest.starts_with("-custom-")
                    || rest.starts_with("-untrained-")
            })
        });
        papers.extend(known.map(|entry| entry.citation));
    }
    if record["command"] == "align" {
        papers.push(TARGET_SPACE_RECOVERY);
    }
    let compares_objects = papers.iter().any(|paper| paper.contains("SEED:"));
    match record["request"]["labels"].as_str() {
        Some("god") if compares_objects => papers.push(GENERIC_OBJECT_DECODING),
        Some(labels) if labels.starts_with("coco") && compares_objects => papers.push(COCO),
        _ => {}
    }
    let mut inputs = record["inputs"].as_array().into_iter().flatten();
    if inputs.any(|input| input["role"] == "wordnet") {
        papers.push(WORDNET);
    }
    papers
}

/// Ids of the models that a record names anywhere, placeholders left out.
fn model_ids<'r>(value: &'r Value, ids: &mut Vec<&'r str>) {
    match value {
        Value::Object(fields) => {
            let is_model = fields.contains_key("sha256") && fields.contains_key("stand_in");
            let id = fields.get("id").and_then(Value::as_str);
            match id {
                Some(id) if is_model && fields["stand_in"] == false => ids.push(id),
                _ => fields.values().for_each(|value| model_ids(value, ids)),
            }
        }
        Value::Array(values) => values.iter().for_each(|value| model_ids(value, ids)),
        _ => {}
    }
}

/// This program, by the facts of CITATION.cff.
fn program(version: &str) -> Reference {
    let fact = |name: &str| {
        let lines = CITATION
            .lines()
            .map(|line| line.trim().trim_start_matches("- "));
        let mut values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        values
            .next()
            .unwrap_or_default()
            .trim()
            .trim_matches('"')
            .to_owned()
    };
    let (title, author) = (fact("title"), fact("name"));
    Reference {
        key: "neurogauge".to_owned(),
        bibtex: format!(
            "@software{{neurogauge,\n  author = {{{{{author}}}}},\n  title = {{{title}}},\n  version = {{{version}}}\n}}\n"
        ),
    }
}

/// A paper that is written as `Authors (Year), Title, Venue`.
fn reference(paper: &str) -> Reference {
    let (authors, rest) = paper.split_once(" (").unwrap_or((paper, ""));
    let (year, rest) = rest.split_once("), ").unwrap_or(("", rest));
    let (title, venue) = rest.rsplit_once(", ").unwrap_or((rest, ""));
    let letters = |word: &str| -> String {
        let letters = word.chars().filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let surname = authors.split_whitespace().next().unwrap_or_default();
    let mut words = title.split_whitespace().map(letters);
    let word = words.find(|word| !["a", "an", "the", "on"].contains(&word.as_str()));
    let key = format!("{}{year}{}", letters(surname), word.unwrap_or_default());
    let authors = authors.replace(" et al.", " and others");
    let venue = match venue.strip_prefix("arXiv:") {
        Some(number) => format!(",\n  eprint = {{{number}}},\n  archiveprefix = {{arXiv}}"),
        None if venue.is_empty() => String::new(),
        None => format!(",\n  howpublished = {{{venue}}}"),
    };
    let bibtex = format!(
        "@misc{{{key},\n  author = {{{authors}}},\n  title = {{{{{title}}}}},\n  year = {{{year}}}{venue}\n}}\n"
    );
    Reference { key, bibtex }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::metrics::METRICS;

    #[test]
    fn every_citation_can_be_read_and_has_a_key_of_its_own() {
        let of_models = MODELS.iter().flat_map(|entry| entry.citation.split("; "));
        let of_metrics = METRICS.iter().flat_map(|metric| papers_of(metric.spec.id));
        let others = [
            TARGET_SPACE_RECOVERY,
            GENERIC_OBJECT_DECODING,
            COCO,
            WORDNET,
        ];
        let mut known: Vec<(String, &str)> = Vec::new();
        for paper in of_models.chain(of_metrics).chain(others) {
            let Reference { key, bibtex } = reference(paper);
            assert!(
                key.chars().all(|c| c.is_ascii_alphanumeric()),
                "{paper}: {key}"
            );
            let year = bibtex
                .split("year = {")
                .nth(1)
                .and_then(|rest| rest.get(..4));
            assert!(
                year.is_some_and(|year| year.parse::<u32>().is_ok()),
                "{paper}"
            );
            assert_eq!(bibtex.matches('{').count(), bibtex.matches('}').count());
            match known.iter().find(|(other, _)| *other == key) {
                Some((_, other)) => assert_eq!(*other, paper, "two papers are {key}"),
                None => known.push((key, paper)),
            }
        }
    }

    #[test]
    fn an_entry_says_what_the_citation_says() {
        let found =
            reference("Zhao et al. (2024), An Open and Comprehensive Pipeline, arXiv:2401.02361");
        assert_eq!(found.key, "zhao2024open");
        for part in [
            "author = {Zhao and others}",
            "title = {{An Open and Comprehensive Pipeline}}",
            "eprint = {2401.02361}",
        ] {
            assert!(found.bibtex.contains(part), "{}", found.bibtex);
        }
        let own = program("9.9.9");
        assert!(
            own.bibtex.contains("{{The Neurogauge developers}}"),
            "{}",
            own.bibtex
        );
        assert!(
            own.bibtex.contains("title = {Neurogauge}"),
            "{}",
            own.bibtex
        );
        assert!(own.bibtex.contains("version = {9.9.9}"), "{}", own.bibtex);
    }
}
