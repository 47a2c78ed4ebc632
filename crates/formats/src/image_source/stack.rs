//! The layout of a stack of images, and the choice of the tensor that is the stack.

use super::brick::Brick;
use crate::element::ElementType;
use crate::error::listed;
use crate::stored_array::StoredArray;
use crate::{FormatError, Problem, pt};
use std::path::Path;

/// The location of a stack's values.
#[derive(Debug)]
pub(super) enum StackArray {
    Stored(StoredArray),
    Hdf5(Brick),
}

impl StackArray {
    /// The number of items, and of the parts of each item along the axes between the items and the image, as in (N,
    /// samples, frames, H, W, 3).
    pub(super) fn n_images(&self) -> (u64, &[u64]) {
        match self {
            StackArray::Stored(array) => {
                let shape = array.shape();
                (shape[0], &shape[1..shape.len() - 3])
            }
            StackArray::Hdf5(brick) => (brick.shape()[0], &[]),
        }
    }

    pub(super) fn element_type(&self) -> ElementType {
        match self {
            StackArray::Stored(array) => array.element_type(),
            StackArray::Hdf5(brick) => brick.element_type(),
        }
    }

    /// The bytes of an image with `n_values` values.
    pub(super) fn bytes(&self, image: u64, n_values: u64) -> Result<Vec<u8>, FormatError> {
        match self {
            StackArray::Stored(array) => array.read_bytes_at(image * n_values, n_values),
            StackArray::Hdf5(brick) => brick.bytes(image as usize),
        }
    }

    /// The values of an image with `n_values` floats.
    pub(super) fn floats(&self, image: u64, n_values: u64) -> Result<Vec<f32>, FormatError> {
        match self {
            StackArray::Stored(array) => array.read_f32_at(image * n_values, n_values),
            StackArray::Hdf5(brick) => brick.floats(image as usize),
        }
    }
}

/// The layout of images in a stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct StackLayout {
    pub(super) width_px: u64,
    pub(super) height_px: u64,
    pub(super) channels_first: bool,
}

impl StackLayout {
    /// Values per image.
    pub(super) fn values(self) -> u64 {
        self.width_px * self.height_px * 3
    }

    /// The layout of an array; `channels_first` decides if both readings fit, as for (N, 3, H, 3).
    pub(super) fn of(array: &StackArray, channels_first: bool) -> Result<StackLayout, FormatError> {
        let (path, shape, element) = match array {
            StackArray::Stored(array) => (array.path(), array.shape(), array.element_type()),
            StackArray::Hdf5(brick) => (brick.path(), brick.shape(), brick.element_type()),
        };
        let Some(layout) = StackLayout::fit(shape, channels_first) else {
            let expected = "(n images, height, width, 3) or (n images, 3, height, width), or the same with one or two axes of parts \
                            after the first, none of them 0";
            return Err(Problem::shape(shape, expected).at(path));
        };
        let expected = match array {
            StackArray::Stored(_) if element == ElementType::U8 || element.is_float() => None,
            StackArray::Stored(_) => Some("uint8, or floats between 0 and 1"),
            StackArray::Hdf5(_) if [ElementType::U8, ElementType::F32].contains(&element) => None,
            StackArray::Hdf5(_) => Some("uint8, or float32 between 0 and 1"),
        };
        if let Some(expected) = expected {
            return Err(Problem::dtype(element.to_string(), expected).at(path));
        }
        Ok(layout)
    }

    fn fit(shape: &[u64], channels_first: bool) -> Option<StackLayout> {
        let (&[_, a, b, c] | &[_, _, a, b, c] | &[_, _, _, a, b, c]) = shape else {
            return None;
        };
        let first = (a == 3).then_some((b, c, true));
        let last = (c == 3).then_some((a, b, false));
        let fit = if channels_first { first.or(last) } else { last.or(first) };
        let (height_px, width_px, channels_first) = fit.filter(|_| !shape.contains(&0))?;
        Some(StackLayout {
            width_px,
            height_px,
            channels_first,
        })
    }
}

pub(super) fn tensor(path: &Path, key: Option<String>) -> Result<StoredArray, FormatError> {
    if let Some(key) = key {
        return pt::open_key(path, &key);
    }
    let tensors = pt::open(path)?;
    let (stacks, others): (Vec<_>, Vec<_>) = tensors
        .into_iter()
        .partition(|t| StackLayout::of(&StackArray::Stored(t.array.clone()), true).is_ok());
    match (stacks.as_slice(), others.as_slice()) {
        // A single tensor that is not a stack: the error is about its shape or type.
        ([one], _) | ([], [one]) => Ok(one.array.clone()),
        ([], others) => {
            let expected = "a float or uint8 tensor (n images, 3, height, width)";
            Err(Problem::content(format!("{} tensors, none of them images", others.len()), expected).at(path))
        }
        (several, _) => {
            let keys: Vec<String> = several.iter().filter_map(|tensor| tensor.name.clone()).collect();
            let first = keys.first().map_or("key", String::as_str);
            let choose = format!("choose one as {}#{first}", path.display());
            Err(Problem::new(format_args!("several image stacks ({}); {choose}", listed(&keys))).at(path))
        }
    }
}
