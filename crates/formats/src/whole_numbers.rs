//! Arrays of whole numbers: stimuli, sessions, folds.

use crate::{FormatError, Problem, array_file};
use std::path::Path;

/// Largest numbers in a list and in rows: below these, a double represents every whole number, and positions fit into
/// memory.
const MOST: [f64; 2] = [9e15, 4e9];

/// The numbers (from 0) of an array with one axis, or of a single row or column.
///
/// # Errors
/// Errors of [`array_file::open`]; another shape; anything but a whole number, with its position.
pub fn list(path: &Path) -> Result<Vec<u64>, FormatError> {
    let array = array_file::open(path)?;
    // Lists from MATLAB have two axes.
    let is_list = matches!(array.shape(), [_] | [_, 1] | [1, _]);
    if !is_list {
        return Err(Problem::content(format!("the shape {:?}", array.shape()), "one number for each trial").at(path));
    }
    let values = array.read_f64()?;
    let whole = |(index, value): (usize, f64)| {
        let place = || format!("entry {index}");
        whole(path, value, MOST[0], place, "")
    };
    values.into_iter().enumerate().map(whole).collect()
}

/// The rows of an array with `n_axes` axes; the leading axes are flattened. Rows of unequal length end in
/// -1, which is left out.
///
/// # Errors
/// Errors of [`list`]; an array without entries.
///
/// ```
/// use neurogauge_formats::{npy, whole_numbers};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("folds.npy");
/// npy::write_f64(&path, &[2, 2], &[1.0, 0.0, 2.0, -1.0]).unwrap();
/// assert_eq!(whole_numbers::rows(&path, 2).unwrap(), [vec![1, 0], vec![2]]);
/// ```
pub fn rows(path: &Path, n_axes: usize) -> Result<Vec<Vec<usize>>, FormatError> {
    let array = array_file::open(path)?;
    let shape = array.shape();
    if shape.len() != n_axes || shape.contains(&0) {
        let reason = format!("has the shape {shape:?}; expected {n_axes} axes, none of them empty");
        return Err(Problem::invalid("the array", reason).at(path));
    }
    let width = shape.last().map_or(1, |&n| n as usize);
    let values = array.read_f64()?;
    let row = |(index, row): (usize, &[f64])| {
        let filled = row.iter().rev().take_while(|&&value| value == -1.0).count();
        let kept = row[..width - filled].iter().enumerate();
        kept.map(|(entry, &value)| {
            let place = || format!("row {index}, entry {entry}");
            let number = whole(path, value, MOST[1], place, ", or -1 at the end of a row")?;
            Ok(number as usize)
        })
        .collect()
    };
    values.chunks(width).enumerate().map(row).collect()
}

fn whole(path: &Path, value: f64, most: f64, place: impl Fn() -> String, or: &str) -> Result<u64, FormatError> {
    if value.fract() == 0.0 && (0.0..most).contains(&value) {
        return Ok(value as u64);
    }
    Err(Problem::invalid(place(), format!("is {value}; expected a whole number, 0 or more{or}")).at(path))
}
