//! The known part of a file's SHA-256.

use serde::Deserialize;
use std::fmt;

/// The known part of a published file's SHA-256, in lower-case hexadecimal digits: all 64, none, or the first eight,
/// which torchvision writes into the file's name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct PublishedHash(pub &'static str);

impl PublishedHash {
    /// Can a file with this hash be the published one?
    ///
    /// ```
    /// use neurogauge_models::registry::PublishedHash;
    /// assert!(PublishedHash("7be5be79").matches("7be5be791159472b"));
    /// assert!(!PublishedHash("7be5be79").matches("8be5be791159472b"));
    /// ```
    pub fn matches(self, sha256: &str) -> bool {
        sha256.starts_with(self.0)
    }

    /// The hash, if all of it is known.
    pub fn full(self) -> Option<&'static str> {
        (self.0.len() == 64).then_some(self.0)
    }
}

impl fmt::Display for PublishedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.full()) {
            ("", _) => write!(f, "not published"),
            (digits, Some(_)) => write!(f, "{digits}"),
            (digits, None) => write!(f, "{digits}... (no more of it is published)"),
        }
    }
}
