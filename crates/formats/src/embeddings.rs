//! Embeddings of many items: one array, with an optional `ids.json` in its folder.

use crate::array_file::{self, ArrayFile};
use crate::element::ElementType;
use crate::features::{ids_beside, ids_of, refuse_non_finite};
use crate::{AtPath, FormatError, Problem};
use neurogauge_core::{FeatureValue, Features};
use std::path::{Path, PathBuf};

/// Embeddings, and where their rows' ids come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings<T = f32> {
    /// One row for each item; without a file of ids, rows are called "0", "1", ...
    pub rows: Features<T>,
    /// The file that contains them, without the name of an array in it.
    pub file: PathBuf,
    pub ids: Option<PathBuf>,
}

/// Reads an array of embeddings.
///
/// Shapes: an array that [`array_file`] reads (`.npy`, `.npz`, `.pt`, HDF5), (n_items, n_features) or with more
/// dimensions, which are flattened after the first: MindEye's (n, 257, 768) has rows of 197,376 values. Half, single or
/// double precision, kept in single. An `ids.json` in the folder of the file (a list with an id for each row) names the
/// rows.
///
/// # Errors
/// Fewer than two dimensions; an empty array; whole numbers; NaN or an infinity (with its row and column); several
/// arrays and no name; the errors of [`features::read`](crate::features::read) on ids.
pub fn read(path: &Path) -> Result<Embeddings, FormatError> {
    read_as(path, ArrayFile::read_f32)
}

/// Like [`read`], but in double precision, which keeps values of half, single and double precision.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// let path = dir.path().join("layer.npy");
/// neurogauge_formats::npy::write_f64(&path, &[1, 2], &[0.1, 1e5 + 1e-9])?;
/// let embeddings = neurogauge_formats::embeddings::read_exactly(&path)?;
/// assert_eq!(embeddings.rows.data(), [0.1, 1e5 + 1e-9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_exactly(path: &Path) -> Result<Embeddings<f64>, FormatError> {
    read_as(path, ArrayFile::read_f64)
}

/// Is the array of double precision, which [`read`] would round?
pub fn is_double(path: &Path) -> Result<bool, FormatError> {
    Ok(Opened::new(path)?.array.element_type() == ElementType::F64)
}

fn read_as<T: FeatureValue>(
    path: &Path,
    values: impl FnOnce(&ArrayFile) -> Result<Vec<T>, FormatError>,
) -> Result<Embeddings<T>, FormatError> {
    let opened = Opened::new(path)?;
    let data = values(&opened.array)?;
    refuse_non_finite(&opened.file, 0, opened.n_features, &data)?;
    let file = opened.file;
    let ids = Some(ids_beside(&file)).filter(|ids| ids.exists());
    let names = match &ids {
        Some(ids) => ids_of(&file, ids, opened.n_rows)?,
        None => (0..opened.n_rows).map(|row| row.to_string()).collect(),
    };
    let rows = Features::new(names, opened.n_features, data).map_err(Problem::new).at(&file)?;
    Ok(Embeddings { rows, file, ids })
}

/// An array of embeddings that has not been read yet.
struct Opened {
    array: ArrayFile,
    file: PathBuf,
    n_rows: usize,
    n_features: usize,
}

impl Opened {
    fn new(path: &Path) -> Result<Self, FormatError> {
        let array = array_file::open(path)?;
        let file = array.path().to_owned();
        if !array.element_type().is_float() {
            return Err(Problem::dtype(array.element_type().to_string(), "half, single or double precision").at(file));
        }
        let (n_rows, n_features) = match array.shape() {
            [rows, features @ ..] if !features.is_empty() && !array.is_empty() => {
                (*rows as usize, features.iter().product::<u64>() as usize)
            }
            shape => {
                return Err(
                    Problem::shape(shape.to_vec(), "(items, features) or more dimensions, none of them 0").at(file)
                );
            }
        };
        Ok(Opened {
            array,
            file,
            n_rows,
            n_features,
        })
    }
}
