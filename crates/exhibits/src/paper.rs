//! A paper as a folder: its exhibits, its published values, and its headings.

use crate::exhibit::{Erratum, ExhibitsFile};
use neurogauge::formats::regular_file;
use neurogauge::{Error, toml_from_str};
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const EXHIBITS: &str = "exhibits.toml";
const DATA: &str = "data.toml";
const HEADINGS: &str = "headings.tsv";
const PUBLISHED: &str = "published";

/// A paper of which tables and figures are made again.
#[derive(Debug, Clone)]
pub struct Paper {
    /// The name of its folder.
    pub name: String,
    /// The path of its exhibits, for messages.
    pub(crate) path: PathBuf,
    pub(crate) file: ExhibitsFile,
    /// The published values: for each file its rows, for each row its cells as printed; `-` and nothing are null.
    pub(crate) published: Value,
    /// Numbers of sections, each with its heading.
    headings: Vec<(String, String)>,
    /// The study of its data: where a folder of data has what.
    data: Option<String>,
}

/// The files of a paper that is built in.
struct BuiltIn {
    name: &'static str,
    exhibits: &'static str,
    headings: &'static str,
    data: Option<&'static str>,
    published: &'static [(&'static str, &'static str)],
}

const BUILT_IN: [BuiltIn; 4] = [
    BuiltIn {
        name: "recovery",
        exhibits: include_str!("../papers/recovery/exhibits.toml"),
        headings: include_str!("../papers/recovery/headings.tsv"),
        data: None,
        published: &[
            ("models", include_str!("../papers/recovery/published/models.tsv")),
            ("seeds", include_str!("../papers/recovery/published/seeds.tsv")),
            ("values", include_str!("../papers/recovery/published/values.tsv")),
        ],
    },
    BuiltIn {
        name: "seed",
        exhibits: include_str!("../papers/seed/exhibits.toml"),
        headings: include_str!("../papers/seed/headings.tsv"),
        data: Some(include_str!("../papers/seed/data.toml")),
        published: &[
            ("agreement", include_str!("../papers/seed/published/agreement.tsv")),
            ("classes", include_str!("../papers/seed/published/classes.tsv")),
            ("differences", include_str!("../papers/seed/published/differences.tsv")),
            ("raters", include_str!("../papers/seed/published/raters.tsv")),
            ("surveys", include_str!("../papers/seed/published/surveys.tsv")),
            ("systems", include_str!("../papers/seed/published/systems.tsv")),
        ],
    },
    BuiltIn {
        name: "seed-v1",
        exhibits: include_str!("../papers/seed-v1/exhibits.toml"),
        headings: include_str!("../papers/seed-v1/headings.tsv"),
        data: Some(include_str!("../papers/seed-v1/data.toml")),
        published: &[
            ("agreement", include_str!("../papers/seed-v1/published/agreement.tsv")),
            ("systems", include_str!("../papers/seed-v1/published/systems.tsv")),
            ("trained", include_str!("../papers/seed-v1/published/trained.tsv")),
        ],
    },
    BuiltIn {
        name: "basic",
        exhibits: include_str!("../papers/basic/exhibits.toml"),
        headings: include_str!("../papers/basic/headings.tsv"),
        data: Some(include_str!("../papers/basic/data.toml")),
        published: &[
            ("configurations", include_str!("../papers/basic/published/configurations.tsv")),
            ("systems", include_str!("../papers/basic/published/systems.tsv")),
        ],
    },
];

static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| {
    let paper = |own: &BuiltIn| {
        let published = own.published.iter().map(|(name, text)| ((*name).to_owned(), rows(text)));
        let path = Path::new("papers").join(own.name).join(EXHIBITS);
        Paper::parsed(own.name, path, [own.exhibits, own.headings], own.data, published.collect())
    };
    // A test reads them all.
    BUILT_IN.iter().filter_map(|own| paper(own).ok()).collect()
});

impl Paper {
    /// A paper by its name, or the folder of one.
    ///
    /// # Errors
    /// As [`built_in`](Self::built_in) and [`read`](Self::read).
    pub fn named(name: &str) -> Result<Paper, Error> {
        let folder = Path::new(name);
        match folder.join(EXHIBITS).exists() {
            true => Paper::read(folder),
            false => Paper::built_in(name).cloned(),
        }
    }

    /// The file that says where the paper's data are, with its path; `None` if there is none.
    pub fn data(&self) -> Option<(PathBuf, &str)> {
        Some((self.path.with_file_name(DATA), self.data.as_deref()?))
    }

    /// The papers that are built in.
    pub fn all() -> &'static [Paper] {
        &PAPERS
    }

    /// A paper that is built in, by its name.
    ///
    /// # Errors
    /// There is no such paper; the message lists those that there are.
    pub fn built_in(name: &str) -> Result<&'static Paper, Error> {
        Paper::all().iter().find(|paper| paper.name == name).ok_or_else(|| {
            let known: Vec<&str> = Paper::all().iter().map(|paper| paper.name.as_str()).collect();
            let known = known.join(", ");
            Error::Usage(format!("no paper {name:?}: built in are {known}; or give a folder with {EXHIBITS}"))
        })
    }

    /// Reads the folder of a paper.
    ///
    /// # Errors
    /// It has no `exhibits.toml`, or one with an unknown key.
    pub fn read(folder: &Path) -> Result<Paper, Error> {
        let path = folder.join(EXHIBITS);
        let text = |path: &Path| {
            let read = regular_file::read_to_string(path);
            read.map_err(|error| Error::Usage(format!("{}: {error}; a paper's folder has {EXHIBITS}", path.display())))
        };
        let mut published = Map::new();
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder.join(PUBLISHED)).into_iter().flatten().flatten().map(|own| own.path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "tsv")) {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            published.insert(stem, rows(&text(file)?));
        }
        let if_there = |name: &str| {
            let path = folder.join(name);
            path.exists().then(|| text(&path)).transpose()
        };
        let (headings, data) = (if_there(HEADINGS)?.unwrap_or_default(), if_there(DATA)?);
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        Paper::parsed(&name, path.clone(), [&text(&path)?, &headings], data.as_deref(), published)
    }

    fn parsed(
        name: &str,
        path: PathBuf,
        [exhibits, headings]: [&str; 2],
        data: Option<&str>,
        published: Map<String, Value>,
    ) -> Result<Paper, Error> {
        let headings = headings.lines().filter_map(|line| line.split_once('\t'));
        Ok(Paper {
            name: name.to_owned(),
            file: toml_from_str(&path, exhibits)?,
            path,
            published: Value::Object(published),
            data: data.map(str::to_owned),
            headings: headings.map(|(number, heading)| (number.to_owned(), heading.to_owned())).collect(),
        })
    }

    /// A place in it, with its short name; empty for no place.
    pub fn place(&self, place: &str) -> String {
        match place {
            "" => String::new(),
            place => format!("{} {place}", self.file.name),
        }
    }

    /// What to call it: authors, year, and where it appeared.
    pub fn cite(&self) -> &str {
        &self.file.cite
    }

    /// The rows of a file of published values; a row has its cells as printed by their headings.
    pub fn published(&self, file: &str) -> &[Value] {
        self.published.get(file).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The numbers of its sections, tables and figures, each with its heading.
    pub fn headings(&self) -> &[(String, String)] {
        &self.headings
    }

    /// Where its exhibits are in it.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.file.exhibits.iter().map(|own| own.place.as_str())
    }

    /// Contradictions within it.
    pub fn errata(&self) -> &[Erratum] {
        &self.file.errata
    }

    /// The contradiction that concerns a published value.
    pub(crate) fn erratum(&self, place: &str, quantity: &str) -> Option<&Erratum> {
        let value = format!("{place}: {quantity}");
        self.errata().iter().find(|own| own.concerns.contains(&value))
    }
}

/// The rows of a table with tabs between cells, by the headings in its first line.
fn rows(text: &str) -> Value {
    let mut lines = text.lines().map(|line| line.split('\t'));
    let headings: Vec<&str> = lines.next().into_iter().flatten().collect();
    let cell = |printed: &str| match printed {
        "" | "-" => Value::Null,
        printed => Value::from(printed),
    };
    let row = |cells: std::str::Split<'_, char>| {
        let cells = cells.map(cell).chain(std::iter::repeat(Value::Null));
        headings.iter().map(|heading| (*heading).to_owned()).zip(cells).collect()
    };
    lines.map(|cells| Value::Object(row(cells))).collect()
}
