//! Defaults in the help of options, printed from those of the libraries, and the replacement of defaults by given
//! values.

use clap::Arg;
use clap::builder::{Resettable, StyledStr};
use neurogauge::ScoreRequest;
use std::fmt::Display;
use std::sync::LazyLock;

/// The default request of `neurogauge score`.
pub(crate) static SCORE: LazyLock<ScoreRequest> = LazyLock::new(ScoreRequest::default);

pub(crate) trait Defaults {
    /// Adds the default to the end of the help. The value stays absent if it is not given, because several commands
    /// need to know that.
    fn defaults_to(self, default: impl Display) -> Self;
}

impl Defaults for Arg {
    fn defaults_to(self, default: impl Display) -> Self {
        let with = |help: &StyledStr| StyledStr::from(format!("{help} [default: {default}]"));
        let (help, long_help) = (self.get_help().map(with), self.get_long_help().map(with));
        self.help(Resettable::from(help)).long_help(Resettable::from(long_help))
    }
}

/// Replaces a default by the given value.
pub(crate) fn set<T>(target: &mut T, given: Option<impl Into<T>>) {
    if let Some(value) = given {
        *target = value.into();
    }
}

/// The word for a switch.
pub(crate) fn on_off(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    /// All source files of the program and of the crates whose requests it reads.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let below = entries.filter(|path| !path.ends_with("tests")).map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        });
        below.flatten().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
    }

    #[test]
    fn defaults_are_printed_and_not_typed() {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")) {
            let text = std::fs::read_to_string(&path).unwrap().replace("\n    /// ", " ");
            let typed = text.match_indices("[default: ").map(|(at, start)| &text[at + start.len()..]);
            let mut values = typed.filter_map(|rest| rest.split_once(']')).map(|(value, _)| value);
            // Sentences are not values; these few describe a part of a value.
            let is_word =
                |value: &str| !value.contains([' ', '{']) && !["all", "none", "official", "basic"].contains(&value);
            let is_number = |word: &str| word.trim_matches(|c: char| c.is_ascii_punctuation()).parse::<f64>().is_ok();
            let rows_are_counted = "rows are called 0, 1, 2, ...";
            let value =
                values.find(|value| is_word(value) || value.split(' ').any(is_number) && *value != rows_are_counted);
            let value = value.unwrap_or_default();
            assert!(value.is_empty(), "{}: [default: {value}]: say it with `defaults_to`", path.display());
        }
    }
}
