//! Facts about a TIFF file that the decoder does not report.

use crate::element::ByteOrder;

/// The tag for the meaning of the samples that follow the colours.
const EXTRA_SAMPLES: u64 = 338;
/// The value of this tag for alpha by which the colours were multiplied.
const ASSOCIATED_ALPHA: u64 = 1;

/// Does the first image of a file have colours that were multiplied by its alpha? Anything that this check does not
/// understand is left to the decoder.
pub(crate) fn is_premultiplied(bytes: &[u8]) -> bool {
    first_value(bytes, EXTRA_SAMPLES) == Some(ASSOCIATED_ALPHA)
}

/// Does an image follow the first one?
pub(crate) fn has_more_pages(bytes: &[u8]) -> bool {
    let next = || {
        let first = Directory::first(bytes)?;
        number(bytes, first.order, first.entries + first.n_entries * first.entry_bytes, first.offset_bytes)
    };
    next().is_some_and(|offset| offset > 0)
}

/// The list of tags of an image.
struct Directory {
    order: ByteOrder,
    /// The position of its entries, and their number.
    entries: u64,
    n_entries: u64,
    /// Bytes of an entry: a tag, a type, a count, and values or their offset.
    entry_bytes: u64,
    offset_bytes: u64,
}

impl Directory {
    /// The directory of the first image.
    fn first(bytes: &[u8]) -> Option<Self> {
        let order = match bytes.get(..2)? {
            b"II" => ByteOrder::Little,
            b"MM" => ByteOrder::Big,
            _ => return None,
        };
        let number = |at: u64, n_bytes: u64| number(bytes, order, at, n_bytes);
        // Bytes per offset, per number of entries, and per entry.
        let (offset_bytes, count, entry_bytes) = match number(2, 2)? {
            42 => (4, 2, 12),
            43 => (8, 8, 20),
            _ => return None,
        };
        let directory = number(offset_bytes, offset_bytes)?;
        let entries = directory.checked_add(count)?;
        let n_fitting = (bytes.len() as u64).saturating_sub(entries) / entry_bytes;
        Some(Directory {
            order,
            entries,
            n_entries: number(directory, count)?.min(n_fitting),
            entry_bytes,
            offset_bytes,
        })
    }
}

/// The first value of a tag of the first image, if it is a whole number.
fn first_value(bytes: &[u8], tag: u64) -> Option<u64> {
    let Directory {
        order,
        entries: first,
        n_entries,
        entry_bytes: entry,
        offset_bytes: offset,
    } = Directory::first(bytes)?;
    let number = |at: u64, n_bytes: u64| number(bytes, order, at, n_bytes);
    let found = (0..n_entries).map(|index| first + index * entry).find(|&at| number(at, 2) == Some(tag))?;
    let n_bytes = match number(found + 2, 2)? {
        1 => 1,
        3 => 2,
        4 => 4,
        16 => 8,
        _ => return None,
    };
    let n_values = number(found + 4, offset)?;
    let values = found + 4 + offset;
    if n_values.checked_mul(n_bytes)? > offset {
        number(number(values, offset)?, n_bytes)
    } else {
        number(values, n_bytes)
    }
}

/// A whole number of up to eight bytes; `None` past the end.
fn number(bytes: &[u8], order: ByteOrder, at: u64, n_bytes: u64) -> Option<u64> {
    let start = usize::try_from(at).ok()?;
    let end = start.checked_add(usize::try_from(n_bytes).ok()?)?;
    let bytes = bytes.get(start..end)?.iter();
    let join = |sum: u64, &byte: &u8| sum << 8 | u64::from(byte);
    Some(match order {
        ByteOrder::Little => bytes.rev().fold(0, join),
        ByteOrder::Big => bytes.fold(0, join),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that consists only of a directory with these entries, each with one value, in either byte order.
    fn file(order: ByteOrder, entries: &[(u16, u16, u32)]) -> Vec<u8> {
        let little = order == ByteOrder::Little;
        let short = |value: u16| match little {
            true => value.to_le_bytes(),
            false => value.to_be_bytes(),
        };
        let long = |value: u32| match little {
            true => value.to_le_bytes(),
            false => value.to_be_bytes(),
        };
        let mut bytes = if little { b"II" } else { b"MM" }.to_vec();
        bytes.extend(short(42));
        bytes.extend(long(8));
        bytes.extend(short(entries.len() as u16));
        for &(tag, count, value) in entries {
            bytes.extend([short(tag), short(3)].concat());
            bytes.extend(long(count.into()));
            match count {
                1 => bytes.extend([short(value as u16), short(0)].concat()),
                _ => bytes.extend(long(value)),
            }
        }
        bytes
    }

    #[test]
    fn alpha_that_multiplied_the_colours_is_found_in_either_byte_order() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for (value, expected) in [(0, false), (1, true), (2, false)] {
                let bytes = file(order, &[(258, 1, 8), (338, 1, value)]);
                assert_eq!(is_premultiplied(&bytes), expected, "{order:?} {value}");
            }
            // Three values do not fit into the entry, so they follow at byte 22.
            let mut bytes = file(order, &[(338, 3, 22)]);
            bytes.extend(match order {
                ByteOrder::Little => [1, 0, 0, 0, 0, 0],
                ByteOrder::Big => [0, 1, 0, 0, 0, 0],
            });
            assert!(is_premultiplied(&bytes), "{order:?}");
            assert!(!is_premultiplied(&bytes[..22]), "{order:?}");
        }
    }

    #[test]
    fn alpha_that_multiplied_the_colours_is_found_in_big_tiff() {
        let mut bytes = b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
        bytes.extend(b"\x52\x01\x03\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0");
        assert!(is_premultiplied(&bytes));
        for length in 0..bytes.len() {
            assert!(!is_premultiplied(&bytes[..length]), "{length}");
        }
    }

    #[test]
    fn sizes_that_no_file_has_are_not_understood() {
        for bytes in [
            b"II\x2a\0\xff\xff\xff\xff".as_slice(),
            b"II\x2b\0\x08\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
            b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
            b"II\x2a\0\x08\0\0\0\x01\0\x52\x01\x03\0\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert!(!is_premultiplied(bytes), "{bytes:?}");
        }
    }
}
