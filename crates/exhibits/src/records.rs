//! The records of runs from which exhibits are made.

use neurogauge::Error;
use neurogauge::formats::json;
use neurogauge::report::Table;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The kinds of records, and the file of each in a run's folder.
const KINDS: [(&str, &str); 9] = [
    ("align", "align.json"),
    ("paper", "paper.json"),
    ("stimuli", "stimuli.json"),
    ("compare", "compare.json"),
    ("study", "study.json"),
    ("meta", "meta.json"),
    ("audit", "audit.json"),
    ("run", "run.json"),
    ("runs", ""),
];

/// Records by kind; a kind without one is null, and exhibits of it are absent. `runs` is a list.
#[derive(Debug, Clone)]
pub struct Records {
    records: Map<String, Value>,
    /// Tables that the command made itself, by their names.
    tables: BTreeMap<String, Table>,
}

impl Default for Records {
    fn default() -> Self {
        Records {
            records: KINDS.iter().map(|(kind, _)| ((*kind).to_owned(), Value::Null)).collect(),
            tables: BTreeMap::new(),
        }
    }
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

    /// Adds tables that the command made itself, by the names that exhibits give as `table`.
    #[must_use]
    pub fn with_tables(mut self, tables: BTreeMap<String, Table>) -> Records {
        self.tables = tables;
        self
    }

    pub(crate) fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name)
    }

    /// The records in the folder of a finished command.
    ///
    /// # Errors
    /// A file is not JSON, or the folder has no record.
    pub fn read(folder: &Path) -> Result<Records, Error> {
        let mut records = Records::default();
        for (kind, file) in KINDS.iter().filter(|(_, file)| !file.is_empty()) {
            let path = folder.join(file);
            if path.exists() {
                records.records.insert((*kind).to_owned(), json::read(&path)?);
            }
        }
        match records.records.values().all(Value::is_null) {
            true => Err(Error::Usage(format!(
                "{}: no record of a finished command, such as align.json or study.json; give the folder that a command \
                 wrote with --out",
                folder.display()
            ))),
            false => Ok(records),
        }
    }

    pub(crate) fn all(&self) -> &Map<String, Value> {
        &self.records
    }
}
