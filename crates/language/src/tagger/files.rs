//! Reads the three JSON files of a model.

use crate::LanguageError;
use crate::resource::read_text;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

const ADVICE: &str = "The folder is taggers/averaged_perceptron_tagger_eng of nltk_data";

/// One of the files, with its name for error messages.
pub(super) struct ModelFile {
    path: PathBuf,
    content: Value,
}

impl ModelFile {
    /// Opens the only file in `folder` whose name ends in `ending`.
    pub(super) fn open(folder: &Path, ending: &'static str) -> Result<Self, LanguageError> {
        let path = find(folder, ending)?;
        let text = read_text(&path, "a file of the tagger's model", ADVICE)?;
        match serde_json::from_str(&text) {
            Ok(content) => Ok(Self { path, content }),
            Err(error) => Err(LanguageError::Line {
                path,
                line: error.line().max(1),
                reason: format!("not JSON: {error}"),
            }),
        }
    }

    pub(super) fn object(&self) -> Result<&Map<String, Value>, LanguageError> {
        let object = self.content.as_object();
        object.ok_or_else(|| self.fault("the file", &self.content, "an object"))
    }

    pub(super) fn list(&self) -> Result<&[Value], LanguageError> {
        let list = self.content.as_array();
        list.map(Vec::as_slice).ok_or_else(|| self.fault("the file", &self.content, "a list"))
    }

    /// An error: `found` at `place` is not `expected`.
    pub(super) fn fault(&self, place: &str, found: &Value, expected: &str) -> LanguageError {
        let found = match found {
            Value::Object(object) => format!("an object of {} entries", object.len()),
            Value::Array(list) => format!("a list of {} entries", list.len()),
            other => other.to_string(),
        };
        LanguageError::Entry {
            path: self.path.clone(),
            place: place.to_owned(),
            reason: format!("found {found}; expected {expected}"),
        }
    }
}

/// The name of the only file in `folder` that ends in `ending`.
pub(super) fn name_of(folder: &Path, ending: &'static str) -> Result<String, LanguageError> {
    Ok(find(folder, ending)?.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

fn find(folder: &Path, ending: &'static str) -> Result<PathBuf, LanguageError> {
    let fault = |source| LanguageError::Io {
        path: folder.to_owned(),
        action: "listing",
        source,
    };
    let missing = || LanguageError::Missing {
        path: folder.join(format!("*.{ending}.json")),
        expected: "one file of a tagger's model",
        advice: ADVICE,
    };
    if !folder.is_dir() {
        return Err(missing());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.ends_with(&format!(".{ending}.json"))) {
            found.push(path);
        }
    }
    found.sort();
    match found.as_slice() {
        [] => Err(missing()),
        [one] => Ok(one.clone()),
        [first, second, ..] => Err(LanguageError::Entry {
            path: folder.to_owned(),
            place: format!("*.{ending}.json"),
            reason: format!("found {} and {}; expected the files of one model", first.display(), second.display()),
        }),
    }
}
