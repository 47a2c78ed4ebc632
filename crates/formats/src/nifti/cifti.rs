//! The extension of a CIFTI-2 file, which describes its matrix: the axis of brain places, and their structures.

use super::header::NiftiHeader;
use crate::brain_space::{Affine, Grayordinates, Structure};
use crate::element::ByteOrder;
use crate::gifti::attribute;
use crate::parser_words::of_decoder;
use crate::{FormatError, Problem};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;
use std::path::Path;

/// NIfTI's code for CIFTI's extension.
const CODE: i32 = 32;
/// The prefix of structures' names.
pub(super) const PREFIX: &str = "CIFTI_STRUCTURE_";

#[derive(Debug, Default)]
pub(super) struct Cifti {
    pub(super) n_maps: usize,
    pub(super) n_places: usize,
    /// Are all values of a place contiguous in the file?
    pub(super) maps_run_fastest: bool,
    pub(super) grayordinates: Grayordinates,
}

impl Cifti {
    /// `extensions` are the bytes between header and values.
    pub(super) fn read(path: &Path, header: &NiftiHeader, extensions: &[u8]) -> Result<Cifti, FormatError> {
        let malformed = |reason: String| Problem::new(format_args!("not a readable CIFTI-2 file: {reason}")).at(path);
        let text = extension(header.order, extensions.get(4..).unwrap_or_default());
        let text = text.ok_or_else(|| malformed("it has no CIFTI extension".to_owned()))?;
        let Described {
            axes, grayordinates, ..
        } = described(text).map_err(malformed)?;
        let structures = &grayordinates.structures;
        let sizes = header.axes.get(4..).unwrap_or_default();
        let are_single = header.axes.iter().take(4).all(|&size| size == 1);
        let is_of_places = |kind: &String| kind.ends_with("BRAIN_MODELS") || kind.ends_with("PARCELS");
        let [first, second] = axes.each_ref().map(|kind| kind.as_ref().is_some_and(is_of_places));
        let (&[n_first, n_second], true, true) = (sizes, are_single, first != second) else {
            return Err(Problem::shape(&header.axes, "a matrix of maps (or times) by places of the brain").at(path));
        };
        let (n_maps, n_places) = if second {
            (n_first, n_second)
        } else {
            (n_second, n_first)
        };
        let mut in_order: Vec<_> = structures.iter().collect();
        in_order.sort_by_key(|structure| structure.places.start);
        let mut next = 0;
        for structure in in_order {
            check(structure, grayordinates.volume.as_ref()).map_err(malformed)?;
            let Structure { name, places, .. } = structure;
            if places.start != next || places.end > n_places {
                return Err(malformed(format!(
                    "{name} has the places {} to {} of {n_places}; expected them to begin at {next}, where those before it end",
                    places.start, places.end
                )));
            }
            next = places.end;
        }
        if !structures.is_empty() && next != n_places {
            return Err(malformed(format!("its structures have {next} places, and its matrix has {n_places}")));
        }
        Ok(Cifti {
            n_maps,
            n_places,
            maps_run_fastest: second,
            grayordinates,
        })
    }
}

/// The text of CIFTI's extension.
fn extension(order: ByteOrder, mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let (head, _) = rest.split_at_checked(8)?;
        let number = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            match order {
                ByteOrder::Little => i32::from_le_bytes(bytes),
                ByteOrder::Big => i32::from_be_bytes(bytes),
            }
        };
        let length = usize::try_from(number(0)).ok().filter(|&length| length >= 8)?;
        let own = rest.get(8..length)?;
        if number(4) == CODE {
            // The text is padded with zeros to a multiple of 16 bytes.
            let end = own.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            return Some(&own[..end]);
        }
        rest = &rest[length..];
    }
}

#[derive(Default)]
struct Described {
    /// The meaning of the indices along the two axes.
    axes: [Option<String>; 2],
    grayordinates: Grayordinates,
    /// The size of the volume whose affine matrix follows.
    volume: [usize; 3],
    /// The element whose text is being read.
    within: String,
}

/// The meaning of the two axes, and the structures of the places.
fn described(text: &[u8]) -> Result<Described, String> {
    let text = std::str::from_utf8(text).map_err(of_decoder)?;
    let mut reader = Reader::from_str(text);
    let mut described = Described::default();
    let mut n_open = 0_usize;
    loop {
        let event = reader.read_event().map_err(of_decoder)?;
        match &event {
            Event::Start(_) => n_open += 1,
            Event::End(_) => {
                n_open = n_open.saturating_sub(1);
                described.within.clear();
            }
            Event::Text(text) => described.add_numbers(text)?,
            Event::Eof if n_open > 0 => {
                return Err(format!("its XML ends within {n_open} elements"));
            }
            Event::Eof => return Ok(described),
            _ => {}
        }
        if let Event::Start(element) | Event::Empty(element) = &event {
            match element.local_name().as_ref() {
                "MatrixIndicesMap" => described.add_axes(element)?,
                "BrainModel" => {
                    let structure = structure(element).ok_or_else(|| {
                        "a BrainModel without a BrainStructure, an IndexOffset and an IndexCount".to_owned()
                    })?;
                    described.grayordinates.structures.push(structure);
                }
                "Parcel" => {
                    let name = attribute(element, "Name").unwrap_or_default();
                    described.grayordinates.parcels.push(name);
                }
                "Volume" => {
                    let sizes = attribute(element, "VolumeDimensions").unwrap_or_default();
                    let sizes = sizes.split(',').map(|size| size.trim().parse().unwrap_or(0));
                    sizes.zip(&mut described.volume).for_each(|(size, own)| *own = size);
                }
                _ => {}
            }
            described.within = element.local_name().as_ref().to_owned();
        }
    }
}

impl Described {
    /// Adds the text of a list of vertices or voxels, or of the affine matrix of the volume.
    fn add_numbers(&mut self, text: &str) -> Result<(), String> {
        fn parsed<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
            let words = text.split_ascii_whitespace();
            words.map(|word| word.parse().map_err(|_| format!("{word:?} is not a place number"))).collect()
        }
        match (self.within.as_str(), self.grayordinates.structures.last_mut()) {
            ("VertexIndices" | "VoxelIndicesIJK", Some(model)) => {
                model.indices.extend(parsed::<u64>(text)?);
            }
            ("TransformationMatrixVoxelIndicesIJKtoXYZ", _) => {
                let numbers: Vec<f64> = parsed(text)?;
                if let Some(&rows) = numbers.first_chunk::<12>() {
                    let affine = [0, 1, 2].map(|row| [0, 1, 2, 3].map(|place| rows[4 * row + place]));
                    self.grayordinates.volume = Some((self.volume, Affine(affine)));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_axes(&mut self, element: &BytesStart<'_>) -> Result<(), String> {
        let dimensions = attribute(element, "AppliesToMatrixDimension").unwrap_or_default();
        let kind = attribute(element, "IndicesMapToDataType");
        for dimension in dimensions.split(',') {
            let place = dimension.trim().parse::<usize>().ok();
            let axis = place.and_then(|place| self.axes.get_mut(place));
            match axis {
                Some(axis) if axis.is_none() => axis.clone_from(&kind),
                _ => {
                    return Err(format!(
                        "a MatrixIndicesMap applies to the dimension {dimension:?}; expected one for 0 and one for 1"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn structure(element: &BytesStart<'_>) -> Option<Structure> {
    let number = |name: &str| attribute(element, name)?.trim().parse::<usize>().ok();
    let (offset, count) = (number("IndexOffset")?, number("IndexCount")?);
    let name = attribute(element, "BrainStructure")?;
    let is_surface = attribute(element, "ModelType").is_some_and(|kind| kind.ends_with("SURFACE"));
    Some(Structure {
        name: name.strip_prefix(PREFIX).unwrap_or(&name).to_owned(),
        places: offset..offset.checked_add(count)?,
        n_vertices: match is_surface {
            true => Some(number("SurfaceNumberOfVertices")? as u64),
            false => None,
        },
        indices: Vec::new(),
    })
}

/// Checks that a structure's list of vertices or voxels has IndexCount entries, all different and within the surface or
/// volume.
fn check(structure: &Structure, volume: Option<&([usize; 3], Affine)>) -> Result<(), String> {
    let (width, sizes, places) = match structure.n_vertices {
        Some(n) => (1, [n, 1, 1], "vertices"),
        None => (3, volume.map_or([u64::MAX; 3], |(size, _)| size.map(|n| n as u64)), "voxels"),
    };
    let refused = |found: String, expected: String| {
        Err(format!("the list of {places} of {} has {found}; expected {expected}", structure.name))
    };
    let n = structure.places.len();
    if n.checked_mul(width) != Some(structure.indices.len()) {
        let found = match width {
            1 => format!("{} numbers", structure.indices.len()),
            _ => format!("{} numbers, three of each", structure.indices.len()),
        };
        return refused(found, format!("{n}, its IndexCount"));
    }
    let outside = |row: &&[u64]| row.iter().zip(sizes).any(|(&index, size)| index >= size);
    if let Some(row) = structure.indices.chunks_exact(width).find(outside) {
        return refused(format!("{row:?}"), format!("indices below {:?}", &sizes[..width]));
    }
    let mut known = HashSet::new();
    match structure.indices.chunks_exact(width).find(|row| !known.insert(*row)) {
        Some(row) => refused(format!("{row:?} twice"), "each once".to_owned()),
        None => Ok(()),
    }
}
