//! How messages write options.
//!
//! A library knows an option by its name and its value. The program that faces the user sets once how these are
//! written: the command line as `--device cpu`, Python as `device="cpu"`.

use std::fmt;
use std::sync::{PoisonError, RwLock};

/// An option in a message.
///
/// ```
/// use neurogauge_core::option_words::option;
/// let message = format!("take {}", option("device", "cpu"));
/// assert_eq!(message, "take device cpu");
/// assert_eq!(option("labels", "").to_string(), "labels");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedOption<'a> {
    /// Its name, with hyphens between words.
    pub name: &'a str,
    /// Its value; empty if the message is about the option itself.
    pub value: &'a str,
}

/// Writes an option.
pub type Words = fn(&NamedOption<'_>, &mut fmt::Formatter<'_>) -> fmt::Result;

static WORDS: RwLock<Option<Words>> = RwLock::new(None);

/// Sets how every message of this process writes options. Before the first call, messages write the name followed by
/// the value.
pub fn write_options_as(words: Words) {
    *WORDS.write().unwrap_or_else(PoisonError::into_inner) = Some(words);
}

/// An option with its value, to be put into a message.
pub const fn option<'a>(name: &'a str, value: &'a str) -> NamedOption<'a> {
    NamedOption { name, value }
}

impl fmt::Display for NamedOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = *WORDS.read().unwrap_or_else(PoisonError::into_inner);
        match words {
            Some(words) => words(self, f),
            None if self.value.is_empty() => f.write_str(self.name),
            None => write!(f, "{} {}", self.name, self.value),
        }
    }
}
