//! GIfTI (`.gii`): values on the vertices of a surface.

use crate::brain_space::{Grid, Space, Volume};
use crate::budget::{Budget, collect, reserve};
use crate::element::{ByteOrder, ElementType, Real};
use crate::parser_words::of_decoder;
use crate::{FormatError, Problem, json};
use base64::engine::general_purpose::STANDARD;
use base64::{Engine, decoded_len_estimate};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::io::Read;
use std::path::Path;

/// The most bytes of memory per byte of a file; labels of regions compress well.
const PER_BYTE: u64 = 1000;

/// Intents of arrays that describe the surface itself.
const OF_GEOMETRY: [&str; 2] = ["NIFTI_INTENT_POINTSET", "NIFTI_INTENT_TRIANGLE"];

/// The values of a file: one for each vertex and frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Gifti {
    pub n_vertices: usize,
    /// Number of frames: arrays of the file, or columns of its only array.
    pub n_frames: usize,
    /// (n_frames, n_vertices), row-major.
    pub values: Vec<f64>,
    /// The surface, such as `CortexLeft`, if the file names it.
    pub structure: Option<String>,
}

impl Gifti {
    pub fn grid(&self) -> Grid {
        Grid {
            size: [self.n_vertices, 1, 1],
            space: self.structure.clone().map_or(Space::Unsaid, Space::Surface),
        }
    }
}

/// Reads all frames.
///
/// - Values: as stored, equal to `agg_data` of nibabel's `GiftiImage`, with frames as rows.
/// - Encodings: ASCII, Base64Binary and GZipBase64Binary. Points and triangles of a geometry are ignored.
/// - Errors: a missing file; values in another file; arrays of different lengths; another element type.
/// - Reference: nibabel's `GiftiImage`, exactly.
pub fn read(path: &Path) -> Result<Gifti, FormatError> {
    let bytes = json::read_bytes(path, "a GIfTI file (.gii)")?;
    let mut budget = Budget::of(bytes.len() as u64, PER_BYTE);
    let bytes = match bytes.starts_with(&[0x1f, 0x8b]) {
        true => budget.read(MultiGzDecoder::new(bytes.as_slice()), path, "the file")?,
        false => bytes,
    };
    let (arrays, structure) = arrays(path, &bytes, &mut budget)?;
    let malformed = |reason: String| malformed(path, reason);
    match arrays.as_slice() {
        [] => Err(malformed("it has no values on vertices".to_owned())),
        [only] if only.shape.len() == 2 && only.shape[1] > 1 => {
            let &[n_vertices, n_frames] = only.shape.as_slice() else {
                return Err(malformed("it has no values on vertices".to_owned()));
            };
            let frames = (0..n_frames).flat_map(|frame| only.values.iter().skip(frame).step_by(n_frames).copied());
            Ok(Gifti {
                n_vertices,
                n_frames,
                values: collect(only.values.len(), frames, path, "its values")?,
                structure,
            })
        }
        [first, ..] => {
            let n_vertices = first.values.len();
            let other =
                |array: &&Array| array.shape.iter().skip(1).any(|&n| n != 1) || array.values.len() != n_vertices;
            if let Some(other) = arrays.iter().find(other) {
                return Err(malformed(format!(
                    "an array has the shape {:?}, and the first has one value for each of {n_vertices} vertices",
                    other.shape
                )));
            }
            let n_frames = arrays.len();
            let n_values = n_vertices.saturating_mul(n_frames);
            let values = arrays.into_iter().flat_map(|array| array.values);
            Ok(Gifti {
                n_vertices,
                n_frames,
                values: collect(n_values, values, path, "its values")?,
                structure,
            })
        }
    }
}

/// A single frame, such as labels of regions, as a volume of (vertices, 1, 1).
pub(crate) fn one_frame(path: &Path) -> Result<Volume, FormatError> {
    let gifti = read(path)?;
    if gifti.n_frames != 1 {
        return Err(Problem::content(format!("{} frames", gifti.n_frames), "one value for each vertex").at(path));
    }
    Ok(Volume {
        path: path.to_owned(),
        grid: gifti.grid(),
        values: gifti.values,
    })
}

/// One `DataArray`.
struct Array {
    shape: Vec<usize>,
    /// Row-major.
    values: Vec<f64>,
}

/// The arrays, and the surface that metadata of the file or of an array names.
fn arrays(path: &Path, text: &[u8], budget: &mut Budget) -> Result<(Vec<Array>, Option<String>), FormatError> {
    let text = std::str::from_utf8(text).map_err(|error| malformed(path, of_decoder(error)))?;
    let mut reader = Reader::from_str(text);
    let mut arrays = Vec::new();
    let mut about: Option<About> = None;
    let mut data: Option<Vec<u8>> = None;
    let mut is_gifti = false;
    let mut structure = None;
    // For metadata: the element whose text comes next, and the last name.
    let (mut within, mut name) = (String::new(), String::new());
    loop {
        let event = reader.read_event().map_err(|error| malformed(path, of_decoder(error)))?;
        let metadata = match &event {
            Event::Start(element) => {
                within = element.local_name().as_ref().to_owned();
                ""
            }
            Event::Text(text) => text.trim(),
            Event::CData(text) => text.trim(),
            _ => "",
        };
        match within.as_str() {
            _ if metadata.is_empty() => {}
            "Name" => name = metadata.to_owned(),
            "Value" if name == "AnatomicalStructurePrimary" => {
                structure = Some(metadata.to_owned());
            }
            _ => {}
        }
        match event {
            Event::Start(element) => match element.local_name().as_ref() {
                "GIFTI" => is_gifti = true,
                "DataArray" => {
                    about = About::of(path, &element)?;
                    if let Some(about) = &about {
                        // Checked before its text is read and inflated.
                        let announced = budget.clone().spend(about.values_bytes());
                        announced.map_err(|exceeded| exceeded.of(path, about.name()))?;
                    }
                }
                "Data" if about.is_some() => data = Some(Vec::new()),
                _ => {}
            },
            Event::Text(text) => {
                if let Some(data) = &mut data {
                    reserve(data, text.len()).map_err(|exceeded| exceeded.of(path, "an array's text"))?;
                    data.extend_from_slice(text.as_bytes());
                }
            }
            Event::End(element) => match element.local_name().as_ref() {
                "Data" => {
                    if let (Some(about), Some(data)) = (about.take(), data.take()) {
                        arrays.push(about.decode(path, data, budget)?);
                    }
                }
                "DataArray" => about = None,
                _ => {}
            },
            Event::Eof if is_gifti => return Ok((arrays, structure)),
            Event::Eof => return Err(malformed(path, "no element is called GIFTI")),
            _ => {}
        }
    }
}

/// The attributes of an array.
struct About {
    shape: Vec<usize>,
    element: ElementType,
    order: ByteOrder,
    encoding: String,
    is_column_major: bool,
}

impl About {
    /// The attributes; `None` for points and triangles.
    fn of(path: &Path, element: &BytesStart<'_>) -> Result<Option<About>, FormatError> {
        let named = |name: &str| attribute(element, name).unwrap_or_default();
        if OF_GEOMETRY.contains(&named("Intent").as_str()) {
            return Ok(None);
        }
        let number = |name: &str| named(name).trim().parse::<usize>().ok();
        let n_axes = number("Dimensionality").filter(|n| (1..=2).contains(n));
        let shape = n_axes.and_then(|n| (0..n).map(|axis| number(&format!("Dim{axis}"))).collect());
        let Some(shape) = shape else {
            let reason = "an array does not say its one or two dimensions";
            return Err(malformed(path, reason));
        };
        let kind = named("DataType");
        let element = match kind.strip_prefix("NIFTI_TYPE_").unwrap_or(&kind) {
            "UINT8" => ElementType::U8,
            "INT8" => ElementType::I8,
            "INT16" => ElementType::I16,
            "UINT16" => ElementType::U16,
            "INT32" => ElementType::I32,
            "UINT32" => ElementType::U32,
            "INT64" => ElementType::I64,
            "FLOAT32" => ElementType::F32,
            "FLOAT64" => ElementType::F64,
            _ => {
                return Err(Problem::dtype(kind, "NIFTI_TYPE_UINT8, _INT32, _FLOAT32 or another real number").at(path));
            }
        };
        Ok(Some(About {
            shape,
            element,
            order: match named("Endian").as_str() {
                "BigEndian" => ByteOrder::Big,
                _ => ByteOrder::Little,
            },
            encoding: named("Encoding"),
            is_column_major: named("ArrayIndexingOrder") == "ColumnMajorOrder",
        }))
    }

    /// The name of the array in messages.
    fn name(&self) -> String {
        format!("an array of the shape {:?}", self.shape)
    }

    /// Memory for all values of the shape, bytes.
    fn values_bytes(&self) -> u64 {
        let bytes = size_of::<f64>() as u64;
        self.shape.iter().fold(bytes, |bytes, &size| bytes.saturating_mul(size as u64))
    }

    fn decode(self, path: &Path, mut data: Vec<u8>, budget: &mut Budget) -> Result<Array, FormatError> {
        let what = self.name();
        let room = |budget: &mut Budget, n: usize| budget.vector(n).map_err(|exceeded| exceeded.of(path, what.clone()));
        let mut values;
        if self.encoding == "ASCII" {
            let text = String::from_utf8_lossy(&data);
            values = room(budget, text.split_ascii_whitespace().count())?;
            for word in text.split_ascii_whitespace() {
                let number = word.parse();
                let number: f64 = number.map_err(|_| malformed(path, format!("{what} has {word:?} for a number")))?;
                values.push(match self.element {
                    ElementType::F32 => f64::from(number as f32),
                    _ => number,
                });
            }
        } else {
            data.retain(|byte| !byte.is_ascii_whitespace());
            let most = decoded_len_estimate(data.len());
            let mut decoded = collect(most, std::iter::repeat_n(0, most), path, &what)?;
            let n = STANDARD.decode_slice(&data, &mut decoded);
            drop(data);
            decoded.truncate(n.map_err(|error| malformed(path, format!("{what}: {}", of_decoder(error))))?);
            let bytes = match self.encoding.as_str() {
                "Base64Binary" => decoded,
                "GZipBase64Binary" => {
                    // One value too many shows that the array is longer than its shape.
                    let most = self.shape.iter().fold(1u64, |n, &size| n.saturating_mul(size as u64)).saturating_add(1);
                    let most = most.saturating_mul(self.element.size() as u64);
                    budget.read(ZlibDecoder::new(decoded.as_slice()).take(most), path, &what)?
                }
                other => {
                    return Err(malformed(
                        path,
                        format!("{what} is encoded as {other:?}; expected ASCII, Base64Binary or GZipBase64Binary"),
                    ));
                }
            };
            let n = bytes.len() / self.element.size();
            values = room(budget, n)?;
            Real::decode_into(&bytes[..n * self.element.size()], self.element, self.order, &mut values);
        }
        let n = self.shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size));
        if n != Some(values.len()) {
            let reason = format!("{what} has {} values", values.len());
            return Err(malformed(path, reason));
        }
        if let (true, &[n_rows, n_columns]) = (self.is_column_major, self.shape.as_slice()) {
            let at = |place: usize| place % n_columns * n_rows + place / n_columns;
            let in_order = (0..values.len()).map(|place| values[at(place)]);
            values = collect(values.len(), in_order, path, &what)?;
        }
        Ok(Array {
            shape: self.shape,
            values,
        })
    }
}

/// An attribute of an element as written; `None` if missing or unreadable.
pub(crate) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    Some(element.try_get_attribute(name).ok()??.value.into_owned())
}

fn malformed(path: &Path, reason: impl std::fmt::Display) -> FormatError {
    Problem::new(format_args!("not a readable GIfTI file: {reason}")).at(path)
}
