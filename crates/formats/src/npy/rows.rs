//! Matrices that are written row by row, possibly over several sessions.

use super::header;
use super::write::write_header;
use crate::atomic_file::refuse_link;
use crate::positioned_file::PositionedFile;
use crate::{FormatError, IoResult, Problem};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes a C-order `<f4` matrix row by row into a file that becomes the `.npy` when complete.
///
/// The unfinished file already has the header of the finished one, so finishing is only a rename and nothing is written
/// twice.
#[derive(Debug)]
pub struct RowWriter {
    path: PathBuf,
    file: File,
    n_rows: usize,
    n_columns: usize,
    n_written: usize,
    /// The position of the first row.
    data_offset: u64,
}

impl RowWriter {
    /// Begins a file, which replaces an existing one.
    pub fn create(path: &Path, n_rows: usize, n_columns: usize) -> Result<Self, FormatError> {
        refuse_link(path)?;
        let mut file = File::create(path).when("writing", path)?;
        let mut head = Vec::new();
        write_header(&mut head, &[n_rows as u64, n_columns as u64], "<f4")
            .and_then(|()| file.write_all(&head))
            .when("writing", path)?;
        Ok(RowWriter {
            path: path.to_owned(),
            file,
            n_rows,
            n_columns,
            n_written: 0,
            data_offset: head.len() as u64,
        })
    }

    /// Continues a file, keeping at most its first `n_sound` rows; `None` if the file is missing or belongs to another
    /// matrix.
    pub fn resume(path: &Path, n_rows: usize, n_sound: usize) -> Result<Option<Self>, FormatError> {
        if !path.exists() {
            return Ok(None);
        }
        let Ok(head) = header::read(&PositionedFile::open(path)?) else {
            return Ok(None);
        };
        let [rows, n_columns] = head.shape[..] else {
            return Ok(None);
        };
        if rows != n_rows as u64 || head.dtype != "<f4" || head.fortran_order || n_columns == 0 {
            return Ok(None);
        }
        refuse_link(path)?;
        let mut file = OpenOptions::new().write(true).open(path).when("opening", path)?;
        let length = file.metadata().when("reading", path)?.len();
        let Some(row_bytes) = n_columns.checked_mul(4) else {
            return Ok(None);
        };
        let whole_rows = length.saturating_sub(head.data_offset) / row_bytes;
        let n_written = whole_rows.min(n_sound.min(n_rows) as u64);
        let end = head.data_offset + n_written * row_bytes;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).when("writing", path)?;
        Ok(Some(RowWriter {
            path: path.to_owned(),
            file,
            n_rows,
            n_columns: n_columns as usize,
            n_written: n_written as usize,
            data_offset: head.data_offset,
        }))
    }

    /// Values per row.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Rows in the file.
    pub fn n_written(&self) -> usize {
        self.n_written
    }

    /// Appends whole rows.
    ///
    /// # Errors
    /// The values are not whole rows, or there are more rows than announced.
    pub fn append(&mut self, values: &[f32]) -> Result<(), FormatError> {
        let n_new = values.len() / self.n_columns;
        if !values.len().is_multiple_of(self.n_columns) || self.n_written + n_new > self.n_rows {
            return Err(self.wrong_count(self.n_written * self.n_columns + values.len()));
        }
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.file.write_all(&bytes).when("writing", &self.path)?;
        self.n_written += n_new;
        Ok(())
    }

    /// Waits until all rows are on the disk.
    pub fn sync(&self) -> Result<(), FormatError> {
        self.file.sync_data().when("writing", &self.path)
    }

    /// Makes the rows written so far the whole matrix.
    pub fn shorten(&mut self) -> Result<(), FormatError> {
        let shape = [self.n_written as u64, self.n_columns as u64];
        let mut head = Vec::new();
        write_header(&mut head, &shape, "<f4").when("writing", &self.path)?;
        // A smaller number does not have more digits, so this header fits into the space of the longer one. Spaces fill
        // it up to the end of the line; bytes 8 and 9 are its length.
        head.pop();
        head.resize(self.data_offset as usize - 1, b' ');
        head.push(b'\n');
        let length = (head.len() - 10) as u16;
        head[8..10].copy_from_slice(&length.to_le_bytes());
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(&head))
            .and_then(|()| self.file.seek(SeekFrom::End(0)))
            .when("writing", &self.path)?;
        self.n_rows = self.n_written;
        Ok(())
    }

    /// Renames the complete matrix to its final name.
    pub fn finish(self, name: &Path) -> Result<(), FormatError> {
        if self.n_written < self.n_rows {
            return Err(self.wrong_count(self.n_written * self.n_columns));
        }
        self.sync()?;
        std::fs::rename(&self.path, name).when("writing", name)
    }

    fn wrong_count(&self, found: usize) -> FormatError {
        Problem::value_count(&[self.n_rows as u64, self.n_columns as u64], found).at(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::read_f32;

    #[test]
    fn a_torn_row_and_rows_that_nobody_vouches_for_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let (part, whole) = (folder.path().join("a.part"), folder.path().join("a.npy"));
        let mut writer = RowWriter::create(&part, 3, 2).unwrap();
        writer.append(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        drop(writer);
        let mut bytes = std::fs::read(&part).unwrap();
        bytes.extend([9, 9, 9]);
        std::fs::write(&part, bytes).unwrap();

        let writer = RowWriter::resume(&part, 3, 3).unwrap().unwrap();
        assert_eq!((writer.n_written(), writer.n_columns()), (2, 2));
        assert!(writer.finish(&whole).unwrap_err().to_string().contains("[3, 2]"));
        let mut writer = RowWriter::resume(&part, 3, 1).unwrap().unwrap();
        writer.append(&[5.0, 6.0, 7.0, 8.0]).unwrap();
        assert!(writer.append(&[0.0]).is_err() && writer.append(&[0.0, 0.0]).is_err());
        writer.finish(&whole).unwrap();
        assert_eq!(read_f32(&whole).unwrap().1, [1.0, 2.0, 5.0, 6.0, 7.0, 8.0]);
        assert!(!part.exists());
    }

    #[test]
    fn a_shortened_matrix_has_the_rows_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let (part, whole) = (folder.path().join("a.part"), folder.path().join("a.npy"));
        for n_rows in [4, 1000, 123_456_789] {
            let mut writer = RowWriter::create(&part, n_rows, 2).unwrap();
            writer.append(&[1.0, 2.0, 3.0, 4.0]).unwrap();
            writer.shorten().unwrap();
            assert!(writer.append(&[5.0, 6.0]).is_err());
            writer.finish(&whole).unwrap();
            let expected = (vec![2, 2], vec![1.0, 2.0, 3.0, 4.0]);
            assert_eq!(read_f32(&whole).unwrap(), expected);
        }
    }

    #[test]
    fn the_file_of_another_matrix_is_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("a.part");
        assert!(RowWriter::resume(&part, 3, 3).unwrap().is_none());
        RowWriter::create(&part, 3, 2).unwrap();
        assert!(RowWriter::resume(&part, 4, 3).unwrap().is_none());
        std::fs::write(&part, "rubbish").unwrap();
        assert!(RowWriter::resume(&part, 3, 3).unwrap().is_none());
        // The number of bytes of all rows overflows.
        let mut head = Vec::new();
        write_header(&mut head, &[3, 1 << 62], "<f4").unwrap();
        std::fs::write(&part, head).unwrap();
        assert!(RowWriter::resume(&part, 3, 3).unwrap().is_none());
    }
}
