//! Feature matrices: `<model>.npy` with one row per image, and `ids.json` with the images' stems.

use crate::element::ElementType;
use crate::stem_listing::stem_listing;
use crate::stored_array::StoredArray;
use crate::{AtPath, FormatError, Problem, atomic_file, json, npy};
use neurogauge_core::{Features, RowValues};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Name of the file with the ids of all matrices of a folder.
pub const IDS_FILE: &str = "ids.json";

/// A subfolder for matrices whose rows belong to clips, if other matrices have rows for frames.
pub const CLIPS_FOLDER: &str = "clips";

/// Number of values in memory at a time while a file is checked.
const CHECKED_AT_ONCE: usize = 1 << 20;

/// Reads a feature matrix and the ids of its rows.
///
/// Shapes: `matrix` is an `.npy` of (n_images, n_features), half, single or double precision (kept in single); trailing
/// dimensions of length 1 are dropped, so an average-pooled (N, D, 1, 1) is accepted. `ids` is a JSON list of n_images
/// strings or integers (read as strings), the stems of the images in the order of the rows. Rows stay in the order of
/// the file.
///
/// # Errors
/// No ids file (the order of the rows is never guessed); different numbers of ids and rows; an id that occurs twice;
/// wrong rank or element type; NaN or an infinity (with row and column); an empty matrix.
pub fn read(matrix: &Path, ids: &Path) -> Result<Features, FormatError> {
    let stored = open(matrix, ids)?;
    let values = match stored.values {
        Values::Held(values) => values,
        Values::InFile(array) => in_file(&array, 0, array.len())?,
    };
    let data = match values {
        RowValues::Single(data) => data.into_owned(),
        RowValues::Double(data) => in_single(matrix, 0, stored.n_features, &data)?,
    };
    Features::new(stored.ids, stored.n_features, data).map_err(Problem::new).at(matrix)
}

/// The file with a matrix' ids: `<model>.ids.json` if the matrix lacks some images of the folder's `ids.json`,
/// otherwise `ids.json`.
pub fn ids_beside(matrix: &Path) -> PathBuf {
    let own = matrix.with_extension(IDS_FILE);
    if own.exists() {
        own
    } else {
        matrix.with_file_name(IDS_FILE)
    }
}

/// The features of images with these stems, if the matrix `<model>.npy` of a folder has them. If no image has features,
/// the file does not exist.
///
/// ```
/// use neurogauge_formats::{features, npy};
/// # let dir = tempfile::tempdir()?;
/// # let folder = dir.path();
/// npy::write_f32(&folder.join("clip.npy"), &[1, 2], &[1.0, 2.0])?;
/// std::fs::write(folder.join("ids.json"), r#"["a", "b"]"#)?;
/// std::fs::write(folder.join("clip.ids.json"), r#"["b"]"#)?;
/// let features = features::of_stems(folder, "clip", &["a".to_owned(), "b".to_owned()])?;
/// assert_eq!((features.has(0), features.has(1)), (false, true));
/// assert_eq!(features.row(1)?, [1.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_stems(folder: &Path, model: &str, stems: &[String]) -> Result<StoredFeatures, FormatError> {
    let path = folder.join(format!("{model}.npy"));
    let stored = if path.exists() {
        open(&path, &ids_beside(&path))?
    } else {
        StoredFeatures {
            path,
            ids: Vec::new(),
            rows: Vec::new(),
            n_features: 0,
            values: Values::Held(RowValues::Single(Cow::default())),
        }
    };
    let row_of: HashMap<&String, usize> = stored.ids.iter().zip(0..).collect();
    let rows = stems.iter().map(|stem| row_of.get(stem).copied());
    Ok(StoredFeatures {
        rows: rows.collect(),
        ids: stems.to_vec(),
        ..stored
    })
}

/// A feature matrix whose rows stay in the file until requested.
#[derive(Debug)]
pub struct StoredFeatures {
    path: PathBuf,
    ids: Vec<String>,
    /// The position of each id's row, if it has one.
    rows: Vec<Option<usize>>,
    n_features: usize,
    values: Values,
}

#[derive(Debug)]
enum Values {
    /// Contiguous rows, read from the file.
    InFile(StoredArray),
    /// Rows in memory, because they are scattered in the file and each would need a read of nearly all of it.
    Held(RowValues<'static>),
}

/// Some values of an array, in the file's precision.
fn in_file(array: &StoredArray, from: u64, n: u64) -> Result<RowValues<'static>, FormatError> {
    Ok(match array.element_type() {
        ElementType::F64 => RowValues::Double(Cow::Owned(array.read_f64_at(from, n)?)),
        _ => RowValues::Single(Cow::Owned(array.read_f32_at(from, n)?)),
    })
}

/// Does all checks of [`read`], but leaves the rows in the file. A matrix in Fortran order, whose rows are scattered,
/// is kept in memory.
pub fn open(matrix: &Path, ids: &Path) -> Result<StoredFeatures, FormatError> {
    open_rows(matrix, ids, false)
}

/// Opens a matrix for items with parts: a matrix (n_items, n_parts, n_features) has a row for each part of an item, and
/// the rows of the item `id` are called `id/0`, `id/1`, ..., as in a stack of images. With one more axis, such as
/// samples and frames, they are called `id/0/0`, `id/0/1`, ....
///
/// ```
/// use neurogauge_formats::{features, npy};
/// # let dir = tempfile::tempdir()?;
/// let (matrix, ids) = (dir.path().join("clip.npy"), dir.path().join("ids.json"));
/// npy::write_f32(&matrix, &[2, 2, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])?;
/// std::fs::write(&ids, r#"["a", "b"]"#)?;
/// let features = features::open_parts(&matrix, &ids)?;
/// assert_eq!(features.ids(), ["a/0", "a/1", "b/0", "b/1"]);
/// assert_eq!(features.row(2)?, [5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_parts(matrix: &Path, ids: &Path) -> Result<StoredFeatures, FormatError> {
    open_rows(matrix, ids, true)
}

fn open_rows(matrix: &Path, ids: &Path, may_have_parts: bool) -> Result<StoredFeatures, FormatError> {
    let dtype = npy::read_header(matrix)?.dtype;
    if !["f2", "f4", "f8"].iter().any(|float| dtype.ends_with(float)) {
        return Err(Problem::dtype(dtype, "half, single or double precision (f2, f4, f8)").at(matrix));
    }
    let array = npy::open(matrix)?;
    let (n_ids, n_parts, n_features) = match array.shape() {
        [items, parts @ .., features]
            if may_have_parts && [1, 2].contains(&parts.len()) && !parts.contains(&0) && *features > 1 =>
        {
            let (items, features) = rows_and_columns(matrix, &[*items, *features])?;
            (items, parts, features)
        }
        shape => {
            let (rows, features) = rows_and_columns(matrix, shape)?;
            (rows, &[][..], features)
        }
    };
    let mut ids = ids_of(matrix, ids, n_ids)?;
    for &n in n_parts {
        let parts = ids.iter().flat_map(|id| (0..n).map(move |part| format!("{id}/{part}")));
        ids = parts.collect();
    }
    let n_rows = ids.len();
    let check = |first: usize, values: &RowValues<'_>| match values {
        RowValues::Single(data) => refuse_non_finite(matrix, first, n_features, data),
        RowValues::Double(data) => refuse_non_finite(matrix, first, n_features, data),
    };
    let values = if array.is_contiguous() {
        let n_at_once = (CHECKED_AT_ONCE / n_features).max(1);
        for from in (0..n_rows).step_by(n_at_once) {
            let n = n_at_once.min(n_rows - from) * n_features;
            check(from, &in_file(&array, (from * n_features) as u64, n as u64)?)?;
        }
        Values::InFile(array)
    } else {
        let values = in_file(&array, 0, array.len())?;
        check(0, &values)?;
        Values::Held(values)
    };
    Ok(StoredFeatures {
        path: matrix.to_owned(),
        rows: (0..n_rows).map(Some).collect(),
        ids,
        n_features,
        values,
    })
}

impl StoredFeatures {
    /// The ids. Each has a row, unless [`of_stems`] found none.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Length of a row.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// Does the id at this position have a row?
    pub fn has(&self, index: usize) -> bool {
        self.rows.get(index).is_some_and(Option::is_some)
    }

    /// Some values in the row of the id at this position, in the file's precision; `features` are within the matrix.
    ///
    /// # Errors
    /// There is no such row; the file has become shorter since.
    pub fn values(&self, index: usize, features: Range<usize>) -> Result<RowValues<'_>, FormatError> {
        let start = self.start(index)? + features.start;
        let held = start..start + features.len();
        Ok(match &self.values {
            Values::InFile(array) => in_file(array, start as u64, features.len() as u64)?,
            Values::Held(RowValues::Single(data)) => RowValues::Single(Cow::Borrowed(&data[held])),
            Values::Held(RowValues::Double(data)) => RowValues::Double(Cow::Borrowed(&data[held])),
        })
    }

    /// The position at which a row begins.
    fn start(&self, index: usize) -> Result<usize, FormatError> {
        let row = self.rows.get(index).copied().flatten();
        let row = row.ok_or_else(|| Problem::no_such_image(index, self.ids.len()).at(&self.path))?;
        Ok(row * self.n_features)
    }

    /// A row in double precision, which keeps every value.
    pub fn row(&self, index: usize) -> Result<Vec<f64>, FormatError> {
        Ok(self.values(index, 0..self.n_features)?.to_double())
    }

    /// A row in single precision, for comparison with a network's output.
    ///
    /// # Errors
    /// Errors of [`Self::values`]; a value outside single precision.
    pub fn single_row(&self, index: usize) -> Result<Cow<'_, [f32]>, FormatError> {
        match self.values(index, 0..self.n_features)? {
            RowValues::Single(values) => Ok(values),
            RowValues::Double(values) => Ok(Cow::Owned(in_single(&self.path, index, self.n_features, &values)?)),
        }
    }
}

/// Writes `<model>.npy` (single precision) and `ids.json` into a folder.
///
/// All matrices of a folder share `ids.json`.
///
/// # Errors
/// The folder has matrices of other models whose ids differ from these; the model name is not a file name; [`read`]
/// would refuse the ids or values.
pub fn write(folder: &Path, model: &str, features: &Features) -> Result<(), FormatError> {
    let invalid = |path: &Path, place: &str, reason: String| Problem::invalid(place, reason).at(path);
    if model.is_empty() || model.starts_with('.') || model.contains(['/', '\\']) {
        let reason = format!("{model:?} cannot be part of a file name");
        return Err(invalid(folder, "model", reason));
    }
    let matrix_path = folder.join(format!("{model}.npy"));
    let ids_path = folder.join(IDS_FILE);
    let shape = [features.ids().len() as u64, features.n_features() as u64];
    rows_and_columns(&matrix_path, &shape)?;
    refuse_duplicates(&ids_path, features.ids())?;
    refuse_non_finite(&matrix_path, 0, features.n_features(), features.data())?;

    let has_others = folder.is_dir() && list(folder)?.iter().any(|other| other != model);
    if has_others && read_ids(&matrix_path, &ids_path)? != features.ids() {
        let reason = format!(
            "the folder's other matrices have other ids than {model:?}; matrices of other images \
             belong into another folder"
        );
        return Err(invalid(&ids_path, "ids", reason));
    }
    let mut ids = serde_json::to_vec(features.ids()).map_err(Problem::new).at(&ids_path)?;
    ids.push(b'\n');
    atomic_file::write(&ids_path, &ids)?;
    npy::write_f32(&matrix_path, &shape, features.data())
}

/// The models in a features folder (the stems of its `.npy` files), in natural order; may be empty.
pub fn list(folder: &Path) -> Result<Vec<String>, FormatError> {
    Ok(stem_listing(folder, &["npy"])?.into_iter().map(|(stem, _)| stem).collect())
}

/// The models of a features folder and of its [`CLIPS_FOLDER`].
pub fn list_with_clips(folder: &Path) -> Result<Vec<String>, FormatError> {
    let mut models = list(folder)?;
    let of_clips = folder.join(CLIPS_FOLDER);
    if of_clips.is_dir() {
        let others = list(&of_clips)?;
        models.extend(others.into_iter().filter(|other| !models.contains(other)).collect::<Vec<_>>());
    }
    Ok(models)
}

/// The file of a model's matrix in a folder or in its [`CLIPS_FOLDER`].
pub fn file_in(folder: &Path, model: &str) -> PathBuf {
    let name = format!("{model}.npy");
    let of_clips = folder.join(CLIPS_FOLDER).join(&name);
    match of_clips.is_file() {
        true => of_clips,
        false => folder.join(name),
    }
}

fn rows_and_columns(matrix: &Path, shape: &[u64]) -> Result<(usize, usize), FormatError> {
    match shape {
        [rows, columns, rest @ ..] if *rows > 0 && *columns > 0 && rest.iter().all(|&length| length == 1) => {
            Ok((*rows as usize, *columns as usize))
        }
        _ => Err(Problem::shape(shape.to_vec(), "(images, features), at least one of each").at(matrix)),
    }
}

/// The ids of a matrix with as many rows, all different.
pub(crate) fn ids_of(matrix: &Path, path: &Path, n_rows: usize) -> Result<Vec<String>, FormatError> {
    let ids = read_ids(matrix, path)?;
    if ids.len() != n_rows {
        return Err(Problem::id_count(ids.len(), n_rows).at(path));
    }
    refuse_duplicates(path, &ids)?;
    Ok(ids)
}

fn read_ids(matrix: &Path, ids: &Path) -> Result<Vec<String>, FormatError> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected an id, a string or an integer")]
    enum IdForm {
        Text(String),
        Unsigned(u64),
        Signed(i64),
    }
    let expected = format!(
        "a JSON list with the stem of the image of each row of {}, in the order of the rows \
         (which cannot be guessed), e.g. [\"0\", \"1\"]",
        matrix.file_name().unwrap_or_default().display()
    );
    let ids: Vec<IdForm> = json::read_as(ids, &expected)?;
    let ids = ids.into_iter().map(|id| match id {
        IdForm::Text(text) => text,
        IdForm::Unsigned(number) => number.to_string(),
        IdForm::Signed(number) => number.to_string(),
    });
    Ok(ids.collect())
}

fn refuse_duplicates(path: &Path, ids: &[String]) -> Result<(), FormatError> {
    let mut first_row = HashMap::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        if let Some(first) = first_row.insert(id, row) {
            return Err(
                Problem::invalid(format!("id {row}"), format!("{id:?} is id {first} already; ids are unique")).at(path)
            );
        }
    }
    Ok(())
}

/// Values of double precision, converted to single if the other part has no more. Values that would become infinite are
/// refused.
fn in_single(path: &Path, first: usize, n_features: usize, data: &[f64]) -> Result<Vec<f32>, FormatError> {
    match data.iter().position(|&value| (value as f32).is_infinite()) {
        None => Ok(data.iter().map(|&value| value as f32).collect()),
        Some(index) => Err(Problem::invalid(
            format!("row {}, column {}", first + index / n_features, index % n_features),
            format!(
                "is {:e}; expected a number up to 3.4e38, as single precision has: rescale the features",
                data[index]
            ),
        )
        .at(path)),
    }
}

/// Refuses values that are not finite; `first` is the number of the first row.
pub(crate) fn refuse_non_finite<T: Copy + Into<f64>>(
    path: &Path,
    first: usize,
    n_features: usize,
    data: &[T],
) -> Result<(), FormatError> {
    match data.iter().position(|&value| !value.into().is_finite()) {
        None => Ok(()),
        Some(index) => {
            let row = |index: usize| first + index / n_features;
            let bad: Vec<usize> = (index..data.len()).filter(|&at| !data[at].into().is_finite()).collect();
            let mut rows: Vec<usize> = bad.iter().map(|&at| row(at)).collect();
            rows.dedup();
            let all = match (bad.len(), rows.len()) {
                (1, _) => String::new(),
                (n, n_rows) => format!(" (the first of {n} such values in {n_rows} rows)"),
            };
            Err(Problem::non_finite(
                format!("row {}, column {}{all}", row(index), index % n_features),
                data[index].into(),
            )
            .at(path))
        }
    }
}
