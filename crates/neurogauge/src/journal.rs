//! What took long to compute (scores, captions), kept as they come, so that nothing is computed twice.
//!
//! One JSON object per line: `{"key": ..., "value": ...}` or `{"key": ..., "undefined": ...}`. A key
//! is a hash of everything that decides the value: the images, the metric or the model, its options. A
//! line torn by a crash is ignored.

use crate::dataset::hash_bytes;
use neurogauge_core::Undefined;
use neurogauge_formats::FormatError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A journal of values, or of the reasons why there is none.
pub(crate) struct Journal<V = f64> {
    path: PathBuf,
    file: File,
    known: HashMap<String, Result<V, Undefined>>,
}

#[derive(Serialize, Deserialize)]
struct Line<V> {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<V>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undefined: Option<Undefined>,
}

impl<V: Clone + Serialize + DeserializeOwned> Journal<V> {
    /// Opens or creates the journal and reads what it holds.
    pub(crate) fn open(path: &Path) -> Result<Self, FormatError> {
        let failed = |action| {
            move |source| FormatError::Io {
                path: path.to_owned(),
                action,
                source,
            }
        };
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed("reading")(error)),
        };
        let mut known = HashMap::new();
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(Line {
                    key,
                    value: Some(value),
                    undefined: None,
                }) => {
                    known.insert(key, Ok(value));
                }
                Ok(Line {
                    key,
                    value: None,
                    undefined: Some(reason),
                }) => {
                    known.insert(key, Err(reason));
                }
                _ => {}
            }
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed("creating the folder of"))?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(failed("opening"))?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed("writing"))?;
        }
        Ok(Journal {
            path: path.to_owned(),
            file,
            known,
        })
    }

    /// The outcome recorded under a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Result<V, Undefined>> {
        self.known.get(key)
    }

    /// The value recorded under a key, if there is a key.
    pub(crate) fn value(&self, key: Option<String>) -> Option<V> {
        self.get(&key?)?.as_ref().ok().cloned()
    }

    /// Records outcomes; they are on disk when this returns.
    pub(crate) fn record(
        &mut self,
        entries: Vec<(String, Result<V, Undefined>)>,
    ) -> Result<(), FormatError> {
        let mut text = String::new();
        for (key, outcome) in &entries {
            let line = Line {
                key: key.clone(),
                value: outcome.as_ref().ok().cloned(),
                undefined: outcome.as_ref().err().cloned(),
            };
            text.push_str(&serde_json::to_string(&line).unwrap_or_default());
            text.push('\n');
        }
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.flush())
            .map_err(|source| FormatError::Io {
                path: self.path.clone(),
                action: "writing",
                source,
            })?;
        self.known.extend(entries);
        Ok(())
    }
}

/// The key of a value that all these parts decide.
pub(crate) fn key(parts: &[&str]) -> String {
    let mut key = hash_bytes(parts.join("\n").as_bytes());
    key.truncate(32);
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::Side;

    #[test]
    fn what_was_recorded_is_known_after_a_crash_in_the_middle_of_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let constant = Undefined::Constant(Side::Recon);
        let mut journal = Journal::<f64>::open(&path).unwrap();
        journal
            .record(vec![
                ("a".into(), Ok(0.1 + 0.2)),
                ("b".into(), Err(constant.clone())),
            ])
            .unwrap();
        drop(journal);
        let mut torn = std::fs::read(&path).unwrap();
        torn.extend_from_slice(b"{\"key\":\"c\",\"val");
        std::fs::write(&path, torn).unwrap();

        let mut journal = Journal::<f64>::open(&path).unwrap();
        assert_eq!(journal.get("a"), Some(&Ok(0.1 + 0.2)));
        assert_eq!(journal.get("b"), Some(&Err(constant)));
        assert_eq!(journal.get("c"), None);
        journal.record(vec![("c".into(), Ok(1.0))]).unwrap();
        drop(journal);
        assert_eq!(
            Journal::<f64>::open(&path).unwrap().get("c"),
            Some(&Ok(1.0))
        );
    }
}
