//! The header of a `.npy` file: magic bytes, version, and a Python dict as text.
//!
//! This replaces `npyz`'s parser, which needs exponential time for nested brackets and overflows on the product of the
//! axis sizes; a hostile header is 30 bytes long.

use crate::positioned_file::PositionedFile;
use crate::{FormatError, Problem, pickle};
use std::path::Path;

/// The largest header that is read. NumPy's own limit is 10,000.
pub(crate) const MAX_HEADER_BYTES: u64 = 1 << 16;

/// The content of the header of a `.npy` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NpyHeader {
    /// Sizes of the axes; empty for a single value.
    pub shape: Vec<u64>,
    /// NumPy's notation, e.g. `<f4`, `|u1`, `|O`; for a structured array, its list.
    pub dtype: String,
    /// Does the first axis vary fastest?
    pub fortran_order: bool,
    /// Bytes before the first element.
    pub data_offset: u64,
}

/// Reads only the header, of any array.
pub fn read_header(path: &Path) -> Result<NpyHeader, FormatError> {
    read(&PositionedFile::open(path)?)
}

pub(super) fn read(file: &PositionedFile) -> Result<NpyHeader, FormatError> {
    let malformed = |reason: &'static str| Problem::new(reason).at(file.path());
    let start = file.read(0, 12.min(file.len()), "the header")?;
    let (offset, length) = extent_of_text(&start).map_err(malformed)?;
    parse_text(&file.read(offset, length, "the header")?, offset).map_err(malformed)
}

/// The header of a `.npy` file in memory, or what is wrong with it.
pub(super) fn parse_header(bytes: &[u8]) -> Result<NpyHeader, &'static str> {
    let (offset, length) = extent_of_text(&bytes[..bytes.len().min(12)])?;
    let start = offset as usize;
    let text = bytes.get(start..start + length as usize).ok_or("the header is cut short")?;
    parse_text(text, offset)
}

/// The start and the length of the dict, from the first 12 bytes.
fn extent_of_text(start: &[u8]) -> Result<(u64, u64), &'static str> {
    if let [0x80, 2..=5, ..] = start {
        return Err(pickle::REFUSED);
    }
    if start.len() < 10 || !start.starts_with(b"\x93NUMPY") {
        return Err("not a .npy file (it should begin with \\x93NUMPY)");
    }
    let short = u64::from(u16::from_le_bytes([start[8], start[9]]));
    let (offset, length) = match (start[6], start.get(10..12)) {
        (1, _) => (10, short),
        (2 | 3, Some(high)) => {
            let high = u64::from(u16::from_le_bytes([high[0], high[1]]));
            (12, short | high << 16)
        }
        (2 | 3, None) => return Err("the header is cut short"),
        _ => return Err("a .npy version other than 1, 2 and 3"),
    };
    if length > MAX_HEADER_BYTES {
        return Err("a header of more than 65536 bytes");
    }
    Ok((offset, length))
}

fn parse_text(text: &[u8], offset: u64) -> Result<NpyHeader, &'static str> {
    let fields = std::str::from_utf8(text).ok().and_then(Fields::parse);
    let (dtype, fortran_order, shape) = fields
        .and_then(Fields::complete)
        .ok_or("the header is not a dict of 'descr', 'fortran_order' and 'shape'")?;
    Ok(NpyHeader {
        shape,
        dtype,
        fortran_order,
        data_offset: offset + text.len() as u64,
    })
}

#[derive(Default)]
struct Fields {
    dtype: Option<String>,
    fortran_order: Option<bool>,
    shape: Option<Vec<u64>>,
}

impl Fields {
    fn parse(text: &str) -> Option<Fields> {
        let mut fields = Fields::default();
        let mut rest = text.trim().strip_prefix('{')?;
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix('}') {
                return after.is_empty().then_some(fields);
            }
            let (key, after) = quoted(rest)?;
            rest = after.trim_start().strip_prefix(':')?.trim_start();
            rest = match key {
                "descr" => {
                    let (dtype, after) = quoted(rest).or_else(|| bracketed(rest))?;
                    fields.dtype = Some(dtype.to_owned());
                    after
                }
                "fortran_order" => {
                    let (value, after) = match rest.strip_prefix("True") {
                        Some(after) => (true, after),
                        None => (false, rest.strip_prefix("False")?),
                    };
                    fields.fortran_order = Some(value);
                    after
                }
                "shape" => {
                    let (inside, after) = rest.strip_prefix('(')?.split_once(')')?;
                    fields.shape = Some(sizes(inside)?);
                    after
                }
                _ => return None,
            };
            rest = rest.trim_start();
            if !rest.starts_with('}') {
                rest = rest.strip_prefix(',')?;
            }
        }
    }

    fn complete(self) -> Option<(String, bool, Vec<u64>)> {
        Some((self.dtype?, self.fortran_order?, self.shape?))
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// A structured type, including the brackets. Its content does not matter, since such arrays are not read.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (position, character) in text.char_indices() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (position > 0).then(|| text.split_at(position + 1));
        }
    }
    None
}

fn sizes(inside: &str) -> Option<Vec<u64>> {
    let mut parts: Vec<&str> = inside.split(',').map(str::trim).collect();
    if parts.last() == Some(&"") {
        parts.pop();
    }
    // NumPy 1 under Python 2 wrote numbers such as 3L.
    parts.iter().map(|part| part.trim_end_matches('L').parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<(String, bool, Vec<u64>)> {
        Fields::parse(text).and_then(Fields::complete)
    }

    #[test]
    fn what_numpy_writes() {
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }     \n";
        assert_eq!(parse(text), Some(("<f4".into(), false, vec![3, 4])));
        let text = "{'descr': '|O', 'fortran_order': True, 'shape': (), }\n";
        assert_eq!(parse(text), Some(("|O".into(), true, vec![])));
        let text = "{\"shape\": (5L,), 'fortran_order': False, 'descr': [('x', '<f4', (2,))]}";
        assert_eq!(parse(text), Some(("[('x', '<f4', (2,))]".into(), false, vec![5])));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
            "{'descr': [[[[, 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} more",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
