//! The records of runs, and the exhibit that is being made of them.

use crate::Paper;
use crate::exhibit::{Exhibit, Paths, Sentence, unfilled};
use crate::place::{PathError, Place};
use neurogauge::Error;
use neurogauge::report::Table;
use serde::Serialize;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The kinds of records.
const KINDS: [&str; 6] = ["align", "paper", "stimuli", "compare", "study", "meta"];

/// Records by kind.
#[derive(Debug, Clone, Default)]
pub struct Records {
    records: Map<String, Value>,
    /// Tables that the command made itself, by their names.
    pub(crate) tables: BTreeMap<String, Table>,
}

impl Records {
    /// Adds the record of a kind.
    ///
    /// # Errors
    /// It cannot be JSON.
    pub fn with(mut self, kind: &str, record: &impl Serialize) -> Result<Records, Error> {
        let value =
            serde_json::to_value(record).map_err(|error| Error::Data(format!("the record {kind:?}: {error}")))?;
        self.records.insert(kind.to_owned(), value);
        Ok(self)
    }

    /// All records, where paths that begin with a slash start. A kind without one is null, its exhibits are absent.
    pub(crate) fn with_published(&self, published: &Value) -> Value {
        let mut all: Map<String, Value> = KINDS.iter().map(|kind| ((*kind).to_owned(), Value::Null)).collect();
        all.extend(self.records.clone());
        all.insert("published".to_owned(), published.clone());
        Value::Object(all)
    }

    /// Adds tables that the command made itself, by the names that exhibits give as `table`.
    #[must_use]
    pub fn with_tables(mut self, tables: BTreeMap<String, Table>) -> Records {
        self.tables = tables;
        self
    }
}

/// The exhibit that is being made, and the place from which its paths start.
pub(crate) struct Making<'a> {
    pub(crate) exhibit: &'a Exhibit,
    pub(crate) place: Place<'a>,
    /// The key that is read, for errors.
    key: RefCell<String>,
}

impl<'a> Making<'a> {
    pub(crate) fn of(exhibit: &'a Exhibit, place: Place<'a>) -> Self {
        let key = RefCell::default();
        Making { exhibit, place, key }
    }

    /// Says which key is read from here on.
    pub(crate) fn reads(&self, key: impl Into<String>) -> &Self {
        self.key.replace(key.into());
        self
    }

    /// An error with the file, the exhibit and the key.
    pub(crate) fn told<T>(&self, paper: &Paper, found: Result<T, PathError>) -> Result<T, Error> {
        let exhibit = [self.exhibit.place.clone(), unfilled(&self.exhibit.name)].join(" ");
        let exhibit = match exhibit.trim() {
            "" => String::new(),
            name => format!("{name:?}, "),
        };
        let (path, key) = (paper.path.display(), self.key.borrow());
        found.map_err(|error| Error::Usage(format!("{path}: {exhibit}{key}: {error}")))
    }

    /// The places of paths.
    pub(crate) fn places(&self, paths: &Paths) -> Result<Vec<Place<'a>>, PathError> {
        let mut found = Vec::new();
        for path in paths.iter().filter(|path| !path.is_empty()) {
            found.extend(self.place.find(path)?);
        }
        Ok(found)
    }

    /// A sentence of the exhibit; empty if all of its parts are left out.
    pub(crate) fn words(&self, sentence: &Sentence, key: &str) -> Result<String, PathError> {
        self.reads(key);
        Ok(self.place.sentence(sentence)?.unwrap_or_default())
    }
}
