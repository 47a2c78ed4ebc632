//! The consent text, which people agree to before they see anything else.

use neurogauge::Error;
use neurogauge::formats::{IoResult, Problem, content_hash};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Longer than any form that people read to the end, bytes.
const MAX_BYTES: usize = 100_000;

/// The text, and the hash with which answers refer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// SHA-256 of the file's bytes, as `sha256sum` prints it.
    pub sha256: String,
    /// Paragraphs between empty lines; lines that begin with `#` are headings, those that begin with `- ` are items of
    /// a list.
    pub text: String,
}

impl Consent {
    /// Reads the text from a file.
    ///
    /// # Errors
    /// [`Error::Format`] for a file that cannot be read, is not UTF-8, is empty, or has more than 100 kB.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let bytes = neurogauge::formats::regular_file::read(path).when("reading", path)?;
        let sha256 = content_hash::of_bytes(&bytes);
        let content = |found: String| Problem::content(found, "the text that people agree to, as UTF-8").at(path);
        if bytes.len() > MAX_BYTES {
            return Err(content(format!("{} bytes, more than {MAX_BYTES}", bytes.len())).into());
        }
        let text = String::from_utf8(bytes).map_err(|_| content("other bytes than text".to_owned()))?;
        if text.trim().is_empty() {
            return Err(content("no text".to_owned()).into());
        }
        Ok(Consent { sha256, text })
    }
}
