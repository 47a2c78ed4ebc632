//! Patterns for the names of reconstructions.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The name of a stimulus' reconstruction (convention `pairing-match`): a name with one placeholder.
///
/// - `{stem}` is the stem of the stimulus: with `{stem}_recon`, `0_recon` belongs to `0`.
/// - `{number}` is its number, without leading zeros: with `recon_{number}`, `recon_7` belongs to `007` and to
///   `img_0007`. The stem of the stimulus has to hold exactly one number.
///
/// ```
/// use neurogauge_core::pair::StemPattern;
/// let pattern: StemPattern = "{stem}_recon".parse()?;
/// assert_eq!(pattern.of_recon("0_recon"), Some("0"));
/// assert_eq!(pattern.of_recon("grid"), None);
/// let pattern: StemPattern = "recon_{number}".parse()?;
/// assert_eq!(pattern.of_recon("recon_7"), pattern.of_gt("img_0007"));
/// # Ok::<(), neurogauge_core::pair::StemPatternError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StemPattern {
    pub(super) before: String,
    pub(super) placeholder: Placeholder,
    pub(super) after: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Placeholder {
    Stem,
    Number,
}

impl Placeholder {
    const BOTH: [Placeholder; 2] = [Placeholder::Stem, Placeholder::Number];

    fn written(self) -> &'static str {
        match self {
            Placeholder::Stem => "{stem}",
            Placeholder::Number => "{number}",
        }
    }
}

/// A pattern without a placeholder, or with several.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{pattern:?}: expected the name of a reconstruction without its extension, with {{stem}} or {{number}} in it once, such as \
     {{stem}}_recon"
)]
pub struct StemPatternError {
    pattern: String,
}

impl StemPattern {
    /// The value of the placeholder in the stem of a reconstruction; `None` if the stem has another form. Numbers
    /// come without the zeros before them.
    pub fn of_recon<'a>(&self, stem: &'a str) -> Option<&'a str> {
        let inner = stem
            .strip_prefix(self.before.as_str())?
            .strip_suffix(self.after.as_str())
            .filter(|inner| !inner.is_empty())?;
        match self.placeholder {
            Placeholder::Stem => Some(inner),
            Placeholder::Number => inner
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| inner.trim_start_matches('0')),
        }
    }

    /// `{number}`.
    pub(super) fn number() -> Self {
        StemPattern {
            before: String::new(),
            placeholder: Placeholder::Number,
            after: String::new(),
        }
    }

    /// Does the name around the placeholder have this letter?
    pub(super) fn has(&self, letter: char) -> bool {
        self.before.contains(letter) || self.after.contains(letter)
    }

    /// The value of the placeholder in the stem of a stimulus; `None` if the pattern needs a number and the stem does not
    /// hold exactly one.
    pub fn of_gt<'a>(&self, stem: &'a str) -> Option<&'a str> {
        match self.placeholder {
            Placeholder::Stem => Some(stem),
            Placeholder::Number => {
                let mut numbers = numbers(stem);
                let first = numbers.next()?;
                let is_only = numbers.next().is_none();
                is_only.then(|| stem[first].trim_start_matches('0'))
            }
        }
    }
}

/// Where the runs of digits of a stem are.
pub(super) fn numbers(stem: &str) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let bytes = stem.as_bytes();
    let is_digit = move |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let starts = (0..bytes.len()).filter(move |&at| is_digit(at) && (at == 0 || !is_digit(at - 1)));
    starts.map(move |start| {
        let end = (start..bytes.len()).find(|&at| !is_digit(at));
        start..end.unwrap_or(bytes.len())
    })
}

impl FromStr for StemPattern {
    type Err = StemPatternError;

    fn from_str(text: &str) -> Result<Self, StemPatternError> {
        let count = |placeholder: Placeholder| text.matches(placeholder.written()).count();
        let found = Placeholder::BOTH
            .into_iter()
            .filter(|&placeholder| count(placeholder) > 0);
        let [placeholder] = found.collect::<Vec<_>>()[..] else {
            return Err(StemPatternError {
                pattern: text.to_owned(),
            });
        };
        match text.split(placeholder.written()).collect::<Vec<_>>()[..] {
            [before, after] => Ok(StemPattern {
                before: before.to_owned(),
                placeholder,
                after: after.to_owned(),
            }),
            _ => Err(StemPatternError {
                pattern: text.to_owned(),
            }),
        }
    }
}

impl TryFrom<String> for StemPattern {
    type Error = StemPatternError;

    fn try_from(text: String) -> Result<Self, StemPatternError> {
        text.parse()
    }
}

impl From<StemPattern> for String {
    fn from(pattern: StemPattern) -> String {
        pattern.to_string()
    }
}

impl fmt::Display for StemPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.placeholder.written();
        write!(f, "{}{written}{}", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_one_placeholder() {
        for text in ["{stem}", "{stem}_recon", "recon_{number}", "a{b}{stem}"] {
            let pattern: StemPattern = text.parse().unwrap();
            assert_eq!(pattern.to_string(), text);
        }
        for text in ["", "recon", "{stem}{stem}", "{stem}_{number}", "{ stem }"] {
            let error = text.parse::<StemPattern>().unwrap_err().to_string();
            assert!(error.contains("{stem}_recon"), "{error}");
        }
    }

    #[test]
    fn numbers_are_compared_without_zeros_before_them() {
        let pattern: StemPattern = "{number}".parse().unwrap();
        assert_eq!(pattern.of_gt("0"), pattern.of_recon("000"));
        assert_ne!(pattern.of_gt("0"), pattern.of_recon("10"));
        assert_eq!(pattern.of_gt("img_0012.b"), Some("12"));
        assert_eq!(pattern.of_gt("COCO_val2014_000000397133"), None);
        assert_eq!(pattern.of_gt("cat"), None);
        assert_eq!(pattern.of_recon("-1"), None);
    }

    #[test]
    fn a_stem_of_another_form_stands_for_nothing() {
        let pattern: StemPattern = "recon_{stem}_v2".parse().unwrap();
        assert_eq!(pattern.of_recon("recon_é_v2"), Some("é"));
        for stem in ["recon__v2", "recon_v2", "é_v2", ""] {
            assert_eq!(pattern.of_recon(stem), None, "{stem}");
        }
    }
}
