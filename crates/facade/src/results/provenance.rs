//! The provenance of a record's numbers.

use crate::Error;
use neurogauge_formats::content_hash;
use neurogauge_formats::input_record::InputRecord;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// The first fields of every record. Options follow, as `request` or `config`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    pub schema: u32,
    /// The command that wrote the record, such as `meta`.
    pub command: Cow<'static, str>,
    pub versions: BTreeMap<String, String>,
    /// What was read, with hashes.
    pub inputs: Vec<InputRecord>,
    /// The seed of all random draws.
    pub seed: Option<u64>,
}

impl Provenance {
    /// A provenance of this program, without inputs.
    pub fn new(schema: u32, command: &'static str, seed: Option<u64>) -> Self {
        Provenance {
            schema,
            command: command.into(),
            versions: Provenance::versions(),
            inputs: Vec::new(),
            seed,
        }
    }

    /// The program's versions, in the form of every record.
    pub fn versions() -> BTreeMap<String, String> {
        let platform = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
        BTreeMap::from([
            ("neurogauge".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("platform".to_owned(), platform),
        ])
    }

    /// Adds a file, with the SHA-256 of its bytes.
    pub fn read(&mut self, role: impl Into<String>, path: &Path) -> Result<(), Error> {
        let sha256 = content_hash::of_file(path)?;
        self.knows(role, path.display().to_string(), "file", sha256);
        Ok(())
    }

    /// Adds an input that is already hashed.
    pub(crate) fn knows(&mut self, role: impl Into<String>, path: String, form: &str, sha256: String) {
        self.inputs.push(InputRecord {
            role: role.into(),
            path,
            form: form.to_owned(),
            decoder: None,
            sha256,
            items: Vec::new(),
        });
    }
}
