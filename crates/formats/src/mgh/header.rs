//! The 284 bytes at the start of an MGH file.

use crate::brain_space::{Affine, Space};
use crate::{FormatError, Problem};
use std::io::Read;
use std::path::Path;

/// Bytes before the first value.
pub(super) const HEADER_BYTES: usize = 284;
const VERSION: i32 = 1;
/// A volume with more values than this has a damaged header.
const MAX_PLACES: u64 = 1 << 34;

/// The type of a stored value, big-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    U8,
    I16,
    I32,
    F32,
}

impl Element {
    fn of_code(code: i32) -> Option<Element> {
        match code {
            0 => Some(Element::U8),
            1 => Some(Element::I32),
            3 => Some(Element::F32),
            4 => Some(Element::I16),
            _ => None,
        }
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Element::U8 => 1,
            Element::I16 => 2,
            Element::I32 | Element::F32 => 4,
        }
    }

    /// The value number `index` of a frame.
    pub(super) fn value(self, frame: &[u8], index: usize) -> f32 {
        let n = self.bytes();
        match (self, &frame[index * n..(index + 1) * n]) {
            (Element::U8, &[a]) => f32::from(a),
            (Element::I16, &[a, b]) => f32::from(i16::from_be_bytes([a, b])),
            // Labels and counts are far below the whole numbers that an f32 cannot represent.
            (Element::I32, &[a, b, c, d]) => i32::from_be_bytes([a, b, c, d]) as f32,
            (Element::F32, &[a, b, c, d]) => f32::from_be_bytes([a, b, c, d]),
            _ => f32::NAN,
        }
    }
}

/// Shape and type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MghHeader {
    /// Width, height, depth.
    pub(super) size: [usize; 3],
    pub(super) n_frames: usize,
    pub(super) element: Element,
    pub(super) space: Space,
}

impl MghHeader {
    pub(super) fn read(path: &Path, source: &mut dyn Read) -> Result<MghHeader, FormatError> {
        let malformed = |reason: String| Problem::new(reason).at(path);
        let mut bytes = [0; HEADER_BYTES];
        source.read_exact(&mut bytes).map_err(|_| {
            malformed(format!("not an MGH file: it ends within its header of {HEADER_BYTES} bytes; write it again"))
        })?;
        let number = |index: usize| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| bytes[4 * index + i]);
            i32::from_be_bytes([a, b, c, d])
        };
        if number(0) != VERSION {
            return Err(malformed(format!("not an MGH file: its version is {}; expected {VERSION}", number(0))));
        }
        let sizes = [1, 2, 3, 4].map(|index| usize::try_from(number(index)).unwrap_or(0));
        let places = sizes[..3]
            .iter()
            .try_fold(1_u64, |product, &size| product.checked_mul(size as u64).filter(|&n| n <= MAX_PLACES));
        if sizes.contains(&0) || places.is_none() {
            let found = [1, 2, 3, 4].map(number);
            return Err(malformed(format!("an MGH header that says {found:?} for width, height, depth and frames")));
        }
        let element = Element::of_code(number(5)).ok_or_else(|| {
            malformed(format!(
                "an MGH file of type {}; expected 0 (8-bit), 1 (32-bit), 3 (float) or 4 (16-bit)",
                number(5)
            ))
        })?;
        let [width, height, depth, n_frames] = sizes;
        Ok(MghHeader {
            size: [width, height, depth],
            n_frames,
            element,
            space: space(&bytes, [width, height, depth]),
        })
    }

    pub(super) fn n_places(&self) -> usize {
        self.size.iter().product()
    }

    /// The bytes of the header, without the orientation that follows.
    pub(super) fn bytes(&self) -> [u8; HEADER_BYTES] {
        let code = match self.element {
            Element::U8 => 0,
            Element::I32 => 1,
            Element::F32 => 3,
            Element::I16 => 4,
        };
        let [width, height, depth] = self.size;
        let sizes = [width, height, depth, self.n_frames].map(|n| i32::try_from(n).unwrap_or(0));
        let [w, h, d, f] = sizes;
        let mut bytes = [0; HEADER_BYTES];
        for (place, number) in bytes.chunks_exact_mut(4).zip([VERSION, w, h, d, f, code, 0]) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }
}

/// The location of the voxels: sizes of a voxel, directions of the three axes and the centre, after a word that says
/// whether they are set. A surface has none.
fn space(bytes: &[u8; HEADER_BYTES], size: [usize; 3]) -> Space {
    if bytes[28..30] != [0, 1] || size[1..] == [1, 1] {
        return Space::Unsaid;
    }
    let number = |place: usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| bytes[30 + 4 * place + i]);
        f64::from(f32::from_be_bytes([a, b, c, d]))
    };
    let row = |row: usize| {
        let [x, y, z] = [0, 1, 2].map(|axis| number(3 + 3 * axis + row) * number(axis));
        let [nx, ny, nz] = size.map(|size| size as f64);
        [x, y, z, number(12 + row) - (x * nx + y * ny + z * nz) / 2.0]
    };
    Space::Voxels(Affine([0, 1, 2].map(row)))
}
