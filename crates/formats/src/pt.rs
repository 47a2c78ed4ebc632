//! Tensors in `.pt` files as `torch.save` writes them: a zip archive with a pickle (`data.pkl`)
//! that describes the tensors, and one uncompressed entry (`data/<key>`) per storage.

use crate::FormatError;
use crate::element::{ByteOrder, ElementType};
use crate::pickle::{self, Value};
use crate::positioned_file::PositionedFile;
use crate::stored_array::StoredArray;
use std::collections::HashMap;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use zip::{CompressionMethod, ZipArchive};

/// Larger than any pickle that describes tensors in a dict.
const MAX_PICKLE_BYTES: u64 = 1 << 26;

/// A tensor of a `.pt` file; its numbers stay in the file until asked for.
#[derive(Debug, Clone)]
pub struct PtTensor {
    /// Its key, if the file holds a dict.
    pub name: Option<String>,
    /// Shape, element type, and the numbers by position.
    pub array: StoredArray,
}

impl PtTensor {
    /// `n` values from element `first` on (C order, whatever the strides), converted to `f32`.
    ///
    /// # Errors
    /// As [`StoredArray::read_f32_at`].
    pub fn read_f32_at(&self, first: u64, n: u64) -> Result<Vec<f32>, FormatError> {
        self.array.read_f32_at(first, n)
    }
}

/// The tensors of a file: one without a name, or those of a dict (or `OrderedDict`, or state dict)
/// in its order.
///
/// Tensors may share a storage, start anywhere in it, and have any strides that repeat nothing.
/// Element types: bool, uint8, int8 to int64, float16, bfloat16, float32, float64. Only the zip
/// directory and the pickle are read; checksums are not checked.
///
/// # Errors
/// [`FormatError::LegacyPt`], [`FormatError::CompressedEntry`], [`FormatError::Content`] for a
/// list, a text, a nested dict, other objects; [`FormatError::ForbiddenGlobal`] and
/// [`FormatError::Pickle`] as [`pickle::load`]; [`FormatError::Truncated`],
/// [`FormatError::RepeatedStorage`], [`FormatError::Malformed`].
///
/// ```
/// let goldens = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/formats_arrays");
/// let tensors = neurogauge_formats::pt::open(format!("{goldens}/scalar.pt").as_ref()).unwrap();
/// assert_eq!(tensors[0].read_f32_at(0, 1).unwrap(), [0.5]);
/// ```
pub fn open(path: &Path) -> Result<Vec<PtTensor>, FormatError> {
    let archive = Archive::open(path)?;
    let content = archive.content()?;
    match &content {
        Value::Dict(entries) if !entries.is_empty() => entries
            .iter()
            .map(|(key, value)| match (key, value) {
                (Value::Str(key), value) if is_tensor(value) => Ok(PtTensor {
                    name: Some(key.clone()),
                    array: archive.tensor(value)?,
                }),
                (Value::Str(key), other) => {
                    Err(archive.wrong(format!("a dict with {} under {key:?}", other.describe())))
                }
                (key, _) => Err(archive.wrong(format!("a dict with {} as key", key.describe()))),
            })
            .collect(),
        tensor if is_tensor(tensor) => Ok(vec![PtTensor {
            name: None,
            array: archive.tensor(tensor)?,
        }]),
        other => Err(archive.wrong(other.describe())),
    }
}

fn is_tensor(value: &Value) -> bool {
    matches!(value, Value::Object { name, .. } if name == "_rebuild_tensor_v2")
}

/// Where an entry's bytes stand.
#[derive(Debug, Clone, Copy)]
struct Entry {
    offset: u64,
    size: u64,
}

struct Archive {
    file: Arc<PositionedFile>,
    /// The folder inside the archive that everything lies in, with its slash.
    root: String,
    entries: HashMap<String, Entry>,
    order: ByteOrder,
}

impl Archive {
    fn open(path: &Path) -> Result<Archive, FormatError> {
        let file = Arc::new(PositionedFile::open(path)?);
        let malformed = |reason: String| FormatError::Malformed {
            path: path.to_owned(),
            reason,
        };
        let start = file.read(0, file.len().min(4), "the start")?;
        if start.starts_with(b"\x80\x02") {
            return Err(FormatError::LegacyPt {
                path: path.to_owned(),
            });
        }
        if !start.starts_with(b"PK") {
            return Err(malformed(
                "not a .pt file (it should be a zip archive)".to_owned(),
            ));
        }
        let broken = |e: zip::result::ZipError| malformed(format!("a damaged zip archive: {e}"));
        let mut zip = ZipArchive::new(BufReader::new(file.file())).map_err(broken)?;
        let mut entries = HashMap::new();
        for index in 0..zip.len() {
            let entry = zip.by_index_raw(index).map_err(broken)?;
            let name = entry.name().map_err(broken)?.into_owned();
            let offset = entry.data_start().filter(|_| !entry.encrypted());
            if entry.compression() != CompressionMethod::Stored {
                return Err(FormatError::CompressedEntry {
                    path: path.to_owned(),
                    entry: name,
                });
            }
            let Some(offset) = offset else {
                return Err(malformed(format!(
                    "the entry {name:?} is encrypted or damaged"
                )));
            };
            let size = entry.size();
            entries.insert(name, Entry { offset, size });
        }
        let mut roots = entries
            .keys()
            .filter_map(|name| name.strip_suffix("data.pkl"));
        let (Some(root), None) = (roots.next().map(str::to_owned), roots.next()) else {
            return Err(malformed(
                "a zip archive without a data.pkl, so not what torch.save writes".to_owned(),
            ));
        };
        let mut archive = Archive {
            file,
            root,
            entries,
            order: ByteOrder::Little,
        };
        archive.order = archive.byte_order()?;
        Ok(archive)
    }

    fn content(&self) -> Result<Value, FormatError> {
        pickle::load(&self.read("data.pkl", MAX_PICKLE_BYTES)?, self.file.path())
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.get(&format!("{}{name}", self.root)).copied()
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FormatError> {
        let entry = self.entry(name).unwrap_or(Entry { offset: 0, size: 0 });
        if entry.size > limit {
            return Err(self.malformed(format!("{name} of {} bytes; at most {limit}", entry.size)));
        }
        self.file.read(entry.offset, entry.size, name)
    }

    /// Files from before torch 2.1 have no such record; machines were little-endian then too.
    fn byte_order(&self) -> Result<ByteOrder, FormatError> {
        match self.read("byteorder", 16)?.as_slice() {
            b"" | b"little" => Ok(ByteOrder::Little),
            b"big" => Ok(ByteOrder::Big),
            other => Err(self.malformed(format!(
                "byte order {:?}; expected little or big",
                String::from_utf8_lossy(other)
            ))),
        }
    }

    /// `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)`.
    fn tensor(&self, value: &Value) -> Result<StoredArray, FormatError> {
        let damaged = || self.malformed("a tensor with unexpected arguments".to_owned());
        let Value::Object { args, .. } = value else {
            return Err(damaged());
        };
        let [
            Value::Persistent(storage),
            Value::Int(offset),
            Value::Tuple(shape),
            Value::Tuple(stride),
            ..,
        ] = args.as_slice()
        else {
            return Err(damaged());
        };
        let (element, entry) = self.storage(storage)?;
        let shape = sizes(shape).ok_or_else(damaged)?;
        let stride = sizes(stride)
            .filter(|s| s.len() == shape.len())
            .ok_or_else(damaged)?;
        let size = element.size() as u64;
        let first = u64::try_from(*offset)
            .ok()
            .and_then(|offset| offset.checked_mul(size));
        let first = first
            .and_then(|first| entry.offset.checked_add(first))
            .ok_or_else(damaged)?;
        let end = entry.offset.saturating_add(entry.size);
        StoredArray::new(
            Arc::clone(&self.file),
            (element, self.order),
            (first, end),
            shape,
            stride,
        )
    }

    /// `("storage", torch.FloatStorage, key, location, number of elements)`.
    fn storage(&self, id: &Value) -> Result<(ElementType, Entry), FormatError> {
        let Value::Tuple(parts) = id else {
            return Err(self.malformed("a storage id that is not a tuple".to_owned()));
        };
        let [
            Value::Str(tag),
            Value::Global { name, .. },
            Value::Str(key),
            ..,
        ] = parts.as_slice()
        else {
            return Err(self.malformed("a storage id of unexpected parts".to_owned()));
        };
        let element = match name.as_str() {
            _ if tag != "storage" => None,
            "BoolStorage" => Some(ElementType::Bool),
            "ByteStorage" => Some(ElementType::U8),
            "CharStorage" => Some(ElementType::I8),
            "ShortStorage" => Some(ElementType::I16),
            "IntStorage" => Some(ElementType::I32),
            "LongStorage" => Some(ElementType::I64),
            "HalfStorage" => Some(ElementType::F16),
            "BFloat16Storage" => Some(ElementType::Bf16),
            "FloatStorage" => Some(ElementType::F32),
            "DoubleStorage" => Some(ElementType::F64),
            _ => None,
        };
        let Some(element) = element else {
            return Err(self.malformed(format!("a storage id with {tag:?} and {name}")));
        };
        match self.entry(&format!("data/{key}")) {
            Some(entry) => Ok((element, entry)),
            None => Err(self.malformed(format!("the storage data/{key} is missing"))),
        }
    }

    fn malformed(&self, reason: String) -> FormatError {
        FormatError::Malformed {
            path: self.file.path().to_owned(),
            reason,
        }
    }

    fn wrong(&self, found: String) -> FormatError {
        FormatError::Content {
            path: self.file.path().to_owned(),
            found,
            expected: "a tensor or a dict of tensors with text keys, saved with torch.save"
                .to_owned(),
        }
    }
}

fn sizes(values: &[Value]) -> Option<Vec<u64>> {
    values
        .iter()
        .map(|value| match value {
            Value::Int(n) => u64::try_from(*n).ok(),
            _ => None,
        })
        .collect()
}
