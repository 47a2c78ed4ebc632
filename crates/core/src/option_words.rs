//! How messages write options.
//!
//! A library knows an option by its name and its value. The program that faces the user sets once how these are
//! written: the command line as `--device cpu`, Python as `device="cpu"`.

use std::cell::Cell;
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

/// A table of a configuration, with the options that are its keys.
#[derive(Debug)]
pub struct ConfigTable {
    /// How messages call it, such as `[score.pairing]`.
    pub name: &'static str,
    /// Names of options.
    pub keys: &'static [&'static str],
}

thread_local! {
    static TABLE: Cell<Option<&'static ConfigTable>> = const { Cell::new(None) };
}

/// Runs with messages of this thread that write options as keys of this table, where it has them.
///
/// ```
/// use neurogauge_core::option_words::{ConfigTable, in_table, option};
/// static AUDIT: ConfigTable = ConfigTable { name: "[audit]", keys: &["pairs"] };
/// let written = in_table(&AUDIT, || option("pairs", "shared").to_string());
/// assert_eq!(written, r#"pairs = "shared" in [audit]"#);
/// ```
pub fn in_table<T>(table: &'static ConfigTable, run: impl FnOnce() -> T) -> T {
    let before = TABLE.replace(Some(table));
    let found = run();
    TABLE.set(before);
    found
}

/// An option with its value, to be put into a message.
pub const fn option<'a>(name: &'a str, value: &'a str) -> NamedOption<'a> {
    NamedOption { name, value }
}

impl fmt::Display for NamedOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(table) = TABLE.get().filter(|table| table.keys.contains(&self.name)) {
            return write!(f, "{} = {:?} in {}", self.name.replace('-', "_"), self.value, table.name);
        }
        let words = *WORDS.read().unwrap_or_else(PoisonError::into_inner);
        match words {
            Some(words) => words(self, f),
            None if self.value.is_empty() => f.write_str(self.name),
            None => write!(f, "{} {}", self.name, self.value),
        }
    }
}
