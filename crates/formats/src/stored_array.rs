//! A numeric array inside a file, of which only the requested bytes are read.

use crate::budget::room;
use crate::element::{ByteOrder, ElementType, Real};
use crate::positioned_file::Bytes;
use crate::{FormatError, Problem};
use std::path::Path;
use std::sync::Arc;

/// Elements converted per read, so that the raw bytes of a large array are never all in memory.
const CHUNK_ELEMENTS: u64 = 1 << 20;

/// A numeric array that stays in its file; any run of elements (in C order) can be read.
///
/// When the array is made, every element is checked to be inside the file.
#[derive(Debug, Clone)]
pub struct StoredArray {
    file: Bytes,
    element: ElementType,
    order: ByteOrder,
    first_byte: u64,
    shape: Vec<u64>,
    stride: Vec<u64>,
    n_elements: u64,
    contiguous: bool,
}

impl StoredArray {
    /// An array whose element (0, 0, ...) is at `first_byte` and whose storage ends at
    /// `end_byte`; strides are counted in elements.
    pub(crate) fn new(
        file: impl Into<Bytes>,
        (element, order): (ElementType, ByteOrder),
        (first_byte, end_byte): (u64, u64),
        shape: Vec<u64>,
        stride: Vec<u64>,
    ) -> Result<Self, FormatError> {
        let file = file.into();
        let n_elements = element_count(&shape);
        let size = element.size() as u64;
        // The position after the last byte of any element.
        let end = if n_elements == Some(0) {
            Some(first_byte)
        } else {
            let last = shape
                .iter()
                .zip(&stride)
                .try_fold(0u64, |sum, (&n, &step)| sum.checked_add((n - 1).checked_mul(step)?));
            last.and_then(|last| last.checked_add(1)?.checked_mul(size)?.checked_add(first_byte))
        };
        let available = end_byte.min(file.len());
        let (Some(n_elements), Some(end)) = (n_elements, end.filter(|&end| end <= available)) else {
            let place = format!("an array of shape {shape:?} and type {element}");
            let found = available.saturating_sub(first_byte);
            return Err(Problem::truncated(place, end.map_or(u64::MAX, |end| end - first_byte), found).at(file.path()));
        };
        let contiguous = c_stride(&shape)
            .iter()
            .zip(&stride)
            .zip(&shape)
            .all(|((expected, found), &n)| n <= 1 || expected == found);
        // Otherwise, a few bytes could announce an array larger than any memory.
        if !contiguous && n_elements.saturating_mul(size) > end - first_byte {
            return Err(Problem::new(format_args!(
                "a tensor of shape {shape:?} and strides {stride:?} repeats its numbers; save a .contiguous() copy of it"
            ))
            .at(file.path()));
        }
        Ok(StoredArray {
            file,
            element,
            order,
            first_byte,
            shape,
            stride,
            n_elements,
            contiguous,
        })
    }

    /// The file that contains it.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Sizes of the axes; empty for a single value.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    pub fn element_type(&self) -> ElementType {
        self.element
    }

    /// Are its elements consecutive in the file, in C order?
    pub fn is_contiguous(&self) -> bool {
        self.contiguous
    }

    /// Number of elements.
    pub fn len(&self) -> u64 {
        self.n_elements
    }

    /// Does an axis have size 0?
    pub fn is_empty(&self) -> bool {
        self.n_elements == 0
    }

    /// The numbers of a list of whole numbers as text; `None` for others.
    pub(crate) fn whole_numbers(&self) -> Result<Option<Vec<String>>, FormatError> {
        if self.element.is_float() {
            return Ok(None);
        }
        Ok(Some(self.read_f64_at(0, self.len())?.iter().map(f64::to_string).collect()))
    }

    /// A copy in memory, in C order, whose axes are these of the array.
    pub(crate) fn in_c_order(&self, axes: &[usize]) -> Result<StoredArray, FormatError> {
        let of = |sizes: &[u64]| axes.iter().map(|&axis| sizes[axis]).collect::<Vec<u64>>();
        let turned = StoredArray {
            contiguous: false,
            shape: of(&self.shape),
            stride: of(&self.stride),
            ..self.clone()
        };
        let bytes = turned.read_bytes_at(0, turned.len())?;
        let (end, shape) = (bytes.len() as u64, turned.shape);
        let file = Bytes::Memory {
            path: self.path().to_owned(),
            bytes: Arc::new(bytes),
        };
        let stride = c_stride(&shape);
        StoredArray::new(file, (self.element, self.order), (0, end), shape, stride)
    }

    /// The bytes of `n` elements from element `first` (in C order), as stored.
    ///
    /// # Errors
    /// The array has fewer elements.
    pub fn read_bytes_at(&self, first: u64, n: u64) -> Result<Vec<u8>, FormatError> {
        self.check_range(first, n)?;
        if n == 0 {
            return Ok(Vec::new());
        }
        if self.contiguous {
            let size = self.element.size() as u64;
            return self.file.read(self.first_byte + first * size, n * size, "an array");
        }
        self.gather(first, n)
    }

    /// Like [`Self::read_bytes_at`], converted to `f32`.
    pub fn read_f32_at(&self, first: u64, n: u64) -> Result<Vec<f32>, FormatError> {
        self.read_at(first, n)
    }

    /// Like [`Self::read_bytes_at`], converted to `f64`.
    pub fn read_f64_at(&self, first: u64, n: u64) -> Result<Vec<f64>, FormatError> {
        self.read_at(first, n)
    }

    fn read_at<T: Real>(&self, first: u64, n: u64) -> Result<Vec<T>, FormatError> {
        self.check_range(first, n)?;
        let step = if self.contiguous { CHUNK_ELEMENTS } else { n };
        let mut values = room(n as usize, self.path(), "an array")?;
        let mut done = 0;
        while done < n {
            let count = step.min(n - done);
            let bytes = self.read_bytes_at(first + done, count)?;
            Real::decode_into(&bytes, self.element, self.order, &mut values);
            done += count;
        }
        Ok(values)
    }

    fn check_range(&self, first: u64, n: u64) -> Result<(), FormatError> {
        let size = self.element.size() as u64;
        match first.checked_add(n).filter(|&end| end <= self.n_elements) {
            Some(_) => Ok(()),
            None => {
                let place = format!("the part of the array from element {first} on");
                Err(Problem::truncated(place, n.saturating_mul(size), self.n_elements.saturating_sub(first) * size)
                    .at(self.path()))
            }
        }
    }

    /// `n` elements of an array stored in another order: one read of the whole span, from which elements are picked one
    /// by one.
    fn gather(&self, first: u64, n: u64) -> Result<Vec<u8>, FormatError> {
        let positions = || Positions::from(&self.shape, &self.stride, first).take(n as usize);
        let (low, high) =
            positions().fold((u64::MAX, 0), |(low, high), position| (low.min(position), high.max(position)));
        let size = self.element.size();
        let span = self.file.read(self.first_byte + low * size as u64, (high - low + 1) * size as u64, "an array")?;
        let mut bytes = room(n as usize * size, self.path(), "an array")?;
        for position in positions() {
            let start = (position - low) as usize * size;
            bytes.extend_from_slice(&span[start..start + size]);
        }
        Ok(bytes)
    }
}

/// The positions of an array's elements in its storage, in C order.
struct Positions {
    shape: Vec<u64>,
    step: Vec<u64>,
    index: Vec<u64>,
    position: u64,
}

impl Positions {
    fn from(shape: &[u64], stride: &[u64], first: u64) -> Self {
        // The stride of an axis with one element has no meaning and may be any number.
        let step: Vec<u64> = stride.iter().zip(shape).map(|(&step, &n)| if n > 1 { step } else { 0 }).collect();
        let mut index = vec![0; shape.len()];
        let mut rest = first;
        for (digit, &n) in index.iter_mut().zip(shape).rev() {
            *digit = rest % n;
            rest /= n;
        }
        let position = index.iter().zip(&step).map(|(i, step)| i * step).sum();
        Positions {
            shape: shape.to_vec(),
            step,
            index,
            position,
        }
    }
}

impl Iterator for Positions {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let current = self.position;
        for axis in (0..self.shape.len()).rev() {
            self.index[axis] += 1;
            if self.index[axis] < self.shape[axis] {
                self.position += self.step[axis];
                break;
            }
            self.position -= (self.shape[axis] - 1) * self.step[axis];
            self.index[axis] = 0;
        }
        Some(current)
    }
}

/// The product of the sizes; `None` if it does not fit into `u64`.
pub(crate) fn element_count(shape: &[u64]) -> Option<u64> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n))
}

/// Strides of an array whose last axis varies fastest; saturating, for sizes that are checked elsewhere.
pub(crate) fn c_stride(shape: &[u64]) -> Vec<u64> {
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = shape[axis].max(1).saturating_mul(stride[axis]);
    }
    stride
}

/// Strides of an array whose first axis varies fastest.
pub(crate) fn fortran_stride(shape: &[u64]) -> Vec<u64> {
    let mut stride = vec![1; shape.len()];
    for axis in 1..shape.len() {
        stride[axis] = shape[axis - 1].max(1).saturating_mul(stride[axis - 1]);
    }
    stride
}
