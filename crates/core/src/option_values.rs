//! Values of options, from words or JSON; numbers out of range are refused before anything is computed.

use serde::Deserialize;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

/// Reads a number of the kind `N`.
///
/// ```
/// use neurogauge_core::option_values::{Count, number};
/// assert_eq!(number::<Count<7>, usize>("7"), Ok(7));
/// assert!(number::<Count<7>, usize>("8").is_err());
/// ```
///
/// # Errors
/// A sentence that says what was expected.
pub fn number<N: FromStr<Err = String> + Into<T>, T>(text: &str) -> Result<T, String> {
    text.parse().map(N::into)
}

/// Reads `NAME=PATH`.
///
/// # Errors
/// A sentence that says what was expected.
pub fn named_path(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected NAME=PATH, for example MindEye2=recons/mindeye2".to_owned()),
    }
}

/// An entry of a list, without the spaces around commas.
///
/// # Errors
/// Never fails; option parsers must return a result.
pub fn trimmed(text: &str) -> Result<String, Infallible> {
    Ok(text.trim().to_owned())
}

/// A whole number from 1 to `MOST`. The limit keeps absurd sizes from exhausting memory.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "i64")]
pub struct Count<const MOST: usize>(NonZeroUsize);

impl<const MOST: usize> TryFrom<i64> for Count<MOST> {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        number.to_string().parse()
    }
}

impl<const MOST: usize> FromStr for Count<MOST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST);
        number.map(Count).ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
    }
}

/// A size, or each image's own size.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "NumberOrWord")]
pub struct OwnOr<const MOST: usize>(pub Option<usize>);

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrWord {
    Number(i64),
    Word(String),
}

impl<const MOST: usize> TryFrom<NumberOrWord> for OwnOr<MOST> {
    type Error = String;

    fn try_from(value: NumberOrWord) -> Result<Self, String> {
        match value {
            NumberOrWord::Number(number) => number.to_string().parse(),
            NumberOrWord::Word(word) => word.parse(),
        }
    }
}

impl<const MOST: usize> FromStr for OwnOr<MOST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "own" => Ok(OwnOr(None)),
            number => match number.parse() {
                Ok(Count::<MOST>(number)) => Ok(OwnOr(Some(number.get()))),
                Err(error) => Err(format!("{error}, or own")),
            },
        }
    }
}

/// A random seed, as an option has it.
///
/// # Errors
/// A sentence that says what was expected.
pub fn seed(text: &str) -> Result<u64, String> {
    let number = text.parse();
    number.map_err(|_| "expected a whole number from 0 on".to_owned())
}

impl<const MOST: usize> From<Count<MOST>> for usize {
    fn from(count: Count<MOST>) -> usize {
        count.0.get()
    }
}

impl<const MOST: usize> From<Count<MOST>> for NonZeroUsize {
    fn from(count: Count<MOST>) -> NonZeroUsize {
        count.0
    }
}

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident: $is_sound:expr, $expected:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
        #[serde(try_from = "f64")]
        pub struct $name(pub f64);

        impl TryFrom<f64> for $name {
            type Error = String;

            fn try_from(number: f64) -> Result<Self, String> {
                let is_sound: fn(f64) -> bool = $is_sound;
                if number.is_finite() && is_sound(number) {
                    Ok($name(number))
                } else {
                    Err(format!("{number}: expected {}", $expected))
                }
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let number = text.trim().parse::<f64>().ok();
                number.and_then(|number| number.try_into().ok()).ok_or_else(|| format!("expected {}", $expected))
            }
        }

        impl From<$name> for f64 {
            fn from(number: $name) -> f64 {
                number.0
            }
        }
    )+};
}

numbers! {
    /// Any number.
    Finite: |_| true, "a finite number";
    AtLeastZero: |number| number >= 0.0, "a finite number, 0 or more";
    /// Confidence of a detection or mask.
    Confidence: |number| (0.0..=1.0).contains(&number), "a confidence from 0 to 1";
    /// A waiting time: above 0, at most a day.
    Seconds: |number| number > 0.0 && number <= 86_400.0, "a number of seconds above 0, at most 86400";
    /// Confidence level of intervals.
    Level: |number| number > 0.0 && number < 1.0, "a number between 0 and 1, exclusive, for example 0.95";
}

/// Width and height, px.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "NumbersOrWords<(f64, f64)>")]
pub struct Size(pub (f64, f64));

/// Numbers, or the word for them on the command line.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of numbers or the words of the command line")]
pub enum NumbersOrWords<T> {
    Numbers(T),
    Words(String),
}

impl TryFrom<NumbersOrWords<(f64, f64)>> for Size {
    type Error = String;

    fn try_from(value: NumbersOrWords<(f64, f64)>) -> Result<Self, String> {
        match value {
            NumbersOrWords::Numbers((width, height)) => format!("{width}x{height}").parse(),
            NumbersOrWords::Words(words) => words.parse(),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    /// Parses `425x425`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected WIDTHxHEIGHT in px, for example 425x425".to_owned();
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(expected)?;
        let number =
            |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite() && *v > 0.0).ok_or_else(expected);
        Ok(Size((number(width)?, number(height)?)))
    }
}

impl From<Size> for (f64, f64) {
    fn from(size: Size) -> (f64, f64) {
        size.0
    }
}
