//! MATLAB's files (`.mat`) of version 5 and, in builds with HDF5, of version 7.3: their matrices of numbers.
//!
//! The parser of version 5 inflates everything, and prints unknown parts on stdout. So variables are inflated here,
//! within a budget, and only matrices of numbers are passed to it.

use crate::budget::Budget;
use crate::element::{ByteOrder, ElementType};
use crate::hdf5::Dataset;
use crate::parser_words::of_decoder;
use crate::positioned_file::Bytes;
use crate::regular_file;
use crate::stored_array::{StoredArray, fortran_stride};
use crate::{AtPath, FormatError, Problem, json};
use flate2::read::ZlibDecoder;
use matfile::{Array, MatFile, NumericData};
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

const HEADER_BYTES: usize = 128;
/// Types of elements in a file.
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;
/// Classes of matrices of real numbers: double to 64-bit integers. Others are cells, structures, text and sparse
/// matrices.
const NUMBERS: std::ops::RangeInclusive<u32> = 6..=15;
/// HDF5's first bytes, which follow MATLAB's header in version 7.3; other programs leave the header out.
const HDF5: &[u8; 8] = b"\x89HDF\r\n\x1a\n";
const HDF5_AT: [u64; 2] = [512, 0];
/// The most bytes of memory per byte of a file.
const PER_BYTE: u64 = 100;

/// Opens a file of version 5; `expected` describes the file for errors.
pub(crate) fn open(path: &Path, expected: &str) -> Result<MatFile, FormatError> {
    let plain = inflated(path, &json::read_bytes(path, expected)?)?;
    // The parser panics on some damaged files.
    let parsed = catch_unwind(AssertUnwindSafe(|| MatFile::parse(plain.as_slice())));
    let reason = match parsed {
        Ok(Ok(parsed)) => return Ok(parsed),
        Ok(Err(error)) => of_decoder(error),
        Err(_) => of_decoder("damage"),
    };
    Err(Problem::new(format_args!("not a readable MATLAB file of version 5: {reason}")).at(path))
}

/// One matrix of a file: the named or the only one, with the axes in MATLAB's order.
pub(crate) fn array(path: &Path, name: Option<&str>) -> Result<StoredArray, FormatError> {
    if is_hdf5(path) {
        let dataset = Dataset::open(path, name)?;
        return column_major(path, of_hdf5(&dataset), &dataset.read_f64()?);
    }
    let file = open(path, "a MATLAB file (.mat)")?;
    let found = match (name, file.arrays().as_slice()) {
        (None, [only]) => only,
        (None, several) => return Err(Problem::several_arrays(path, &names(several)).at(path)),
        (Some(name), _) => named(path, &file, name)?,
    };
    column_major(path, sizes_of(found), &real(path, found)?)
}

/// The matrices of a file, or the named one, with the axes in MATLAB's order. Those of uint8 keep their bytes.
pub(crate) fn matrices(path: &Path, name: Option<&str>) -> Result<Vec<(String, StoredArray)>, FormatError> {
    if is_hdf5(path) {
        let dataset = Dataset::open(path, name)?;
        let shape = of_hdf5(&dataset);
        let array = match (dataset.element_type(), dataset.shape()) {
            (ElementType::U8, &[rows, ..]) => {
                in_memory(path, shape, ElementType::U8, dataset.read_rows(0..rows as usize)?)
            }
            _ => column_major(path, shape, &dataset.read_f64()?),
        };
        return Ok(vec![(name.unwrap_or("x").to_owned(), array?)]);
    }
    let file = open(path, "a MATLAB file (.mat)")?;
    let found = match name {
        Some(name) => vec![named(path, &file, name)?],
        None => file.arrays().iter().collect(),
    };
    let matrix = |found: &Array| {
        let array = match found.data() {
            NumericData::UInt8 { real, imag: None } => in_memory(path, sizes_of(found), ElementType::U8, real.clone()),
            _ => column_major(path, sizes_of(found), &real(path, found)?),
        };
        Ok((found.name().to_owned(), array?))
    };
    found.into_iter().map(matrix).collect()
}

fn names(arrays: &[Array]) -> Vec<String> {
    arrays.iter().map(|array| array.name().to_owned()).collect()
}

fn named<'a>(path: &Path, file: &'a MatFile, name: &str) -> Result<&'a Array, FormatError> {
    file.find_by_name(name)
        .ok_or_else(|| Problem::no_such("array", name, &names(file.arrays())))
        .at(path)
}

fn sizes_of(array: &Array) -> Vec<u64> {
    array.size().iter().map(|&size| size as u64).collect()
}

/// The shape in MATLAB's order, which HDF5 reverses.
fn of_hdf5(dataset: &Dataset) -> Vec<u64> {
    dataset.shape().iter().rev().copied().collect()
}

fn is_hdf5(path: &Path) -> bool {
    let mut start = [0; 8];
    regular_file::open(path).is_ok_and(|mut file| {
        HDF5_AT
            .into_iter()
            .any(|at| file.seek(SeekFrom::Start(at)).is_ok() && file.read_exact(&mut start).is_ok() && start == *HDF5)
    })
}

fn column_major(path: &Path, shape: Vec<u64>, values: &[f64]) -> Result<StoredArray, FormatError> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    in_memory(path, shape, ElementType::F64, bytes)
}

/// An array in memory whose first axis varies fastest.
fn in_memory(path: &Path, shape: Vec<u64>, element: ElementType, bytes: Vec<u8>) -> Result<StoredArray, FormatError> {
    let end = bytes.len() as u64;
    let file = Bytes::Memory {
        path: path.to_owned(),
        bytes: Arc::new(bytes),
    };
    let stride = fortran_stride(&shape);
    StoredArray::new(file, (element, ByteOrder::Little), (0, end), shape, stride)
}

/// The numbers of a matrix, column after column; an f64 represents whole numbers up to 2^53. Complex numbers are
/// refused.
pub(crate) fn real(path: &Path, array: &Array) -> Result<Vec<f64>, FormatError> {
    fn numbers<T: Copy>(real: &[T], imaginary: &Option<Vec<T>>, number: impl Fn(T) -> f64) -> Option<Vec<f64>> {
        imaginary.is_none().then(|| real.iter().copied().map(number).collect())
    }
    let found = match array.data() {
        NumericData::Int8 { real, imag } => numbers(real, imag, f64::from),
        NumericData::UInt8 { real, imag } => numbers(real, imag, f64::from),
        NumericData::Int16 { real, imag } => numbers(real, imag, f64::from),
        NumericData::UInt16 { real, imag } => numbers(real, imag, f64::from),
        NumericData::Int32 { real, imag } => numbers(real, imag, f64::from),
        NumericData::UInt32 { real, imag } => numbers(real, imag, f64::from),
        NumericData::Int64 { real, imag } => numbers(real, imag, |value| value as f64),
        NumericData::UInt64 { real, imag } => numbers(real, imag, |value| value as f64),
        NumericData::Single { real, imag } => numbers(real, imag, f64::from),
        NumericData::Double { real, imag } => numbers(real, imag, |value| value),
    };
    found.ok_or_else(|| {
        Problem::dtype(
            format!("complex numbers in the matrix {:?}", array.name()),
            "real numbers; save real(x), imag(x) or abs(x) of it",
        )
        .at(path)
    })
}

/// The uncompressed bytes of the file, with only its matrices of numbers.
fn inflated(path: &Path, bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let malformed =
        |reason: String| Problem::new(format_args!("not a readable MATLAB file of version 5: {reason}")).at(path);
    let Some(header) = bytes.get(..HEADER_BYTES) else {
        return Err(malformed("it is cut short".to_owned()));
    };
    let is_little = match &header[126..] {
        b"IM" => true,
        b"MI" => false,
        _ => {
            return Err(malformed("its header does not say its byte order".to_owned()));
        }
    };
    let number = |at: &[u8]| {
        let bytes = [at[0], at[1], at[2], at[3]];
        match is_little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        }
    };
    let mut budget = Budget::of(bytes.len() as u64, PER_BYTE);
    let mut plain = header.to_vec();
    let mut rest = &bytes[HEADER_BYTES..];
    while rest.len() >= 8 {
        let (kind, length) = (number(rest), number(&rest[4..]) as usize);
        let Some(content) = rest[8..].get(..length) else {
            return Err(malformed(format!("a variable of {length} bytes where {} are left", rest.len() - 8)));
        };
        let variable = match kind {
            MATRIX => rest[..8 + length].to_vec(),
            COMPRESSED => budget.read(ZlibDecoder::new(content), path, "a variable")?,
            _ => {
                return Err(malformed(format!("a part of type {kind}; expected variables")));
            }
        };
        if variable.len() < 8 || number(&variable) != MATRIX {
            return Err(malformed("a variable that is no matrix".to_owned()));
        }
        // The flags follow their tag and that of the matrix.
        let class = variable.get(16..20).map(|flags| number(flags) & 0xff);
        if class.is_some_and(|class| NUMBERS.contains(&class)) {
            // The parser multiplies sizes without checking the available bytes.
            let sizes = sizes(&variable, number);
            let n_values = sizes.iter().try_fold(1u64, |n, &size| n.checked_mul(size.into()));
            if n_values.is_none_or(|n_values| n_values > variable.len() as u64) {
                let found = variable.len();
                return Err(malformed(format!("a matrix of {sizes:?} numbers in {found} bytes")));
            }
            plain.extend(variable);
            plain.resize(plain.len().next_multiple_of(8), 0);
        }
        let padding = match kind {
            MATRIX => length.next_multiple_of(8) - length,
            _ => 0,
        };
        rest = rest[8 + length..].get(padding..).unwrap_or_default();
    }
    Ok(plain)
}

/// The sizes of the axes of a matrix, which follow the tags of the matrix, its flags and their own tag; `None` if it is
/// too short.
fn sizes(variable: &[u8], number: impl Fn(&[u8]) -> u32) -> Vec<u32> {
    let length = variable.get(28..32).map_or(0, &number) as usize;
    variable[32.min(variable.len())..].chunks_exact(4).take(length / 4).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with the 1 x 2 matrix `x` of doubles, with or without an imaginary part.
    fn matrix(imaginary: Option<[f64; 2]>) -> Vec<u8> {
        let element = |kind: u32, content: &[u8]| {
            let mut bytes = [kind, content.len() as u32].map(u32::to_le_bytes).concat();
            bytes.extend(content);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            bytes
        };
        let doubles = |values: [f64; 2]| element(9, &values.map(f64::to_le_bytes).concat());
        // Class 6 is double; the other bit flags complex numbers.
        let flags = if imaginary.is_some() { 0x806 } else { 6_u32 };
        let content = [
            element(6, &[flags, 0].map(u32::to_le_bytes).concat()),
            element(5, &[1_u32, 2].map(u32::to_le_bytes).concat()),
            element(1, b"x"),
            doubles([1.0, 3.0]),
            imaginary.map(doubles).unwrap_or_default(),
        ];
        let mut bytes = vec![b' '; HEADER_BYTES];
        bytes[124..].copy_from_slice(b"\0\x01IM");
        bytes.extend(element(MATRIX, &content.concat()));
        bytes
    }

    #[test]
    fn complex_numbers_are_refused_by_the_name_of_their_matrix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mat");
        std::fs::write(&path, matrix(None)).unwrap();
        let found = array(&path, Some("x")).unwrap();
        assert_eq!(found.shape(), [1, 2]);
        assert_eq!(found.read_f64_at(0, 2).unwrap(), [1.0, 3.0]);
        std::fs::write(&path, matrix(Some([2.0, -4.0]))).unwrap();
        for name in [None, Some("x")] {
            let refused = array(&path, name).unwrap_err().to_string();
            let expected = "a.mat: element type complex numbers in the matrix \"x\"; expected real numbers; save real(x), imag(x) or abs(x) of it";
            assert!(refused.ends_with(expected), "{refused}");
        }
    }

    #[test]
    fn sizes_that_the_file_has_no_room_for_are_refused_before_they_are_multiplied() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats/regressions");
        let said = array(&Path::new(root).join("matlab-sizes.mat"), None).unwrap_err().to_string();
        let expected = "a matrix of [2147483648, 2147483648, 4] numbers in 80 bytes";
        assert!(said.ends_with(expected), "{said}");
    }
}
