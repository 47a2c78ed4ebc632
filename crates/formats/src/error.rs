//! Errors about files: the path and the problem.

use crate::parser_words::of_decoder;
use neurogauge_core::image::SizeMismatch;
use neurogauge_core::option_words::option;
use neurogauge_core::{Fault, NAMES_SHOWN, first_names};
use std::fmt::{self, Debug, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

/// An error about a file or folder.
#[derive(Debug)]
pub struct FormatError {
    pub path: PathBuf,
    pub problem: Problem,
}

/// A problem with a file. The code that knows the path adds it, by [`Problem::at`] or [`AtPath::at`].
///
/// Programs distinguish these variants; every other problem is [`Problem::Other`], in words that say what was found and
/// what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The operating system refused an action, e.g. "reading".
    #[error("{}", refused(.0, .1))]
    Io(&'static str, io::Error),
    #[error("not found; expected {0}")]
    NotFound(String),
    /// The folder lacks files of this kind.
    #[error("the folder holds no {0}")]
    EmptyFolder(&'static str),
    /// A problem in a line, and perhaps at a column, both from 1.
    #[error("{line}:{} {reason}", column.map_or(String::new(), |column| format!("{column}:")))]
    Line {
        line: usize,
        column: Option<usize>,
        reason: String,
    },
    /// A pickle that violates the rules of its format, or stretches them unreasonably.
    #[error("byte {offset} of the pickle: {reason}")]
    Pickle { offset: usize, reason: String },
    /// A result file that has changed since it was written: its SHA-256 differs from the one in its record.
    #[error(
        "its SHA-256 is {found}, and its record has {recorded}: the file was changed or damaged, or is another's; restore it, or \
         compute the result again with --overwrite"
    )]
    Changed { found: String, recorded: String },
    /// Another process is writing in a folder of results; `holder` is empty if it is unknown.
    #[error(
        "another command is writing there{}; wait for it, or choose another {}",
        in_brackets(holder),
        option("out", "")
    )]
    Locked { holder: String },
    /// A folder on a file system without locks, in which the process named in the file `lock` may be writing.
    #[error(
        "the file system cannot lock this folder ({call}: {source}), and by {} {holder} writes there; wait for it, or choose another \
         {}; if it has ended, remove that file",
        lock.display(), option("out", "")
    )]
    PerhapsLocked {
        lock: PathBuf,
        holder: String,
        call: &'static str,
        source: io::Error,
    },
    /// A recipe that cannot be written as text. The path is the kind of result.
    #[error("how it is made cannot be written down, so its results cannot be kept: {0}")]
    Recipe(String),
    #[error("{0}")]
    Other(String),
}

impl Display for FormatError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let colon = if matches!(self.problem, Problem::Line { .. }) {
            ":"
        } else {
            ": "
        };
        write!(f, "{}{colon}{}", self.path.display(), self.problem)
    }
}

impl std::error::Error for FormatError {}

/// Adds the path to the problem of a result.
pub trait AtPath<T> {
    fn at(self, path: impl AsRef<Path>) -> Result<T, FormatError>;
}

impl<T, P: Into<Problem>> AtPath<T> for Result<T, P> {
    fn at(self, path: impl AsRef<Path>) -> Result<T, FormatError> {
        self.map_err(|problem| problem.into().at(path.as_ref()))
    }
}

/// Adds the action and the path to an error of the system.
pub trait IoResult<T> {
    fn when(self, action: &'static str, path: impl AsRef<Path>) -> Result<T, FormatError>;

    /// Adds the action and the path, and what was expected if the file does not exist.
    fn when_expecting(self, action: &'static str, path: &Path, expected: &str) -> Result<T, FormatError>;
}

impl<T> IoResult<T> for io::Result<T> {
    fn when(self, action: &'static str, path: impl AsRef<Path>) -> Result<T, FormatError> {
        self.map_err(|source| Problem::Io(action, source)).at(path)
    }

    fn when_expecting(self, action: &'static str, path: &Path, expected: &str) -> Result<T, FormatError> {
        let problem = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => Problem::not_found(expected),
            _ => Problem::Io(action, source),
        };
        self.map_err(problem).at(path)
    }
}

impl From<SizeMismatch> for Problem {
    fn from(source: SizeMismatch) -> Problem {
        Problem::new(source)
    }
}

impl Problem {
    /// The party at fault.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            Problem::Io(..)
            | Problem::NotFound(_)
            | Problem::EmptyFolder(_)
            | Problem::Line { .. }
            | Problem::Pickle { .. }
            | Problem::Changed { .. }
            | Problem::Locked { .. }
            | Problem::PerhapsLocked { .. }
            | Problem::Other(_) => Fault::Data,
            Problem::Recipe(_) => Fault::Ours,
        }
    }

    pub fn at(self, path: impl Into<PathBuf>) -> FormatError {
        FormatError {
            path: path.into(),
            problem: self,
        }
    }

    /// A problem that programs need not distinguish from others.
    pub fn new(words: impl Display) -> Problem {
        Problem::Other(words.to_string())
    }

    /// Well-formed but invalid content at a place, e.g. `scores[12]` or `row 3, column 7`.
    pub fn invalid(place: impl Display, reason: impl Display) -> Problem {
        Problem::Other(format!("{place}: {reason}"))
    }

    pub fn unexpected(found: impl Display, expected: impl Display) -> Problem {
        Problem::Other(format!("{found}; expected {expected}"))
    }

    /// The wrong kind of content; `expected` may say how to produce the right one.
    pub fn content(found: impl Display, expected: impl Display) -> Problem {
        Problem::unexpected(format_args!("holds {found}"), expected)
    }

    pub fn not_found(expected: impl Into<String>) -> Problem {
        Problem::NotFound(expected.into())
    }

    /// Invalid content of a file in JSON.
    pub fn json(line: usize, column: usize, reason: impl Into<String>) -> Problem {
        let (column, reason) = (Some(column), reason.into());
        Problem::Line { line, column, reason }
    }

    pub(crate) fn line(line: usize, reason: String) -> Problem {
        let column = None;
        Problem::Line { line, column, reason }
    }

    /// Two lines of a table describe the same thing.
    pub(crate) fn repeated_line(what: impl Display, first: usize, second: usize, hint: impl Display) -> Problem {
        Problem::line(second, format!("{what} is in line {first} already; {hint}"))
    }

    /// Two files in a folder, or two keys in a file, have one stem.
    pub(crate) fn duplicate_stem(stem: &str, first: &str, second: &str) -> Problem {
        Problem::unexpected(format_args!("{first:?} and {second:?} share the stem {stem:?}"), "one file per stem")
    }

    pub fn image(reason: impl Display) -> Problem {
        Problem::invalid("not a readable image", reason)
    }

    pub(crate) fn unknown_label(place: impl Display, name: &str, list: &str) -> Problem {
        let choose = option("labels", "");
        let reason = format!("category {name:?} is not in the label list {list:?}; choose another with {choose}");
        Problem::invalid(place, reason)
    }

    /// The right edge of a box is left of its left edge, or an edge is not finite.
    pub(crate) fn negative_box(place: impl Display, [x0, y0, x1, y1]: [f64; 4]) -> Problem {
        Problem::new(format_args!(
            "{place} is [{x0}, {y0}, {x1}, {y1}]; a box is [left, top, right, bottom] with left <= right and top <= bottom"
        ))
    }

    pub fn shape(found: impl Debug, expected: impl Display) -> Problem {
        Problem::unexpected(format_args!("an array of shape {found:?}"), expected)
    }

    pub(crate) fn dtype(found: impl Display, expected: impl Display) -> Problem {
        Problem::unexpected(format_args!("element type {found}"), expected)
    }

    pub(crate) fn non_finite(place: impl Display, value: f64) -> Problem {
        let limit = if value.is_finite() { " up to 1e100" } else { "" };
        Problem::unexpected(format_args!("{place} is {value}"), format_args!("a finite number{limit}"))
    }

    /// The file is shorter than its header announces, in bytes; `needed` is `u64::MAX` if no file can be that long.
    pub(crate) fn truncated(place: impl Display, needed: u64, found: u64) -> Problem {
        let needed = match needed {
            u64::MAX => "more bytes than a file can have".to_owned(),
            _ => format!("{needed} bytes"),
        };
        Problem::new(format_args!(
            "{place} needs {needed}, but {found} are there; the file was cut short or its header is wrong"
        ))
    }

    pub(crate) fn id_count(n_ids: usize, n_rows: usize) -> Problem {
        Problem::unexpected(format_args!("{n_ids} ids for {n_rows} rows"), "one id per row")
    }

    /// The numbers to write do not fill the shape.
    pub(crate) fn value_count(shape: &[u64], found: usize) -> Problem {
        Problem::new(format_args!("{found} values for an array of shape {shape:?}"))
    }

    pub(crate) fn no_such_image(index: usize, n_images: usize) -> Problem {
        Problem::new(format_args!("no image number {index}; there are {n_images}"))
    }

    /// The file does not contain this tensor or array.
    pub(crate) fn no_such(what: &str, name: &str, names: &[String]) -> Problem {
        Problem::new(format_args!("no {what} {name:?}; the file has {}", first_names(names)))
    }

    /// The path is neither a folder of images nor a stack of them.
    pub fn not_an_image_source() -> Problem {
        Problem::unexpected("not a source of images", IMAGE_SOURCES)
    }

    /// The columns of a table are ambiguous or missing.
    pub(crate) fn columns(problem: impl Display, columns: &[String]) -> Problem {
        let shown = |name: &String| match name.char_indices().nth(LONGEST_HEADER) {
            Some((end, _)) => format!("{:?}...", &name[..end]),
            None => format!("{name:?}"),
        };
        let quoted: Vec<String> = columns.iter().take(NAMES_SHOWN).map(shown).collect();
        let more = match columns.len().saturating_sub(NAMES_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let quoted = format!("[{}]{more}", quoted.join(", "));
        Problem::new(format_args!("{problem}; the columns are {quoted}"))
    }

    /// The file contains several arrays (or none), and no name was given.
    pub(crate) fn several_arrays(path: &Path, names: &[String]) -> Problem {
        let first = names.first().map_or("name", String::as_str);
        Problem::content(
            format_args!("{} arrays ({})", names.len(), first_names(names)),
            format_args!("one array; choose it as {}:{first}", path.display()),
        )
    }
}

impl FormatError {
    /// The party at fault.
    pub fn fault(&self) -> Fault {
        self.problem.fault()
    }

    /// The kind of refusal, if the operating system refused.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        match &self.problem {
            Problem::Io(_, source) => Some(source.kind()),
            _ => None,
        }
    }
}

/// The refusal of the operating system, in words.
fn refused(action: &str, source: &io::Error) -> String {
    use io::ErrorKind as Kind;
    match source.kind() {
        Kind::IsADirectory => "is a folder; expected a file".into(),
        Kind::NotADirectory if action == "listing" => "is a file; expected a folder".into(),
        Kind::StorageFull | Kind::QuotaExceeded => {
            format!("{action} failed: {source}; free space there and call again, what is done so far is kept")
        }
        // What has no number of the system is of a library that inflates or checks the bytes.
        Kind::UnexpectedEof | Kind::InvalidData if source.raw_os_error().is_none() => {
            format!("{action} failed: {}", of_decoder(source))
        }
        // This library takes a wrong checksum for a wrong argument.
        Kind::InvalidInput if source.to_string().starts_with("corrupt ") => {
            format!("{action} failed: {}", of_decoder(source))
        }
        _ => format!("{action} failed: {source}"),
    }
}

pub(crate) const IMAGE_SOURCES: &str = "a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file";

/// The most letters of a header that a message has.
const LONGEST_HEADER: usize = 60;

/// An addition in brackets, unless it is empty.
fn in_brackets(text: &str) -> String {
    match text {
        "" => String::new(),
        _ => format!(" ({text})"),
    }
}
