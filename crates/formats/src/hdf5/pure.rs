//! HDF5 without its C library: arrays that are read whole or by rows, as h5py and MATLAB write them by default.

use crate::element::{ByteOrder, ElementType, Real};
use crate::parser_words::of_decoder;
use crate::stored_array::element_count;
use crate::{AtPath, FormatError, Problem};
use hdf5_pure::{Chunk, Datatype, DatatypeByteOrder, Error, File, Group, Layout};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The highest possible compression ratio, so that a short file cannot announce an array larger than any memory.
const MOST_COMPRESSED: u64 = 1100;

/// The most groups that are searched for datasets to list, since a group can be linked into itself.
const MOST_GROUPS: usize = 100;

/// What the C library reads besides.
const ADVICE: &str = "this neurogauge was built without HDF5's own library, which reads it: build it with `cargo build --release \
                      --package neurogauge --features hdf5` (it needs a C compiler and CMake 3.26), or save the array as .npy or .npz";

/// A numeric dataset of an HDF5 file, read whole or by rows.
///
/// - Element types: (u)int of 8 to 64 bits, float of 16 to 64 bits, either byte order, and h5py's bool.
/// - Order: C order of the axes as h5py shows them; MATLAB shows them the other way round.
/// - Storage: contiguous, compact or in chunks, with HDF5's own filters (deflate, shuffle, checksum).
/// - Reference: h5py.
pub struct Dataset {
    path: PathBuf,
    dataset: hdf5_pure::Dataset,
    shape: Vec<u64>,
    element: ElementType,
    order: ByteOrder,
}

impl std::fmt::Debug for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dataset {{ {:?}, {} of {:?} }}", self.path, self.element, self.shape)
    }
}

impl Dataset {
    /// Opens the dataset with that name, such as `/betas` or `group/trials`, or the only one at the root.
    ///
    /// # Errors
    /// The file is missing, damaged, or not HDF5; the name is unknown; there are several datasets and no name; the
    /// element type is not supported; the dataset is incompletely written; a storage that only the C library reads.
    pub fn open(path: &Path, name: Option<&str>) -> Result<Dataset, FormatError> {
        if !path.exists() {
            return Err(Problem::not_found("an HDF5 file").at(path));
        }
        let file = guarded(path, || File::open_streaming(path))?;
        let name = match name {
            Some(name) => name.to_owned(),
            None => {
                let root = file.root();
                let several = guarded(path, || Ok([root.datasets()?, root.groups()?].concat()))?;
                match <[String; 1]>::try_from(several) {
                    Ok([only]) => only,
                    Err(several) => return Err(Problem::several_arrays(path, &several).at(path)),
                }
            }
        };
        let Ok(dataset) = guarded(path, || file.dataset(name.trim_matches('/'))) else {
            let (mut names, mut left) = (Vec::new(), MOST_GROUPS);
            guarded(path, || name_datasets(&file.root(), "", &mut names, &mut left))?;
            names.sort();
            return Err(Problem::no_such("array", &name, &names).at(path));
        };
        let datatype = guarded(path, || dataset.datatype())?;
        let Some((element, order)) = element_of(&datatype) else {
            let found = guarded(path, || dataset.dtype())?;
            return Err(Problem::dtype(found, "real numbers or booleans").at(path));
        };
        let dataset = Dataset {
            path: path.to_owned(),
            shape: guarded(path, || dataset.shape())?,
            dataset,
            element,
            order,
        };
        dataset.check_written()?;
        Ok(dataset)
    }

    /// Always fails, since blocks of other axes than rows take the C library to read well.
    pub fn open_for_blocks(path: &Path, _name: Option<&str>) -> Result<Dataset, FormatError> {
        Err(Problem::new(format_args!("{ADVICE}; responses in volumes are read block by block")).at(path))
    }

    fn check_written(&self) -> Result<(), FormatError> {
        let place = || format!("a dataset of {:?}", self.shape);
        let size = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        let needed = element_count(&self.shape).and_then(|n| n.checked_mul(self.element.size() as u64));
        let needed = needed.ok_or_else(|| Problem::truncated(place(), u64::MAX, size)).at(&self.path)?;
        let stored = match guarded(&self.path, || self.dataset.layout())? {
            Layout::Compact { size } => size,
            Layout::Contiguous { address, .. } => address.map_or(0, |address| size.saturating_sub(address)),
            Layout::Chunked { chunk_shape, .. } => {
                let of_chunk = chunk_shape.iter().try_fold(self.element.size() as u64, |all, &n| all.checked_mul(n));
                let axes = self.shape.iter().zip(&chunk_shape);
                let expected: u64 = axes.map(|(&n, &of_chunk)| n.div_ceil(of_chunk.max(1))).product();
                let chunks = guarded(&self.path, || self.dataset.chunks())?;
                let most = size.saturating_mul(MOST_COMPRESSED);
                // The library takes memory for a chunk before it looks whether the file has it.
                let is_inside = |chunk: &Chunk| chunk.address.saturating_add(chunk.storage_size) <= size;
                let is_whole = chunks.len() as u64 >= expected && chunks.iter().all(is_inside);
                if is_whole && of_chunk.is_some_and(|bytes| bytes <= most) {
                    most
                } else {
                    0
                }
            }
            _ => return Err(Problem::new(ADVICE).at(&self.path)),
        };
        match needed <= stored {
            true => Ok(()),
            false => Err(Problem::truncated(place(), needed, stored).at(&self.path)),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sizes of the axes; empty for a single value.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    pub fn element_type(&self) -> ElementType {
        self.element
    }

    /// Sizes of the chunks in which it is stored, each compressed separately; `None` if it is stored contiguously.
    pub fn chunk(&self) -> Option<Vec<usize>> {
        let chunk = guarded(&self.path, || self.dataset.chunk_shape()).ok()??;
        Some(chunk.into_iter().map(|size| size as usize).collect())
    }

    /// All values in C order, in single precision.
    pub fn read_f32(&self) -> Result<Vec<f32>, FormatError> {
        Ok(self.decoded(&self.raw_rows(0..usize::MAX)?))
    }

    /// All values in C order, in double precision.
    pub fn read_f64(&self) -> Result<Vec<f64>, FormatError> {
        Ok(self.decoded(&self.raw_rows(0..usize::MAX)?))
    }

    /// Whole rows (the first axis) of bytes or of floats in single precision, as bytes in little-endian order.
    ///
    /// # Errors
    /// The elements have another type; the file is damaged.
    pub fn read_rows(&self, rows: Range<usize>) -> Result<Vec<u8>, FormatError> {
        let bytes = self.raw_rows(rows)?;
        match self.element {
            ElementType::U8 => Ok(bytes),
            ElementType::F32 => Ok(self.decoded::<f32>(&bytes).into_iter().flat_map(f32::to_le_bytes).collect()),
            other => Err(Problem::dtype(other.to_string(), "uint8 or float32").at(&self.path)),
        }
    }

    /// The values of whole rows in C order; the ranges of the other axes must be whole.
    pub fn read_block(&self, ranges: &[Range<usize>]) -> Result<Vec<f64>, FormatError> {
        let others = self.shape.iter().skip(1).map(|&size| 0..size as usize);
        match ranges {
            [rows, columns @ ..] if columns.iter().cloned().eq(others) => {
                Ok(self.decoded(&self.raw_rows(rows.clone())?))
            }
            _ => Err(Problem::new(ADVICE).at(&self.path)),
        }
    }

    fn raw_rows(&self, rows: Range<usize>) -> Result<Vec<u8>, FormatError> {
        guarded(&self.path, || self.dataset.read_raw_rows(rows.start as u64, rows.len() as u64))
    }

    fn decoded<T: Real>(&self, bytes: &[u8]) -> Vec<T> {
        let mut values = Vec::with_capacity(bytes.len() / self.element.size());
        Real::decode_into(bytes, self.element, self.order, &mut values);
        values
    }
}

/// The type of elements, and their byte order; `None` for others than numbers and booleans.
fn element_of(datatype: &Datatype) -> Option<(ElementType, ByteOrder)> {
    let of_order = |order: &DatatypeByteOrder| match order {
        DatatypeByteOrder::LittleEndian => Some(ByteOrder::Little),
        DatatypeByteOrder::BigEndian => Some(ByteOrder::Big),
        _ => None,
    };
    match datatype {
        Datatype::FixedPoint {
            size,
            byte_order,
            layout,
        } if u32::from(layout.bit_precision) == 8 * size => {
            let element = match (size, layout.signed) {
                (1, true) => ElementType::I8,
                (1, false) => ElementType::U8,
                (2, true) => ElementType::I16,
                (2, false) => ElementType::U16,
                (4, true) => ElementType::I32,
                (4, false) => ElementType::U32,
                (8, true) => ElementType::I64,
                (8, false) => ElementType::U64,
                _ => return None,
            };
            Some((element, of_order(byte_order)?))
        }
        Datatype::FloatingPoint {
            size,
            byte_order,
            layout,
        } => {
            let element = match (size, layout.exponent_size) {
                (2, 5) => ElementType::F16,
                (4, 8) => ElementType::F32,
                (8, 11) => ElementType::F64,
                _ => return None,
            };
            Some((element, of_order(byte_order)?))
        }
        Datatype::Enumeration { size: 1, members, .. } if members.len() == 2 => {
            let is_boolean = members.iter().map(|member| member.name.as_str()).eq(["FALSE", "TRUE"]);
            is_boolean.then_some((ElementType::Bool, ByteOrder::Little))
        }
        _ => None,
    }
}

/// Lists the datasets of a group and its subgroups.
fn name_datasets(group: &Group, above: &str, names: &mut Vec<String>, left: &mut usize) -> Result<(), Error> {
    names.extend(group.datasets()?.iter().map(|name| format!("{above}/{name}")));
    for name in group.groups()? {
        let Some(less) = left.checked_sub(1) else {
            return Ok(());
        };
        *left = less;
        name_datasets(&group.group(&name)?, &format!("{above}/{name}"), names, left)?;
    }
    Ok(())
}

/// What the library gives, or its error. It may panic on damaged files.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, Error>) -> Result<T, FormatError> {
    let reason = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(found)) => return Ok(found),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the file is damaged".to_owned(),
    };
    let is_layout = ["layout version", "B-tree chunk index", "nsupported"].iter().any(|part| reason.contains(part));
    let words = match is_layout {
        true => format!("a storage that is not read here; {ADVICE}"),
        false => of_decoder(reason).to_owned(),
    };
    Err(Problem::new(format_args!("not a readable HDF5 file: {words}")).at(path))
}
