//! The extension of a CIFTI-2 file, which describes its matrix: the axis of places of the brain, and their structures.

use super::header::Header;
use crate::FormatError;
use crate::element::ByteOrder;
use crate::gifti::attribute;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::ops::Range;
use std::path::Path;

/// NIfTI's code for CIFTI's extension.
const CODE: i32 = 32;
/// The prefix of structures' names.
pub(super) const PREFIX: &str = "CIFTI_STRUCTURE_";

#[derive(Debug, Default)]
pub(super) struct Cifti {
    pub(super) n_maps: usize,
    pub(super) n_places: usize,
    /// Are all maps of a place contiguous in the file?
    pub(super) maps_run_fastest: bool,
    /// Without their prefix.
    pub(super) structures: Vec<(String, Range<usize>)>,
}

impl Cifti {
    /// `extensions` are the bytes between header and values.
    pub(super) fn read(
        path: &Path,
        header: &Header,
        extensions: &[u8],
    ) -> Result<Cifti, FormatError> {
        let malformed = |reason: String| FormatError::Malformed {
            path: path.to_owned(),
            reason: format!("not a readable CIFTI-2 file: {reason}"),
        };
        let text = extension(header.order, extensions.get(4..).unwrap_or_default());
        let text = text.ok_or_else(|| malformed("it has no CIFTI extension".to_owned()))?;
        let (axes, structures) = described(text).map_err(malformed)?;
        let sizes = header.axes.get(4..).unwrap_or_default();
        let are_single = header.axes.iter().take(4).all(|&size| size == 1);
        let is_of_places =
            |kind: &String| kind.ends_with("BRAIN_MODELS") || kind.ends_with("PARCELS");
        let [first, second] = axes
            .each_ref()
            .map(|kind| kind.as_ref().is_some_and(is_of_places));
        let (&[n_first, n_second], true, true) = (sizes, are_single, first != second) else {
            return Err(FormatError::Shape {
                path: path.to_owned(),
                found: header.axes.iter().map(|&size| size as u64).collect(),
                expected: "a matrix of maps (or times) by places of the brain".to_owned(),
            });
        };
        let (n_maps, n_places) = if second {
            (n_first, n_second)
        } else {
            (n_second, n_first)
        };
        if let Some((name, places)) = structures.iter().find(|(_, places)| places.end > n_places) {
            return Err(malformed(format!(
                "{name} has the places up to {} of {n_places}",
                places.end
            )));
        }
        Ok(Cifti {
            n_maps,
            n_places,
            maps_run_fastest: second,
            structures,
        })
    }
}

/// The text of CIFTI's own extension.
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
        let length = usize::try_from(number(0))
            .ok()
            .filter(|&length| length >= 8)?;
        let own = rest.get(8..length)?;
        if number(4) == CODE {
            // Padded with zeros to a multiple of 16 bytes.
            let end = own
                .iter()
                .rposition(|&byte| byte != 0)
                .map_or(0, |last| last + 1);
            return Some(&own[..end]);
        }
        rest = &rest[length..];
    }
}

type Described = ([Option<String>; 2], Vec<(String, Range<usize>)>);

/// The meaning of the two axes, and the structures of the places.
fn described(text: &[u8]) -> Result<Described, String> {
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let mut reader = Reader::from_str(text);
    let mut described: Described = Default::default();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) | Event::Empty(element) => {
                let (axes, structures) = &mut described;
                match element.local_name().as_ref() {
                    "MatrixIndicesMap" => {
                        let dimensions = attribute(&element, "AppliesToMatrixDimension");
                        let kind = attribute(&element, "IndicesMapToDataType");
                        for dimension in dimensions.unwrap_or_default().split(',') {
                            let place = dimension.trim().parse::<usize>().ok();
                            if let Some(axis) = place.and_then(|place| axes.get_mut(place)) {
                                axis.clone_from(&kind);
                            }
                        }
                    }
                    "BrainModel" => structures.extend(structure(&element)),
                    _ => {}
                }
            }
            Event::Eof => return Ok(described),
            _ => {}
        }
    }
}

fn structure(element: &BytesStart<'_>) -> Option<(String, Range<usize>)> {
    let number = |name: &str| attribute(element, name)?.trim().parse::<usize>().ok();
    let (offset, count) = (number("IndexOffset")?, number("IndexCount")?);
    let name = attribute(element, "BrainStructure")?;
    let name = name.strip_prefix(PREFIX).unwrap_or(&name).to_owned();
    Some((name, offset..offset.checked_add(count)?))
}
