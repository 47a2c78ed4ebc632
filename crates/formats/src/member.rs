//! One array of a file with several, or one column of a table.

use std::path::{Path, PathBuf};

/// Extensions of files with several arrays.
const ENDINGS: [&str; 7] = [".pt", ".npz", ".hdf5", ".h5", ".mat", ".csv", ".tsv"];
/// The separator between file and array.
const MARKS: [char; 2] = [':', '#'];

/// Splits `file.npz:name` (or `file.npz#name`, also for `.pt`, `.h5`, `.hdf5`, `.mat`, and for columns of `.csv` and
/// `.tsv`), unless a file of exactly that name exists.
pub fn split_member(path: &Path) -> (PathBuf, Option<String>) {
    let whole = (path.to_owned(), None);
    let Some(text) = path.to_str().filter(|_| !path.exists()) else {
        return whole;
    };
    let marked = ENDINGS.iter().flat_map(|ending| MARKS.map(|mark| (ending, format!("{ending}{mark}"))));
    let places = marked.filter_map(|(ending, marked)| {
        let place = text.find(&marked)?;
        Some((place + ending.len(), place + marked.len()))
    });
    match places.min() {
        Some((end, start)) => (PathBuf::from(&text[..end]), Some(text[start..].to_owned())),
        None => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_behind_the_ending_is_the_array_s() {
        for (text, file, member) in [
            ("a.pt#images", "a.pt", Some("images")),
            ("a.npz:trials", "a.npz", Some("trials")),
            ("d/a.h5:/group/trials", "d/a.h5", Some("/group/trials")),
            ("a.hdf5#betas", "a.hdf5", Some("betas")),
            ("s1/betas.mat:V1", "s1/betas.mat", Some("V1")),
            ("a.h5:x.npz:y", "a.h5", Some("x.npz:y")),
            ("C:/a.npy", "C:/a.npy", None),
            ("C:/v.csv:LO1 (prf)", "C:/v.csv", Some("LO1 (prf)")),
            ("a.npz", "a.npz", None),
        ] {
            let (found, name) = split_member(Path::new(text));
            assert_eq!((found.to_str(), name.as_deref()), (Some(file), member));
        }
    }

    #[test]
    fn a_file_of_that_very_name_is_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pt#b");
        std::fs::write(&path, "").unwrap();
        assert_eq!(split_member(&path), (path, None));
    }
}
