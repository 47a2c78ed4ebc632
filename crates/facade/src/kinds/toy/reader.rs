//! The file of the toy kind: `{"stem": 0.5}`.

use neurogauge_formats::{FormatError, json};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn read(path: &Path) -> Result<Vec<(String, f64)>, FormatError> {
    Ok(json::read::<BTreeMap<String, f64>>(path)?.into_iter().collect())
}
