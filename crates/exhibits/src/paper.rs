//! A paper as a folder: its exhibits and its published values.

use crate::exhibit::{Erratum, Exhibit};
use neurogauge::formats::regular_file;
use neurogauge::{Error, toml_from_str};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const EXHIBITS: &str = "exhibits.toml";
const DATA: &str = "data.toml";
const PUBLISHED: &str = "published";

/// A paper whose tables and figures are made again: its `exhibits.toml`, and the other files of its folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The name of its folder.
    #[serde(skip)]
    pub name: String,
    /// Its short name, for places such as `SEED Table 1`.
    #[serde(default, rename = "name")]
    short: String,
    /// What to call it: authors, year, and where it appeared.
    pub cite: String,
    /// The command that makes its tables and figures; empty for `neurogauge study`.
    #[serde(default)]
    pub command: String,
    #[serde(default, rename = "exhibit")]
    pub(crate) exhibits: Vec<Exhibit>,
    /// Contradictions within it.
    #[serde(default, rename = "erratum")]
    pub errata: Vec<Erratum>,
    /// The path of its exhibits, for messages.
    #[serde(skip)]
    pub(crate) path: PathBuf,
    /// The published values: for each file its rows, for each row its cells as printed; `-` and nothing are null.
    #[serde(skip)]
    pub(crate) published: Value,
    /// The study of its data: where a folder of data has what.
    #[serde(skip)]
    data: Option<String>,
}

/// The files of a paper's folder, by their paths in it.
type Files = BTreeMap<String, String>;

macro_rules! built_in {
    ($paper:literal: $($file:literal),+) => {
        ($paper, &[$(($file, include_str!(concat!("../papers/", $paper, "/", $file)))),+])
    };
}

const BUILT_IN: [(&str, &[(&str, &str)]); 4] = [
    built_in!("recovery": "exhibits.toml", "published/sources.tsv", "published/values.tsv"),
    built_in!("seed": "exhibits.toml", "data.toml", "published/agreement.tsv", "published/classes.tsv",
        "published/differences.tsv", "published/raters.tsv", "published/surveys.tsv", "published/systems.tsv"),
    built_in!("seed-v1": "exhibits.toml", "data.toml", "published/agreement.tsv", "published/systems.tsv",
        "published/trained.tsv"),
    built_in!("basic": "exhibits.toml", "data.toml", "published/configurations.tsv", "published/systems.tsv"),
];

static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| {
    let paper = |(name, files): &(&str, &[(&str, &str)])| {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Paper::of_files(&Path::new("papers").join(name), &files.collect())
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
        let published = fs::read_dir(folder.join(PUBLISHED)).into_iter().flatten().flatten();
        let published = published.map(|own| format!("{PUBLISHED}/{}", own.file_name().to_string_lossy()));
        let published = published.filter(|file| file.ends_with(".tsv"));
        let data = Some(DATA.to_owned()).filter(|data| folder.join(data).exists());
        let read = |file: String| {
            let path = folder.join(&file);
            let told = |error| Error::Usage(format!("{}: {error}; a paper's folder has {EXHIBITS}", path.display()));
            Ok((file, regular_file::read_to_string(&path).map_err(told)?))
        };
        let files = [EXHIBITS.to_owned()].into_iter().chain(data).chain(published).map(read);
        Paper::of_files(folder, &files.collect::<Result<_, Error>>()?)
    }

    fn of_files(folder: &Path, files: &Files) -> Result<Paper, Error> {
        let path = folder.join(EXHIBITS);
        let named =
            |file: &str| Some(file.strip_prefix(PUBLISHED)?.strip_prefix('/')?.strip_suffix(".tsv")?.to_owned());
        let published = files.iter().filter_map(|(file, text)| Some((named(file)?, rows(text))));
        Ok(Paper {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            published: Value::Object(published.collect()),
            data: files.get(DATA).cloned(),
            path: path.clone(),
            ..toml_from_str(&path, files.get(EXHIBITS).map_or("", String::as_str))?
        })
    }

    /// A place in it, with its short name; empty for no place.
    pub(crate) fn place(&self, place: &str) -> String {
        match place {
            "" => String::new(),
            place => format!("{} {place}", self.short).trim_start().to_owned(),
        }
    }

    /// The rows of a file of published values; a row has its cells as printed by their headings.
    pub fn published(&self, file: &str) -> &[Value] {
        self.published.get(file).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

/// The rows of a table with tabs between cells, by the headings in its first line.
fn rows(text: &str) -> Value {
    let headings = text.lines().take(1).flat_map(|line| line.split('\t')).map(str::to_owned);
    let cell = |printed: &str| Value::from(Some(printed).filter(|printed| !["", "-"].contains(printed)));
    let row = |line: &str| {
        let cells = line.split('\t').map(cell).chain(std::iter::repeat(Value::Null));
        Value::Object(headings.clone().zip(cells).collect())
    };
    text.lines().skip(1).map(row).collect()
}
