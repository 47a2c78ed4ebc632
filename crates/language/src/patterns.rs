//! Regular expressions that are written in the code.

use regex::Regex;

/// `pattern`, which the tests of its module compile.
pub(crate) fn compiled(pattern: &str) -> Regex {
    match Regex::new(pattern) {
        Ok(regex) => regex,
        Err(error) => unreachable!("a pattern written into the code: {error}"),
    }
}
