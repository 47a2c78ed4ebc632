//! A file that is read through the page cache instead of being copied.
//!
//! This is the only place in this crate with `unsafe` code. A map shows the file's content at the moment of reading, so
//! readers check bounds and parse again on every access: if another program rewrites the file in place, the answer may
//! be wrong or empty, but no index is out of bounds. Truncating a file while it is mapped ends the process (SIGBUS), as
//! for every mapped file.
#![allow(unsafe_code)]

use crate::LanguageError;
use memmap2::Mmap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A file mapped for reading.
#[derive(Debug)]
pub(crate) struct MappedFile {
    path: PathBuf,
    map: Mmap,
}

impl MappedFile {
    /// Maps `path`; `expected` and `advice` go into the error message if it does not exist.
    pub(crate) fn open(path: PathBuf, expected: &'static str, advice: &'static str) -> Result<Self, LanguageError> {
        let fault = |action| {
            let path = path.clone();
            move |source| LanguageError::Io { path, action, source }
        };
        if !path.is_file() {
            return Err(LanguageError::Missing { path, expected, advice });
        }
        let file = File::open(&path).map_err(fault("opening"))?;
        // SAFETY: the map is read-only, and no code here keeps a reference or an assumption about its contents between
        // two calls (see the module's documentation).
        let map = unsafe { Mmap::map(&file) }.map_err(fault("mapping"))?;
        Ok(Self { path, map })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The line (without its end) that begins at `start`; empty past the end.
    pub(crate) fn line_at(&self, start: usize) -> &[u8] {
        let rest = self.map.get(start..).unwrap_or_default();
        let end = rest.iter().position(|&byte| byte == b'\n');
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Refuses a file that ends in the middle of a line.
    pub(crate) fn whole_lines(self) -> Result<Self, LanguageError> {
        match self.bytes().last() {
            None | Some(b'\n') => Ok(self),
            Some(_) => {
                let reason = "the file ends in the middle of a line, as one that was cut short does; \
                    copy it again";
                let end = self.bytes().len();
                Err(LanguageError::in_line(&self.path, self.bytes(), end, reason.to_owned()))
            }
        }
    }
}
