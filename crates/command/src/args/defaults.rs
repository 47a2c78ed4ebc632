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

    /// Defaults that describe what happens without the option.
    const DESCRIBED: [&str; 3] = ["all", "none", "'{stem}'"];
    const ROWS_ARE_COUNTED: &str = ": rows are called 0, 1, 2, ...";

    /// The texts between each `start` and the next `end`.
    fn between<'a>(text: &'a str, start: &'a str, end: char) -> impl Iterator<Item = &'a str> {
        text.split(start).skip(1).filter_map(move |rest| rest.split(end).next())
    }

    fn is_number(word: &str) -> bool {
        word.trim_matches(|c: char| c.is_ascii_punctuation()).parse::<f64>().is_ok()
    }

    /// Is this, behind `[default`, a value, or a sentence with a number?
    fn is_typed(sentence: &str) -> bool {
        let value = sentence.trim_start_matches(": ");
        let is_word = value != sentence && !value.contains([' ', '{']);
        is_word && !DESCRIBED.contains(&value) || sentence.split(' ').any(is_number) && sentence != ROWS_ARE_COUNTED
    }

    #[test]
    fn defaults_are_printed_and_not_typed() {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")) {
            let text = std::fs::read_to_string(&path).unwrap().replace("\n    /// ", " ");
            let sentences = between(&text, "[default", ']').filter(|sentence| is_typed(sentence));
            let literals = between(&text, "defaults_to = \"", '"').filter(|value| !DESCRIBED.contains(value));
            // Enums have a default of their own.
            let choices =
                between(&text, "#[arg(", '\n').filter(|arg| arg.contains("value_enum") || arg.contains("choice::<"));
            let words = choices.filter(|arg| arg.contains("default_value = \""));
            let typed: Vec<&str> = sentences.chain(literals).chain(words).collect();
            assert!(
                typed.is_empty(),
                "{}: {typed:?}: print the default from its constant or its `Default`",
                path.display()
            );
        }
    }

    #[test]
    fn typed_values_and_numbers_are_told_from_sentences() {
        for typed in [": own", ": 0.1", ": the preset's: 50 for official", " where SHARE is left out: 0.1"] {
            assert!(is_typed(typed), "{typed}");
        }
        for sentence in [": all", ": what the metrics need", ", unless configured", ": as configured, else {default}"] {
            assert!(!is_typed(sentence), "{sentence}");
        }
    }
}
