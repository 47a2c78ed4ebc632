//! Recipes that observers write with their files: which model made them, and how.

use crate::{FormatError, json};
use neurogauge_core::{Finding, ObservationKind, Observed};
use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Name of the file, in a folder of observations, that lists the placeholders among them, with reasons.
pub const STAND_INS: &str = "stand_ins.json";
/// The code of a warning about results of a placeholder.
pub const STAND_IN: &str = "stand_in";

/// Name of the file, in the same folder, with the recipe of a kind of observations.
///
/// ```
/// assert_eq!(neurogauge_formats::recipe::file_name("captions"), "captions.recipe.json");
/// ```
pub fn file_name(kind: impl Display) -> String {
    format!("{kind}.recipe.json")
}

/// Reads the recipe for the observations in a file or folder.
pub fn read_beside<T: Observed>(path: &Path) -> Result<Option<Value>, FormatError> {
    beside(path, T::KIND).map(|file| json::read(&file)).transpose()
}

/// The recipe for the observations in a file or folder: it lies next to the file, in the folder, or next to `preds/`.
/// For a matrix of features, it has the name of the matrix. If a file of the kind's usual name exists, a recipe next to
/// a file with another name belongs to the former.
pub fn beside(path: &Path, kind: ObservationKind) -> Option<PathBuf> {
    if kind.has_a_recipe_for_each_file() {
        return Some(path.with_extension("keys.json")).filter(|keys| keys.is_file());
    }
    let inside = path.join("preds").is_dir().then_some(path);
    let is_of_other = |folder: &&Path| !kind.is_name_of(path) && kind.names().any(|name| folder.join(name).exists());
    let beside = path.parent().filter(|folder| !is_of_other(folder));
    let mut files = inside.into_iter().chain(beside).map(|folder| folder.join(file_name(kind)));
    files.find(|file| file.is_file())
}

/// The file showing that a placeholder made the observations in a file or folder, or their inputs: their recipe, or
/// [`STAND_INS`] in the folder of observations that contains them.
pub fn mark_of(path: &Path, kind: ObservationKind) -> Result<Option<PathBuf>, FormatError> {
    if let Some(file) = beside(path, kind)
        && is_stand_in(&json::read(&file)?)
    {
        return Ok(Some(file));
    }
    // `gt/captions.json`, `gt/features/clips/model.npy`
    let (key, depth) = match path.file_stem() {
        Some(model) if kind.has_a_recipe_for_each_file() => (format!("{kind}/{}", model.display()), 4),
        _ => (kind.to_string(), 2),
    };
    for folder in path.ancestors().skip(1).take(depth) {
        let list = folder.join(STAND_INS);
        if list.is_file() && json::read::<Value>(&list)?.get(&key).is_some() {
            return Ok(Some(list));
        }
    }
    Ok(None)
}

/// A warning if a placeholder made the observations in a file or folder; see [`mark_of`].
pub fn warning<T: Observed>(path: &Path) -> Result<Option<Finding>, FormatError> {
    let warning = |mark: PathBuf| {
        let message =
            format!("made by a placeholder, as {} says: what is computed from it means nothing", mark.display());
        Finding::warning(STAND_IN, path.display().to_string(), message)
    };
    Ok(mark_of(path, T::KIND)?.map(warning))
}

/// Is one of the findings about results of a placeholder?
pub fn is_marked(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.code == STAND_IN)
}

/// Does a recipe name a placeholder, or something made by one?
///
/// ```
/// use serde_json::json;
/// assert!(neurogauge_formats::recipe::is_stand_in(&json!({"model": {"id": "placeholder-detector", "stand_in": true}})));
/// assert!(!neurogauge_formats::recipe::is_stand_in(&json!({"model": {"stand_in": false}})));
/// ```
pub fn is_stand_in(recipe: &Value) -> bool {
    match recipe {
        Value::Object(fields) => fields.get("stand_in") == Some(&Value::Bool(true)) || fields.values().any(is_stand_in),
        Value::Array(entries) => entries.iter().any(is_stand_in),
        _ => false,
    }
}
