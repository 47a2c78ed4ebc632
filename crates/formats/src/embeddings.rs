//! Embeddings of many items: one array, and where there is one the `ids.json` beside it.

use crate::features::{ids_beside, read_ids, refuse_duplicates, refuse_non_finite};
use crate::{FormatError, array_file};
use neurogauge_core::Features;
use std::path::{Path, PathBuf};

/// Embeddings, and where the ids of their rows come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// One row for each item; without a file of ids, rows are called "0", "1", ...
    pub rows: Features,
    /// The file they lie in, without the name of an array in it.
    pub file: PathBuf,
    /// The file of ids.
    pub ids: Option<PathBuf>,
}

/// Reads an array of embeddings.
///
/// Shapes: an array that [`array_file`] reads (`.npy`, `.npz`, `.pt`, HDF5), (n_items, n_features) or of more dimensions,
/// which are flattened behind the first: MindEye's (n, 257, 768) has rows of 197,376 values. Half,
/// single or double precision, kept in single. An
/// `ids.json` in the folder of the file (a list with an id for each row) names the rows.
///
/// # Errors
/// Fewer than two dimensions, an empty array, whole numbers, NaN or an infinity (with its row and
/// column), several arrays and no word which, and what [`features::read`](crate::features::read) says of
/// ids.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// let path = dir.path().join("brain.npy");
/// neurogauge_formats::npy::write_f32(&path, &[2, 3, 2], &[0.5; 12])?;
/// let embeddings = neurogauge_formats::embeddings::read(&path)?;
/// assert_eq!((embeddings.rows.ids().len(), embeddings.rows.n_features()), (2, 6));
/// assert_eq!(embeddings.ids, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path) -> Result<Embeddings, FormatError> {
    let array = array_file::open(path)?;
    let file = array.path().to_owned();
    if !array.element_type().is_float() {
        return Err(FormatError::Dtype {
            path: file,
            found: array.element_type().to_string(),
            expected: "half, single or double precision".to_owned(),
        });
    }
    let (n_rows, n_features) = match array.shape() {
        [rows, features @ ..] if !features.is_empty() && !array.is_empty() => {
            (*rows as usize, features.iter().product::<u64>() as usize)
        }
        shape => {
            return Err(FormatError::Shape {
                path: file,
                found: shape.to_vec(),
                expected: "(items, features) or more dimensions, none of them 0".to_owned(),
            });
        }
    };
    let data = array.read_f32()?;
    refuse_non_finite(&file, n_features, &data)?;
    let ids_path = ids_beside(&file);
    let (ids, ids_path) = if ids_path.exists() {
        let ids = read_ids(&file, &ids_path)?;
        if ids.len() != n_rows {
            return Err(FormatError::IdCount {
                path: ids_path,
                n_ids: ids.len(),
                n_rows,
            });
        }
        refuse_duplicates(&ids_path, &ids)?;
        (ids, Some(ids_path))
    } else {
        ((0..n_rows).map(|row| row.to_string()).collect(), None)
    };
    let rows = Features::new(ids, n_features, data).map_err(|error| FormatError::Malformed {
        path: file.clone(),
        reason: error.to_string(),
    })?;
    Ok(Embeddings {
        rows,
        file,
        ids: ids_path,
    })
}
