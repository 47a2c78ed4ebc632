//! NIfTI-1 volumes in one file (`.nii`, and `.nii.gz`, gzipped): labels of regions.

use crate::FormatError;
use crate::budget::Budget;
use crate::element::{ByteOrder, ElementType, decode_into};
use crate::volume::Volume;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const HEADER_BYTES: usize = 348;
/// What a byte of a file may come to when it is inflated; labels of regions compress well.
const PER_BYTE: u64 = 1000;

/// Reads a volume of one frame.
///
/// - Values: as stored, times slope plus intercept where the header has a slope other than 0; what nibabel's
///   `get_fdata` gives. Orientation is not looked at: voxels stay in the order of the file.
/// - Element types: (u)int of 8 to 64 bits, float of 32 and 64 bits, either byte order.
/// - Errors: [`FormatError::NotFound`], [`FormatError::Malformed`] for another format (NIfTI-2 and pairs of files
///   among them), [`FormatError::Dtype`], [`FormatError::Shape`] for several frames, [`FormatError::Truncated`].
/// - Reference: nibabel's `Nifti1Image`, exactly.
pub fn read(path: &Path) -> Result<Volume, FormatError> {
    let file = File::open(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => FormatError::NotFound {
            path: path.to_owned(),
            expected: "a NIfTI file (.nii or .nii.gz)".to_owned(),
        },
        _ => FormatError::Io {
            path: path.to_owned(),
            action: "opening",
            source,
        },
    })?;
    let zipped = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let mut source: Box<dyn Read> = if zipped {
        Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(file))))
    } else {
        Box::new(BufReader::new(file))
    };
    let header = Header::read(path, &mut source)?;
    let before = header.first_byte - HEADER_BYTES as u64;
    let n = header.size.iter().product::<usize>() as u64 * header.element.size() as u64;
    let skipped = std::io::copy(&mut (&mut source).take(before), &mut std::io::sink());
    skipped.map_err(|source| FormatError::Io {
        path: path.to_owned(),
        action: "reading",
        source,
    })?;
    let place = format!("a volume of {:?} voxels", header.size);
    let mut budget = Budget::of_file(path, PER_BYTE);
    let bytes = budget.read(source.take(n), path, &place)?;
    if (bytes.len() as u64) < n {
        return Err(FormatError::Truncated {
            path: path.to_owned(),
            place,
            needed: n,
            found: bytes.len() as u64,
        });
    }
    let n_values = header.size.iter().product();
    let values = budget.vector(n_values);
    let mut values: Vec<f64> = values.map_err(|exceeded| exceeded.of(path, place))?;
    decode_into(&bytes, header.element, header.order, &mut values);
    if let Some((slope, intercept)) = header.scaling {
        for value in &mut values {
            *value = *value * slope + intercept;
        }
    }
    Ok(Volume {
        path: path.to_owned(),
        size: header.size,
        values,
    })
}

struct Header {
    /// The first axis runs fastest.
    size: [usize; 3],
    element: ElementType,
    order: ByteOrder,
    first_byte: u64,
    scaling: Option<(f64, f64)>,
}

impl Header {
    fn read(path: &Path, source: &mut dyn Read) -> Result<Header, FormatError> {
        let malformed = |reason: String| FormatError::Malformed {
            path: path.to_owned(),
            reason: format!("not a NIfTI-1 file: {reason}"),
        };
        let mut bytes = [0; HEADER_BYTES];
        source.read_exact(&mut bytes).map_err(|error| {
            malformed(format!(
                "its header of {HEADER_BYTES} bytes cannot be read ({error})"
            ))
        })?;
        let length = [0, 1, 2, 3].map(|index| bytes[index]);
        let order = match (i32::from_le_bytes(length), i32::from_be_bytes(length)) {
            (348, _) => ByteOrder::Little,
            (_, 348) => ByteOrder::Big,
            (540, _) | (_, 540) => {
                let reason = "it is of version 2; save it as NIfTI-1 (nibabel.Nifti1Image)";
                return Err(malformed(reason.to_owned()));
            }
            (found, _) => {
                return Err(malformed(format!(
                    "the length of its header is {found}; expected 348"
                )));
            }
        };
        if bytes[344..348] != *b"n+1\0" {
            let reason = "its values are in another file (.hdr and .img); save it as one .nii.gz";
            return Err(malformed(reason.to_owned()));
        }
        let short = |at: usize| number(&bytes[at..at + 2], ElementType::I16, order);
        let float = |at: usize| number(&bytes[at..at + 4], ElementType::F32, order);
        let n_axes = short(40);
        let axes: Vec<f64> = (0..7).map(|axis| short(42 + 2 * axis)).collect();
        let used = if (1.0..=7.0).contains(&n_axes) {
            &axes[..n_axes as usize]
        } else {
            return Err(malformed(format!("it has {n_axes} axes; expected 3")));
        };
        if let Some(size) = used.iter().find(|&&size| size < 1.0) {
            return Err(malformed(format!("an axis has the size {size}")));
        }
        if used.iter().skip(3).any(|&size| size > 1.0) {
            return Err(FormatError::Shape {
                path: path.to_owned(),
                found: used.iter().map(|&size| size as u64).collect(),
                expected: "one volume, (X, Y, Z)".to_owned(),
            });
        }
        let size = [0, 1, 2].map(|axis| used.get(axis).map_or(1, |&size| size as usize));
        let code = short(70);
        let element = element_of(code).ok_or_else(|| FormatError::Dtype {
            path: path.to_owned(),
            found: format!("NIfTI's type {code}"),
            expected: "integers of 8 to 64 bits or floats of 32 or 64".to_owned(),
        })?;
        let first_byte = float(108);
        if !(first_byte >= HEADER_BYTES as f64 && first_byte < 1e9) {
            return Err(malformed(format!(
                "its values begin at byte {first_byte}; expected 352 or more"
            )));
        }
        let (slope, intercept) = (float(112), float(116));
        let scales = slope != 0.0 && slope.is_finite() && intercept.is_finite();
        Ok(Header {
            size,
            element,
            order,
            first_byte: first_byte as u64,
            scaling: scales.then_some((slope, intercept)),
        })
    }
}

fn number(bytes: &[u8], element: ElementType, order: ByteOrder) -> f64 {
    let mut values = Vec::new();
    decode_into(bytes, element, order, &mut values);
    values.first().copied().unwrap_or(f64::NAN)
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
