//! HDF5 through its library.

use crate::element::ElementType;
use crate::parser_words::of_decoder;
use crate::stored_array::element_count;
use crate::{FormatError, Problem};
use hdf5_metno::types::{FloatSize, IntSize, TypeDescriptor};
use hdf5_metno::{Error, File, Group, H5Type, Hyperslab, SliceOrIndex};
use ndarray::IxDyn;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The highest possible compression ratio, so that a short file cannot announce an array larger than any memory.
const MOST_COMPRESSED: u64 = 1100;

/// The most names that an error searches in groups for datasets to list, since a group can be linked into itself.
const MOST_NAMES: usize = 200;

/// A numeric dataset of an HDF5 file, read whole or in blocks.
///
/// - Element types: (u)int of 8 to 64 bits, float of 16 to 64 bits, either byte order, and h5py's bool.
/// - Order: C order of the axes as h5py shows them; MATLAB shows them the other way round.
/// - Storage: contiguous, compact or in chunks, with HDF5's own filters (deflate, shuffle, checksum).
/// - Reference: h5py.
#[derive(Debug)]
pub struct Dataset {
    path: PathBuf,
    dataset: hdf5_metno::Dataset,
    shape: Vec<u64>,
    element: ElementType,
}

impl Dataset {
    /// Opens the dataset with that name, such as `/betas` or `group/trials`, or the only one at the root.
    ///
    /// # Errors
    /// The file is missing, damaged, or not HDF5; the name is unknown; there are several datasets and no name; the
    /// element type is not supported; the dataset is incompletely written, for which HDF5 would return zeros.
    pub fn open(path: &Path, name: Option<&str>) -> Result<Dataset, FormatError> {
        if !path.exists() {
            return Err(Problem::not_found("an HDF5 file").at(path));
        }
        let file = File::open(path).map_err(|error| malformed(path, &error))?;
        let names = || file.member_names().map_err(|error| malformed(path, &error));
        let dataset = match name {
            Some(name) => file.dataset(name).map_err(|_| name.to_owned()),
            None => match names()?.as_slice() {
                [only] => file.dataset(only).map_err(|_| only.clone()),
                several => return Err(Problem::several_arrays(path, several).at(path)),
            },
        };
        let dataset = match dataset {
            Ok(dataset) => dataset,
            Err(name) => {
                let (mut names, mut left) = (Vec::new(), MOST_NAMES);
                name_datasets(&file, "", &mut names, &mut left);
                return Err(Problem::no_such("array", &name, &names).at(path));
            }
        };
        let descriptor = dataset.dtype().and_then(|dtype| dtype.to_descriptor());
        let element = descriptor.as_ref().ok().and_then(element_of);
        let Some(element) = element else {
            let found = descriptor.map_or_else(|_| "of another type".to_owned(), |found| found.to_string());
            return Err(Problem::dtype(found, "real numbers or booleans").at(path));
        };
        let dataset = Dataset {
            path: path.to_owned(),
            shape: dataset.shape().iter().map(|&size| size as u64).collect(),
            dataset,
            element,
        };
        dataset.check_written()?;
        Ok(dataset)
    }

    /// Like [`Self::open`]; any block is read without the rest.
    pub fn open_for_blocks(path: &Path, name: Option<&str>) -> Result<Dataset, FormatError> {
        Dataset::open(path, name)
    }

    fn check_written(&self) -> Result<(), FormatError> {
        let truncated = |needed: u64, found: u64| {
            Problem::truncated(format!("the dataset {} of {:?}", self.dataset.name(), self.shape), needed, found)
                .at(&self.path)
        };
        let stored = self.dataset.storage_size();
        let needed = element_count(&self.shape)
            .and_then(|n| n.checked_mul(self.element.size() as u64))
            .ok_or_else(|| truncated(u64::MAX, stored))?;
        let whole = match (self.dataset.chunk(), self.dataset.num_chunks()) {
            (Some(chunk), Some(found)) => {
                let axes = self.shape.iter().zip(chunk);
                let expected: u64 = axes.map(|(&n, size)| n.div_ceil(size.max(1) as u64)).product();
                found as u64 >= expected && needed / MOST_COMPRESSED <= stored
            }
            _ => needed <= stored,
        };
        if whole || needed == 0 {
            return Ok(());
        }
        Err(truncated(needed, stored))
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
        self.dataset.chunk()
    }

    /// All values in C order, in single precision.
    pub fn read_f32(&self) -> Result<Vec<f32>, FormatError> {
        if self.element == ElementType::Bool {
            return Ok(self.read::<bool>()?.into_iter().map(|value| f32::from(u8::from(value))).collect());
        }
        self.read()
    }

    /// All values in C order, in double precision.
    pub fn read_f64(&self) -> Result<Vec<f64>, FormatError> {
        if self.element == ElementType::Bool {
            return Ok(self.read::<bool>()?.into_iter().map(|value| f64::from(u8::from(value))).collect());
        }
        self.read()
    }

    fn read<T: H5Type>(&self) -> Result<Vec<T>, FormatError> {
        self.dataset.read_raw().map_err(|error| malformed(&self.path, &error))
    }

    /// Whole rows (the first axis) of bytes or of floats in single precision, as bytes in little-endian order.
    ///
    /// # Errors
    /// The elements have another type; the file is damaged.
    pub fn read_rows(&self, rows: Range<usize>) -> Result<Vec<u8>, FormatError> {
        match self.element {
            ElementType::U8 => self.rows::<u8>(rows),
            ElementType::F32 => Ok(self.rows::<f32>(rows)?.iter().flat_map(|value| value.to_le_bytes()).collect()),
            other => Err(Problem::dtype(other.to_string(), "uint8 or float32").at(&self.path)),
        }
    }

    fn rows<T: H5Type>(&self, rows: Range<usize>) -> Result<Vec<T>, FormatError> {
        let others = self.shape.iter().skip(1).map(|&size| 0..size as usize);
        let ranges = [rows].into_iter().chain(others).map(SliceOrIndex::from);
        let block = Hyperslab::from(ranges.collect::<Vec<_>>());
        let values = self.dataset.read_slice::<T, _, IxDyn>(block).map_err(|error| malformed(&self.path, &error))?;
        Ok(values.into_raw_vec_and_offset().0)
    }

    /// The values of a block in C order; one range for each axis. Supports numbers, not booleans.
    pub fn read_block(&self, ranges: &[Range<usize>]) -> Result<Vec<f64>, FormatError> {
        let ranges = ranges.iter().cloned().map(SliceOrIndex::from);
        let block = Hyperslab::from(ranges.collect::<Vec<_>>());
        let values = self.dataset.read_slice::<f64, _, IxDyn>(block).map_err(|error| malformed(&self.path, &error))?;
        Ok(values.into_raw_vec_and_offset().0)
    }
}

fn element_of(descriptor: &TypeDescriptor) -> Option<ElementType> {
    Some(match descriptor {
        TypeDescriptor::Integer(size) => match size {
            IntSize::U1 => ElementType::I8,
            IntSize::U2 => ElementType::I16,
            IntSize::U4 => ElementType::I32,
            IntSize::U8 => ElementType::I64,
        },
        TypeDescriptor::Unsigned(size) => match size {
            IntSize::U1 => ElementType::U8,
            IntSize::U2 => ElementType::U16,
            IntSize::U4 => ElementType::U32,
            IntSize::U8 => ElementType::U64,
        },
        TypeDescriptor::Float(size) => match size {
            FloatSize::U2 => ElementType::F16,
            FloatSize::U4 => ElementType::F32,
            FloatSize::U8 => ElementType::F64,
        },
        TypeDescriptor::Boolean => ElementType::Bool,
        _ => return None,
    })
}

/// Lists the datasets of a group and its subgroups that can be opened.
fn name_datasets(group: &Group, above: &str, names: &mut Vec<String>, left: &mut usize) {
    for member in group.member_names().unwrap_or_default() {
        let Some(less) = left.checked_sub(1) else {
            return;
        };
        *left = less;
        let name = format!("{above}/{member}");
        if group.dataset(&member).is_ok() {
            names.push(name);
        } else if let Ok(inner) = group.group(&member) {
            name_datasets(&inner, &name, names, left);
        }
    }
}

fn malformed(path: &Path, error: &Error) -> FormatError {
    Problem::new(format_args!("not a readable HDF5 file: {}", of_decoder(error))).at(path)
}
