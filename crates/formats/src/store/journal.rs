//! Short values (texts, graphs, scores of pairs), stored as they arrive.
//!
//! One JSON object per line: `{"key": ..., "value": ..., "sum": ...}` or `{"key": ..., "undefined": ..., "sum": ...}`.
//! The sum is the first eight digits of the SHA-256 of the line without it; lines with a wrong sum or none are ignored.
//! The next process that writes removes an incomplete last line.

use super::{ContentKey, Store};
use crate::atomic_file::refuse_link;
use crate::{FormatError, IoResult, Problem, content_hash};
use neurogauge_core::Undefined;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A journal of values, or of reasons for missing ones.
///
/// `<name>.jsonl` is its first segment, `<name>.2.jsonl` the next. A writing process has a lock on its segment, so a
/// second process begins another one; after both end, the first segment is used again.
#[derive(Debug)]
pub struct Journal<V = f64> {
    path: PathBuf,
    file: File,
    known: HashMap<ContentKey, Result<V, Undefined>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<V> {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<V>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<Undefined>,
}

impl<V: Clone + Serialize + DeserializeOwned> Journal<V> {
    /// Opens or creates the journal `<name>.jsonl` and reads its segments. Segments of other users that this user may
    /// not write to are only read; those that this user may not read count as missing.
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).when("creating the folder of", path)?;
        }
        let mut own = None;
        let mut known = HashMap::new();
        for number in 1.. {
            let segment = segment(path, number);
            if own.is_some() && !segment.exists() {
                break;
            }
            if own.is_none() {
                refuse_link(&segment)?;
                match OpenOptions::new().create(true).append(true).open(&segment) {
                    Ok(file) => {
                        let locked = file.try_lock();
                        // On a file system without locks, a single writer is assumed.
                        if !matches!(locked, Err(TryLockError::WouldBlock)) {
                            own = Some((segment.clone(), file, locked.is_ok()));
                        }
                    }
                    Err(error) if is_of_another_user(&error) && segment.exists() => {}
                    Err(source) => return Err(source).when("opening", &segment),
                }
            }
            let bytes = read_segment(&segment)?;
            read_lines(&bytes, &mut known);
            let torn = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or(&[]);
            if let Some((path, file, is_locked)) = &mut own
                && *path == segment
                && !torn.is_empty()
            {
                // Without locks, another process may still be writing this line.
                let mended = match *is_locked && read_line::<V>(torn).is_none() {
                    true => file.set_len((bytes.len() - torn.len()) as u64),
                    false => file.write_all(b"\n"),
                };
                mended.when("writing", path)?;
            }
        }
        let (path, file, _) =
            own.ok_or_else(|| Problem::not_found("a segment that no other process writes to").at(path))?;
        Ok(Journal { path, file, known })
    }

    /// Reads the outcomes in the journal's segments without opening any for writing.
    pub fn outcomes(path: &Path) -> Result<HashMap<ContentKey, Result<V, Undefined>>, FormatError> {
        let mut known = HashMap::new();
        for segment in (1..).map(|number| segment(path, number)).take_while(|segment| segment.exists()) {
            read_lines(&read_segment(&segment)?, &mut known);
        }
        Ok(known)
    }

    /// The outcome recorded under a key.
    pub fn outcome(&self, key: &ContentKey) -> Option<&Result<V, Undefined>> {
        self.known.get(key)
    }

    /// Records outcomes. When this returns, the operating system has them, so they survive the end of this process,
    /// even a crash; they reach the disk when the journal is dropped.
    ///
    /// # Errors
    /// A value cannot be written as JSON; a segment cannot be written to.
    pub fn record(&mut self, entries: Vec<(ContentKey, Result<V, Undefined>)>) -> Result<(), FormatError> {
        let mut text = String::new();
        for (key, outcome) in &entries {
            let line = Line {
                key: key.as_str().to_owned(),
                value: outcome.as_ref().ok(),
                undefined: outcome.as_ref().err().cloned(),
            };
            text.push_str(&with_sum(&super::recipe_text("a journal's line", &line)?));
            text.push('\n');
        }
        self.file.write_all(text.as_bytes()).when("writing", &self.path)?;
        self.known.extend(entries);
        Ok(())
    }
}

impl<V: Clone + Serialize + DeserializeOwned> Store<V> for Journal<V> {
    fn holds(&self, key: &ContentKey) -> bool {
        self.known.contains_key(key)
    }

    fn get(&self, key: &ContentKey) -> Result<Option<V>, FormatError> {
        Ok(self.known.get(key).and_then(|outcome| outcome.as_ref().ok().cloned()))
    }

    fn keep(&mut self, entries: Vec<(ContentKey, V)>) -> Result<(), FormatError> {
        let entries = entries.into_iter().map(|(key, value)| (key, Ok(value)));
        self.record(entries.collect())
    }
}

impl<V> Drop for Journal<V> {
    fn drop(&mut self) {
        // If this fails, values lost in a power cut are computed again.
        let _ = self.file.sync_data();
    }
}

/// The text before and after a line's sum.
const SUM: (&str, &str) = (",\"sum\":\"", "\"}");
const SUM_DIGITS: usize = 8;

fn with_sum(line: &str) -> String {
    let sum = content_hash::of_bytes(line.as_bytes());
    let open = line.strip_suffix('}').unwrap_or(line);
    format!("{open}{}{}{}", SUM.0, &sum[..SUM_DIGITS], SUM.1)
}

/// A line without its sum, if the sum is right.
fn checked(line: &[u8]) -> Option<String> {
    let n = SUM.0.len() + SUM_DIGITS + SUM.1.len();
    let open = &line[..line.len().checked_sub(n)?];
    let whole = String::from_utf8([open, b"}"].concat()).ok()?;
    (with_sum(&whole).as_bytes() == line).then_some(whole)
}

fn segment(path: &Path, number: usize) -> PathBuf {
    match number {
        1 => path.to_owned(),
        _ => path.with_extension(format!("{number}.jsonl")),
    }
}

/// The bytes of a segment; none if it belongs to another user who protects it.
fn read_segment(path: &Path) -> Result<Vec<u8>, FormatError> {
    match std::fs::read(path) {
        Err(error) if is_of_another_user(&error) => Ok(Vec::new()),
        read => read.when("reading", path),
    }
}

fn is_of_another_user(error: &std::io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied
}

fn read_lines<V: DeserializeOwned>(bytes: &[u8], known: &mut HashMap<ContentKey, Result<V, Undefined>>) {
    known.extend(bytes.split(|byte| *byte == b'\n').filter_map(read_line));
}

fn read_line<V: DeserializeOwned>(line: &[u8]) -> Option<(ContentKey, Result<V, Undefined>)> {
    let line: Line<V> = serde_json::from_str(&checked(line)?).ok()?;
    let outcome = match (line.value, line.undefined) {
        (Some(value), None) => Ok(value),
        (None, Some(reason)) => Err(reason),
        _ => return None,
    };
    Some((ContentKey::read(line.key), outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::Side;

    fn key(text: &str) -> ContentKey {
        ContentKey::read(text.to_owned())
    }

    #[test]
    fn what_was_recorded_is_known_after_a_crash_in_the_middle_of_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let constant = Undefined::Constant(Side::Recon);
        let mut journal = Journal::<f64>::open(&path).unwrap();
        journal.record(vec![(key("a"), Ok(0.1 + 0.2)), (key("b"), Err(constant.clone()))]).unwrap();
        drop(journal);
        let mut torn = std::fs::read(&path).unwrap();
        torn.extend_from_slice(b"{\"key\":\"c\",\"val");
        std::fs::write(&path, torn).unwrap();

        let mut journal = Journal::<f64>::open(&path).unwrap();
        assert_eq!(journal.outcome(&key("a")), Some(&Ok(0.1 + 0.2)));
        assert_eq!(journal.outcome(&key("b")), Some(&Err(constant)));
        assert_eq!(journal.outcome(&key("c")), None);
        journal.record(vec![(key("c"), Ok(1.0))]).unwrap();
        drop(journal);
        assert_eq!(Journal::<f64>::open(&path).unwrap().outcome(&key("c")), Some(&Ok(1.0)));
    }

    #[test]
    fn a_crash_anywhere_in_a_line_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let entries = || vec![(key("a"), Ok(0.25)), (key("b"), Ok(0.5))];
        Journal::open(&path).unwrap().record(entries()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::<f64>::open(&path).unwrap();
            let unknown: Vec<_> = entries().into_iter().filter(|(key, _)| journal.outcome(key).is_none()).collect();
            journal.record(unknown).unwrap();
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut after {length}");
        }
    }

    #[test]
    fn a_damaged_line_is_unknown_and_so_is_one_without_a_sum() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        let mut journal = Journal::<f64>::open(&path).unwrap();
        journal.record(vec![(key("a"), Ok(0.25)), (key("b"), Ok(0.5))]).unwrap();
        drop(journal);
        let text = std::fs::read_to_string(&path).unwrap();
        for (place, _) in text.char_indices().filter(|(_, c)| *c != '\n') {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let journal = Journal::<f64>::open(&path).unwrap();
            let found = ["a", "b"].map(|name| journal.outcome(&key(name)).cloned());
            let n_right = [found[0] == Some(Ok(0.25)), found[1] == Some(Ok(0.5))];
            assert_eq!(n_right.iter().filter(|right| **right).count(), 1, "byte {place}: {found:?}");
            assert_eq!(journal.known.len(), 1, "byte {place}");
        }
        std::fs::write(&path, "{\"key\":\"a\",\"value\":1.5}\n").unwrap();
        assert_eq!(Journal::<f64>::open(&path).unwrap().outcome(&key("a")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_in_the_place_of_a_journal_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (dir.path().join("journal.jsonl"), dir.path().join("precious"));
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        let error = Journal::<f64>::open(&path).unwrap_err().to_string();
        assert!(error.contains("symbolic link"), "{error}");
        assert!(!elsewhere.exists());
    }

    #[test]
    fn two_writers_have_a_segment_each_and_readers_find_both() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("model.jsonl");
        let mut first = Journal::<String>::open(&path).unwrap();
        let mut second = Journal::<String>::open(&path).unwrap();
        for (journal, name) in [(&mut first, "a"), (&mut second, "b")] {
            journal.keep(vec![(key(name), name.to_owned())]).unwrap();
        }
        drop((first, second));
        let mut names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
        names.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
        let names = names.into_iter().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["model.2.jsonl", "model.jsonl"]);
        let third = Journal::<String>::open(&path).unwrap();
        assert_eq!(third.path, path);
        for name in ["a", "b"] {
            assert_eq!(third.get(&key(name)).unwrap().as_deref(), Some(name));
        }
    }
}
