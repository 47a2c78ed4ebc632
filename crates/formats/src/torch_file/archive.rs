//! torch's zip archives: `data.pkl`, and one uncompressed entry (`data/<key>`) per storage.

use super::{MAX_PICKLE_BYTES, Span, Storages};
use crate::element::ByteOrder;
use crate::parser_words::of_decoder;
use crate::pickle::{self, AllowedNames, Value};
use crate::positioned_file::PositionedFile;
use crate::{FormatError, Problem};
use std::collections::HashMap;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use zip::read::{ArchiveOffset, Config};
use zip::{CompressionMethod, ZipArchive};

/// The content of an archive, and the location of its numbers.
pub(crate) struct Contents {
    pub(crate) content: Value,
    pub(crate) storages: Storages,
    /// Does it also contain code, as archives of `torch.jit.save` do?
    pub(crate) is_torchscript: bool,
}

/// An entry of the zip directory.
struct ZipEntry {
    span: Span,
    compressed: bool,
}

/// Reads the zip directory and the pickle, without verifying checksums.
pub(crate) fn open(file: Arc<PositionedFile>) -> Result<Contents, FormatError> {
    let malformed = |reason: String| Problem::new(reason).at(file.path());
    let entries = entries(&file)?;
    let mut roots = entries.keys().filter_map(|name| name.strip_suffix("data.pkl"));
    let (Some(root), None) = (roots.next(), roots.next()) else {
        return Err(malformed("a zip archive without a data.pkl, so not what torch.save writes".to_owned()));
    };
    let archive = Archive {
        file: Arc::clone(&file),
        root,
        entries: &entries,
    };
    let is_torchscript = entries.contains_key(&format!("{root}constants.pkl"));
    let names = if is_torchscript {
        AllowedNames::TorchScript
    } else {
        AllowedNames::Data
    };
    let bytes = archive.read("data.pkl", MAX_PICKLE_BYTES)?;
    let (content, _) = pickle::load_prefix(&bytes, file.path(), names)?;
    let order = archive.byte_order()?;
    let spans = archive.spans()?;
    Ok(Contents {
        content,
        storages: Storages { file, order, spans },
        is_torchscript,
    })
}

fn entries(file: &PositionedFile) -> Result<HashMap<String, ZipEntry>, FormatError> {
    let malformed = |reason: String| Problem::new(reason).at(file.path());
    let broken = |e: zip::result::ZipError| malformed(format!("not a readable .pt file: {}", of_decoder(e)));
    // torch's archives start at the beginning of the file. Automatic detection would lose the first entry if its header
    // is as long (76 bytes) as the zip64 records that torch always appends.
    let config = Config {
        archive_offset: ArchiveOffset::Known(0),
    };
    let mut zip = ZipArchive::with_config(config, BufReader::new(file.file())).map_err(broken)?;
    let mut entries = HashMap::new();
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let Some(offset) = entry.data_start().filter(|_| !entry.encrypted()) else {
            return Err(malformed(format!("the entry {name:?} is encrypted or damaged")));
        };
        let span = Span {
            offset,
            size: entry.size(),
        };
        let compressed = entry.compression() != CompressionMethod::Stored;
        entries.insert(name, ZipEntry { span, compressed });
    }
    Ok(entries)
}

struct Archive<'a> {
    file: Arc<PositionedFile>,
    /// The root folder inside the archive, with its slash.
    root: &'a str,
    entries: &'a HashMap<String, ZipEntry>,
}

impl Archive<'_> {
    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FormatError> {
        let full_name = format!("{}{name}", self.root);
        let Some(entry) = self.entries.get(&full_name) else {
            return Ok(Vec::new());
        };
        let span = self.stored(&full_name, entry)?;
        if span.size > limit {
            return Err(self.malformed(format!("{name} of {} bytes; at most {limit}", span.size)));
        }
        self.file.read(span.offset, span.size, name)
    }

    fn stored(&self, name: &str, entry: &ZipEntry) -> Result<Span, FormatError> {
        if entry.compressed {
            return Err(Problem::new(format_args!(
                "the entry {name:?} is compressed; torch.save stores entries uncompressed, so save the file again with it"
            ))
            .at(self.file.path()));
        }
        Ok(entry.span)
    }

    /// The byte order. Files from before torch 2.1 have no such record; little-endian is assumed.
    fn byte_order(&self) -> Result<ByteOrder, FormatError> {
        match self.read("byteorder", 16)?.as_slice() {
            b"" | b"little" => Ok(ByteOrder::Little),
            b"big" => Ok(ByteOrder::Big),
            other => {
                Err(self.malformed(format!("byte order {:?}; expected little or big", String::from_utf8_lossy(other))))
            }
        }
    }

    fn spans(&self) -> Result<HashMap<String, Span>, FormatError> {
        let folder = format!("{}data/", self.root);
        self.entries
            .iter()
            .filter_map(|(name, entry)| Some((name, name.strip_prefix(&folder)?, entry)))
            .map(|(name, key, entry)| Ok((key.to_owned(), self.stored(name, entry)?)))
            .collect()
    }

    fn malformed(&self, reason: String) -> FormatError {
        Problem::new(reason).at(self.file.path())
    }
}

/// Do these first bytes indicate a zip archive?
pub(crate) fn begins(start: &[u8]) -> bool {
    start.starts_with(b"PK")
}

/// Opens the archive in the file at `path`.
pub(crate) fn open_path(path: &Path) -> Result<Contents, FormatError> {
    let file = Arc::new(PositionedFile::open(path)?);
    let start = file.read(0, file.len().min(4), "the start")?;
    if start.starts_with(b"\x80\x02") {
        let reason = "torch's old format (before 1.6); load it in PyTorch and save it again with torch.save";
        return Err(Problem::new(reason).at(path));
    }
    if !begins(&start) {
        return Err(Problem::new("not a .pt file (it should be a zip archive)").at(path));
    }
    open(file)
}
