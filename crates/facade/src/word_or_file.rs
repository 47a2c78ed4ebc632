//! A choice by a word, or by a file.

use neurogauge_core::words::{of_word, word_of};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_with::{DeserializeFromStr, SerializeDisplay};
use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One of the words of `T`; every other text is the path of a file or folder.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub enum WordOrFile<T> {
    Word(T),
    File(PathBuf),
}

impl<T: Serialize> fmt::Display for WordOrFile<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordOrFile::Word(word) => f.write_str(&word_of(word)),
            WordOrFile::File(path) => path.display().fmt(f),
        }
    }
}

impl<T: DeserializeOwned> FromStr for WordOrFile<T> {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(of_word(text).map_or_else(|_| WordOrFile::File(text.into()), WordOrFile::Word))
    }
}
