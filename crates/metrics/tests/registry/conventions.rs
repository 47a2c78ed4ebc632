//! Every convention that a metric names has a section on a page of `docs/pages/conventions`, every section explains a
//! different id, and the index has its question.

use crate::support::*;

pub(crate) const FOLDER: &str = "docs/pages/conventions";

/// A convention: the section with its id as heading.
pub(crate) struct Section {
    pub(crate) id: String,
    /// The question in the index; empty if the index lacks it.
    pub(crate) question: String,
    pub(crate) text: String,
    /// The file name of its page.
    pub(crate) page: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FOLDER)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// The pages in the index's order: file names and titles.
fn pages() -> Vec<(String, String)> {
    let index = read("index.md");
    let items = index.lines().filter_map(|line| line.strip_prefix("- [")).filter(|item| !item.starts_with('`'));
    items
        .map(|item| {
            let (title, rest) = item.split_once("](").unwrap();
            let (name, _) = rest.split_once(')').unwrap();
            (name.to_owned(), title.to_owned())
        })
        .collect()
}

/// The questions of the index by id: its lines are ``- [`ID`](PAGE#ID): QUESTION``.
fn questions() -> BTreeMap<String, String> {
    let index = read("index.md");
    let rows = index.lines().filter_map(|line| line.strip_prefix("- [`"));
    rows.map(|row| {
        let (id, rest) = row.split_once("`](").unwrap();
        (id.to_owned(), rest.split_once("): ").unwrap().1.to_owned())
    })
    .collect()
}

/// All conventions, page by page.
pub(crate) fn sections() -> Vec<Section> {
    let questions = questions();
    let of_page = |(page, _): (String, String)| {
        let text = read(&page);
        let sections: Vec<Section> = text
            .split("\n## `")
            .skip(1)
            .map(|section| {
                let (id, rest) = section.split_once("`\n").unwrap();
                let end = rest.find("\n## ").unwrap_or(rest.len());
                Section {
                    id: id.to_owned(),
                    question: questions.get(id).cloned().unwrap_or_default(),
                    text: rest[..end].to_owned(),
                    page: page.clone(),
                }
            })
            .collect();
        sections
    };
    pages().into_iter().flat_map(of_page).collect()
}

#[test]
fn every_convention_of_every_metric_is_explained() {
    let sections = sections();
    for metric in METRICS {
        assert!(!metric.spec.conventions.is_empty(), "{} names none", metric.spec.id);
        for id in metric.spec.conventions() {
            assert!(
                sections.iter().any(|section| section.id == id),
                "{}: no page of {FOLDER} explains `{id}`",
                metric.spec.id
            );
        }
    }
}

#[test]
fn every_section_has_its_question_in_the_index_and_begins_with_the_answer() {
    for Section { id, question, text, .. } in sections() {
        assert!(question.ends_with('?'), "docs/pages/conventions/index.md: write the question of {id} into its row");
        let answer = text.trim_start();
        let is_no_sentence = ["**Options.**", "-", "|", "#"].iter().any(|mark| answer.starts_with(mark));
        assert!(!answer.is_empty() && !is_no_sentence, "{id} begins with no answer");
        assert!(text.matches("**Options.** ").count() <= 1, "{id} has its options twice");
    }
}

#[test]
fn the_index_names_every_page_by_its_title() {
    let files = std::fs::read_dir(folder()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<String> = names.filter(|name| name != "index.md").collect();
    let pages = pages();
    assert_eq!(names, pages.iter().map(|(name, _)| name.clone()).collect());
    for (name, title) in pages {
        let heading = read(&name).lines().next().map(str::to_owned);
        assert_eq!(heading, Some(format!("# {title}")), "{name}");
    }
}

#[test]
fn no_id_and_no_heading_is_used_twice() {
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    for (name, _) in pages() {
        for heading in read(&name).lines().filter(|line| line.starts_with("##")) {
            let words = heading.trim_start_matches('#').trim().to_owned();
            assert_eq!(places.insert(words, name.clone()), None, "{name}: {heading}");
        }
    }
    let metrics: BTreeSet<&str> = METRICS.iter().map(|metric| metric.spec.id).collect();
    assert_eq!(metrics.len(), METRICS.len());
}
