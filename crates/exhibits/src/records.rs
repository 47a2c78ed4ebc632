//! The records of runs from which exhibits are made.

use neurogauge::Error;
use neurogauge::report::Table;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The kinds of records.
const KINDS: [&str; 6] = ["align", "paper", "stimuli", "compare", "study", "meta"];

/// Records by kind; a kind without one is null, and exhibits of it are absent.
#[derive(Debug, Clone)]
pub struct Records {
    records: Map<String, Value>,
    /// Tables that the command made itself, by their names.
    tables: BTreeMap<String, Table>,
}

impl Default for Records {
    fn default() -> Self {
        Records {
            records: KINDS.iter().map(|kind| ((*kind).to_owned(), Value::Null)).collect(),
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

    pub(crate) fn all(&self) -> &Map<String, Value> {
        &self.records
    }
}
