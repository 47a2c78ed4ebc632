//! `.npz`: a zip archive of `.npy` files, one per metric.

use super::MetricTable;
use crate::element::decode_into;
use crate::{FormatError, npy};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// Of one array: a few kilobytes can be inflated to any size.
const MAX_ARRAY_BYTES: u64 = 1 << 28;

pub(super) fn read(path: &Path) -> Result<MetricTable, FormatError> {
    let file = File::open(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => FormatError::NotFound {
            path: path.to_owned(),
            expected: "scores, an .npz file with an array per metric".to_owned(),
        },
        _ => FormatError::Io {
            path: path.to_owned(),
            action: "opening",
            source,
        },
    })?;
    let malformed = |reason: String| FormatError::Malformed {
        path: path.to_owned(),
        reason,
    };
    let damaged = |error: ZipError| malformed(format!("a damaged .npz file: {error}"));
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    let mut metrics: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(damaged)?;
        let name = entry.name().map_err(damaged)?.into_owned();
        let key = name.strip_suffix(".npy").unwrap_or(&name).to_owned();
        let mut bytes = Vec::new();
        entry
            .take(MAX_ARRAY_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| malformed(format!("the array {key:?} is damaged: {error}")))?;
        if bytes.len() as u64 > MAX_ARRAY_BYTES {
            let reason = format!("the array {key:?} has more than {MAX_ARRAY_BYTES} bytes");
            return Err(malformed(reason));
        }
        let scores = scores(path, &key, &bytes)?;
        if metrics.iter().any(|(other, _)| *other == key) {
            return Err(malformed(format!("two arrays are called {key:?}")));
        }
        if let Some((first_key, first)) = metrics.first()
            && first.len() != scores.len()
        {
            return Err(FormatError::ArrayLengths {
                path: path.to_owned(),
                key,
                len: scores.len(),
                first_key: first_key.clone(),
                first_len: first.len(),
            });
        }
        metrics.push((key, scores));
    }
    let n_items = metrics.first().map_or(0, |(_, scores)| scores.len());
    if n_items == 0 {
        return Err(malformed(
            "no score in it; expected an array per metric".to_owned(),
        ));
    }
    Ok(MetricTable {
        items: (0..n_items).map(|item| item.to_string()).collect(),
        metrics,
    })
}

fn scores(path: &Path, key: &str, bytes: &[u8]) -> Result<Vec<Option<f64>>, FormatError> {
    let header = npy::parse_header(bytes).map_err(|reason| FormatError::Malformed {
        path: path.to_owned(),
        reason: format!("the array {key:?}: {reason}"),
    })?;
    let Some((element, order)) = npy::element_of(&header.dtype) else {
        return Err(FormatError::Dtype {
            path: path.to_owned(),
            found: format!(
                "{} of the array {key:?}, shape {:?}",
                header.dtype, header.shape
            ),
            expected: "a real number or bool type, such as <f4, <f8 or |u1".to_owned(),
        });
    };
    let [n_items] = header.shape[..] else {
        return Err(FormatError::ArrayAxes {
            path: path.to_owned(),
            key: key.to_owned(),
            shape: header.shape,
        });
    };
    let data = bytes.get(header.data_offset as usize..).unwrap_or_default();
    let needed = n_items.saturating_mul(element.size() as u64);
    if needed > data.len() as u64 {
        return Err(FormatError::Truncated {
            path: path.to_owned(),
            place: format!("the array {key:?} of shape [{n_items}]"),
            needed,
            found: data.len() as u64,
        });
    }
    let mut numbers: Vec<f64> = Vec::new();
    decode_into(&data[..needed as usize], element, order, &mut numbers);
    if let Some(index) = numbers.iter().position(|number| number.is_infinite()) {
        return Err(FormatError::NonFinite {
            path: path.to_owned(),
            place: format!("{key}[{index}]"),
            value: numbers[index],
        });
    }
    let score = |number: f64| (!number.is_nan()).then_some(number);
    Ok(numbers.into_iter().map(score).collect())
}
