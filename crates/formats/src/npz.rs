//! `.npz`: a zip archive of `.npy` files, written by `np.savez` or `np.savez_compressed`.

use crate::budget::Budget;
use crate::element::ElementType;
use crate::parser_words::of_decoder;
use crate::positioned_file::PositionedFile;
use crate::regular_file;
use crate::stored_array::StoredArray;
use crate::{AtPath, FormatError, IoResult, Problem, npy};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// The most bytes of memory per byte of an archive. Deflate reaches a ratio of up to 1032, but only for zeros.
const PER_BYTE: u64 = 100;

/// An open archive.
pub(crate) struct Npz {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    budget: Budget,
}

impl Npz {
    /// Opens an archive; `expected` describes the file for errors.
    pub(crate) fn open(path: &Path, expected: &str) -> Result<Npz, FormatError> {
        let file = regular_file::open(path).when_expecting("opening", path, expected)?;
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(path, &error))?;
        // Of several members with one name, the archive keeps the last.
        let n_listed = listed(path, archive.comment().len())?;
        if n_listed != u16::MAX && usize::from(n_listed) != archive.len() {
            let reason = format!("its {n_listed} arrays have {} names; expected a name for each", archive.len());
            return Err(malformed(path, reason));
        }
        Ok(Npz {
            path: path.to_owned(),
            archive,
            budget: Budget::of_file(path, PER_BYTE),
        })
    }

    /// The names of the arrays, in the order of the archive.
    pub(crate) fn names(&mut self) -> Result<Vec<String>, FormatError> {
        let mut names: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        for index in 0..self.archive.len() {
            let failed = |error| damaged(&self.path, &error);
            let entry = self.archive.by_index_raw(index).map_err(failed)?;
            let name = entry.name().map_err(|error| damaged(&self.path, &error))?;
            let name = name.strip_suffix(".npy").unwrap_or(&name).to_owned();
            if !known.insert(name.clone()) {
                return Err(malformed(&self.path, format!("two arrays are called {name:?}")));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// The shape of array number `index` and the type of its elements, from its header; `None` for elements that are no
    /// numbers.
    pub(crate) fn shape(&mut self, index: usize, name: &str) -> Result<(Vec<u64>, Option<ElementType>), FormatError> {
        let entry = self.archive.by_index(index).map_err(|error| damaged(&self.path, &error))?;
        let mut start = Vec::new();
        let read = entry.take(npy::MAX_HEADER_BYTES).read_to_end(&mut start);
        read.map_err(|error| malformed(&self.path, format!("not a readable .npz file: {}", of_decoder(error))))?;
        let header = npy::header_of_start(&self.path, name, &start)?;
        Ok((header.shape, npy::element_of(&header.dtype).map(|(element, _)| element)))
    }

    /// The whole numbers or texts of a list, as text; `None` for other elements.
    pub(crate) fn texts(&mut self, index: usize, name: &str) -> Result<Option<Vec<String>>, FormatError> {
        if let (_, Some(_)) = self.shape(index, name)? {
            return self.array(index, name)?.whole_numbers();
        }
        let entry = self.archive.by_index(index).map_err(|error| damaged(&self.path, &error))?;
        let bytes = self.budget.read(entry, &self.path, &format!("the array {name:?}"))?;
        Ok(npy::texts(&bytes))
    }

    /// Array number `index`, inflated into memory; `name` is for messages.
    pub(crate) fn array(&mut self, index: usize, name: &str) -> Result<StoredArray, FormatError> {
        let path = &self.path;
        let entry = self.archive.by_index(index).map_err(|error| damaged(path, &error))?;
        let place = format!("the array {name:?}");
        // This comes before inflating; a wrong size is found below.
        self.budget.clone().spend(entry.size()).map_err(|exceeded| exceeded.of(path, place.clone()))?;
        npy::of_bytes(path, name, self.budget.read(entry, path, &place)?)
    }
}

/// One array of a file: the named or the only one.
pub(crate) fn array(path: &Path, name: Option<&str>) -> Result<StoredArray, FormatError> {
    let mut npz = Npz::open(path, "an .npz file of arrays")?;
    let names = npz.names()?;
    let index = match (name, names.as_slice()) {
        (None, [_]) => Ok(0),
        (None, _) => Err(Problem::several_arrays(path, &names)),
        (Some(name), _) => {
            names.iter().position(|known| known == name).ok_or_else(|| Problem::no_such("array", name, &names))
        }
    };
    let index = index.at(path)?;
    npz.array(index, &names[index])
}

/// The number of members stated at the end of an archive, before its comment.
fn listed(path: &Path, comment: usize) -> Result<u16, FormatError> {
    let file = PositionedFile::open(path)?;
    let end = file.len().saturating_sub(22 + comment as u64);
    let bytes = file.read(end + 10, 2, "the number of arrays")?;
    Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn malformed(path: &Path, reason: String) -> FormatError {
    Problem::new(reason).at(path)
}

fn damaged(path: &Path, error: &ZipError) -> FormatError {
    malformed(path, format!("not a readable .npz file: {}", of_decoder(error)))
}
