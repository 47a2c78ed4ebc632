//! A numeric array from a file of any supported format.

use crate::budget::room;
use crate::element::ElementType;
use crate::hdf5::Dataset;
use crate::member::split_member;
use crate::stored_array::{StoredArray, element_count};
use crate::{FormatError, Problem, mat, npy, npz, pt};
use neurogauge_core::first_names;
use std::path::{Path, PathBuf};

/// An array that has been found but not yet read.
#[derive(Debug)]
pub struct ArrayFile(FoundArray);

#[derive(Debug)]
enum FoundArray {
    Stored(StoredArray),
    Hdf5(Dataset),
}

/// Finds an array by the ending of its file.
///
/// | file | array |
/// |---|---|
/// | `file.npy` (and any other ending) | the file's |
/// | `file.npz`, `file.npz:name` | the only one, or the one of that name; stored or deflated, inflated into memory |
/// | `file.h5:/group/name`, `file.hdf5:/name` | the dataset, in builds with the feature `hdf5`; the only one at the root needs no name |
/// | `file.mat`, `file.mat:name` | the only matrix of real numbers, or that of the name; version 7.3 in builds with `hdf5` |
/// | `file.pt`, `file.pt:key` | the only tensor, or that of the key |
///
/// `#` may be used instead of `:`.
///
/// # Errors
/// A name that the file does not have; several arrays and no name, with the existing names; a build without HDF5;
/// errors of each format.
pub fn open(path: &Path) -> Result<ArrayFile, FormatError> {
    let (file, name) = split_member(path);
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    Ok(ArrayFile(match ending.to_str() {
        Some("npz") => FoundArray::Stored(npz::array(&file, name.as_deref())?),
        Some("h5" | "hdf5") => FoundArray::Hdf5(Dataset::open(&file, name.as_deref())?),
        Some("mat") => FoundArray::Stored(mat::array(&file, name.as_deref())?),
        Some("pt") => FoundArray::Stored(tensor(&file, name)?),
        _ => FoundArray::Stored(npy::open(&file)?),
    }))
}

/// The name of an array: its name in the file, or else the file's name without its extension.
pub fn name_of(path: &Path) -> String {
    let (file, name) = split_member(path);
    match name {
        Some(name) => name.trim_start_matches('/').to_owned(),
        None => file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// Distinct names of several arrays: [`name_of`] each, preceded by as much of the path as is needed to distinguish
/// equal names. Arrays with the same path keep the same name.
///
/// ```
/// use neurogauge_formats::array_file::names_of;
/// let paths = ["net/a.npz:trained", "net/b.npz:trained", "net/c.npy"].map(Into::into);
/// assert_eq!(names_of(&paths), ["a/trained", "b/trained", "c"]);
/// ```
pub fn names_of(paths: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<String>> = paths.iter().map(|path| parts_of(path)).collect();
    let mut lengths = vec![1; paths.len()];
    loop {
        let names: Vec<String> = (parts.iter().zip(&lengths))
            .map(|(parts, &n)| parts.iter().take(n).rev().map(String::as_str).collect::<Vec<_>>().join("/"))
            .collect();
        let is_twice = |place: usize| {
            let others = (0..names.len()).filter(|&other| paths[other] != paths[place]);
            others.into_iter().any(|other| names[other] == names[place])
        };
        let longer: Vec<usize> =
            (0..names.len()).filter(|&place| lengths[place] < parts[place].len() && is_twice(place)).collect();
        if longer.is_empty() {
            return names;
        }
        longer.into_iter().for_each(|place| lengths[place] += 1);
    }
}

/// An array's name, then the parts of its path, the nearest first.
fn parts_of(path: &Path) -> Vec<String> {
    let (file, name) = split_member(path);
    let mut parts = vec![name_of(path)];
    if name.is_some() {
        parts.push(name_of(&file));
    }
    let folders = file.parent().into_iter().flat_map(Path::components).rev();
    parts.extend(folders.map(|folder| folder.as_os_str().to_string_lossy().into_owned()));
    parts
}

impl ArrayFile {
    /// The file that contains it, without the name of the array.
    pub fn path(&self) -> &Path {
        match &self.0 {
            FoundArray::Stored(array) => array.path(),
            FoundArray::Hdf5(array) => array.path(),
        }
    }

    /// Sizes of the axes; empty for a single value.
    pub fn shape(&self) -> &[u64] {
        match &self.0 {
            FoundArray::Stored(array) => array.shape(),
            FoundArray::Hdf5(array) => array.shape(),
        }
    }

    pub fn element_type(&self) -> ElementType {
        match &self.0 {
            FoundArray::Stored(array) => array.element_type(),
            FoundArray::Hdf5(array) => array.element_type(),
        }
    }

    /// Does an axis have size 0?
    pub fn is_empty(&self) -> bool {
        element_count(self.shape()) == Some(0)
    }

    /// All values, in C order.
    pub fn read_f32(&self) -> Result<Vec<f32>, FormatError> {
        match &self.0 {
            FoundArray::Stored(array) => array.read_f32_at(0, array.len()),
            FoundArray::Hdf5(array) => array.read_f32(),
        }
    }

    /// Some rows of a matrix, one after another; the others are not read.
    ///
    /// # Errors
    /// The matrix does not have a row; the file is damaged or cannot be read.
    pub fn read_rows_f64(&self, rows: &[usize]) -> Result<Vec<f64>, FormatError> {
        let width = self.shape().get(1).copied().unwrap_or(1);
        let n_values = rows.len().saturating_mul(width as usize);
        let mut values = room(n_values, self.path(), "rows of a matrix")?;
        for run in rows.chunk_by(|one, next| one + 1 == *next) {
            let (first, n) = (run[0], run.len());
            values.extend(match &self.0 {
                FoundArray::Stored(array) => {
                    array.read_f64_at((first as u64).saturating_mul(width), n as u64 * width)?
                }
                FoundArray::Hdf5(array) => array.read_block(&[first..first + n, 0..width as usize])?,
            });
        }
        Ok(values)
    }

    /// Like [`Self::read_f32`], in double precision.
    pub fn read_f64(&self) -> Result<Vec<f64>, FormatError> {
        match &self.0 {
            FoundArray::Stored(array) => array.read_f64_at(0, array.len()),
            FoundArray::Hdf5(array) => array.read_f64(),
        }
    }
}

fn tensor(file: &Path, key: Option<String>) -> Result<StoredArray, FormatError> {
    if let Some(key) = key {
        return pt::open_key(file, &key);
    }
    let tensors = pt::open(file)?;
    let keys = || tensors.iter().filter_map(|tensor| tensor.name.clone());
    match tensors.as_slice() {
        [one] => Ok(one.array.clone()),
        several => {
            let found = format!("{} tensors ({})", several.len(), first_names(&keys().collect::<Vec<_>>()));
            Err(Problem::content(found, format!("one tensor; choose it as {}#name", file.display())).at(file))
        }
    }
}
