//! Files that several threads read at the same time, by position.

use crate::budget::{collect, room};
use crate::regular_file;
use crate::{FormatError, IoResult, Problem};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that several threads read by position.
#[derive(Debug)]
pub(crate) struct PositionedFile {
    path: PathBuf,
    file: File,
    len: u64,
    #[cfg(not(unix))]
    cursor: std::sync::Mutex<()>,
}

impl PositionedFile {
    pub(crate) fn open(path: &Path) -> Result<Self, FormatError> {
        let file = regular_file::open(path).when("opening", path)?;
        let len = file.metadata().when("opening", path)?.len();
        Ok(PositionedFile {
            path: path.to_owned(),
            file,
            len,
            #[cfg(not(unix))]
            cursor: std::sync::Mutex::new(()),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Reads `n` bytes from `offset`; nothing is allocated beyond the end of the file.
    pub(crate) fn read(&self, offset: u64, n: u64, place: &str) -> Result<Vec<u8>, FormatError> {
        let end = offset.checked_add(n).filter(|&end| end <= self.len);
        let (Some(_), Ok(length)) = (end, usize::try_from(n)) else {
            return Err(Problem::truncated(place, n, self.len.saturating_sub(offset)).at(&self.path));
        };
        let mut bytes = room(length, &self.path, place)?;
        bytes.resize(length, 0);
        self.fill(offset, &mut bytes).when("reading", &self.path)?;
        Ok(bytes)
    }

    #[cfg(unix)]
    fn fill(&self, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset)
    }

    #[cfg(not(unix))]
    fn fill(&self, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let _turn = self.cursor.lock();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}

/// The bytes of an array: in a file, or in memory after decompressing a part of a file.
#[derive(Debug, Clone)]
pub(crate) enum Bytes {
    File(Arc<PositionedFile>),
    Memory { path: PathBuf, bytes: Arc<Vec<u8>> },
}

impl From<Arc<PositionedFile>> for Bytes {
    fn from(file: Arc<PositionedFile>) -> Bytes {
        Bytes::File(file)
    }
}

impl Bytes {
    /// The file that they come from.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Bytes::File(file) => file.path(),
            Bytes::Memory { path, .. } => path,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Bytes::File(file) => file.len(),
            Bytes::Memory { bytes, .. } => bytes.len() as u64,
        }
    }

    /// See [`PositionedFile::read`].
    pub(crate) fn read(&self, offset: u64, n: u64, place: &str) -> Result<Vec<u8>, FormatError> {
        let (path, bytes) = match self {
            Bytes::File(file) => return file.read(offset, n, place),
            Bytes::Memory { path, bytes } => (path, bytes),
        };
        let end = offset.saturating_add(n).min(usize::MAX as u64);
        match bytes.get(offset.min(end) as usize..end as usize) {
            Some(part) => collect(part.len(), part.iter().copied(), path, place),
            None => Err(Problem::truncated(place, n, self.len().saturating_sub(offset)).at(path)),
        }
    }
}
