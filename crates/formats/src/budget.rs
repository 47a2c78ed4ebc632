//! A budget for the memory that reading a file may take.
//!
//! A few bytes can describe terabytes: sizes in headers, parts that refer to each other, compressed zeros. A reader
//! whose memory is not limited by the file itself takes it from a [`Budget`], which depends on the file's size and the
//! machine's memory.

use crate::machine_memory;
use crate::parser_words::of_decoder;
use crate::regular_file;
use crate::{FormatError, Problem};
use neurogauge_core::byte_size;
use std::fmt::Display;
use std::io::Read;
use std::path::Path;

/// Bytes that any file may use, regardless of its size.
const FOR_ANY: u64 = 1 << 28;
/// The largest file that is read as a whole, as a fraction of the machine's memory (one over this).
const SHARE: u64 = 2;

/// The remaining memory for the content of a file.
#[derive(Debug, Clone)]
pub struct Budget {
    limit: u64,
    left: u64,
}

/// More bytes were requested than are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded {
    /// Bytes that would have been used in total.
    pub needed: u64,
    /// Bytes that may be used in total; `None` if the budget allows the request and the system refused it.
    pub limit: Option<u64>,
}

impl Exceeded {
    /// The error that names the file and the part that is too large.
    pub fn of(self, path: &Path, place: impl Display) -> FormatError {
        let needed = byte_size(self.needed);
        let problem = match self.limit.map(byte_size) {
            Some(limit) => format!(
                "{place} takes {needed} of memory or more, and this file may take {limit} (by its size and the machine's memory)"
            ),
            None => format!(
                "{place} takes {needed} of memory, and the system has less left; end other programs, or raise this one's limit of memory"
            ),
        };
        Problem::new(problem).at(path)
    }
}

impl Budget {
    /// A budget for a file of `file_bytes` bytes that needs at most `per_byte` bytes of memory for each: their product
    /// plus 256 MiB, but never more than half of the machine's memory.
    pub fn of(file_bytes: u64, per_byte: u64) -> Budget {
        Budget::up_to(FOR_ANY.saturating_add(file_bytes.saturating_mul(per_byte)))
    }

    /// A budget of `limit` bytes, or of half of the machine's memory if that is less.
    pub fn up_to(limit: u64) -> Budget {
        let limit = limit.min(machine_memory::limit() / SHARE);
        Budget { limit, left: limit }
    }

    /// [`Self::of`] for the file at `path`.
    pub(crate) fn of_file(path: &Path, per_byte: u64) -> Budget {
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        Budget::of(length, per_byte)
    }

    /// The remaining bytes.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Uses `bytes` of the budget.
    pub fn spend(&mut self, bytes: u64) -> Result<(), Exceeded> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Exceeded {
                needed: (self.limit - self.left).saturating_add(bytes),
                limit: Some(self.limit),
            }),
        }
    }

    /// A vector with room for `n` values, counted in the budget. If the system refuses memory that the budget allows,
    /// this is an error and does not end the process.
    pub fn vector<T>(&mut self, n: usize) -> Result<Vec<T>, Exceeded> {
        let bytes = (n as u64).saturating_mul(size_of::<T>() as u64);
        self.spend(bytes)?;
        let mut values = Vec::new();
        match values.try_reserve_exact(n) {
            Ok(()) => Ok(values),
            Err(_) => Err(refused(&values, n)),
        }
    }

    /// Reads all of `source`, counting bytes as they arrive.
    pub(crate) fn read(&mut self, mut source: impl Read, path: &Path, place: &str) -> Result<Vec<u8>, FormatError> {
        let mut bytes = Vec::new();
        loop {
            let step = (bytes.len() as u64).clamp(1 << 16, 1 << 26);
            self.spend(step).map_err(|exceeded| exceeded.of(path, place))?;
            // Allocates exactly, so that there are never twice as many bytes as the budget allows.
            bytes.try_reserve_exact(step as usize).map_err(|_| refused(&bytes, step as usize).of(path, place))?;
            let read = (&mut source).take(step).read_to_end(&mut bytes);
            // An error of the system has a number; others are of what inflates or checks the bytes.
            let n = read.map_err(|error| match error.raw_os_error() {
                Some(_) => Problem::Io("reading", error).at(path),
                None => Problem::new(format!("{place}: {}", of_decoder(error))).at(path),
            })?;
            if (n as u64) < step {
                self.left += step - n as u64;
                return Ok(bytes);
            }
        }
    }
}

/// A vector with room for `n` values made from a file's content. A request for more than the machine's memory, or one
/// that the system refuses, is an error and does not end the process.
///
/// # Errors
/// The values need too much memory, or the system refuses it.
pub(crate) fn room<T>(n: usize, path: &Path, place: &str) -> Result<Vec<T>, FormatError> {
    let limit = machine_memory::limit();
    let room = Budget { limit, left: limit }.vector(n);
    room.map_err(|exceeded| exceeded.of(path, place))
}

/// A vector of `n` values from an iterator, with memory taken as by [`room`].
pub(crate) fn collect<T>(
    n: usize,
    values: impl IntoIterator<Item = T>,
    path: &Path,
    place: &str,
) -> Result<Vec<T>, FormatError> {
    let mut collected = room(n, path, place)?;
    collected.extend(values.into_iter().take(n));
    Ok(collected)
}

/// Reserves room for `n` more values.
pub(crate) fn reserve<T>(values: &mut Vec<T>, n: usize) -> Result<(), Exceeded> {
    values.try_reserve(n).map_err(|_| refused(values, n))
}

/// The error that the system has no room for `n` more values.
fn refused<T>(values: &[T], n: usize) -> Exceeded {
    Exceeded {
        needed: ((values.len() + n) as u64).saturating_mul(size_of::<T>() as u64),
        limit: None,
    }
}

/// The bytes of a whole file, unless it is larger than half of the machine's memory or endless.
pub(crate) fn read_file(path: &Path) -> std::io::Result<Result<Vec<u8>, FormatError>> {
    let file = regular_file::open(path)?;
    let length = file.metadata()?.len();
    let mut budget = Budget::up_to(u64::MAX);
    let mut bytes = match budget.clone().vector::<u8>(length as usize) {
        Ok(bytes) => bytes,
        Err(exceeded) => return Ok(Err(exceeded.of(path, "the file"))),
    };
    let limit = budget.left();
    (&file).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(match budget.spend(bytes.len() as u64) {
        Ok(()) => Ok(bytes),
        Err(exceeded) => Err(exceeded.of(path, "the file")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_without_an_end_is_refused_after_what_may_be_taken() {
        let mut budget = Budget::up_to(1 << 20);
        let words = budget.read(std::io::repeat(0), Path::new("zeros.gz"), "the volume").unwrap_err().to_string();
        assert!(words.starts_with("zeros.gz: the volume"), "{words}");
        assert!(words.contains("may take 1.0 MB"), "{words}");
        let mut budget = Budget::up_to(1 << 20);
        let some = budget.read(&[7_u8; 70_000][..], Path::new("a"), "it");
        assert_eq!(some.unwrap().len(), 70_000);
        assert_eq!(budget.left(), (1 << 20) - 70_000);
    }
}
