//! Checks the sizes announced in the page headers of a column before the library allocates memory for them.
//!
//! A header is a struct in Thrift's compact protocol: fields of a type and a number, ended by a zero. Fields 2 and 3
//! are the page's uncompressed and compressed bytes.

use crate::positioned_file::PositionedFile;
use crate::{FormatError, Problem};

/// Snappy's most efficient element encodes 64 bytes in 3.
const MOST_PER_BYTE: u64 = 22;
/// Bytes that a page may have in addition.
const FOR_ANY: u64 = 64;
/// Headers are shorter than this unless their statistics contain long texts, bytes.
const USUAL_HEADER: u64 = 1 << 16;
/// The maximum nesting of structs in a header.
const DEEPEST: usize = 8;

/// Fails if a page between `start` and `end` announces more bytes than its stored bytes can decompress to. Unreadable
/// headers are left to the library.
pub(super) fn check(file: &PositionedFile, start: u64, end: u64) -> Result<(), FormatError> {
    let mut at = start;
    while at < end {
        let left = end - at;
        let usual = file.read(at, left.min(USUAL_HEADER), "a page header")?;
        let header = match PageHeader::of(&usual) {
            None if left > USUAL_HEADER => PageHeader::of(&file.read(at, left, "a page header")?),
            header => header,
        };
        let Some(header) = header else {
            return Ok(());
        };
        if header.used > header.stored.saturating_mul(MOST_PER_BYTE) + FOR_ANY {
            let reason = format!("it announces {} bytes in {}, which cannot be", header.used, header.stored);
            return Err(Problem::invalid(format!("the page at byte {at}"), reason).at(file.path()));
        }
        at += header.length + header.stored;
    }
    Ok(())
}

/// Sizes of a page, bytes.
#[derive(Debug, PartialEq)]
struct PageHeader {
    length: u64,
    used: u64,
    stored: u64,
}

impl PageHeader {
    /// The sizes; `None` for bytes that are not a header.
    fn of(bytes: &[u8]) -> Option<PageHeader> {
        let mut rest = bytes;
        let (mut used, mut stored, mut number) = (None, None, 0);
        while let Some(kind) = field(&mut rest, &mut number)? {
            match (number, kind) {
                (2, I32) => used = Some(integer(&mut rest)?),
                (3, I32) => stored = Some(integer(&mut rest)?),
                _ => skip(&mut rest, kind, DEEPEST)?,
            }
        }
        Some(PageHeader {
            length: (bytes.len() - rest.len()) as u64,
            used: u64::try_from(used?).ok()?,
            stored: u64::try_from(stored?).ok()?,
        })
    }
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// The next field's type; its number goes to `number`. The inner value is `None` at the end of the struct.
fn field(rest: &mut &[u8], number: &mut i64) -> Option<Option<u8>> {
    let (&first, tail) = rest.split_first()?;
    *rest = tail;
    if first == 0 {
        return Some(None);
    }
    *number = match first >> 4 {
        0 => integer(rest)?,
        further => number.checked_add(i64::from(further))?,
    };
    Some(Some(first & 15))
}

fn skip(rest: &mut &[u8], kind: u8, depth: usize) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let n_bytes = match kind {
        TRUE | FALSE => 0,
        BYTE => 1,
        I16 | I32 | I64 => {
            varint(rest)?;
            0
        }
        DOUBLE => 8,
        BINARY => usize::try_from(varint(rest)?).ok()?,
        LIST | SET => {
            let (&first, tail) = rest.split_first()?;
            *rest = tail;
            let n = match first >> 4 {
                15 => varint(rest)?,
                n => u64::from(n),
            };
            let of = first & 15;
            // In a list, each boolean is a byte.
            let of = if of <= FALSE { BYTE } else { of };
            (0..n).try_for_each(|_| skip(rest, of, depth))?;
            0
        }
        STRUCT => {
            let mut number = 0;
            while let Some(kind) = field(rest, &mut number)? {
                skip(rest, kind, depth)?;
            }
            0
        }
        _ => return None,
    };
    *rest = rest.get(n_bytes..)?;
    Some(())
}

/// A signed number: 0, 1, 2, 3, ... stand for 0, -1, 1, -2, ...
fn integer(rest: &mut &[u8]) -> Option<i64> {
    let found = varint(rest)?;
    Some((found >> 1) as i64 ^ -((found & 1) as i64))
}

/// A number with seven bits per byte, the lowest first.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut found = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        found |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_found_among_other_fields() {
        // The fields are type 0; 300 bytes, stored in 20; a checksum; a struct with a list of two numbers and a text;
        // the end.
        let bytes = [0x15, 0, 0x15, 0xd8, 0x04, 0x15, 40, 0x15, 7, 0x1c, 0x19, 0x25, 2, 4, 0x18, 2, b'a', b'b', 0, 0];
        let expected = PageHeader {
            length: bytes.len() as u64,
            used: 300,
            stored: 20,
        };
        assert_eq!(PageHeader::of(&[&bytes[..], b"the page"].concat()), Some(expected));
        for length in 0..bytes.len() {
            assert_eq!(PageHeader::of(&bytes[..length]), None);
        }
        // A negative size, and structs without an end.
        assert_eq!(PageHeader::of(&[0x25, 1, 0x15, 40, 0]), None);
        assert_eq!(PageHeader::of(&[0x1c; 100]), None);
    }
}
