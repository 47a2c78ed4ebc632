//! Errors in the files of language resources.

use neurogauge_core::Fault;
use std::path::{Path, PathBuf};

/// An error about a file: the place, what was found, and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// The operating system reported an error.
    #[error("{}: {action} failed: {source}", path.display())]
    Io {
        path: PathBuf,
        /// The attempted action, e.g. "opening".
        action: &'static str,
        source: std::io::Error,
    },
    /// A file or folder that does not exist.
    #[error("{}: not found; expected {expected}. {advice}", path.display())]
    Missing {
        path: PathBuf,
        /// What was expected at the path.
        expected: &'static str,
        /// How to get it.
        advice: &'static str,
    },
    /// A line with invalid content.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What was found and what was expected.
        reason: String,
    },
    /// Bytes that contradict another file.
    #[error("{}: byte {byte}: {reason}", path.display())]
    Byte {
        path: PathBuf,
        /// Byte, from 0.
        byte: usize,
        /// What was found and what was expected.
        reason: String,
    },
    /// An invalid entry of a file, or an unexpected file.
    #[error("{}: {place}: {reason}", path.display())]
    Entry {
        /// File or folder.
        path: PathBuf,
        place: String,
        /// What was found and what was expected.
        reason: String,
    },
}

impl LanguageError {
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            LanguageError::Io { .. }
            | LanguageError::Missing { .. }
            | LanguageError::Line { .. }
            | LanguageError::Byte { .. }
            | LanguageError::Entry { .. } => Fault::Data,
        }
    }

    /// The error at `byte` of `contents`, which names the line.
    pub(crate) fn in_line(path: &Path, contents: &[u8], byte: usize, reason: String) -> Self {
        let before = &contents[..byte.min(contents.len())];
        Self::Line {
            path: path.to_owned(),
            line: before.iter().filter(|&&b| b == b'\n').count() + 1,
            reason,
        }
    }
}
