//! Images in HDF5 datasets, such as the Natural Scenes Dataset's `imgBrick`.

use crate::element::ElementType;
use crate::hdf5::Dataset;
use crate::{FormatError, Problem};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of NSD-synthetic's first images, and the file whose images the experiment numbers after them.
const CONTINUED: (&str, &str) = ("nsdsynthetic_stimuli.hdf5", "nsdsynthetic_colorstimuli_subj01.hdf5");
/// Bytes of images that are read at once.
const MOST_AT_ONCE: usize = 64 << 20;

/// Concatenated datasets of images. Each is read in whole chunks as stored.
#[derive(Debug)]
pub(super) struct Brick {
    path: PathBuf,
    parts: Vec<Dataset>,
    /// (n images, height, width, 3) of all together.
    shape: Vec<u64>,
    element: ElementType,
    /// The last chunk that was read: its part, its first image, and its bytes.
    last: Mutex<Option<(usize, usize, Vec<u8>)>>,
}

impl Brick {
    /// Opens the dataset with that name, or the only one. `nsdsynthetic_stimuli.hdf5` is followed by the colour stimuli
    /// of subject 1 if their file is in the same folder, with the next numbers.
    pub(super) fn open(file: &Path, name: Option<&str>) -> Result<Brick, FormatError> {
        let first = Dataset::open(file, name)?;
        let (shape, element) = (first.shape().to_vec(), first.element_type());
        let mut brick = Brick {
            path: file.to_owned(),
            parts: vec![first],
            shape,
            element,
            last: Mutex::new(None),
        };
        let next = file.with_file_name(CONTINUED.1);
        if file.file_name().is_some_and(|own| own == CONTINUED.0) && next.exists() {
            brick.append(Dataset::open(&next, name)?)?;
        }
        Ok(brick)
    }

    fn append(&mut self, next: Dataset) -> Result<(), FormatError> {
        let same = next.shape().get(1..) == self.shape.get(1..);
        if !same || next.element_type() != self.element {
            let found = format!("{} of {:?}", next.element_type(), next.shape());
            let expected = format!("images as in {}, {} of {:?}", self.path.display(), self.element, self.shape);
            return Err(Problem::content(found, expected).at(next.path()));
        }
        self.shape[0] += next.shape()[0];
        self.parts.push(next);
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn shape(&self) -> &[u64] {
        &self.shape
    }

    pub(super) fn element_type(&self) -> ElementType {
        self.element
    }

    /// The bytes of an image; floats are in little-endian order.
    pub(super) fn bytes(&self, image: usize) -> Result<Vec<u8>, FormatError> {
        let (mut place, mut part) = (image, 0);
        let n_of = |part: usize| self.parts[part].shape()[0] as usize;
        while part + 1 < self.parts.len() && place >= n_of(part) {
            place -= n_of(part);
            part += 1;
        }
        let values: u64 = self.shape[1..].iter().product();
        let size = values as usize * self.element.size();
        let dataset = &self.parts[part];
        let at_once = dataset.chunk().map_or(1, |chunk| chunk[0]).clamp(1, (MOST_AT_ONCE / size.max(1)).max(1));
        let start = place / at_once * at_once;
        let of_piece = |bytes: &[u8]| {
            let first = (place - start) * size;
            bytes.get(first..first + size).map(<[u8]>::to_vec)
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of_part, first, bytes)) = &*last
            && (*of_part, *first) == (part, start)
            && let Some(found) = of_piece(bytes)
        {
            return Ok(found);
        }
        let end = (start + at_once).min(n_of(part));
        let bytes = dataset.read_rows(start..end)?;
        let found = of_piece(&bytes);
        *last = Some((part, start, bytes));
        found.ok_or_else(|| Problem::no_such_image(image, self.shape[0] as usize).at(&self.path))
    }

    /// The values of an image of floats.
    pub(super) fn floats(&self, image: usize) -> Result<Vec<f32>, FormatError> {
        let bytes = self.bytes(image)?;
        Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
    }
}
