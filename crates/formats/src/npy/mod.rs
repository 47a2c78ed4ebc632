//! NumPy's `.npy` files.
//!
//! It reads numeric arrays ([`read_f64`], [`read_f32`], and [`open`] for reading by position), and the only kind of
//! pickled array in use here: a dict of captions ([`read_pickled_dict`]).

mod captions;
mod header;
mod rows;
mod texts;
mod write;

pub use captions::{read_pickled_dict, write_pickled_dict};
pub(crate) use header::MAX_HEADER_BYTES;
use header::parse_header;
pub use header::{NpyHeader, read_header};
pub use rows::RowWriter;
pub(crate) use texts::texts;
pub use write::{write_f32, write_f64};

use crate::element::{ByteOrder, ElementType};
use crate::positioned_file::{Bytes, PositionedFile};
use crate::stored_array::{StoredArray, c_stride, fortran_stride};
use crate::{AtPath, FormatError, Problem};
use npyz::{Endianness, TypeChar, TypeStr};
use std::path::Path;
use std::sync::Arc;

/// Shape and values (C order) of a numeric array, converted to `f64`.
///
/// Element types: bool, (u)int of 8 to 64 bits, float of 16 to 64 bits, either byte order, either
/// axis order. Bytes after the array are ignored, as in NumPy. Non-finite values are kept.
///
/// # Errors
/// The file is not a `.npy` file, or ends early (nothing is allocated before that is known); it has text, complex
/// numbers, a structured array or an object array.
pub fn read_f64(path: &Path) -> Result<(Vec<u64>, Vec<f64>), FormatError> {
    let array = open(path)?;
    let values = array.read_f64_at(0, array.len())?;
    Ok((array.shape().to_vec(), values))
}

/// Like [`read_f64`], converted to `f32`: 64-bit numbers are rounded once.
pub fn read_f32(path: &Path) -> Result<(Vec<u64>, Vec<f32>), FormatError> {
    let array = open(path)?;
    let values = array.read_f32_at(0, array.len())?;
    Ok((array.shape().to_vec(), values))
}

/// A numeric array whose elements stay in the file until requested.
pub fn open(path: &Path) -> Result<StoredArray, FormatError> {
    let file = PositionedFile::open(path)?;
    let header = header::read(&file)?;
    let found = header.dtype.clone();
    array(Bytes::File(Arc::new(file)), header, found)
}

/// An array from a `.npy` file in memory; it is the array `name` of the file at `path`.
pub(crate) fn of_bytes(path: &Path, name: &str, bytes: Vec<u8>) -> Result<StoredArray, FormatError> {
    let header = header_of_start(path, name, &bytes)?;
    let found = format!("{} of the array {name:?}, shape {:?}", header.dtype, header.shape);
    let bytes = Bytes::Memory {
        path: path.to_owned(),
        bytes: Arc::new(bytes),
    };
    array(bytes, header, found)
}

/// The header of the array `name` of the file at `path`, from its first bytes.
pub(crate) fn header_of_start(path: &Path, name: &str, start: &[u8]) -> Result<NpyHeader, FormatError> {
    parse_header(start)
        .map_err(|reason| Problem::new(format_args!("the array {name:?}: {reason}")))
        .at(path)
}

/// Makes the array; `found` is its element type in words.
fn array(bytes: Bytes, header: NpyHeader, found: String) -> Result<StoredArray, FormatError> {
    let element = element_of(&header.dtype)
        .ok_or_else(|| Problem::dtype(found, expected_type(&header.dtype)).at(bytes.path()))?;
    let stride = if header.fortran_order {
        fortran_stride(&header.shape)
    } else {
        c_stride(&header.shape)
    };
    let end = bytes.len();
    StoredArray::new(bytes, element, (header.data_offset, end), header.shape, stride)
}

/// The types of elements that are read, and what to do about Python's objects.
fn expected_type(dtype: &str) -> &'static str {
    match dtype {
        "|O" => {
            "a real number or bool type, such as <f4, <f8 or |u1; in Python, `np.save(\"x.npy\", np.stack(list(x)))` makes one array \
             of several with equal shapes"
        }
        _ => "a real number or bool type, such as <f4, <f8 or |u1",
    }
}

pub(crate) fn element_of(dtype: &str) -> Option<(ElementType, ByteOrder)> {
    let dtype: TypeStr = dtype.parse().ok()?;
    let element = match (dtype.type_char(), dtype.size_field()) {
        (TypeChar::Bool, 1) => ElementType::Bool,
        (TypeChar::Uint, 1) => ElementType::U8,
        (TypeChar::Uint, 2) => ElementType::U16,
        (TypeChar::Uint, 4) => ElementType::U32,
        (TypeChar::Uint, 8) => ElementType::U64,
        (TypeChar::Int, 1) => ElementType::I8,
        (TypeChar::Int, 2) => ElementType::I16,
        (TypeChar::Int, 4) => ElementType::I32,
        (TypeChar::Int, 8) => ElementType::I64,
        (TypeChar::Float, 2) => ElementType::F16,
        (TypeChar::Float, 4) => ElementType::F32,
        (TypeChar::Float, 8) => ElementType::F64,
        _ => return None,
    };
    let order = match dtype.endianness() {
        Endianness::Big => ByteOrder::Big,
        Endianness::Little | Endianness::Irrelevant => ByteOrder::Little,
    };
    Some((element, order))
}
