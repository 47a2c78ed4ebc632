//! The documentation's page of the papers, written from their folders. A test fails where the page differs; with
//! `NEUROGAUGE_WRITE=1` it writes the page instead.

use crate::support::*;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pages/reference/papers.md");
const FOLDERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../exhibits/papers");
const PAPERS: [(&str, &str); 4] = [
    ("seed", "SEED, ICLR submission, and its released code"),
    ("seed-v1", "SEED, arXiv v1"),
    ("basic", "BASIC"),
    ("recovery", "Target-space recovery"),
];

const HEAD: &str = "# The papers, item by item

<!-- Written from the folders of the papers (crates/exhibits/papers) by `make written`; not to be edited. -->

Every table, figure and equation of the papers that Neurogauge repeats, with the command that makes it and what that needs besides pictures.
*Illustration*: the item holds no result. *Absent*: no command makes it. `neurogauge study PAPER --data DIR` makes all that the data allow
and names the rest, `--dry-run` first ([how](../how-to/compare.md#the-papers-tables)); `neurogauge align` and its `--preset nsd-core`,
`nsd-synthetic` those of target-space recovery (`paper.md`, whose end lists what is left out). See also [ratings](../how-to/people.md#compare-metrics-with-ratings),
[recovery profiles](../how-to/recovery-profiles.md), [BASIC](../tutorials/basic.md).

Each paper is a folder of data. It says which numbers are the rows and columns, and what the paper prints. [One of your
own](../how-to/compare.md#an-exhibit-of-your-own-paper) is made by copying an entry.
";

/// The rows of a file of a paper's folder.
fn rows(paper: &str, file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(FOLDERS).join(paper).join(file)).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn exhibits(paper: &str) -> Value {
    let path = Path::new(FOLDERS).join(paper).join("exhibits.toml");
    neurogauge::toml_from_str(&path, &fs::read_to_string(&path).unwrap()).unwrap()
}

fn entries<'a>(file: &'a Value, name: &str) -> &'a [Value] {
    file[name].as_array().map_or(&[], Vec::as_slice)
}

fn words<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_default()
}

#[test]
fn the_page_of_the_papers_is_written_from_their_folders() {
    let mut page = HEAD.to_owned();
    let mut errata = String::new();
    for (paper, heading) in PAPERS {
        page += &format!("\n## {heading}\n\n| item | command | needs |\n|---|---|---|\n");
        for row in &rows(paper, "items.tsv")[1..] {
            page += &format!("| {} | {} | {} |\n", row[0], row[1], row[2]);
        }
        for erratum in entries(&exhibits(paper), "erratum") {
            errata += &format!("- {heading}, {}: {}\n", words(erratum, "place"), words(erratum, "says"));
        }
    }
    page = page.replace("|  |\n", "| |\n");
    page += &format!(
        "\n## Contradictions within the papers\n\nWhat a replicator meets, with the arithmetic. All of it may be slips of typesetting; tell us of a \
         correction.\n\n{errata}"
    );
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        fs::write(PAGE, &page).unwrap();
    }
    assert!(fs::read_to_string(PAGE).unwrap() == page, "docs/pages/reference/papers.md: run `make written`");
}

/// The numbers of sections and appendices that a text names.
fn sections(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["Section", "Appendix"] {
        for rest in text.split(kind).skip(1) {
            let rest = rest.trim_start_matches('s').trim_start();
            let number: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
            let number = number.trim_end_matches('.');
            if number.len() < 5 && number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()) {
                found.push(format!("{kind} {number}"));
            }
        }
    }
    found
}

#[test]
fn sections_of_items_are_headings_of_the_papers() {
    assert_eq!(sections("Sections 4.4, Appendix A: x"), ["Section 4.4", "Appendix A"]);
    for (paper, _) in PAPERS {
        let headings: Vec<String> = rows(paper, "headings.tsv").into_iter().map(|row| row[0].clone()).collect();
        let texts: Vec<String> = rows(paper, "items.tsv").into_iter().map(|row| row[0].clone()).collect();
        for section in texts.iter().flat_map(|text| sections(text)) {
            assert!(headings.contains(&section), "{paper}: {section} is none of {headings:?}");
        }
    }
}

/// Every place of an exhibit is an item of the page.
#[test]
fn every_exhibit_is_an_item() {
    for (paper, _) in PAPERS {
        let items: String = rows(paper, "items.tsv").iter().map(|row| format!("{}\n", row[0])).collect();
        for exhibit in entries(&exhibits(paper), "exhibit") {
            for place in words(exhibit, "place").split(" and ").flat_map(|part| part.split(", ")) {
                let number = place.rsplit(' ').next().unwrap().trim_end_matches(|c: char| c.is_ascii_uppercase());
                let is_number = number.contains(|c: char| c.is_ascii_digit());
                assert!(!is_number || items.contains(number), "{paper}: {place} is no item");
            }
        }
    }
}
