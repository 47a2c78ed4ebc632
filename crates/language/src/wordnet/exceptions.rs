//! `noun.exc` and its three siblings: irregular forms.
//!
//! A line is `form base*`.

use crate::LanguageError;
use crate::mapped_file::MappedFile;
use std::collections::HashMap;

/// The base forms of irregular forms. The files are small enough to be copied.
#[derive(Debug)]
pub(super) struct Exceptions(HashMap<String, Vec<String>>);

impl Exceptions {
    /// Reads the file. If a form has two lines, the later one counts. A line without a base form is an error.
    pub(super) fn open(file: MappedFile) -> Result<Self, LanguageError> {
        let file = file.whole_lines()?;
        let bytes = file.bytes();
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let reason = "not UTF-8 text".to_owned();
            LanguageError::in_line(file.path(), bytes, error.valid_up_to(), reason)
        })?;
        let mut bases = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace().map(str::to_owned);
            let form = words.next();
            let of_form: Vec<String> = words.collect();
            let Some(form) = form.filter(|_| !of_form.is_empty()) else {
                return Err(LanguageError::Line {
                    path: file.path().to_owned(),
                    line: number + 1,
                    reason: format!("{line:?}: expected an irregular form and its base forms"),
                });
            };
            bases.insert(form, of_form);
        }
        Ok(Self(bases))
    }

    /// The base forms listed for `form`.
    pub(super) fn get(&self, form: &str) -> Option<&[String]> {
        self.0.get(form).map(Vec::as_slice)
    }
}
