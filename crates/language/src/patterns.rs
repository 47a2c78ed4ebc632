//! Compiles the regular expressions in the code.

use regex::Regex;

/// Compiles `pattern`; tests make sure that every pattern is valid.
pub(crate) fn compiled(pattern: &str) -> Regex {
    match Regex::new(pattern) {
        Ok(regex) => regex,
        Err(error) => unreachable!("a pattern written into the code: {error}"),
    }
}
