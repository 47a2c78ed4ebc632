//! The known part of a file's SHA-256.

use std::fmt;

/// The known part of a published file's SHA-256, in lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishedHash {
    Full(&'static str),
    /// Its first digits, which torchvision writes into the file's name.
    Prefix(&'static str),
    /// Nothing.
    None,
}

impl PublishedHash {
    /// Does a file of this hash pass for the published one?
    ///
    /// ```
    /// use neurogauge_models::registry::PublishedHash;
    /// assert!(PublishedHash::Prefix("7be5be79").matches("7be5be791159472b"));
    /// assert!(!PublishedHash::Full("7be5be79").matches("7be5be791159472b"));
    /// ```
    pub fn matches(self, sha256: &str) -> bool {
        match self {
            PublishedHash::Full(digits) => sha256 == digits,
            PublishedHash::Prefix(digits) => sha256.starts_with(digits),
            PublishedHash::None => true,
        }
    }

    /// As much of it as is known.
    pub(crate) fn digits(self) -> &'static str {
        match self {
            PublishedHash::Full(digits) | PublishedHash::Prefix(digits) => digits,
            PublishedHash::None => "",
        }
    }

    /// The hash, where all of it is known.
    pub fn full(self) -> Option<&'static str> {
        match self {
            PublishedHash::Full(digits) => Some(digits),
            PublishedHash::Prefix(_) | PublishedHash::None => None,
        }
    }
}

impl fmt::Display for PublishedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PublishedHash::Full(digits) => write!(f, "{digits}"),
            PublishedHash::Prefix(digits) => {
                write!(f, "{digits}... (no more of it is published)")
            }
            PublishedHash::None => write!(f, "not published"),
        }
    }
}
