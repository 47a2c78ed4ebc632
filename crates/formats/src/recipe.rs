//! The recipes that observers write beside their files: which model made them, and how.

use crate::{FormatError, json};
use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Name of the file with the recipe of a kind of observations, beside them.
///
/// ```
/// assert_eq!(neurogauge_formats::recipe::file_name("captions"), "captions.recipe.json");
/// ```
pub fn file_name(kind: impl Display) -> String {
    format!("{kind}.recipe.json")
}

/// Reads the recipe of the observations in a file or folder: it lies beside them, or in the folder, beside `preds/`.
///
/// # Errors
/// A recipe that is not JSON.
pub fn read_beside(path: &Path, kind: impl Display) -> Result<Option<Value>, FormatError> {
    let file = file_name(kind);
    let inside = path.join("preds").is_dir().then(|| path.join(&file));
    let beside = path.parent().map(|folder| folder.join(&file));
    let mut files = inside.into_iter().chain(beside);
    let found = files.find(|file: &PathBuf| file.is_file());
    found.map(|file| json::read(&file)).transpose()
}

/// Does a recipe name a placeholder, or something that was made by one?
///
/// ```
/// use serde_json::json;
/// assert!(neurogauge_formats::recipe::is_stand_in(&json!({"model": {"id": "placeholder-detector", "stand_in": true}})));
/// assert!(!neurogauge_formats::recipe::is_stand_in(&json!({"model": {"stand_in": false}})));
/// ```
pub fn is_stand_in(recipe: &Value) -> bool {
    match recipe {
        Value::Object(fields) => {
            fields.get("stand_in") == Some(&Value::Bool(true)) || fields.values().any(is_stand_in)
        }
        Value::Array(entries) => entries.iter().any(is_stand_in),
        _ => false,
    }
}
