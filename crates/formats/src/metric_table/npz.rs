//! `.npz`: one array per metric.

use super::MetricTable;
use crate::budget::collect;
use crate::delimited_text::LARGEST;
use crate::npz::Npz;
use crate::stored_array::StoredArray;
use crate::{FormatError, Problem};
use std::path::Path;

pub(super) fn read(path: &Path) -> Result<MetricTable, FormatError> {
    let mut npz = Npz::open(path, "scores, an .npz file with an array per metric")?;
    let mut metrics: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    for (index, key) in npz.names()?.into_iter().enumerate() {
        let array = npz.array(index, &key)?;
        let scores = scores(path, &key, &array)?;
        if let Some((first_key, first)) = metrics.first()
            && first.len() != scores.len()
        {
            let (n, first_n) = (scores.len(), first.len());
            return Err(Problem::new(format_args!(
                "the array {key:?} has the shape [{n}], but {first_key:?} has [{first_n}]; every array needs a score per item"
            ))
            .at(path));
        }
        metrics.push((key, scores));
    }
    let n_items = metrics.first().map_or(0, |(_, scores)| scores.len());
    if n_items == 0 {
        return Err(Problem::new("no score in it; expected an array per metric").at(path));
    }
    Ok(MetricTable {
        items: (0..n_items).map(|item| item.to_string()).collect(),
        metrics,
        stand_ins: Vec::new(),
    })
}

fn scores(path: &Path, key: &str, array: &StoredArray) -> Result<Vec<Option<f64>>, FormatError> {
    if array.shape().len() != 1 {
        let found = format!("the array {key:?} has the shape {:?}", array.shape());
        return Err(Problem::unexpected(found, "one axis, a score per item").at(path));
    }
    let numbers = array.read_f64_at(0, array.len())?;
    if let Some(index) = numbers.iter().position(|number| number.abs() > LARGEST) {
        return Err(Problem::non_finite(format!("{key}[{index}]"), numbers[index]).at(path));
    }
    let score = |number: f64| (!number.is_nan()).then_some(number);
    collect(numbers.len(), numbers.into_iter().map(score), path, key)
}
