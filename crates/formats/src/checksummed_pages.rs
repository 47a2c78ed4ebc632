//! Pages of Parquet files with checksums, which the library verifies but does not write.

use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

/// Collects the pages of a column.
pub(crate) struct ChecksummedPages<'a>(pub(crate) &'a mut Vec<u8>);

impl PageWriter for ChecksummedPages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        let (checksum, n_bytes) = (crc32fast::hash(page.data()), page.data().len());
        let mut written = TrackedWrite::new(Vec::new());
        let mut spec = SerializedPageWriter::new(&mut written).write_page(page)?;
        let written = written.into_inner()?;
        let (header, content) = written.split_at(written.len() - n_bytes);
        let longer = with_checksum(header, checksum)
            .ok_or_else(|| ParquetError::General("the library writes page headers in another form now".to_owned()))?;
        let n_more = longer.len() - header.len();
        spec.offset = self.0.len() as u64;
        spec.bytes_written += n_more as u64;
        spec.compressed_size += n_more;
        spec.uncompressed_size += n_more;
        self.0.extend(longer);
        self.0.extend_from_slice(content);
        Ok(spec)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        Ok(())
    }
}

/// A page header with a fourth field, the checksum. Each field begins with a byte: four bits for the difference from
/// the previous field's number, four for its type. The first three fields are integers with seven bits per byte; the
/// highest bit says that another byte follows.
fn with_checksum(header: &[u8], checksum: u32) -> Option<Vec<u8>> {
    const NEXT_I32: u8 = 0x15;
    const STEP: u8 = 0x10;
    let mut at = 0;
    for _ in 0..3 {
        let (&field, value) = header.get(at..)?.split_first()?;
        if field != NEXT_I32 {
            return None;
        }
        at += 2 + value.iter().position(|byte| *byte < 0x80)?;
    }
    let (first, rest) = header.split_at(at);
    let (&next, rest) = rest.split_first()?;
    let mut longer = first.to_vec();
    longer.push(NEXT_I32);
    // Maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
    let signed = checksum as i32;
    let mut value = ((signed << 1) ^ (signed >> 31)) as u32;
    while value >= 0x80 {
        longer.push(value as u8 | 0x80);
        value >>= 7;
    }
    longer.push(value as u8);
    longer.push(next.checked_sub(STEP)?);
    longer.extend_from_slice(rest);
    Some(longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand from Thrift's compact protocol: -2 becomes 3, and 300 becomes 600, whose lower seven bits are
    /// 0x58.
    #[test]
    fn the_checksum_is_the_fourth_field() {
        let before = [0x15, 0, 0x15, 0xd8, 4, 0x15, 40];
        let struct_5 = |step: u8| [step << 4 | 0x0c, 0x15, 2, 0, 0];
        let header = [&before[..], &struct_5(2)].concat();
        for (checksum, bytes) in [(300, vec![0xd8, 4]), (u32::MAX - 1, vec![3])] {
            let expected = [&before[..], &[0x15], &bytes, &struct_5(1)].concat();
            assert_eq!(with_checksum(&header, checksum), Some(expected));
        }
        assert_eq!(with_checksum(&header[..7], 0), None);
        assert_eq!(with_checksum(&header[2..], 0), None);
    }
}
