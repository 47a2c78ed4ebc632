//! The references to cite for a run, as BibTeX.

use neurogauge::Error;
use neurogauge::formats::{Problem, json};
use neurogauge::metrics::papers_of;
use neurogauge::models::{DeviceChoice, MODELS};
use serde_json::Value;
use std::path::Path;

/// This program as a publication: the crate's copy of the file in the repository's root.
const CITATION: &str = include_str!("../CITATION.cff");

/// The entries of all papers that a metric, a model or this file names, with fields in BibTeX's order and an empty line
/// between entries.
const ENTRIES: &str = include_str!("papers.bib");

/// Records of results, by which a folder is recognised.
const RECORDS: [&str; 4] = ["run.json", "align.json", "compare.json", "meta.json"];

/// Papers that belong to no metric or model of the registry: by command, by label list, by the role of an input.
const TARGET_SPACE_RECOVERY: &str = "Nakamura et al. (2026), Beyond Prediction Accuracy: Target-Space Recovery Profiles \
                                     for Evaluating Model-Brain Alignment, arXiv:2605.20127";
const GENERIC_OBJECT_DECODING: &str = "Horikawa and Kamitani (2017), Generic Decoding of Seen and Imagined Objects Using \
                                       Hierarchical Visual Features, Nature Communications";
const COCO: &str = "Lin et al. (2014), Microsoft COCO: Common Objects in Context, ECCV";
const WORDNET: &str = "Miller (1995), WordNet: A Lexical Database for English, Communications of the ACM";

/// An entry of a bibliography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Its BibTeX key: a work has the same key for every run.
    pub key: String,
    pub bibtex: String,
}

/// The references of everything that these runs used: this program, the papers of their metrics and models, and of data
/// sets in their records. Without duplicates, this program first and the others sorted by key.
///
/// # Errors
/// [`Error::Usage`] for a folder without a record; a record cannot be read.
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
        let cited = papers_in(record);
        let cited = cited.iter().flat_map(|papers| papers.split("; "));
        for paper in cited.filter_map(reference) {
            if !papers.iter().any(|known| known.key == paper.key) {
                papers.push(paper);
            }
        }
    }
    papers.sort_by(|a, b| a.key.cmp(&b.key));
    let own = program(version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")));
    [own].into_iter().chain(papers).collect()
}

/// The record of a result, given as a folder or as the file itself.
///
/// # Errors
/// Errors of [`cite`].
pub fn result_record(run: &Path) -> Result<Value, Error> {
    let files = RECORDS.iter().map(|name| run.join(name));
    let found = match run.is_file() {
        true => Some(run.to_owned()),
        false => files.into_iter().find(|file| file.is_file()),
    };
    let missing = || Problem::new(format!("there is no record of a result ({})", RECORDS.join(", "))).at(run);
    let path = found.ok_or_else(missing)?;
    Ok(json::read(&path)?)
}

/// The papers of everything that a record names.
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

/// Ids of the models that a record names anywhere, without placeholders.
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

/// This program, with the facts of CITATION.cff.
fn program(version: &str) -> Reference {
    let fact = |name: &str| {
        let lines = CITATION.lines().map(|line| line.trim().trim_start_matches("- "));
        let mut values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        values.next().unwrap_or_default().trim().trim_matches('"').to_owned()
    };
    let (title, author) = (fact("title"), fact("name"));
    Reference {
        key: "neurogauge".to_owned(),
        bibtex: format!(
            "@software{{neurogauge,\n  author = {{{{{author}}}}},\n  title = {{{title}}},\n  version = {{{version}}}\n}}\n"
        ),
    }
}

/// The entry of a paper given as `Authors (Year), Title, Venue`.
fn reference(paper: &str) -> Option<Reference> {
    let (_, rest) = paper.split_once(" (")?;
    let (year, rest) = rest.split_once("), ")?;
    let is_of_paper = |entry: &&str| {
        let title = field(entry, "title").and_then(|title| rest.strip_prefix(title));
        let has_title = title.is_some_and(|venue| venue.is_empty() || venue.starts_with(", "));
        has_title && field(entry, "year") == Some(year)
    };
    let entry = ENTRIES.split("\n\n").find(is_of_paper)?;
    let (_, named) = entry.split_once('{')?;
    let (key, _) = named.split_once(',')?;
    Some(Reference {
        key: key.to_owned(),
        bibtex: format!("{}\n", entry.trim_end()),
    })
}

/// A field of an entry, without braces.
fn field<'e>(entry: &'e str, name: &str) -> Option<&'e str> {
    entry.lines().find_map(|line| {
        let value = line.trim_start().strip_prefix(name)?;
        let value = value.strip_prefix(" = ")?.trim_end_matches(',');
        Some(value.trim_matches(['{', '}']))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use biblatex::{Bibliography, ChunksExt, Entry, EntryType};
    use neurogauge::metrics::METRICS;
    use std::collections::{BTreeMap, BTreeSet};

    /// Every citation in the program.
    fn citations() -> BTreeSet<&'static str> {
        let of_models = MODELS.iter().map(|entry| entry.citation);
        let of_metrics = METRICS.iter().flat_map(|metric| papers_of(metric.spec.id));
        let others = [TARGET_SPACE_RECOVERY, GENERIC_OBJECT_DECODING, COCO, WORDNET];
        let all = of_models.chain(of_metrics).chain(others);
        all.flat_map(|papers| papers.split("; ")).collect()
    }

    fn text(entry: &Entry, field: &str) -> Option<String> {
        Some(entry.get(field)?.format_verbatim())
    }

    #[test]
    fn a_parser_of_bibtex_reads_every_citation_complete() {
        let all = Bibliography::parse(ENTRIES).unwrap();
        let mut used: BTreeMap<String, &str> = BTreeMap::new();
        for paper in citations() {
            let reference = reference(paper).unwrap_or_else(|| panic!("{paper} has no entry"));
            let other = used.insert(reference.key.clone(), paper);
            assert_eq!(other, None, "two citations are {}", reference.key);
            let parsed = Bibliography::parse(&reference.bibtex).unwrap();
            let entry = parsed.get(&reference.key).unwrap();

            let authors = entry.author().unwrap();
            let (named, _) = paper.split_once(" (").unwrap();
            let surnames: Vec<&str> = authors.iter().map(|p| p.name.as_str()).collect();
            match named.strip_suffix(" et al.") {
                Some(first) => assert!(surnames[0] == first && surnames.len() > 2, "{paper}"),
                None => assert_eq!(surnames.join(" and "), named),
            }
            for author in &authors {
                assert!(!author.given_name.is_empty(), "{paper}: {author:?}");
                assert_ne!(author.name, "others", "{paper}");
            }

            let (_, venue) = paper.rsplit_once(", ").unwrap_or_default();
            let has = |field: &str| text(entry, field).is_some_and(|text| !text.is_empty());
            if let Some(number) = venue.strip_prefix("arXiv:") {
                assert_eq!(text(entry, "eprint").as_deref(), Some(number), "{paper}");
            }
            let is_placed = match entry.entry_type {
                EntryType::Article => has("journaltitle") || has("journal"),
                EntryType::InProceedings => has("booktitle"),
                EntryType::Misc => has("eprint"),
                _ => false,
            };
            assert!(is_placed, "{paper}: {}", reference.bibtex);
            assert!(has("pages") || has("eprint"), "{paper}: where is it?");
        }
        let keys: Vec<&str> = all.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, used.keys().collect::<Vec<_>>(), "entries of no citation, or unsorted");
    }

    #[test]
    fn a_journal_s_paper_has_all_that_a_journal_asks_for() {
        let found = reference(
            "Wang et al. (2004), Image Quality Assessment: From Error Visibility to Structural Similarity, IEEE Transactions on Image Processing",
        );
        let found = found.unwrap();
        assert_eq!(found.key, "wang2004image");
        for part in [
            "@article{wang2004image,",
            "  author = {Wang, Zhou and Bovik, Alan C. and Sheikh, Hamid R. and Simoncelli, Eero P.},",
            "  volume = {13},",
            "  pages = {600--612},",
            "  doi = {10.1109/TIP.2003.819861}\n}\n",
        ] {
            assert!(found.bibtex.contains(part), "{}", found.bibtex);
        }
        assert_eq!(reference("Wang et al. (2005), Image Quality, PNAS"), None);
    }

    #[test]
    fn this_program_is_cited_by_its_facts() {
        let own = program("9.9.9");
        let parsed = Bibliography::parse(&own.bibtex).unwrap();
        let entry = parsed.get("neurogauge").unwrap();
        assert_eq!(entry.author().unwrap()[0].name, "The Neurogauge developers");
        assert_eq!(text(entry, "title").as_deref(), Some("Neurogauge"));
        assert_eq!(text(entry, "version").as_deref(), Some("9.9.9"));
    }
}
