//! Feature matrices: `<model>.npy` with one row per image, and `ids.json` that says which.

use crate::stem_listing::stem_listing;
use crate::{FormatError, atomic_file, json, npy};
use neurogauge_core::Features;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Name of the file that holds the ids of all matrices of a folder.
pub const IDS_FILE: &str = "ids.json";

/// Reads a feature matrix and the ids of its rows.
///
/// Shapes: `matrix` is an `.npy` of (n_images, n_features), half, single or double precision (kept
/// in single); dimensions of length 1 at the end are dropped, so an average-pooled (N, D, 1, 1)
/// will do. `ids` is a JSON list of n_images strings or integers (read as strings), the stems of
/// the images in the order of the rows. Rows stay in the order of the file.
///
/// # Errors
/// A missing ids file (the order of the rows is never guessed), another number of ids than
/// rows, an id that stands twice, wrong rank or element type, NaN or an infinity (with row and
/// column), an empty matrix.
///
/// ```
/// use neurogauge_core::Features;
/// # let dir = tempfile::tempdir()?;
/// let ids = vec!["0".to_owned(), "1".to_owned()];
/// let features = Features::new(ids, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// neurogauge_formats::features::write(dir.path(), "effnet", &features)?;
/// let (matrix, ids) = (dir.path().join("effnet.npy"), dir.path().join("ids.json"));
/// let again = neurogauge_formats::features::read(&matrix, &ids)?;
/// assert_eq!(again.row(1)[2], 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(matrix: &Path, ids: &Path) -> Result<Features, FormatError> {
    let dtype = npy::read_header(matrix)?.dtype;
    if !["f2", "f4", "f8"]
        .iter()
        .any(|float| dtype.ends_with(float))
    {
        return Err(FormatError::Dtype {
            path: matrix.to_owned(),
            found: dtype,
            expected: "half, single or double precision (f2, f4, f8)".to_owned(),
        });
    }
    let (shape, data) = npy::read_f32(matrix)?;
    let (n_rows, n_features) = rows_and_columns(matrix, &shape)?;
    let ids_path = ids;
    let ids = read_ids(matrix, ids_path)?;
    if ids.len() != n_rows {
        return Err(FormatError::IdCount {
            path: ids_path.to_owned(),
            n_ids: ids.len(),
            n_rows,
        });
    }
    refuse_duplicates(ids_path, &ids)?;
    refuse_non_finite(matrix, n_features, &data)?;
    Features::new(ids, n_features, data).map_err(|error| FormatError::Malformed {
        path: matrix.to_owned(),
        reason: error.to_string(),
    })
}

/// Writes `<model>.npy` (single precision) and `ids.json` into a folder.
///
/// All matrices of a folder share `ids.json`.
///
/// # Errors
/// The folder has matrices of other models whose
/// ids differ from these; a model name that is not a file name; ids or values that [`read`] would
/// refuse.
pub fn write(folder: &Path, model: &str, features: &Features) -> Result<(), FormatError> {
    let invalid = |path: &Path, place: &str, reason: String| FormatError::Invalid {
        path: path.to_owned(),
        place: place.to_owned(),
        reason,
    };
    if model.is_empty() || model.starts_with('.') || model.contains(['/', '\\']) {
        let reason = format!("{model:?} cannot be part of a file name");
        return Err(invalid(folder, "model", reason));
    }
    let matrix_path = folder.join(format!("{model}.npy"));
    let ids_path = folder.join(IDS_FILE);
    let shape = [features.ids().len() as u64, features.n_features() as u64];
    rows_and_columns(&matrix_path, &shape)?;
    refuse_duplicates(&ids_path, features.ids())?;
    refuse_non_finite(&matrix_path, features.n_features(), features.data())?;

    let has_others = folder.is_dir() && list(folder)?.iter().any(|other| other != model);
    if has_others && read_ids(&matrix_path, &ids_path)? != features.ids() {
        let reason = format!(
            "the folder's other matrices have other ids than {model:?}; matrices of other images \
             belong into another folder"
        );
        return Err(invalid(&ids_path, "ids", reason));
    }
    let mut ids = serde_json::to_vec(features.ids()).map_err(|error| FormatError::Malformed {
        path: ids_path.clone(),
        reason: error.to_string(),
    })?;
    ids.push(b'\n');
    atomic_file::write(&ids_path, &ids)?;
    npy::write_f32(&matrix_path, &shape, features.data())
}

/// The models of a features folder (the stems of its `.npy` files), natural order; may be empty.
pub fn list(folder: &Path) -> Result<Vec<String>, FormatError> {
    let files: Vec<(String, PathBuf)> = stem_listing(folder, "npy")?;
    Ok(files.into_iter().map(|(stem, _)| stem).collect())
}

fn rows_and_columns(matrix: &Path, shape: &[u64]) -> Result<(usize, usize), FormatError> {
    match shape {
        [rows, columns, rest @ ..]
            if *rows > 0 && *columns > 0 && rest.iter().all(|&length| length == 1) =>
        {
            Ok((*rows as usize, *columns as usize))
        }
        _ => Err(FormatError::Shape {
            path: matrix.to_owned(),
            found: shape.to_vec(),
            expected: "(images, features), at least one of each".to_owned(),
        }),
    }
}

pub(crate) fn read_ids(matrix: &Path, ids: &Path) -> Result<Vec<String>, FormatError> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected an id, a string or an integer")]
    enum Id {
        Text(String),
        Unsigned(u64),
        Signed(i64),
    }
    let expected = format!(
        "a JSON list with the stem of the image of each row of {}, in the order of the rows \
         (which cannot be guessed), e.g. [\"0\", \"1\"]",
        matrix.file_name().unwrap_or_default().display()
    );
    let bytes = json::read_bytes(ids, &expected)?;
    let ids: Vec<Id> = json::parse(ids, &bytes)?;
    let ids = ids.into_iter().map(|id| match id {
        Id::Text(text) => text,
        Id::Unsigned(number) => number.to_string(),
        Id::Signed(number) => number.to_string(),
    });
    Ok(ids.collect())
}

pub(crate) fn refuse_duplicates(path: &Path, ids: &[String]) -> Result<(), FormatError> {
    let mut first_row = HashMap::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        if let Some(first) = first_row.insert(id, row) {
            return Err(FormatError::Invalid {
                path: path.to_owned(),
                place: format!("id {row}"),
                reason: format!("{id:?} is id {first} already; ids are unique"),
            });
        }
    }
    Ok(())
}

pub(crate) fn refuse_non_finite(
    path: &Path,
    n_features: usize,
    data: &[f32],
) -> Result<(), FormatError> {
    match data.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(FormatError::NonFinite {
            path: path.to_owned(),
            place: format!("row {}, column {}", index / n_features, index % n_features),
            value: f64::from(data[index]),
        }),
    }
}
