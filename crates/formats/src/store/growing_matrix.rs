//! A feature matrix that grows row by row, continues after an interruption, and copies known rows.

use super::matrix::{Matrices, RowKeys, is_as_recorded, link_or_copy};
use super::matrix_files::{MatrixFiles, remove};
use crate::folder_lock::FolderLock;
use crate::npy::{self, RowWriter};
use crate::{AtPath, FormatError, IoResult, Problem, atomic_file, content_hash, json};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An unfinished matrix. Its rows are added in order.
pub struct GrowingMatrix<'a, M> {
    files: MatrixFiles,
    made: M,
    /// SHA-256 of the image of each requested row, in order.
    images: &'a [&'a str],
    /// The position of the image whose row is next.
    next: usize,
    /// Positions of earlier images without a row, since the model failed on them.
    absent: Vec<usize>,
    writer: Option<RowWriter>,
    journal: Option<File>,
    /// Rows with the same recipe, from other runs and from the previous matrix here.
    known: Matrices<M>,
    _only_writer: OnlyWriter,
}

impl<'a, M: Clone + PartialEq + Serialize + DeserializeOwned> GrowingMatrix<'a, M> {
    /// Inspects the files on disk and the matrices in `store`, including those made in ways that give `equal` rows;
    /// `None` if the matrix is finished. If another process is making it, this waits.
    pub fn open(
        files: MatrixFiles,
        store: Option<PathBuf>,
        made: M,
        equal: Vec<M>,
        images: &'a [&'a str],
    ) -> Result<Option<Self>, FormatError> {
        files.create_folder()?;
        let only_writer = OnlyWriter::of(&files.part)?;
        let mut known = Matrices::open(store, made.clone(), equal);
        if files.matrix.exists() {
            let keys: Option<RowKeys<M>> = json::read(&files.keys).ok();
            let is_of_these = |keys: &RowKeys<M>| {
                keys.made == made
                    && keys.rows == images
                    && n_rows(&files.matrix) == images.len()
                    && is_as_recorded(&files.matrix, keys.matrix_sha256.as_deref())
            };
            if keys.as_ref().is_some_and(is_of_these) {
                // The process that finished it may have been stopped before it removed these files.
                remove(&[&files.part, &files.part_keys, &files.ids])?;
                remove(&[&files.previous, &files.previous_keys])?;
                return Ok(None);
            }
            files.set_aside()?;
        }
        if !known.add(&files.previous, &files.previous_keys) {
            remove(&[&files.previous, &files.previous_keys])?;
        }
        let mut matrix = GrowingMatrix {
            files,
            made,
            images,
            next: 0,
            absent: Vec::new(),
            writer: None,
            journal: None,
            known,
            _only_writer: only_writer,
        };
        if let Some((whole, sha256)) = matrix.known.whole(images) {
            let keys = RowKeys {
                matrix_sha256: sha256.map(str::to_owned),
                ..matrix.keys()
            };
            json::write(&matrix.files.keys, &keys)?;
            link_or_copy(whole, &matrix.files.matrix)?;
            matrix.remove_leftovers()?;
            return Ok(None);
        }
        matrix.go_on()?;
        Ok(Some(matrix))
    }

    fn keys(&self) -> RowKeys<M> {
        RowKeys {
            made: self.made.clone(),
            rows: self.present(self.images).map(|image| (*image).to_owned()).collect(),
            matrix_sha256: None,
        }
    }

    /// Selects the entries of images that have rows.
    fn present<'t, T>(&'t self, of_images: &'t [T]) -> impl Iterator<Item = &'t T> {
        let places = of_images.iter().enumerate();
        places.filter(|(place, _)| !self.absent.contains(place)).map(|(_, of_image)| of_image)
    }

    fn remove_leftovers(&self) -> Result<(), FormatError> {
        let files = &self.files;
        let (part, previous) = (&files.part, &files.previous);
        remove(&[part, &files.part_keys, previous, &files.previous_keys])?;
        match self.absent.is_empty() {
            true => remove(&[&files.ids]),
            false => Ok(()),
        }
    }

    /// Values per row, once known.
    pub fn n_features(&self) -> Option<usize> {
        self.writer.as_ref().map(RowWriter::n_columns).or_else(|| self.known.n_features())
    }

    /// Number of rows on disk.
    fn n_written(&self) -> usize {
        self.writer.as_ref().map_or(0, RowWriter::n_written)
    }

    /// Must the model observe this image?
    pub fn lacks(&self, image: usize) -> bool {
        image >= self.next && !self.known.has(self.images[image])
    }

    /// Adds the row of an image; known rows before it are copied first. Earlier images whose rows are neither added nor
    /// known stay without a row.
    pub fn put(&mut self, image: usize, row: &[f32]) -> Result<(), FormatError> {
        if image >= self.next {
            self.copy_known(image)?;
            self.append(row)?;
            self.next = image + 1;
        }
        Ok(())
    }

    /// Records on disk that the rows written so far are valid.
    pub fn save(&mut self) -> Result<(), FormatError> {
        let (Some(writer), Some(journal)) = (&self.writer, &mut self.journal) else {
            return Ok(());
        };
        writer.sync()?;
        let mut line = writer.n_written().to_string();
        line.push('\n');
        journal.write_all(line.as_bytes()).when("writing", &self.files.part_keys)
    }

    /// Renames the complete matrix to its final name, and adds it to the store. If some images have no row,
    /// `<name>.ids.json` lists those that do; `stems` names all images. A matrix without rows is not written.
    pub fn finish(mut self, stems: &[String]) -> Result<(), FormatError> {
        self.copy_known(self.images.len())?;
        let Some(mut writer) = self.writer.take() else {
            return self.remove_leftovers();
        };
        if !self.absent.is_empty() {
            let ids: Vec<&String> = self.present(stems).collect();
            if !stems.is_empty() {
                json::write(&self.files.ids, &ids)?;
            }
            writer.shorten()?;
        }
        let keys = RowKeys {
            matrix_sha256: Some(content_hash::of_file(&self.files.part)?),
            ..self.keys()
        };
        // Keys and ids come first: without a matrix, they are harmless.
        json::write(&self.files.keys, &keys)?;
        writer.finish(&self.files.matrix)?;
        self.remove_leftovers()?;
        self.known.adopt(&self.files.matrix, keys.rows)
    }

    /// Finds the rows of an interrupted session.
    fn go_on(&mut self) -> Result<(), FormatError> {
        let n_sound = self.journalled();
        if n_sound > 0 {
            self.writer = RowWriter::resume(&self.files.part, self.images.len(), n_sound)?;
        }
        self.next = self.n_written();
        if self.writer.is_none() {
            return remove(&[&self.files.part, &self.files.part_keys]);
        }
        self.open_journal()
    }

    /// The number of valid rows according to the journal of an interrupted session, counting only those that belong to
    /// the images requested now.
    fn journalled(&self) -> usize {
        let text = fs::read_to_string(&self.files.part_keys).unwrap_or_default();
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let Some(Ok(keys)) = lines.next().map(serde_json::from_str::<RowKeys<M>>) else {
            return 0;
        };
        let n_rows = lines.filter_map(|line| line.trim().parse().ok()).max();
        let n_same = keys.rows.iter().zip(self.images).take_while(|(then, now)| *then == *now).count();
        if keys.made == self.made {
            n_same.min(n_rows.unwrap_or(0))
        } else {
            0
        }
    }

    fn copy_known(&mut self, end: usize) -> Result<(), FormatError> {
        for image in self.next..end {
            match self.known.row(self.images[image])? {
                Some(row) => self.append(&row)?,
                None => self.pass_over(image)?,
            }
        }
        self.next = self.next.max(end);
        Ok(())
    }

    /// Marks an image as having no row, which the journal must record before more rows.
    fn pass_over(&mut self, image: usize) -> Result<(), FormatError> {
        self.save()?;
        self.absent.push(image);
        match self.writer {
            Some(_) => self.open_journal(),
            None => Ok(()),
        }
    }

    fn append(&mut self, row: &[f32]) -> Result<(), FormatError> {
        if self.writer.is_none() {
            self.writer = Some(RowWriter::create(&self.files.part, self.images.len(), row.len())?);
            self.open_journal()?;
        }
        match &mut self.writer {
            Some(writer) => writer.append(row),
            None => Ok(()),
        }
    }

    /// The journal: the matrix's recipe and images, then after each save the number of rows on disk.
    fn open_journal(&mut self) -> Result<(), FormatError> {
        let path = &self.files.part_keys;
        let mut head = serde_json::to_string(&self.keys()).map_err(Problem::new).at(path)?;
        // The existing rows are recorded as valid in the same write.
        head.push_str(&format!("\n{}\n", self.n_written()));
        atomic_file::write(path, head.as_bytes())?;
        self.journal = Some(OpenOptions::new().append(true).open(path).when("opening", path)?);
        Ok(())
    }
}

/// How long a process waits for another one before it checks again.
const PAUSE: Duration = Duration::from_millis(50);

/// The exclusive right to write the files of a matrix, needed because two processes that do the same part of a run
/// share the matrix in the store. It is the lock of a folder next to the files, which is removed with the lock.
struct OnlyWriter {
    folder: PathBuf,
    lock: Option<FolderLock>,
}

impl OnlyWriter {
    fn of(part: &Path) -> Result<Self, FormatError> {
        let folder = part.with_extension("writing");
        loop {
            match FolderLock::exclusive(&folder) {
                Ok(lock) => {
                    let lock = Some(lock);
                    return Ok(OnlyWriter { folder, lock });
                }
                Err(error) if matches!(error.problem, Problem::Locked { .. }) => std::thread::sleep(PAUSE),
                // The folder was removed with the previous process' lock.
                Err(error) if error.io_kind() == Some(ErrorKind::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for OnlyWriter {
    fn drop(&mut self) {
        drop(self.lock.take());
        // A killed process left it; another waiting process may hold a lock in it.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Number of rows of a complete matrix; 0 if it is damaged.
fn n_rows(matrix: &Path) -> usize {
    npy::open(matrix).map_or(0, |array| array.shape().first().map_or(0, |n| *n as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the matrix `clip` for these images; returns how many rows the model had to make.
    fn make(folder: &Path, images: &[&str], store: Option<PathBuf>) -> usize {
        let files = MatrixFiles::of(folder, "clip");
        let opened = GrowingMatrix::open(files, store, "made so".to_owned(), Vec::new(), images).unwrap();
        let Some(mut matrix) = opened else { return 0 };
        let lacking: Vec<usize> = (0..images.len()).filter(|&image| matrix.lacks(image)).collect();
        for &image in &lacking {
            matrix.put(image, &[image as f32 + 1.0, 0.5]).unwrap();
        }
        matrix.finish(&images.iter().map(|image| (*image).to_owned()).collect::<Vec<_>>()).unwrap();
        lacking.len()
    }

    #[test]
    fn of_several_that_make_the_same_matrix_one_does() {
        let dir = tempfile::tempdir().unwrap();
        // The folder was left by a killed process.
        fs::create_dir(dir.path().join("clip.writing")).unwrap();
        fs::write(dir.path().join("clip.writing/.lock"), "process 1").unwrap();
        let images = ["a", "b", "c"];
        let made: Vec<usize> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(|| make(dir.path(), &images, None))).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(made.iter().sum::<usize>(), 3, "{made:?}");
        let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().flatten().map(|f| f.file_name()).collect();
        left.sort();
        assert_eq!(left, ["clip.keys.json", "clip.npy"]);
    }

    #[test]
    fn what_a_process_left_that_was_killed_after_its_last_rename_goes() {
        let dir = tempfile::tempdir().unwrap();
        let images = ["a", "b"];
        make(dir.path(), &images, None);
        for left in ["part", "part.jsonl", "previous", "previous.json"] {
            fs::write(dir.path().join(format!("clip.{left}")), "left").unwrap();
        }
        assert_eq!(make(dir.path(), &images, None), 0);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_finished_matrix_that_somebody_wrote_to_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let (run, store) = (dir.path().join("run"), dir.path().join("store"));
        let images = ["a", "b", "c"];
        assert_eq!(make(&run, &images, None), 3);
        assert_eq!(make(&run, &images, None), 0);
        let path = run.join("clip.npy");
        let sound = fs::read(&path).unwrap();
        for place in [sound.len() - 1, sound.len() - 20, 70] {
            let mut bytes = sound.clone();
            bytes[place] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert_eq!(make(&run, &images, None), 3, "byte {place}");
            assert_eq!(fs::read(&path).unwrap(), sound);
        }
        // The same happens to a matrix in the store if one of its rows is requested.
        make(&dir.path().join("other"), &images, Some(store.clone()));
        assert_eq!(make(&dir.path().join("third"), &["b"], Some(store.clone())), 0);
        for entry in fs::read_dir(&store).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "npy") {
                let mut bytes = fs::read(&path).unwrap();
                *bytes.last_mut().unwrap() ^= 1;
                fs::remove_file(&path).unwrap();
                fs::write(&path, bytes).unwrap();
            }
        }
        assert_eq!(make(&dir.path().join("fourth"), &["c"], Some(store)), 1);
    }
}
