//! Errors about files.

use crate::video::INSTALL;
use neurogauge_core::Fault;
use neurogauge_core::byte_size;
use neurogauge_core::image::SizeMismatch;
use neurogauge_core::option_words::option;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The operating system's refusal, in words.
fn refused(action: &str, source: &std::io::Error) -> String {
    match source.kind() {
        ErrorKind::IsADirectory => "is a folder; expected a file".into(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("{action} failed: {source}; free space there and call again, what is done so far is kept")
        }
        _ => format!("{action} failed: {source}"),
    }
}

/// The most names that a message lists.
const MOST_LISTED: usize = 40;

/// Names in a message: all, or the first of many.
fn listed(names: &[String]) -> String {
    match names.len().checked_sub(MOST_LISTED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..MOST_LISTED].join(", ")),
    }
}

/// The same, in quotes.
fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| format!("{name:?}")).collect();
    match names.len().checked_sub(MOST_LISTED) {
        None | Some(0) => format!("[{}]", shown.join(", ")),
        Some(more) => format!("[{}] and {more} more", shown.join(", ")),
    }
}

/// An addition in brackets, unless it is empty.
fn in_brackets(text: &str) -> String {
    match text {
        "" => String::new(),
        _ => format!(" ({text})"),
    }
}

/// A number of bytes in words.
fn bytes(n: u64) -> String {
    match n {
        u64::MAX => "more bytes than a file can have".to_owned(),
        _ => format!("{n} bytes"),
    }
}

/// An error about a file: the place, what was found, and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The operating system refused.
    #[error("{}: {}", path.display(), refused(action, source))]
    Io {
        /// File or folder.
        path: PathBuf,
        /// The attempted action, e.g. "reading".
        action: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The path does not exist.
    #[error("{}: not found; expected {expected}", path.display())]
    NotFound {
        /// File or folder.
        path: PathBuf,
        expected: String,
    },
    /// A file whose name has an ending that its reader does not know.
    #[error("{}: {found}; expected {expected}", path.display())]
    Name {
        path: PathBuf,
        found: String,
        /// The expected content, with the endings of its files.
        expected: String,
    },
    /// A folder without any usable file.
    #[error("{}: the folder holds no {expected}", path.display())]
    EmptyFolder {
        path: PathBuf,
        /// The expected kind of file.
        expected: &'static str,
    },
    /// Two files of a folder share a stem.
    #[error(
        "{}: {first:?} and {second:?} share the stem {stem:?}; expected one file per stem",
        path.display()
    )]
    DuplicateStem {
        /// The folder (or the file with two equal keys).
        path: PathBuf,
        stem: String,
        /// The first file with it.
        first: String,
        /// The second file with it.
        second: String,
    },
    /// An image that does not decode.
    #[error("{}: not a readable image: {reason}", path.display())]
    Image {
        path: PathBuf,
        /// The decoder's words.
        reason: String,
    },
    /// JSON that does not parse or lacks a field.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Json {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        reason: String,
    },
    /// Well-formed but invalid content.
    #[error("{}: {place}: {reason}", path.display())]
    Invalid {
        path: PathBuf,
        /// Where in it, e.g. `scores[12]` or `row 3, column 7`.
        place: String,
        /// What was found and what was expected.
        reason: String,
    },
    /// A label index outside the label list.
    #[error(
        "{}: labels[{index}] is {label}, but the label list {list:?} has {n_labels} names (0 to \
         {}); choose another with {}", path.display(), n_labels.saturating_sub(1), option("labels", "")
    )]
    LabelOutOfRange {
        path: PathBuf,
        /// Position in `labels`.
        index: usize,
        label: i64,
        list: String,
        n_labels: usize,
    },
    /// A category name that the label list does not have.
    #[error(
        "{}: {place}: category {name:?} is not in the label list {list:?}; choose another with \
         {}", path.display(), option("labels", "")
    )]
    UnknownLabel {
        path: PathBuf,
        /// Where.
        place: String,
        name: String,
        list: String,
    },
    /// A detection score outside 0..1 (or NaN).
    #[error("{}: scores[{index}] is {score}; expected a score between 0 and 1", path.display())]
    ScoreOutOfRange {
        path: PathBuf,
        /// Position in `scores`.
        index: usize,
        score: f64,
    },
    /// A box whose right edge is left of its left edge, or not finite.
    #[error(
        "{}: {place} is [{}, {}, {}, {}]; a box is [left, top, right, bottom] with left <= right \
         and top <= bottom", path.display(), bbox[0], bbox[1], bbox[2], bbox[3]
    )]
    NegativeBox {
        path: PathBuf,
        /// Where.
        place: String,
        /// The four numbers.
        bbox: [f64; 4],
    },
    /// An array of the wrong rank or shape.
    #[error("{}: an array of shape {found:?}; expected {expected}", path.display())]
    Shape {
        path: PathBuf,
        found: Vec<u64>,
        expected: String,
    },
    /// An array of the wrong element type.
    #[error("{}: element type {found}; expected {expected}", path.display())]
    Dtype {
        path: PathBuf,
        found: String,
        expected: String,
    },
    /// NaN or an infinity where a number is needed.
    #[error("{}: {place} is {value}; expected a finite number{}", path.display(), if value.is_finite() { " up to 1e100" } else { "" })]
    NonFinite {
        path: PathBuf,
        /// Where.
        place: String,
        value: f64,
    },
    /// A result file that is not the one that was written.
    #[error(
        "{}: its SHA-256 is {found}, and its record has {recorded}: the file was changed or damaged, or is another's; restore it, or \
         compute the result again with --overwrite", path.display()
    )]
    Changed {
        path: PathBuf,
        /// SHA-256 now.
        found: String,
        /// SHA-256 in the record.
        recorded: String,
    },
    /// Ids that do not match the rows.
    #[error("{}: {n_ids} ids for {n_rows} rows; expected one id per row", path.display())]
    IdCount {
        /// The ids file.
        path: PathBuf,
        n_ids: usize,
        n_rows: usize,
    },
    /// A pickle that asks for something outside the allow-list.
    #[error(
        "{}: the pickle asks for {global:?}, which is not on the short list of harmless names; \
         nothing was loaded", path.display()
    )]
    ForbiddenGlobal {
        path: PathBuf,
        /// `module.name`.
        global: String,
    },
    /// A pickle that breaks the rules of its format, or bends them beyond reason.
    #[error("{}: byte {offset} of the pickle: {reason}", path.display())]
    Pickle {
        path: PathBuf,
        /// Position in the pickle.
        offset: usize,
        /// What is wrong.
        reason: String,
    },
    /// A file that is shorter than its header announces.
    #[error(
        "{}: {place} needs {}, but {found} are there; the file was cut short or its header is wrong",
        path.display(), bytes(*needed)
    )]
    Truncated {
        path: PathBuf,
        /// The part that was to be read.
        place: String,
        /// Bytes needed; `u64::MAX` if they are more than a number holds.
        needed: u64,
        /// Bytes available.
        found: u64,
    },
    /// A tensor that repeats some of its numbers (overlapping strides).
    #[error(
        "{}: a tensor of shape {shape:?} and strides {stride:?} repeats its numbers; save a \
         .contiguous() copy of it", path.display()
    )]
    RepeatedStorage {
        path: PathBuf,
        shape: Vec<u64>,
        /// Its strides, in elements.
        stride: Vec<u64>,
    },
    /// A `.pt` file in torch's format from before version 1.6.
    #[error(
        "{}: torch's old format (before 1.6); load it in PyTorch and save it again with \
         torch.save", path.display()
    )]
    LegacyPt { path: PathBuf },
    /// A `.pt` file that was packed again with compression.
    #[error(
        "{}: the entry {entry:?} is compressed; torch.save stores entries uncompressed, so save \
         the file again with it", path.display()
    )]
    CompressedEntry { path: PathBuf, entry: String },
    /// A file with the wrong kind of content.
    #[error("{}: holds {found}; expected {expected}", path.display())]
    Content {
        path: PathBuf,
        /// The content found, in words.
        found: String,
        /// The expected content, and how to produce it.
        expected: String,
    },
    /// A key that a dict of tensors does not have.
    #[error("{}: no tensor {key:?}; the file has {}", path.display(), listed(keys))]
    NoSuchTensor {
        path: PathBuf,
        key: String,
        keys: Vec<String>,
    },
    /// A name that a file of several arrays does not have.
    #[error("{}: no array {name:?}; the file has {}", path.display(), listed(names))]
    NoSuchArray {
        path: PathBuf,
        name: String,
        names: Vec<String>,
    },
    /// An HDF5 file, in a build that does not read them.
    #[error(
        "{}: this neurogauge was built without HDF5; build it with `cargo build --release --package \
         neurogauge --features hdf5` (it needs a C compiler and CMake 3.26), or save the array as .npy \
         or .npz", path.display()
    )]
    WithoutHdf5 { path: PathBuf },
    /// Several image stacks in one file, and no key.
    #[error(
        "{}: several image stacks ({}); choose one as {}#{}", path.display(), listed(keys),
        path.display(), keys.first().map_or("key", String::as_str)
    )]
    AmbiguousStack { path: PathBuf, keys: Vec<String> },
    /// Neither a folder of images nor a stack of them.
    #[error(
        "{}: not a source of images; expected a folder of images, a .npy, .pt or .hdf5 file",
        path.display()
    )]
    NotAnImageSource { path: PathBuf },
    /// Numbers that do not fill the shape to write.
    #[error("{}: {found} values for an array of shape {shape:?}", path.display())]
    ValueCount {
        path: PathBuf,
        shape: Vec<u64>,
        /// Number of values.
        found: usize,
    },
    /// An image that a source does not have.
    #[error("{}: no image number {index}; there are {n_images}", path.display())]
    NoSuchImage {
        path: PathBuf,
        /// The requested number, from 0.
        index: usize,
        n_images: usize,
    },
    /// A file of the right kind that is damaged or uses an unsupported feature.
    #[error("{}: {reason}", path.display())]
    Malformed {
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A pixel buffer of the wrong length.
    #[error("{}: {source}", path.display())]
    ImageSize { path: PathBuf, source: SizeMismatch },
    /// A table with ambiguous or missing columns.
    #[error("{}: {problem}; the columns are {}", path.display(), quoted(columns))]
    Columns {
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
        /// The names in its header.
        columns: Vec<String>,
    },
    /// A cell of a table with the wrong content.
    #[error("{}:{line}: column {column:?} holds {found:?}; expected {expected}", path.display())]
    Cell {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        column: String,
        found: String,
        expected: String,
    },
    /// Two lines of a table about the same thing.
    #[error("{}:{second}: {what} is in line {first} already; {hint}", path.display())]
    RepeatedLine {
        path: PathBuf,
        /// The subject of both lines.
        what: String,
        /// Line of the first, from 1.
        first: usize,
        /// Line of the second.
        second: usize,
        /// What to do.
        hint: String,
    },
    /// A rating outside the scale.
    #[error("{}: {place}: the rating {value} is outside the scale {low} to {high}; if it stands for a missing one, {} leaves it out",
        path.display(), option("missing", &value.to_string()))]
    OutOfScale {
        path: PathBuf,
        /// Where.
        place: String,
        value: f64,
        /// Lowest rating of the scale.
        low: f64,
        /// Highest rating of the scale.
        high: f64,
    },
    /// An array of an `.npz` file with the wrong number of axes.
    #[error(
        "{}: the array {key:?} has the shape {shape:?}; expected one axis, a score per item",
        path.display()
    )]
    ArrayAxes {
        path: PathBuf,
        /// Name of the array.
        key: String,
        shape: Vec<u64>,
    },
    /// Arrays of an `.npz` file with different lengths.
    #[error(
        "{}: the array {key:?} has the shape [{len}], but {first_key:?} has [{first_len}]; every \
         array needs a score per item", path.display()
    )]
    ArrayLengths {
        path: PathBuf,
        /// Name of the array.
        key: String,
        len: usize,
        /// Name of the first array of the file.
        first_key: String,
        first_len: usize,
    },
    /// The file changed since its hash was recorded.
    #[error(
        "{}: its SHA-256 is {found}, but {expected} was recorded; the file has changed",
        path.display()
    )]
    HashMismatch {
        path: PathBuf,
        /// The hash now.
        found: String,
        /// The recorded hash.
        expected: String,
    },
    /// Another process is writing in a folder of results.
    #[error(
        "{}: another command is writing there{}; wait for it, or choose another {out}",
        path.display(), in_brackets(holder), out = option("out", "")
    )]
    Locked {
        path: PathBuf,
        /// The process that has the lock; empty if it is not known.
        holder: String,
    },
    /// A folder on a file system without locks, where another process may be writing.
    #[error(
        "{}: the file system cannot lock this folder ({call}: {source}), and by {} {holder} writes there; wait for it, or choose another \
         {out}; if it has ended, remove that file",
        path.display(), lock.display(), out = option("out", "")
    )]
    PerhapsLocked {
        path: PathBuf,
        lock: PathBuf,
        /// The process that this file names.
        holder: String,
        call: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
    /// Content that would need more memory than a file of its size is allowed.
    #[error(
        "{}: {place} takes {} of memory or more, and this file may take {} (by its size and the machine's memory)",
        path.display(), byte_size(*needed), byte_size(*limit)
    )]
    TooLarge {
        path: PathBuf,
        /// The part that is too large.
        place: String,
        /// Bytes needed, as far as known.
        needed: u64,
        /// Bytes it may use.
        limit: u64,
    },
    /// Content for which the system has no memory left.
    #[error(
        "{}: {place} takes {} of memory, and the system has less left; end other programs, or raise this one's limit of memory",
        path.display(), byte_size(*needed)
    )]
    OutOfMemory {
        path: PathBuf,
        /// The part that is too large.
        place: String,
        /// Bytes needed at once.
        needed: u64,
    },
    /// An image with too many pixels.
    #[error(
        "{}: an image of {width_px} x {height_px} px, and none of more than {limit} pixels is read; if it is meant, raise {}",
        path.display(), option("max-pixels", "")
    )]
    TooManyPixels {
        path: PathBuf,
        width_px: u64,
        height_px: u64,
        /// The largest number of pixels that is read.
        limit: u64,
    },
    /// A file whose frames together have too many pixels.
    #[error(
        "{}: {n_frames} frames or more of {width_px} x {height_px} px; expected at most {limit} pixels in all frames of a file \
         together; if it is meant, raise {}",
        path.display(), option("max-pixels", "")
    )]
    TooManyFrames {
        path: PathBuf,
        /// The number of its frames, as far as known.
        n_frames: u64,
        width_px: u64,
        height_px: u64,
        /// The largest number of pixels that is read from a file with frames.
        limit: u64,
    },
    /// A video file, on a machine without the programs that decode it.
    #[error(
        "{}: video files are decoded by ffmpeg, and {program} was not found on the PATH; {}, or write the frames into a folder \
         for each clip",
        path.display(),
        INSTALL
    )]
    WithoutFfmpeg {
        path: PathBuf,
        /// The program that was not found: `ffmpeg` or `ffprobe`.
        program: &'static str,
    },
    /// A video that does not decode, or whose frames have no order in time.
    #[error("{}: not a readable video: {reason}", path.display())]
    Video {
        path: PathBuf,
        /// What was found, and what was expected.
        reason: String,
    },
    /// Pictures that are not of the grid that they were said to be.
    #[error("{}: {found}; expected {expected}", path.display())]
    Grid {
        /// The picture, or the path with the grid.
        path: PathBuf,
        found: String,
        /// What was expected, and how to say it.
        expected: String,
    },
    /// A recipe that cannot be written as text, so its results cannot be stored.
    #[error("{of}: how it is made cannot be written down, so its results cannot be kept: {reason}")]
    Recipe {
        /// The kind of result.
        of: String,
        /// Why.
        reason: String,
    },
}

impl FormatError {
    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            FormatError::Io { .. }
            | FormatError::NotFound { .. }
            | FormatError::Name { .. }
            | FormatError::EmptyFolder { .. }
            | FormatError::DuplicateStem { .. }
            | FormatError::Image { .. }
            | FormatError::Json { .. }
            | FormatError::Invalid { .. }
            | FormatError::LabelOutOfRange { .. }
            | FormatError::UnknownLabel { .. }
            | FormatError::ScoreOutOfRange { .. }
            | FormatError::NegativeBox { .. }
            | FormatError::Shape { .. }
            | FormatError::Dtype { .. }
            | FormatError::NonFinite { .. }
            | FormatError::Changed { .. }
            | FormatError::IdCount { .. }
            | FormatError::ForbiddenGlobal { .. }
            | FormatError::Pickle { .. }
            | FormatError::Truncated { .. }
            | FormatError::RepeatedStorage { .. }
            | FormatError::LegacyPt { .. }
            | FormatError::CompressedEntry { .. }
            | FormatError::Content { .. }
            | FormatError::NoSuchTensor { .. }
            | FormatError::NoSuchArray { .. }
            | FormatError::WithoutHdf5 { .. }
            | FormatError::AmbiguousStack { .. }
            | FormatError::NotAnImageSource { .. }
            | FormatError::ValueCount { .. }
            | FormatError::NoSuchImage { .. }
            | FormatError::Malformed { .. }
            | FormatError::ImageSize { .. }
            | FormatError::Columns { .. }
            | FormatError::Cell { .. }
            | FormatError::RepeatedLine { .. }
            | FormatError::OutOfScale { .. }
            | FormatError::ArrayAxes { .. }
            | FormatError::ArrayLengths { .. }
            | FormatError::HashMismatch { .. }
            | FormatError::TooLarge { .. }
            | FormatError::OutOfMemory { .. }
            | FormatError::TooManyPixels { .. }
            | FormatError::TooManyFrames { .. }
            | FormatError::WithoutFfmpeg { .. }
            | FormatError::Video { .. }
            | FormatError::Grid { .. }
            | FormatError::Locked { .. }
            | FormatError::PerhapsLocked { .. } => Fault::Data,
            FormatError::Recipe { .. } => Fault::Ours,
        }
    }

    /// An error for a file with several arrays (or none) and no name.
    pub(crate) fn several_arrays(path: &Path, names: &[String]) -> FormatError {
        let first = names.first().map_or("name", String::as_str);
        FormatError::Content {
            path: path.to_owned(),
            found: format!("{} arrays ({})", names.len(), listed(names)),
            expected: format!("one array; choose it as {}:{first}", path.display()),
        }
    }
}
