//! The header of a NIfTI file of version 1 or 2.

use crate::brain_space::{Affine, Space};
use crate::element::{ByteOrder, ElementType, Real};
use crate::{FormatError, Problem};
use std::io::Read;
use std::path::Path;

/// Bytes of a header, for each version.
const BYTES: [usize; 2] = [348, 540];
const MAGIC: [&[u8]; 2] = [b"n+1\0", b"n+2\0"];
/// The position in version 1 of a field that NIfTI does not use.
const GLMIN: usize = 144;
/// The sizes that FreeSurfer writes into a header of version 1 for the 163842 places of a surface of order 7.
const ORDER_7: [f64; 3] = [27307.0, 1.0, 6.0];
/// Intents of CIFTI-2 matrices.
const CIFTI: std::ops::RangeInclusive<i64> = 3000..=3099;

pub(super) struct NiftiHeader {
    /// Sizes of the axes; the first varies fastest.
    pub(super) axes: Vec<usize>,
    pub(super) element: ElementType,
    pub(super) order: ByteOrder,
    /// Bytes between the header and the first value.
    pub(super) before: u64,
    pub(super) scaling: Option<(f64, f64)>,
    pub(super) is_cifti: bool,
    pub(super) space: Space,
}

/// The positions and types of the fields in a version.
struct Fields {
    version: usize,
    bytes: Vec<u8>,
    order: ByteOrder,
}

impl Fields {
    fn at(&self, [first, second]: [usize; 2], [of_first, of_second]: [ElementType; 2]) -> f64 {
        let (at, element) = match self.version {
            0 => (first, of_first),
            _ => (second, of_second),
        };
        let mut values = Vec::new();
        let bytes = &self.bytes[at..at + element.size()];
        Real::decode_into(bytes, element, self.order, &mut values);
        values.first().copied().unwrap_or(f64::NAN)
    }

    fn axis(&self, place: usize) -> f64 {
        let at = [40 + 2 * place, 16 + 8 * place];
        self.at(at, [ElementType::I16, ElementType::I64])
    }

    /// The float at index `place` of an array that begins there.
    fn float(&self, [first, second]: [usize; 2], place: usize) -> f64 {
        let at = [first + 4 * place, second + 8 * place];
        self.at(at, [ElementType::F32, ElementType::F64])
    }

    /// The location of the voxels: from the sform if its code is above 0, otherwise from the qform, otherwise only the
    /// size of a voxel.
    fn space(&self) -> Space {
        let is_set = |at| self.at(at, [ElementType::I16, ElementType::I32]) > 0.0;
        if is_set([254, 348]) {
            let row = |row: usize| {
                let at = [280 + 16 * row, 400 + 32 * row];
                [0, 1, 2, 3].map(|place| self.float(at, place))
            };
            return Space::Voxels(Affine([0, 1, 2].map(row)));
        }
        let [handed, sizes @ ..] = [0, 1, 2, 3].map(|place| self.float([76, 104], place));
        if !is_set([252, 344]) {
            return Space::VoxelSize(sizes);
        }
        let [b, c, d] = [0, 1, 2].map(|place| self.float([256, 352], place));
        let a = (1.0 - (b * b + c * c + d * d)).max(0.0).sqrt();
        let rotation = [
            [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
            [2.0 * (b * c + a * d), a * a + c * c - b * b - d * d, 2.0 * (c * d - a * b)],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a + d * d - b * b - c * c],
        ];
        let side = if handed < 0.0 { -1.0 } else { 1.0 };
        let row = |row: usize| {
            let [x, y, z] = rotation[row];
            [x * sizes[0], y * sizes[1], z * sizes[2] * side, self.float([268, 376], row)]
        };
        Space::Voxels(Affine([0, 1, 2].map(row)))
    }

    /// In version 1, an axis has at most 32767 places. For larger surfaces, FreeSurfer writes -1 and puts their number,
    /// or factors of it, elsewhere; if the number is not there, the size stays -1.
    fn mend_surface(&self, axes: &mut [f64]) {
        let Some(space) = axes.first_chunk_mut::<3>() else {
            return;
        };
        if *space == [-1.0, 1.0, 1.0] {
            let n_places = self.at([GLMIN; 2], [ElementType::I32; 2]);
            space[0] = if n_places > 0.0 { n_places } else { -1.0 };
        } else if *space == ORDER_7 {
            *space = [ORDER_7.iter().product(), 1.0, 1.0];
        }
    }
}

impl NiftiHeader {
    pub(super) fn read(path: &Path, source: &mut dyn Read) -> Result<NiftiHeader, FormatError> {
        let malformed = |reason: String| Problem::new(format_args!("not a NIfTI file: {reason}")).at(path);
        let cut = |n: usize, _| malformed(format!("it ends within its header of {n} bytes; write it again"));
        let mut bytes = vec![0; BYTES[0]];
        source.read_exact(&mut bytes).map_err(|e| cut(BYTES[0], e))?;
        let length = [0, 1, 2, 3].map(|index| bytes[index]);
        let (version, order) = match (i32::from_le_bytes(length), i32::from_be_bytes(length)) {
            (348, _) => (0, ByteOrder::Little),
            (_, 348) => (0, ByteOrder::Big),
            (540, _) => (1, ByteOrder::Little),
            (_, 540) => (1, ByteOrder::Big),
            (found, _) => {
                return Err(malformed(format!("the length of its header is {found}; expected 348 or 540")));
            }
        };
        if version == 1 {
            bytes.resize(BYTES[1], 0);
            source.read_exact(&mut bytes[BYTES[0]..]).map_err(|e| cut(BYTES[1], e))?;
        }
        if &bytes[[344, 4][version]..][..4] != MAGIC[version] {
            let reason = "its values are in another file (.hdr and .img); save it as one .nii.gz";
            return Err(malformed(reason.to_owned()));
        }
        let fields = Fields { version, bytes, order };
        let n_axes = fields.axis(0);
        if !(1.0..=7.0).contains(&n_axes) {
            return Err(malformed(format!("it has {n_axes} axes; expected 1 to 7")));
        }
        let mut axes: Vec<f64> = (1..=n_axes as usize).map(|axis| fields.axis(axis)).collect();
        if version == 0 {
            fields.mend_surface(&mut axes);
        }
        if let Some(size) = axes.iter().find(|&&size| size < 1.0) {
            return Err(malformed(format!("an axis has the size {size}")));
        }
        let axes: Vec<usize> = axes.into_iter().map(|size| size as usize).collect();
        if axes.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).is_none() {
            return Err(malformed(format!("it has axes of the sizes {axes:?}")));
        }
        let code = fields.at([70, 12], [ElementType::I16; 2]);
        let element = element_of(code).ok_or_else(|| {
            Problem::dtype(format!("NIfTI's type {code}"), "integers of 8 to 64 bits or floats of 32 or 64").at(path)
        })?;
        let first_byte = fields.at([108, 168], [ElementType::F32, ElementType::I64]);
        let n_header = BYTES[version];
        if !(first_byte >= n_header as f64 && first_byte < 1e9) {
            return Err(malformed(format!("its values begin at byte {first_byte}; expected {} or more", n_header + 4)));
        }
        let float = |at| fields.at(at, [ElementType::F32, ElementType::F64]);
        let (slope, intercept) = (float([112, 176]), float([116, 184]));
        let scales = slope != 0.0 && slope.is_finite() && intercept.is_finite();
        let intent = fields.at([68, 504], [ElementType::I16, ElementType::I32]);
        Ok(NiftiHeader {
            axes,
            element,
            order,
            before: first_byte as u64 - n_header as u64,
            scaling: scales.then_some((slope, intercept)),
            is_cifti: version == 1 && CIFTI.contains(&(intent as i64)),
            space: fields.space(),
        })
    }
}

fn element_of(code: f64) -> Option<ElementType> {
    Some(match code as i64 {
        2 => ElementType::U8,
        4 => ElementType::I16,
        8 => ElementType::I32,
        16 => ElementType::F32,
        64 => ElementType::F64,
        256 => ElementType::I8,
        512 => ElementType::U16,
        768 => ElementType::U32,
        1024 => ElementType::I64,
        1280 => ElementType::U64,
        _ => return None,
    })
}
