//! Stores rows of numbers: matrices with the keys of their rows.

use super::{ContentKey, Store};
use crate::stored_array::StoredArray;
use crate::{FormatError, IoResult, content_hash, json, npy};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const KEYS: &str = ".keys.json";

/// `<name>.keys.json`, next to `<name>.npy`: how the matrix was made, and the content of each row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowKeys<M> {
    pub made: M,
    /// The key of each row, in order; for features, the SHA-256 of the image.
    #[serde(rename = "image_sha256")]
    pub rows: Vec<String>,
    /// SHA-256 of the matrix's file, which shows that the file is unchanged; `None` while unfinished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix_sha256: Option<String>,
}

/// Does the matrix at `path` have the recorded SHA-256?
pub(super) fn is_as_recorded(path: &Path, sha256: Option<&str>) -> bool {
    sha256.is_none_or(|sha256| content_hash::of_file(path).is_ok_and(|found| found == sha256))
}

/// The rows of all matrices of a folder with the same recipe.
///
/// A finished matrix is never modified, so each writer adds its own, and any number of processes may write.
#[derive(Debug)]
pub struct Matrices<M> {
    folder: Option<PathBuf>,
    made: M,
    /// Other values of `made` that give the same rows.
    equal: Vec<M>,
    segments: Vec<Segment>,
    row_of: HashMap<String, (usize, u64)>,
}

#[derive(Debug)]
struct Segment {
    path: PathBuf,
    array: StoredArray,
    n_rows: usize,
    n_features: u64,
    sha256: Option<String>,
    /// Does the file have the recorded bytes? Known once checked.
    is_sound: OnceLock<bool>,
}

impl Segment {
    /// Reads the file once, before any row is used.
    fn is_sound(&self) -> bool {
        *self.is_sound.get_or_init(|| is_as_recorded(&self.path, self.sha256.as_deref()))
    }
}

impl<M: Clone + PartialEq + Serialize + DeserializeOwned> Matrices<M> {
    /// The matrices in `folder`, if given, that were made in this way or in ways that give equal rows.
    pub fn open(folder: Option<PathBuf>, made: M, equal: Vec<M>) -> Self {
        let mut matrices = Matrices {
            folder,
            made,
            equal,
            segments: Vec::new(),
            row_of: HashMap::new(),
        };
        let paths = matrices.folder.as_ref().and_then(|f| fs::read_dir(f).ok()).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = paths.map(|entry| entry.path()).collect();
        paths.sort();
        for keys in paths {
            let name = keys.file_name().unwrap_or_default().to_string_lossy();
            if let Some(name) = name.strip_suffix(KEYS) {
                matrices.add(&keys.with_file_name(format!("{name}.npy")), &keys);
            }
        }
        matrices
    }

    /// Adds a matrix at another path, unless it is damaged or was made differently. Returns whether it was added.
    pub fn add(&mut self, matrix: &Path, keys: &Path) -> bool {
        let Ok(RowKeys {
            made,
            rows,
            matrix_sha256,
        }) = json::read::<RowKeys<M>>(keys)
        else {
            return false;
        };
        if made != self.made && !self.equal.contains(&made) {
            return false;
        }
        let Ok(array) = npy::open(matrix) else {
            return false;
        };
        let &[n_rows, n_features] = array.shape() else {
            return false;
        };
        if n_rows != rows.len() as u64 {
            return false;
        }
        let place = self.segments.len();
        for (row, key) in rows.into_iter().zip(0..) {
            self.row_of.entry(row).or_insert((place, key));
        }
        self.segments.push(Segment {
            path: matrix.to_owned(),
            array,
            n_rows: n_rows as usize,
            n_features,
            sha256: matrix_sha256,
            is_sound: OnceLock::new(),
        });
        true
    }

    /// Is there a row with this key, in an undamaged matrix?
    pub fn has(&self, key: &str) -> bool {
        self.place_of(key).is_some()
    }

    fn place_of(&self, key: &str) -> Option<(&Segment, u64)> {
        let (segment, row) = self.row_of.get(key)?;
        let segment = &self.segments[*segment];
        segment.is_sound().then_some((segment, *row))
    }

    /// Number of values in a row, if there are rows.
    pub fn n_features(&self) -> Option<usize> {
        Some(self.segments.iter().find(|segment| segment.is_sound())?.n_features as usize)
    }

    pub fn row(&self, key: &str) -> Result<Option<Vec<f32>>, FormatError> {
        let Some((segment, row)) = self.place_of(key) else {
            return Ok(None);
        };
        let n = segment.n_features;
        segment.array.read_f32_at(row * n, n).map(Some)
    }

    /// A matrix with exactly these rows in this order, and its SHA-256 if recorded.
    pub fn whole(&self, rows: &[&str]) -> Option<(&Path, Option<&str>)> {
        let (segment, _) = self.place_of(rows.first()?)?;
        let is_whole = segment.n_rows == rows.len()
            && rows.iter().zip(0..).all(|(row, place)| {
                self.row_of.get(*row).is_some_and(|(s, p)| self.segments[*s].path == segment.path && *p == place)
            });
        is_whole.then_some((segment.path.as_path(), segment.sha256.as_deref()))
    }

    /// Adds a complete matrix at another path through a hard link. If the file system has no hard links, it is not
    /// added, since a copy would need twice the space.
    pub fn adopt(&mut self, matrix: &Path, rows: Vec<String>) -> Result<(), FormatError> {
        let Some(path) = self.path_of(&rows)? else {
            return Ok(());
        };
        let folder = path.parent().unwrap_or(&path);
        match fs::create_dir_all(folder).and_then(|()| fs::hard_link(matrix, &path)) {
            Ok(()) => self.finish(&path, rows),
            Err(_) => Ok(()),
        }
    }

    /// The keys are written last, since a matrix without keys does not count.
    fn finish(&mut self, path: &Path, rows: Vec<String>) -> Result<(), FormatError> {
        let keys = RowKeys {
            made: self.made.clone(),
            rows,
            matrix_sha256: Some(content_hash::of_file(path)?),
        };
        let keys_path = path.with_extension(&KEYS[1..]);
        json::write(&keys_path, &keys)?;
        self.add(path, &keys_path);
        Ok(())
    }

    /// The path of a matrix with these rows, which depends on its content.
    fn path_of(&self, rows: &[String]) -> Result<Option<PathBuf>, FormatError> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let name = name_of(&self.made, &rows)?;
        Ok(Some(folder.join(format!("{name}.npy"))))
    }
}

/// The name in a store of a matrix with these rows, equal in every process.
pub fn name_of(made: &impl Serialize, rows: &[&str]) -> Result<String, FormatError> {
    let made = super::recipe_text("a matrix", made)?;
    let mut name = content_hash::of_bytes(format!("{made}\n{}", rows.join("\n")).as_bytes());
    name.truncate(32);
    Ok(name)
}

impl<M: Clone + PartialEq + Serialize + DeserializeOwned> Store<Vec<f32>> for Matrices<M> {
    fn holds(&self, key: &ContentKey) -> bool {
        self.has(key.as_str())
    }

    fn get(&self, key: &ContentKey) -> Result<Option<Vec<f32>>, FormatError> {
        self.row(key.as_str())
    }

    /// Adds a matrix with these rows, which must have equal lengths.
    fn keep(&mut self, entries: Vec<(ContentKey, Vec<f32>)>) -> Result<(), FormatError> {
        let Some((_, first)) = entries.first() else {
            return Ok(());
        };
        let shape = [entries.len() as u64, first.len() as u64];
        let rows: Vec<String> = entries.iter().map(|(key, _)| key.as_str().to_owned()).collect();
        let Some(path) = self.path_of(&rows)? else {
            return Ok(());
        };
        npy::write_f32(&path, &shape, &entries.into_iter().flat_map(|(_, row)| row).collect::<Vec<_>>())?;
        self.finish(&path, rows)
    }
}

/// Makes a hard link, or a copy: a matrix is only replaced as a whole, never modified.
pub(super) fn link_or_copy(from: &Path, to: &Path) -> Result<(), FormatError> {
    let linked = fs::hard_link(from, to).or_else(|_| {
        let part = to.with_extension("part");
        fs::copy(from, &part)?;
        fs::rename(part, to)
    });
    linked.when("writing", to)
}
